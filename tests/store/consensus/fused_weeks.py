"""Weeks in which several sources have papers, for tests of the consensus."""

from datetime import date, datetime, timedelta

from sqlalchemy import select
from sqlmodel import col

from bot.domain.drafts import EditionDraft, EntryDraft
from store.database import Database
from store.library import editions
from store.posting import editions_to_post
from store.records import Edition
from store.sources import CONSENSUS
from store.tables.library import EditionRow
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import NOW, take_in

LATER = NOW + timedelta(hours=1)
SECOND = MONDAY + timedelta(days=7)
_LONG_AFTER = date(2026, 6, 1)
_ARXIV = "https://arxiv.org/abs/2601.0000"


def paper(rank: int, number: int, summary: str | None = None) -> EntryDraft:
    """Draft an entry of the paper with a number, from 1 to 9, which is known wherever it stands."""
    return entry(rank, f"Paper {number}", summary, links=[f"{_ARXIV}{number}"])


def week(*numbers: int, first_day: date = MONDAY) -> EditionDraft:
    """Draft an edition of papers in this order."""
    return edition(
        *(paper(rank, number) for rank, number in enumerate(numbers, start=1)), first_day=first_day
    )


async def takes_in(database: Database, *pairs: tuple[str, EditionDraft]) -> None:
    """Import editions of sources, one after the other."""
    for slug, draft in pairs:
        await database.write(take_in, draft, slug)


async def consensus(database: Database) -> list[Edition]:
    """Return the consensus of each week, the newest first."""
    return await database.read(editions.export_editions, CONSENSUS)


async def changed_at(database: Database) -> datetime:
    """Return when the newest consensus changed last."""
    newest = (await database.read(editions_to_post.newest_editions, _LONG_AFTER))[CONSENSUS]
    return await database.read(
        lambda session: (
            session.connection()
            .scalars(select(col(EditionRow.changed_at)).where(col(EditionRow.id) == newest.id))
            .one()
        )
    )


def refs(edition: Edition) -> list[str]:
    """Return the refs of the entries of an edition."""
    return [each.ref for each in edition.entries]
