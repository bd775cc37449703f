"""A trace of HTTP requests: their rate limit slots, their outcome, and retries that are forbidden.

The library retries every request that Discord answers with 500, 502, 504 or 524. A nonce makes
that harmless for messages; a forum post would exist twice. Such a request is made inside `once`,
by a client with `request_trace`.
https://discordpy.readthedocs.io/en/stable/api.html#discord.Client (http_trace)
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from http import HTTPStatus
from types import SimpleNamespace

import aiohttp

from adapters.discord.api.rate_limits import RateLimitFullError


@dataclass(slots=True)
class Attempt:
    """The state of the requests of one call, with the library's retries.

    Attributes:
        is_single: whether they may not be retried.
        was_started: whether a request was about to be sent.
        may_be_done: whether Discord may have carried out a request.
        may_be_done_before: the same of the requests before the last one.
    """

    is_single: bool = False
    was_started: bool = False
    may_be_done: bool = False
    may_be_done_before: bool = False

    @property
    def is_certainly_undone(self) -> bool:
        """Whether Discord certainly carried nothing out."""
        return self.was_started and not self.may_be_done


# The library passes no context from callers to the trace; both run in one task.
_ATTEMPT: ContextVar[Attempt | None] = ContextVar("discord_attempt", default=None)


class RepeatError(aiohttp.ClientError):
    """A request that Discord may have carried out was not retried."""


@contextmanager
def attempted() -> Iterator[Attempt]:
    """Watch the requests of one call."""
    attempt = Attempt()
    token = _ATTEMPT.set(attempt)
    try:
        yield attempt
    finally:
        _ATTEMPT.reset(token)


@contextmanager
def once() -> Iterator[None]:
    """Forbid the library's retries of a request; those after a 429 are allowed."""
    attempt = _ATTEMPT.get()
    if attempt is None:
        with attempted() as attempt:
            attempt.is_single = True
            yield
        return
    attempt.is_single, attempt.may_be_done, attempt.may_be_done_before = True, False, False
    try:
        yield
    finally:
        attempt.is_single = False


def _ignore_date(_date: str | None) -> None:
    """Do nothing."""


async def _acquire_nothing(_path: str) -> None:
    """Do nothing."""


async def _ignore_refusal(_method: str, _path: str, _headers: Mapping[str, str]) -> None:
    """Do nothing."""


def request_trace(
    on_date: Callable[[str | None], None] = _ignore_date,
    acquire: Callable[[str], Awaitable[None]] = _acquire_nothing,
    on_refused: Callable[[str, str, Mapping[str, str]], Awaitable[None]] = _ignore_refusal,
) -> aiohttp.TraceConfig:
    """Return the `http_trace` of a client, without which `once` has no effect.

    Args:
        on_date: takes the Date header of each response.
        acquire: waits until a request to a path may be sent, or raises `RateLimitFullError`.
        on_refused: takes the method, path and response headers of each request refused with 429.
    """

    async def on_request_start(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestStartParams,
    ) -> None:
        attempt = _ATTEMPT.get() or Attempt()
        if attempt.is_single and attempt.may_be_done:
            raise RepeatError
        attempt.was_started = True
        try:
            await acquire(params.url.path)
        except RateLimitFullError as error:
            if attempt.may_be_done:
                raise RepeatError from error
            raise
        attempt.may_be_done_before, attempt.may_be_done = attempt.may_be_done, True

    async def on_request_end(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        headers, status = params.response.headers, params.response.status
        on_date(headers.get("Date"))
        attempt = _ATTEMPT.get()
        if attempt is not None and _is_client_error(status):
            attempt.may_be_done = attempt.may_be_done_before
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            await on_refused(params.method, params.url.path, headers)

    config = aiohttp.TraceConfig()
    config.on_request_start.append(on_request_start)
    config.on_request_end.append(on_request_end)
    return config


def _is_client_error(status: int) -> bool:
    return HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
