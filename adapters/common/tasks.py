"""Background tasks, which go on after a request was acknowledged, and calls that are repeated."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from bot.errors import OutcomeUnknown, RetryLater, SendError
from store.errors import StoreError

T = TypeVar("T")
# How long an answer to a user waits behind scheduled posts.
_SLOT_SECONDS = 0.5
_log = logging.getLogger(__name__)


class Tasks:
    """Background tasks: their exceptions are logged, and a shutdown waits for them."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, coroutine: Coroutine[Any, Any, Any], name: str) -> None:
        """Start a coroutine as a task."""
        self.track(asyncio.create_task(coroutine, name=name))

    def track(self, task: asyncio.Task[Any]) -> None:
        """Add a task that is running already."""
        self._running.add(task)
        task.add_done_callback(self._on_done)

    async def finish(self, seconds: float) -> None:
        """Wait for the running tasks, and cancel those that take longer than these seconds."""
        if not self._running:
            return
        _, late = await asyncio.wait(set(self._running), timeout=seconds)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _on_done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _log.error("task_failed", extra={"task": task.get_name()}, exc_info=error)


class Pauses:
    """The pauses between attempts that fail, in seconds: each is twice as long as the last."""

    def __init__(self, first: float = 1.0, longest: float = 60.0) -> None:
        self._first = self._next = first
        self._longest = longest

    def reset(self) -> None:
        """Begin with the first pause again, after an attempt that succeeded."""
        self._next = self._first

    async def wait(self, at_least: float | None = None) -> None:
        """Wait for a pause, or longer where a server asks for that."""
        pause, self._next = self._next, min(2 * self._next, self._longest)
        await asyncio.sleep(max(pause, at_least or 0.0))


async def wait_briefly(slot: Awaitable[None]) -> None:
    """Wait for a slot of rate limits, but hardly: what it is for goes without one to a user."""
    with suppress(TimeoutError, RetryLater, StoreError):
        async with asyncio.timeout(_SLOT_SECONDS):
            await slot


def may_pass(error: SendError) -> bool:
    """Tell whether a call that is safe to repeat may succeed after an error."""
    return isinstance(error, OutcomeUnknown | RetryLater)


async def retried(
    call: Callable[[], Awaitable[T]],
    pauses: Sequence[float | None],
    is_passing: Callable[[SendError], bool],
) -> T:
    """Return what a call returns, which is tried again after each pause while its errors may pass.

    A pause is given in seconds; `None` is as long as the error says, or a second.

    Raises:
        SendError: the last error.
    """
    for pause in pauses:
        try:
            return await call()
        except SendError as error:
            if not is_passing(error):
                raise
            after = error.after if isinstance(error, RetryLater) else None
        asked = 1.0 if after is None else after
        await asyncio.sleep(asked if pause is None else pause)
    return await call()
