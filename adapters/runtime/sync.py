"""Sources by themselves: fetched when it is time, begun and ended with the platforms."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING

from adapters.platform import Parts
from bot.coordination.jobs import JobFunction, Jobs
from bot.ingest.worker import ImportWorker
from bot.operations import health
from bot.operations.health import Condition, State
from bot.operations.logs import configure
from bot.posting.scheduler import Scheduler
from bot.replies.wording import count
from bot.sources.arxiv_metadata import MetadataRefresh
from bot.sources.sync import SourceSync
from store import content_version, sources
from store.coordination import jobs as runs

if TYPE_CHECKING:
    from bot.sources.fetcher import Fetcher

# What is under way is left to others, or done again: nothing of it is lost.
_STOP_SECONDS = 1.0
# The run that asks arXiv.
_ARXIV = "arxiv"


class Following:
    """Looks for sources that are to be fetched, and fetches them.

    Args:
        parts: what platforms are made over too.
        fetcher: what fetches, not opened yet.
    """

    def __init__(self, parts: Parts, fetcher: "AbstractAsyncContextManager[Fetcher]") -> None:
        self._parts = parts
        self._fetcher = fetcher
        self._opened = AsyncExitStack()
        self._syncing: SourceSync | None = None
        self._enriching: MetadataRefresh | None = None
        # What was imported when arXiv was last asked about it.
        self._version = ""
        self._runs = Jobs(parts.database, parts.replica, parts.wall, self._jobs)
        self._scheduler = Scheduler(self._runs.start_due, parts.settings.tick_seconds)

    async def start(self) -> None:
        """Begin, in the running event loop."""
        parts = self._parts
        fetcher = await self._opened.enter_async_context(self._fetcher)
        logs = partial(configure, parts.settings.log_format, parts.settings.log_level)
        importer = ImportWorker(parts.database, prepare=logs)
        self._syncing = SourceSync(
            parts.database,
            fetcher,
            parts.clock,
            system_clock=parts.wall,
            importer=await self._opened.enter_async_context(importer),
            metrics=parts.metrics,
        )
        if parts.settings.arxiv_url:
            self._enriching = MetadataRefresh(
                parts.database,
                fetcher,
                parts.clock,
                parts.wall,
                parts.rate_limiter.acquire,
                api=parts.settings.arxiv_url,
            )
        self._scheduler.start()

    async def stop(self) -> None:
        """Begin nothing more, and end what is under way."""
        await self._scheduler.stop(_STOP_SECONDS)
        await self._runs.stop()
        await self._opened.aclose()

    @property
    def checks(self) -> health.Parts:
        """What is asked how it is."""
        return {"sources": self._condition}

    async def _jobs(self) -> Mapping[str, JobFunction]:
        jobs = await self._syncing.jobs() if self._syncing else {}
        if self._enriching:
            await self._ask_soon()
            jobs[_ARXIV] = self._enriching.run
        return jobs

    async def _ask_soon(self) -> None:
        """Have arXiv asked about what was imported since it was."""
        database = self._parts.database
        version = await database.read(content_version.version)
        if version != self._version:
            await database.write_locking_rows(runs.run_soon, _ARXIV, self._parts.wall.now())
            self._version = version

    async def _condition(self) -> Condition:
        """Say how fetching is; that somebody else's site is away makes nobody here unwell."""
        looked = self._runs.condition()
        if not looked.healthy:
            return looked
        enabled = [s for s in await self._parts.database.read(sources.list_followed) if s.enabled]
        failing = [each.source.slug for each in enabled if each.failing]
        told = f"{count(len(enabled), 'source')} followed"
        return Condition(State.OK, f"{told}; failing: {', '.join(failing)}." if failing else "")
