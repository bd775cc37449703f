"""A week of papers that are so long that a brief of them has several parts anywhere."""

from bot.domain.drafts import EditionDraft
from store.database import Database
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in

PAPERS = 12
_WORDS = 190


async def add_long_papers(database: Database) -> None:
    """Import a dozen papers of nearly a minute each."""
    await database.write(take_in, _week(), "long")


def _week() -> EditionDraft:
    words = " ".join(["gradient"] * _WORDS)
    return edition(*(entry(rank, f"Long Paper {rank}.", words) for rank in range(1, PAPERS + 1)))
