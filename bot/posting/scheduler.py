"""APScheduler, which only calls a function every so many seconds.

What is due is in the store: a job for each subscription would fire twice in the hour that a clock
change repeats, and hold everything up when thousands are due at nine.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime

from apscheduler.schedulers.asyncio import AsyncIOScheduler

_JOB = "tick"
# A call that is late by this many intervals was forgotten.
_OVERDUE = 2.0


class Scheduler:
    """Calls a function at once and then at an interval, never twice at the same time.

    Args:
        call: the function; it raises nothing.
        interval: the seconds between calls.
    """

    def __init__(self, call: Callable[[], Awaitable[None]], interval: float) -> None:
        self._call = call
        self._interval = interval
        self._scheduler = AsyncIOScheduler(timezone=UTC)
        self._reminder: asyncio.TimerHandle | None = None
        self._calling = asyncio.Lock()
        # A tick may take longer than the interval: the next one finds the rest.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)

    def start(self) -> None:
        """Begin, in the running event loop."""
        self._scheduler.add_job(
            self._run,
            "interval",
            id=_JOB,
            seconds=self._interval,
            next_run_time=datetime.now(UTC),
            # A late call is made all the same, and several missed ones are one.
            misfire_grace_time=None,
            coalesce=True,
            max_instances=1,
        )
        self._scheduler.start()

    async def stop(self, seconds: float) -> None:
        """Call no more, and wait for the current call, so many seconds at most."""
        if self._scheduler.running:
            self._scheduler.pause()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds), self._calling:
                    pass
            self._scheduler.shutdown(wait=False)
        if self._reminder:
            self._reminder.cancel()

    async def _run(self) -> None:
        if self._reminder:
            self._reminder.cancel()
        async with self._calling:
            if self._scheduler.running:
                # Only `stop` cancels a call; APScheduler would log that as an error.
                with suppress(asyncio.CancelledError):
                    await self._call()
                    self._arm()

    def _arm(self) -> None:
        # The event loop's clock is monotonic.
        loop = asyncio.get_running_loop()
        self._reminder = loop.call_later(_OVERDUE * self._interval, self._remind)

    def _remind(self) -> None:
        """Call now: APScheduler waits too long after a system clock was set back."""
        self._arm()
        self._scheduler.modify_job(_JOB, next_run_time=datetime.now(UTC))
