"""Requests as they leave: watched, each in its turn, and where it has to be so made once only.

The library repeats every request that Discord answers with 500, 502, 504 or 524. That is harmless
where a nonce or the thing itself tells the repeat; a forum's post made twice stands there twice.
Whoever makes one makes it inside `once`, in a client that was given `trace`.
https://discordpy.readthedocs.io/en/stable/api.html#discord.Client (http_trace)
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from http import HTTPStatus
from types import SimpleNamespace

import aiohttp

from adapters.discord.api.rate_limits import CrowdedError


@dataclass(slots=True)
class Attempt:
    """What became of the requests of one call, the repeats of the library's among them.

    `single` where they may not be repeated; `seen` where one was about to leave; `open` while
    one that left may have been carried out, and `before` whether one before the last may.
    """

    single: bool = False
    seen: bool = False
    open: bool = False
    before: bool = False

    @property
    def came_to_nothing(self) -> bool:
        """Whether it is certain that Discord carried nothing out."""
        return self.seen and not self.open


# The library passes nothing of its callers' on to the trace; both run in one task.
_ATTEMPT: ContextVar[Attempt | None] = ContextVar("discord_attempt", default=None)


def _unheard(_date: str | None) -> None:
    """Tell nobody."""


class RepeatError(aiohttp.ClientError):
    """A request was about to be repeated, or could not be, that may have been carried out."""


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
    """Let a request be made once; after a rate limit, which nothing passes, it is made again."""
    attempt = _ATTEMPT.get()
    if attempt is None:
        with attempted() as attempt:
            attempt.single = True
            yield
        return
    attempt.single, attempt.open, attempt.before = True, False, False
    try:
        yield
    finally:
        attempt.single = False


async def _at_once(_path: str) -> None:
    """Let a request leave."""


async def _unlimited(_method: str, _path: str, _headers: Mapping[str, str]) -> None:
    """Tell nobody."""


def trace(
    heard: Callable[[str | None], None] = _unheard,
    turn: Callable[[str], Awaitable[None]] = _at_once,
    limited: Callable[[str, str, Mapping[str, str]], Awaitable[None]] = _unlimited,
) -> aiohttp.TraceConfig:
    """Return what a client watches its requests with, so that `once` holds.

    `heard` is told of the time of each answer, as its header has it; `turn` waits until a request
    to a path may leave, or raises `CrowdedError`; `limited` is told of each that was refused with
    429, by its method, its path and the headers of the answer.
    """

    async def leaving(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestStartParams,
    ) -> None:
        attempt = _ATTEMPT.get() or Attempt()
        if attempt.single and attempt.open:
            raise RepeatError
        attempt.seen = True
        try:
            await turn(params.url.path)
        except CrowdedError as error:
            if attempt.open:
                raise RepeatError from error
            raise
        attempt.before, attempt.open = attempt.open, True

    async def answered(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        headers, status = params.response.headers, params.response.status
        heard(headers.get("Date"))
        attempt = _ATTEMPT.get()
        if attempt is not None and _is_refused(status):
            attempt.open = attempt.before
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            await limited(params.method, params.url.path, headers)

    config = aiohttp.TraceConfig()
    config.on_request_start.append(leaving)
    config.on_request_end.append(answered)
    return config


def _is_refused(status: int) -> bool:
    return HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
