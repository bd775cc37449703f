"""Acknowledgements that hold the answer if it is ready in time; else the answer follows.

A platform accepts an acknowledgement for three seconds. One that holds the answer shows it at once
and costs no call, so it waits for the answer for up to a second.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from adapters.common.tasks import Tasks
from bot.cache import Cache

T = TypeVar("T")

WAIT_SECONDS = 1.0
_CACHE_SECONDS = 60.0
_MAX_CACHED = 256


@dataclass(slots=True)
class _Pending(Generic[T]):
    """The task that makes an answer, and whether it missed the acknowledgement."""

    task: asyncio.Task[T]
    is_late: bool = False


class Acknowledger:
    """Acknowledges requests with their answers.

    Args:
        tasks: runs work that goes on after the acknowledgement.
        count: counts acknowledgements, `answered` or not, as `Metrics.acknowledged` does.
        seconds: a monotonic clock.
    """

    def __init__(
        self,
        tasks: Tasks,
        count: Callable[..., None] = lambda **_outcome: None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tasks = tasks
        self._count = count
        self._seconds = seconds
        self._answers: Cache[str, _Pending[Any]] = Cache(_MAX_CACHED, _CACHE_SECONDS, seconds)

    async def answer(  # noqa: PLR0913 - the ways of a platform, and the request
        self,
        work: Callable[[], Coroutine[Any, Any, T]],
        acknowledge: Callable[[T], Awaitable[Any]],
        defer: Callable[[T | None], Awaitable[bool]],
        follow_up: Callable[[T], Awaitable[None]] | None,
        *,
        holds: Callable[[T], bool] = lambda _answer: True,
        key: str | None = None,
        arrived: float | None = None,
    ) -> None:
        """Acknowledge with the result of `work`; if that is late, without it, and send it then.

        A redelivered request (the same `key`) is acknowledged with the same answer, or without it
        where that follows; its work is done once and its late answer sent once. Never cancels the
        work.

        Args:
            work: makes the answer, and does not raise.
            acknowledge: acknowledges with the answer.
            defer: acknowledges without it, `None` where it is not ready; returns whether it may
                follow, which it may not where another process gives it.
            follow_up: sends the answer after that; `None` where a late one is dropped.
            holds: tells whether an acknowledgement may hold the answer.
            key: identifies a request that the platform may deliver again.
            arrived: when the request came in, by this object's clock; else now.
        """
        pending: _Pending[T] = (
            self._answers.compute(key, lambda: self._start(work)) if key else self._start(work)
        )
        began = self._seconds() if arrived is None else arrived
        timeout = max(0.0, began + WAIT_SECONDS - self._seconds())
        await asyncio.wait({pending.task}, timeout=timeout)
        answer = pending.task.result() if pending.task.done() else None
        in_time = answer is not None and not pending.is_late and holds(answer)
        self._count(answered=in_time)
        if answer is not None and in_time:
            await acknowledge(answer)
            return
        is_first, pending.is_late = not pending.is_late, True
        if await defer(answer) and is_first and follow_up:
            self._tasks.start(_send(pending.task, follow_up), "follow-up")

    def _start(self, work: Callable[[], Coroutine[Any, Any, T]]) -> _Pending[T]:
        task = asyncio.create_task(work(), name="answer")
        self._tasks.track(task)
        return _Pending(task)


async def _send(task: asyncio.Task[T], follow_up: Callable[[T], Awaitable[None]]) -> None:
    await follow_up(await task)
