"""Scheduled fetches of the followed sources and of arXiv metadata."""

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
from store.coordination import jobs

if TYPE_CHECKING:
    from bot.sources.fetcher import Fetcher

# Interrupted jobs are done again, here or by another process.
_STOP_SECONDS = 1.0
# The job that asks arXiv.
_ARXIV = "arxiv"


class SyncService:
    """Fetches sources when they are due.

    Args:
        parts: the services.
        fetcher: the fetcher, not opened yet.
    """

    def __init__(self, parts: Parts, fetcher: "AbstractAsyncContextManager[Fetcher]") -> None:
        self._parts = parts
        self._fetcher = fetcher
        self._opened = AsyncExitStack()
        self._source_sync: SourceSync | None = None
        self._metadata: MetadataRefresh | None = None
        # The content version when arXiv was last asked.
        self._version = ""
        self._jobs = Jobs(parts.database, parts.replica, parts.wall, self._job_functions)
        self._scheduler = Scheduler(self._jobs.start_due, parts.settings.tick_seconds)

    async def start(self) -> None:
        """Start, in the running event loop."""
        parts = self._parts
        fetcher = await self._opened.enter_async_context(self._fetcher)
        logs = partial(configure, parts.settings.log_format, parts.settings.log_level)
        importer = ImportWorker(parts.database, prepare=logs)
        self._source_sync = SourceSync(
            parts.database,
            fetcher,
            parts.clock,
            system_clock=parts.wall,
            importer=await self._opened.enter_async_context(importer),
            metrics=parts.metrics,
        )
        if parts.settings.arxiv_url:
            self._metadata = MetadataRefresh(
                parts.database,
                fetcher,
                parts.clock,
                parts.wall,
                parts.rate_limiter.acquire,
                api=parts.settings.arxiv_url,
            )
        self._scheduler.start()

    async def stop(self) -> None:
        """Start nothing more, and end running jobs."""
        await self._scheduler.stop(_STOP_SECONDS)
        await self._jobs.stop()
        await self._opened.aclose()

    @property
    def checks(self) -> health.Parts:
        """The health checks."""
        return {"sources": self._condition}

    async def _job_functions(self) -> Mapping[str, JobFunction]:
        functions = await self._source_sync.jobs() if self._source_sync else {}
        if self._metadata:
            await self._ask_soon()
            functions[_ARXIV] = self._metadata.run
        return functions

    async def _ask_soon(self) -> None:
        """Have arXiv asked soon about new papers."""
        database = self._parts.database
        version = await database.read(content_version.version)
        if version != self._version:
            await database.write_locking_rows(jobs.run_soon, _ARXIV, self._parts.wall.now())
            self._version = version

    async def _condition(self) -> Condition:
        """Return the health of fetching; a site that is down does not make the bot unhealthy."""
        scheduling = self._jobs.condition()
        if not scheduling.healthy:
            return scheduling
        enabled = [s for s in await self._parts.database.read(sources.list_followed) if s.enabled]
        failing = [each.source.slug for each in enabled if each.failing]
        followed = f"{count(len(enabled), 'source')} followed"
        return Condition(State.OK, f"{followed}; failing: {', '.join(failing)}." if failing else "")
