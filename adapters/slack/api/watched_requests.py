"""A trace of HTTP requests, which tells whether a request left."""

from types import SimpleNamespace

import aiohttp

from adapters.common.call_attempt import current_attempt


def request_trace() -> aiohttp.TraceConfig:
    """Return the trace of a session, which notes in the current attempt whether requests left.

    Headers are written once there is a connection, TLS included:
    https://docs.aiohttp.org/en/stable/tracing_reference.html
    """

    async def on_request_start(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        _params: aiohttp.TraceRequestStartParams,
    ) -> None:
        if attempt := current_attempt():
            attempt.was_started = True

    async def on_headers_sent(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        _params: aiohttp.TraceRequestHeadersSentParams,
    ) -> None:
        if attempt := current_attempt():
            attempt.may_be_done = True

    config = aiohttp.TraceConfig()
    config.on_request_start.append(on_request_start)
    config.on_request_headers_sent.append(on_headers_sent)
    return config
