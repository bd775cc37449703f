"""The sync service: it fetches due sources, and asks arXiv about new papers."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING

from adapters.platform import Services
from bot.coordination.jobs import JobFunction, Jobs
from bot.ingest.worker import ImportWorker
from bot.operations import health
from bot.operations.health import Condition, State
from bot.operations.logs import configure
from bot.posting import alerts
from bot.posting.scheduler import Scheduler
from bot.replies.wording import count
from bot.sources.arxiv_metadata import MetadataRefresh
from bot.sources.sync import SourceSync
from store import content_version, sources
from store.coordination import jobs as job_store

if TYPE_CHECKING:
    from bot.sources.fetcher import Fetcher

# Interrupted jobs are repeated, here or by another process.
_STOP_SECONDS = 1.0
# The name of the job that asks arXiv.
_ARXIV = "arxiv"


class SyncService:
    """The service that fetches sources when they are due.

    Args:
        services: the services of the application.
        fetcher: the fetcher, not opened yet.
    """

    def __init__(self, services: Services, fetcher: "AbstractAsyncContextManager[Fetcher]") -> None:
        self._services = services
        self._fetcher = fetcher
        self._exit_stack = AsyncExitStack()
        self._sync: SourceSync | None = None
        self._metadata: MetadataRefresh | None = None
        # The version of the content about which arXiv was last asked.
        self._version = ""
        self._jobs = Jobs(
            services.database,
            services.replica,
            services.system_clock,
            self._list_jobs,
            knows=lambda name: name != alerts.JOB,
        )
        self._scheduler = Scheduler(self._jobs.start_due, services.settings.tick_seconds)

    async def start(self) -> None:
        """Start, in the running event loop."""
        services = self._services
        fetcher = await self._exit_stack.enter_async_context(self._fetcher)
        configure_logs = partial(
            configure, services.settings.log_format, services.settings.log_level
        )
        importer = ImportWorker(services.database, prepare=configure_logs)
        self._sync = SourceSync(
            services.database,
            fetcher,
            services.clock,
            system_clock=services.system_clock,
            importer=await self._exit_stack.enter_async_context(importer),
            metrics=services.metrics,
        )
        if services.settings.arxiv_url:
            self._metadata = MetadataRefresh(
                services.database,
                fetcher,
                services.clock,
                services.system_clock,
                services.rate_limiter.acquire,
                api=services.settings.arxiv_url,
            )
        self._scheduler.start()

    async def stop(self) -> None:
        """Stop, and cancel the running jobs."""
        await self._scheduler.stop(_STOP_SECONDS)
        await self._jobs.stop()
        await self._exit_stack.aclose()

    @property
    def checks(self) -> health.Parts:
        """The health checks of the service."""
        return {"sources": self._condition}

    async def _list_jobs(self) -> Mapping[str, JobFunction]:
        jobs = await self._sync.jobs() if self._sync else {}
        if self._metadata:
            await self._schedule_metadata()
            jobs[_ARXIV] = self._metadata.run
        return jobs

    async def _schedule_metadata(self) -> None:
        """Schedule the arXiv job if papers were imported since its last run."""
        database = self._services.database
        version = await database.read(content_version.version)
        if version != self._version:
            await database.write_locking_rows(
                job_store.run_soon, _ARXIV, self._services.system_clock.now()
            )
            self._version = version

    async def _condition(self) -> Condition:
        """Return the health of fetching; a failing site is no fault of this process."""
        condition = self._jobs.condition()
        if not condition.healthy:
            return condition
        enabled = [
            s for s in await self._services.database.read(sources.list_followed) if s.enabled
        ]
        failing = [each.source.slug for each in enabled if each.failing]
        followed = f"{count(len(enabled), 'source')} followed"
        return Condition(State.OK, f"{followed}; failing: {', '.join(failing)}." if failing else "")
