"""Reading by turns: one question after the other, each asked of the floor and of the product.

By turns every read finds the processor's caches cold, which is nearer to a bot's life than
a tight loop.
"""

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from store.database import Database
from store.search import SearchQuery, significant
from tests.benchmarks import floor, product

QUERIES = 200
_WORDS_OF_A_QUERY = 2


@dataclass(frozen=True, slots=True)
class Read:
    """One kind of read: what it is called and how each side answers a question."""

    name: str
    floor: Callable[[sqlite3.Connection, SearchQuery], object]
    product: Callable[[Database, SearchQuery], Awaitable[None]]


READS = (
    Read("latest", floor.read_latest, product.read_latest),
    Read("search, ids", floor.read_ids, product.read_ids),
    Read("search, hits", floor.read_hits, product.read_hits),
)


def queries(filled: Path) -> list[SearchQuery]:
    """Return searches for words of stored titles, the same for the same store."""
    with floor.connected(filled) as connection:
        keys = connection.execute("SELECT title_key FROM entry ORDER BY id").fetchall()
    chosen = random.Random(7).choices(keys, k=QUERIES)  # noqa: S311 - a sample, not a secret
    return [SearchQuery(words=significant(key.split())[:_WORDS_OF_A_QUERY]) for (key,) in chosen]


def timed(
    read: Read, filled: Path, questions: Sequence[SearchQuery]
) -> tuple[list[float], list[float]]:
    """Ask every question of both sides; return the floor's times and the product's, in ms."""
    with floor.connected(filled) as connection, product.opened(filled) as database:
        return asyncio.run(_timed(read, connection, database, questions))


async def _timed(
    read: Read, connection: sqlite3.Connection, database: Database, questions: Sequence[SearchQuery]
) -> tuple[list[float], list[float]]:
    least, mine = [], []
    for question in questions:
        start = perf_counter()
        read.floor(connection, question)
        between = perf_counter()
        await read.product(database, question)
        least.append(1000 * (between - start))
        mine.append(1000 * (perf_counter() - between))
    return least, mine
