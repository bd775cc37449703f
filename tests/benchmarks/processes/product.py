"""Call Broadsheet's imports and searches as its adapters call them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bot.domain.drafts import ParseOptions
from bot.ingest import documents
from bot.ingest.pipeline import ImportOptions, ingest
from bot.library.search import find_hits
from store.database import Database, Session
from store.search import SearchQuery, SearchResult, search
from tests.benchmarks.measure import Stopwatch

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


def timed_import(database: Database, data: bytes) -> float:
    """Import an archive and return the ms.

    Raises:
        RuntimeError: if the document was refused, so that there is nothing to measure.
    """
    return asyncio.run(_timed_import(database, data))


async def _timed_import(database: Database, data: bytes) -> float:
    with Stopwatch() as watch:
        report = await ingest(database, "archive.md", data, ImportOptions(), _NOW)
    if report.error:
        raise RuntimeError(report.error)
    return watch.milliseconds


def timed_parse(data: bytes) -> float:
    """Decode, repair, recognise and parse a document; return the ms."""
    with Stopwatch() as watch:
        readable = documents.read("document", data)
        documents.parse(readable.document, ParseOptions(_NOW.date()))
    return watch.milliseconds


Ask = Callable[[SearchQuery], Awaitable[object]]


def found_by_hop(database: Database) -> Ask:
    """Return a function that searches for the first page in one of the store's threads."""
    return lambda query: database.read(found, query)


def hits(database: Database) -> Ask:
    """Return a function that searches for the first page of papers with their snippets."""
    return lambda query: database.read(find_hits, query, _NOW.date(), HITS, once_a_paper=True)


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
