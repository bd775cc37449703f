"""A store whose papers arXiv is asked about."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bot.coordination.jobs import JobOutcome
from bot.coordination.rate_limiter import RateLimit
from bot.sources.arxiv_metadata import MetadataRefresh
from bot.sources.fetcher import Fetcher
from store.database import Database
from store.library import arxiv
from store.library.arxiv import ArxivPaper
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.fakes.arxiv import API
from tests.fakes.pages import MemoryFetcher

NOW = datetime(2026, 1, 20, 6, tzinfo=UTC)
FIRST, SECOND, THIRD = "2601.00001", "2601.00002", "2601.00003"
SIX_HOURS = timedelta(hours=6)


@dataclass
class Stage:
    """A store, and arXiv; it is always its turn, and a turn takes three seconds."""

    database: Database
    fetcher: Fetcher = field(default_factory=MemoryFetcher)
    api: str = API
    at: datetime = NOW
    turns: Callable[[Sequence[RateLimit]], Awaitable[None]] | None = None

    def now(self) -> datetime:
        """Return the time."""
        return self.at

    async def acquire(self, lanes: Sequence[RateLimit]) -> None:
        """Let the time of a turn pass."""
        self.at += timedelta(seconds=sum(lane.every for lane in lanes))

    async def takes_in(self, *ids: str) -> None:
        """Import an edition with papers of these ids."""
        links = {each: [f"https://arxiv.org/abs/{each}"] for each in ids}
        drafts = [entry(n, f"Paper {n}", links=links[each]) for n, each in enumerate(ids, 1)]
        await self.database.write(take_in, edition(*drafts))

    async def runs(self, failures: int = 0) -> JobOutcome:
        """Ask about what is due."""
        turns = self.turns or self.acquire
        enriching = MetadataRefresh(self.database, self.fetcher, self, self, turns, api=self.api)
        return await enriching.run(failures)

    async def known(self) -> dict[str, ArxivPaper]:
        """Return what is known of papers."""
        return await self.database.read(arxiv.known)

    async def due(self, after: timedelta = timedelta()) -> list[str]:
        """Return what is to be asked about after a while."""
        now = self.at + after
        return await self.database.read(arxiv.due, now, now.date(), 100)
