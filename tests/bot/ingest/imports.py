"""Importing drafts in tests, past the parsers: what the pipeline does with one edition."""

from datetime import UTC, datetime

from bot.domain.drafts import EditionDraft
from bot.ingest.decide import Decision, contribute, decide
from store.database import Database, Session
from store.imports import apply_edition
from store.library import editions
from store.records import Edition, Source

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def take_in(
    session: Session, draft: EditionDraft, slug: str = "dair", at: datetime = NOW
) -> Decision:
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
