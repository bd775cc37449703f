"""Requests that the library may not repeat by itself.

It repeats every request that Discord answers with 500, 502, 504 or 524. That is harmless where a
nonce or the thing itself tells the repeat; a forum's post made twice stands there twice. Whoever
makes one makes it inside `once`, in a client that was given `trace`.
https://discordpy.readthedocs.io/en/stable/api.html#discord.Client (http_trace)
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from http import HTTPStatus
from types import SimpleNamespace

import aiohttp


@dataclass(slots=True)
class _Attempt:
    """A request, and whether it may have been carried out."""

    open: bool = False


# The library passes nothing of its callers' on to the trace; both run in one task.
_ATTEMPT: ContextVar[_Attempt | None] = ContextVar("discord_attempt", default=None)


def _unheard(_date: str | None) -> None:
    """Tell nobody."""


class RepeatError(aiohttp.ClientError):
    """A request was about to be repeated that may have been carried out already."""


@contextmanager
def once() -> Iterator[None]:
    """Let a request be made once; after a rate limit, which nothing passes, it is made again."""
    token = _ATTEMPT.set(_Attempt())
    try:
        yield
    finally:
        _ATTEMPT.reset(token)


async def _at_once(_path: str) -> None:
    """Let a request leave."""


def trace(
    heard: Callable[[str | None], None] = _unheard,
    turn: Callable[[str], Awaitable[None]] = _at_once,
) -> aiohttp.TraceConfig:
    """Return what a client watches its requests with, so that `once` holds.

    `heard` is told of the time of each answer, as its header has it; `turn` waits until a request
    to a path may leave.
    """

    async def turned(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestStartParams,
    ) -> None:
        await turn(params.url.path)

    async def dated(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        heard(params.response.headers.get("Date"))

    config = aiohttp.TraceConfig()
    config.on_request_end.append(dated)
    config.on_request_start.append(turned)
    config.on_request_start.append(_begun)
    config.on_request_end.append(_answered)
    return config


async def _begun(
    _session: aiohttp.ClientSession, _context: SimpleNamespace, _params: object
) -> None:
    attempt = _ATTEMPT.get()
    if attempt is None:
        return
    if attempt.open:
        raise RepeatError
    attempt.open = True


async def _answered(
    _session: aiohttp.ClientSession,
    _context: SimpleNamespace,
    params: aiohttp.TraceRequestEndParams,
) -> None:
    attempt = _ATTEMPT.get()
    if attempt is not None and params.response.status == HTTPStatus.TOO_MANY_REQUESTS:
        attempt.open = False
