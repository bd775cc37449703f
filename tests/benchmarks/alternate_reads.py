"""Ask each question first of the floor and then of the product.

By turns every read finds the processor's caches cold, which is nearer to a bot's life than
a tight loop.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from store.database import Database
from store.search import SearchQuery
from tests.benchmarks.floors import sqlite
from tests.benchmarks.measure import Timed
from tests.benchmarks.processes import product

Ask = Callable[[SearchQuery], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Read:
    """A kind of read: its name and the function that answers a question on each side."""

    name: str
    floor: Callable[[sqlite3.Connection, SearchQuery], object]
    product: Callable[[Database], Ask]


HITS = Read("search with hits", sqlite.read_hits, product.hits)


def timed(read: Read, store: Path, questions: Sequence[SearchQuery]) -> Timed:
    """Ask every question of both sides and return their times."""
    with sqlite.connected(store) as connection, product.opened(store) as database:
        return asyncio.run(_timed(read, connection, read.product(database), questions))


async def _timed(
    read: Read, connection: sqlite3.Connection, ask: Ask, questions: Sequence[SearchQuery]
) -> Timed:
    least, mine = [], []
    for question in questions:
        start = perf_counter()
        read.floor(connection, question)
        between = perf_counter()
        await ask(question)
        least.append(1000 * (between - start))
        mine.append(1000 * (perf_counter() - between))
    return Timed(least, mine)
