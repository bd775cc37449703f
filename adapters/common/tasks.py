"""Work that goes on after a request was acknowledged, known by name until it ends."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

_log = logging.getLogger(__name__)


class Tasks:
    """Tasks that nobody waits for; what they raise is logged, and the end waits for them."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Let work go on by itself."""
        self.keep(asyncio.create_task(work, name=name))

    def keep(self, task: asyncio.Task[Any]) -> None:
        """Keep a task that is running already."""
        self._running.add(task)
        task.add_done_callback(self._ended)

    async def finish(self, seconds: float) -> None:
        """Wait for what is running now, and end what takes longer than these seconds."""
        if not self._running:
            return
        _, late = await asyncio.wait(set(self._running), timeout=seconds)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _log.error("task_failed", extra={"task": task.get_name()}, exc_info=error)
