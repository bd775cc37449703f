"""API calls: their errors mapped, logged and counted, and the trace of their HTTP requests.

The library retries every request that Discord answers with 500, 502, 504 or 524. A nonce makes
that harmless for messages; a forum post would exist twice. Such a request is made inside `once`,
by a client with `request_trace`.
https://discordpy.readthedocs.io/en/stable/api.html#discord.Client (http_trace)
"""

import asyncio
import logging
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from http import HTTPStatus
from types import SimpleNamespace
from typing import TypeVar

import aiohttp

from adapters.common.call_attempt import CallAttempt, attempted, current_attempt
from adapters.common.library_logs import drop_redundant, limit
from adapters.common.response_headers import ServerTime
from adapters.discord.api.errors import (
    CONNECT_ERRORS,
    NETWORK_ERRORS,
    as_send_error,
    is_already_done,
)
from adapters.discord.api.rate_limits import GlobalRateLimit, RateLimitFullError
from bot.errors import OutcomeUnknown, RetryLater, SendError
from bot.operations.metrics import Metrics

T = TypeVar("T")
_HELD_UP = "Discord's limits held it up for too long."
_MOMENT = "Try again in a moment."
_SEE = "See whether it came."
_REDUNDANT = (
    # Our own lines report it, without a traceback.
    "Attempting a reconnect",
    "Failed to connect for shard_id",
    # The user goes on typing, and each letter asks again.
    "Ignoring exception in autocomplete",
    # The bot does not use voice.
    "PyNaCl is not installed",
    "davey is not installed",
)
_log = logging.getLogger(__name__)


def quiet_library_logs() -> None:
    """Limit the library's loggers to warnings and errors that are worth it."""
    limit(logging.getLogger("discord"))
    for name in ("client", "shard", "gateway", "http", "webhook.async_", "app_commands.tree"):
        drop_redundant(logging.getLogger(f"discord.{name}"), _REDUNDANT)


@contextmanager
def muted_library_logs() -> Iterator[None]:
    """Mute the library's loggers, for a caller that reports its errors."""
    logger = logging.getLogger("discord")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _as_known(error: SendError, attempt: CallAttempt) -> SendError:
    """Return the error by what is known of all requests of a call, not of the last alone.

    The library repeats a request after a 500; that the last one found no connection tells nothing
    of those before it.
    """
    if isinstance(error, OutcomeUnknown) and attempt.is_certainly_undone:
        return RetryLater(_HELD_UP, _MOMENT, error.code)
    if isinstance(error, RetryLater) and attempt.is_unclear:
        return OutcomeUnknown(error.sentence, _SEE, error.code)
    return error


class Calls:
    """Runs API calls.

    Args:
        metrics: counts calls by name and outcome.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def run(self, name: str, call: Awaitable[T], seconds: float | None = None) -> T:
        """Await an API call, for so many seconds at most, and return its result.

        `name` labels it in logs and metrics.

        Raises:
            SendError: as `api.errors.as_send_error` maps the library's errors.
        """
        with attempted() as attempt:
            try:
                async with asyncio.timeout(seconds):
                    result = await call
            except (*NETWORK_ERRORS, RuntimeError) as error:
                reason = _as_known(as_send_error(error), attempt)
                self._record_failure(name, reason)
                raise reason from error
        self._metrics.called("discord", name, "ok")
        return result

    def _record_failure(self, name: str, error: SendError) -> None:
        self._metrics.called("discord", name, type(error).__name__.lower())
        if not is_already_done(error):
            facts = {"call": name, "code": error.code or None, "reason": error.sentence}
            _log.warning("discord_call_failed", extra=facts)


# Whether the library may repeat no request that may have been carried out.
_IS_SINGLE: ContextVar[bool] = ContextVar("discord_single_request", default=False)


class RepeatError(aiohttp.ClientError):
    """A request that Discord may have carried out was not retried."""


@contextmanager
def once() -> Iterator[None]:
    """Forbid the library's retries of a request; those after a 429 are allowed."""
    token = _IS_SINGLE.set(True)
    try:
        if attempt := current_attempt():
            attempt.may_be_done = False  # what the call did before is known
            yield
        else:
            with attempted():
                yield
    finally:
        _IS_SINGLE.reset(token)


def request_trace(
    limit: GlobalRateLimit | None = None, server_time: ServerTime | None = None
) -> aiohttp.TraceConfig:
    """Return the `http_trace` of a client, without which `once` has no effect.

    Args:
        limit: delays its requests, and is slowed down by those that Discord refuses.
        server_time: follows the Date header of each response.
    """
    server_time = server_time or ServerTime()

    async def on_request_start(
        _session: aiohttp.ClientSession,
        context: SimpleNamespace,
        params: aiohttp.TraceRequestStartParams,
    ) -> None:
        attempt = current_attempt() or CallAttempt()
        if _IS_SINGLE.get() and attempt.may_be_done:
            raise RepeatError
        attempt.was_started = True
        try:
            if limit:
                await limit.acquire(params.url.path)
        except RateLimitFullError as error:
            if attempt.may_be_done:
                raise RepeatError from error
            raise
        context.may_be_done_before = attempt.may_be_done
        attempt.may_be_done = True

    async def on_request_end(
        _session: aiohttp.ClientSession,
        context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        headers, status = params.response.headers, params.response.status
        server_time.update(headers.get("Date"))
        attempt = current_attempt()
        if attempt is not None:
            if _is_client_error(status):
                attempt.may_be_done = context.may_be_done_before
            attempt.is_unclear |= status >= HTTPStatus.INTERNAL_SERVER_ERROR
        if limit and status == HTTPStatus.TOO_MANY_REQUESTS:
            await limit.on_refused(params.method, params.url.path, headers)

    config = aiohttp.TraceConfig()
    config.on_request_start.append(on_request_start)
    config.on_request_end.append(on_request_end)
    config.on_request_exception.append(_note_exception)
    return config


async def _note_exception(
    _session: aiohttp.ClientSession,
    context: SimpleNamespace,
    params: aiohttp.TraceRequestExceptionParams,
) -> None:
    """Record whether a request that got no answer was sent."""
    if attempt := current_attempt():
        if isinstance(params.exception, CONNECT_ERRORS):
            attempt.may_be_done = context.may_be_done_before
        else:
            attempt.is_unclear = True


def _is_client_error(status: int) -> bool:
    return HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
