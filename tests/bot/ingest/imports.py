"""Importing in tests: drafts past the parsers, and the real documents through them."""

from datetime import UTC, datetime

from bot.domain.drafts import EditionDraft
from bot.ingest.decide import EditionDecision, contribute, decide
from bot.ingest.pipeline import ImportOptions, ingest
from store.database import Database, Session
from store.imports import apply_edition
from store.library import editions
from store.records import Edition, Source
from tests.shared_data import shared_file

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
_REAL_DOCUMENTS = (
    "seeds/000_6b97a1adf3c6bd05.txt",
    "seeds/001_60719b701ad4a391.txt",
    "seeds/002_dc9cd6f66951fc0f.txt",
    "archive-README.md",
)


def take_in(
    session: Session, draft: EditionDraft, slug: str = "dair", at: datetime = NOW
) -> EditionDecision:
    """Decide on a draft and apply what was decided, in the transaction at hand."""
    before = apply_edition.load(session, slug, draft.first_day)
    decision = decide(slug, draft, contribute(draft, sample=False), before)
    if decision.change:
        apply_edition.apply(session, Source(slug, slug.title()), decision.change, before, at)
    return decision


async def stored(database: Database, *drafts: EditionDraft, slug: str = "dair") -> list[Edition]:
    """Take drafts in, one transaction each, and return all editions with their entries."""
    for draft in drafts:
        await database.write(take_in, draft, slug)
    return await database.read(editions.export_editions)


async def import_real_documents(database: Database) -> None:
    """Import the newsletters, the review and the archive, or skip where they are absent."""
    for name in _REAL_DOCUMENTS:
        document = shared_file(name).read_bytes()
        report = await ingest(database, name, document, ImportOptions(), NOW)
        assert report.error is None
