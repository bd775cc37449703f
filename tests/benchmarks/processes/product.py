"""Call Broadsheet's imports and searches as its adapters call them."""

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bot.ingest import documents
from bot.ingest.pipeline import ImportOptions, ingest
from store.database import Database, Session
from store.search import SearchQuery, SearchResult, search

HITS = 10
_NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@contextmanager
def opened(path: Path) -> Iterator[Database]:
    """Open a store as a running bot has it: connections made, the formats' modules loaded."""
    documents.formats()
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(_connect(database))
        yield database


async def _connect(database: Database) -> None:
    await database.read(_touch)
    await database.write(_touch)


def _touch(session: Session) -> None:
    session.connection()


def import_archive(database: Database, data: bytes) -> None:
    """Import an archive.

    Raises:
        RuntimeError: if the document was refused, so that there is nothing to measure.
    """
    report = asyncio.run(ingest(database, "archive.md", data, ImportOptions(), _NOW))
    if report.error:
        raise RuntimeError(report.error)


def found(session: Session, query: SearchQuery) -> SearchResult:
    """Search for the first page of papers."""
    return search(session, query, HITS, once_a_paper=True)


def found_entries(session: Session, query: SearchQuery) -> SearchResult:
    """Search for the first page of entries, of which a paper may have several."""
    return search(session, query, HITS)


def ids(result: SearchResult) -> list[int]:
    """Return the database ids of what was found, the best first."""
    return [each.entry_id for each in result.hits]


def as_typed(result: SearchResult) -> bool:
    """Return whether the search used the words as typed and no other form."""
    return all(len(term.forms) == 1 for term in result.terms)
