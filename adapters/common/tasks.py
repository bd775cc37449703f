"""Background tasks, which go on after a request was acknowledged."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

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
