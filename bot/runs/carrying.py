"""Carrying a run out: claimed, worked on, and let go with what came of it."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from bot.clock import Clock
from bot.health import unforeseen
from bot.runs.ended import Ended, Job, backed_off
from store.coordination import jobs
from store.coordination.jobs import Run
from store.database import Database, Session
from store.errors import StoreError

_log = logging.getLogger(__name__)

# A run whose beat stands still for the second may be taken over; in seconds.
BEAT, LASTING = 8.0, 30.0
# What goes on for longer is broken off, in seconds: by then it is due again.
LONGEST = 6 * 3600.0


class Carrying:
    """Carries runs out for one process.

    Args:
        database: where they are.
        owner: the process.
        wall: the time that no setting moves.
        beat: how many seconds its signs of life are apart.
        longest: for how many seconds a run may go on.
    """

    def __init__(
        self,
        database: Database,
        owner: str,
        wall: Clock,
        beat: float = BEAT,
        longest: float = LONGEST,
    ) -> None:
        self._database = database
        self._owner = owner
        self._wall = wall
        self._beat = beat
        self._longest = longest

    async def carry_out(self, run: Run, job: Job) -> Ended | None:
        """Do what a run is, if it still stands as it was read.

        `None` means that another process has it, or has taken it over meanwhile; what was written
        until then stays. One that is cancelled is due again at once.

        Raises:
            StoreError: where it could not be claimed.
        """
        held = await self._claimed(lambda session: jobs.claim(session, run, self._owner))
        return await self._carried(held, job) if held else None

    async def carry_out_now(self, name: str, job: Job) -> Ended | None:
        """Do what a run is at once, taken over from whoever is at it.

        `None` means that another process has taken it over meanwhile.

        Raises:
            StoreError: where it could not be claimed.
        """
        now = self._wall.now()
        held = await self._claimed(lambda session: jobs.take(session, name, self._owner, now))
        return await self._carried(held, job) if held else None

    async def _carried(self, taken: Run, job: Job) -> Ended | None:
        held: Run | None = taken
        work = asyncio.create_task(self._done(job, taken), name=taken.name)
        try:
            while held is not None and not (await asyncio.wait({work}, timeout=self._beat))[0]:
                beating = asyncio.ensure_future(self._beaten(held))
                try:
                    held = await asyncio.shield(beating)
                except asyncio.CancelledError:
                    # What is noted by now is what has to be let go.
                    held = await beating
                    raise
        except asyncio.CancelledError:
            if held is not None:
                await _stopped(work)
                await self._let_go(held)
            raise
        finally:
            await _stopped(work)
        if held is None:
            _log.warning("run_taken_over", extra={"run": taken.name})
            return None
        ended = work.result()
        failures = held.failures + 1 if ended.failed else 0
        return ended if await self._end(held, ended, failures) else None

    async def _claimed(self, claim: Callable[[Session], Run | None]) -> Run | None:
        claiming = asyncio.ensure_future(self._database.write_rows(claim))
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            # Others would have to wait until what nobody works on stood still for long enough.
            with suppress(StoreError):
                if held := await claiming:
                    await self._let_go(held)
            raise

    async def _beaten(self, held: Run) -> Run | None:
        try:
            return await self._database.write_rows(jobs.beat, held)
        except StoreError as error:
            # Whoever takes it over meanwhile is found out by the next beat.
            _log.warning("run_not_noted", extra={"run": held.name, "reason": error.sentence})
            return held

    async def _done(self, job: Job, held: Run) -> Ended:
        limit = asyncio.timeout(self._longest)
        try:
            async with limit:
                return await job(held.failures)
        except StoreError as error:
            reason = error.sentence
        except Exception as error:  # noqa: BLE001 - whatever it was, it is to be tried again
            if limit.expired():
                reason = f"It was not done within {self._longest:g} seconds."
            else:
                _log.exception("run_raised", extra={"run": held.name})
                reason = unforeseen(error)
        next_at = self._wall.now() + backed_off(held.failures + 1)
        return Ended(next_at, failed=True, reason=reason)

    async def _let_go(self, held: Run) -> None:
        await self._end(held, Ended(self._wall.now()), held.failures)

    async def _end(self, held: Run, ended: Ended, failures: int) -> bool:
        try:
            return await self._database.write_rows(jobs.end, held, ended.next_at, failures)
        except StoreError as error:
            # It stands still from now on, and is done again by whoever sees that.
            _log.warning("run_not_ended", extra={"run": held.name, "reason": error.sentence})
            return False


async def _stopped(work: asyncio.Task[Ended]) -> None:
    work.cancel()
    await asyncio.wait({work})
