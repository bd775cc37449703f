"""Whether a request left: of one that did not it is certain that Slack carried nothing out."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import SimpleNamespace

import aiohttp


@dataclass(slots=True)
class Attempt:
    """What became of the requests of one call.

    `watched` where one was begun in a session that tells, `left` where the first bytes of one may
    have been written.
    """

    watched: bool = False
    left: bool = False

    @property
    def came_to_nothing(self) -> bool:
        """Whether it is certain that nothing left: no connection was had within the time."""
        return self.watched and not self.left


# The SDK hands nothing of its callers' on to the session; both run in one task.
_ATTEMPT: ContextVar[Attempt | None] = ContextVar("slack_attempt", default=None)


@contextmanager
def attempted() -> Iterator[Attempt]:
    """Watch the requests of one call."""
    attempt = Attempt()
    token = _ATTEMPT.set(attempt)
    try:
        yield attempt
    finally:
        _ATTEMPT.reset(token)


def trace() -> aiohttp.TraceConfig:
    """Return what a session has to be opened with that tells whether requests left.

    Headers are written once there is a connection, TLS included:
    https://docs.aiohttp.org/en/stable/tracing_reference.html
    """

    async def begun(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        _params: aiohttp.TraceRequestStartParams,
    ) -> None:
        if attempt := _ATTEMPT.get():
            attempt.watched = True

    async def leaving(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        _params: aiohttp.TraceRequestHeadersSentParams,
    ) -> None:
        if attempt := _ATTEMPT.get():
            attempt.left = True

    config = aiohttp.TraceConfig()
    config.on_request_start.append(begun)
    config.on_request_headers_sent.append(leaving)
    return config
