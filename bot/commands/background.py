"""Work that goes on after an answer was given."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from store.errors import StoreError

_log = logging.getLogger(__name__)


class BackgroundTasks:
    """Tasks that no answer waits for; their errors are logged."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work as a task of its own."""
        task = asyncio.create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until the tasks of now have ended, or for so many seconds at most."""
        if self._tasks:
            await asyncio.wait({*self._tasks}, timeout=seconds)


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except StoreError as error:
        _log.warning("background_write_refused", extra={"reason": error.sentence})
    except Exception:  # noqa: BLE001 - no caller is left to raise it to
        _log.exception("background_task_failed")
