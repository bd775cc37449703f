"""APScheduler, which does nothing but call something every so many seconds.

What is due stands in the store: a job for each order would fire twice in the hour that a clock
change repeats, and hold up everything when thousands are due at nine.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime

from apscheduler.schedulers.asyncio import AsyncIOScheduler

_JOB = "tick"
# Calls that are further apart than this many times the seconds are not late but forgotten.
_OVERDUE = 2.0


class Scheduler:
    """Calls a function at once and then every so many seconds, never twice at the same time.

    Args:
        call: what is called; it raises nothing.
        seconds: how far the calls are apart.
    """

    def __init__(self, call: Callable[[], Awaitable[None]], seconds: float) -> None:
        self._call = call
        self._seconds = seconds
        self._scheduler = AsyncIOScheduler(timezone=UTC)
        self._watch: asyncio.TimerHandle | None = None
        self._calling = asyncio.Lock()
        # A tick that takes longer than ticks are apart is no news: the next one finds the rest.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)

    def start(self) -> None:
        """Begin, in the running event loop."""
        self._scheduler.add_job(
            self._called,
            "interval",
            id=_JOB,
            seconds=self._seconds,
            next_run_time=datetime.now(UTC),
            # A call that is late is made all the same, and those that were missed are one.
            misfire_grace_time=None,
            coalesce=True,
            max_instances=1,
        )
        self._scheduler.start()

    async def stop(self, seconds: float) -> None:
        """Call no more, and wait for the call that is under way, so many seconds at most."""
        if self._scheduler.running:
            self._scheduler.pause()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds), self._calling:
                    pass
            self._scheduler.shutdown(wait=False)
        if self._watch:
            self._watch.cancel()

    async def _called(self) -> None:
        if self._watch:
            self._watch.cancel()
        async with self._calling:
            if self._scheduler.running:
                # Only its own end cancels a call, and would be logged as an error of that.
                with suppress(asyncio.CancelledError):
                    await self._call()
                    self._arm()

    def _arm(self) -> None:
        # The event loop's own clock only goes forward.
        loop = asyncio.get_running_loop()
        self._watch = loop.call_later(_OVERDUE * self._seconds, self._remind)

    def _remind(self) -> None:
        """Call now: a machine's clock that was set back leaves APScheduler waiting for the rest."""
        self._arm()
        self._scheduler.modify_job(_JOB, next_run_time=datetime.now(UTC))
