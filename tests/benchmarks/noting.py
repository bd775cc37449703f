"""Claiming, beginning and noting as sent many deliveries, in batches, beside raw SQL.

The floor is the driver alone with the least SQL that leaves the same in the store: what has to be
known is read, what others may want is locked, and each batch is as durable as the product's.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import psycopg
from sqlalchemy.engine import make_url

from store.database import Database
from store.errors import LeaseLost
from store.posting import claim, queue, transitions
from store.posting.claim import DeliveryClaim
from store.posting.queue import ReadyDelivery
from store.records import Channel, DeliveryState, Part, Workspace
from tests.benchmarks import floor
from tests.benchmarks.crowd import order, owe, take_in
from tests.benchmarks.measure import Figure, Stopwatch
from tests.benchmarks.stage import Stage, copied
from tests.conftest import fresh_postgres, own_postgres

BATCH = 48  # about what is claimed at once
_WORKSPACES = 20
_OWNER, _PLATFORM = "here", "test"
_REFS = '["1", "2", "3"]'
_WHERE = ("digest", "C1", "1.000001", "https://example.com/archives/C1/p1000001")
_SELECT = (
    "SELECT * FROM delivery"
    " JOIN subscription ON subscription.id = delivery.subscription_id"
    " JOIN channel ON channel.id = subscription.channel_id"
    " JOIN workspace ON workspace.id = channel.workspace_id"
    " WHERE delivery.id IN ({marks}) AND delivery.owner IS NULL"
)
_EDITION = "SELECT * FROM entry WHERE edition_id = (SELECT edition_id FROM delivery WHERE id = ?)"
_TAKE = (
    "UPDATE delivery SET owner = ?, fencing_token = fencing_token + 1, state = 'claimed',"
    " attempts = attempts + 1"
    " WHERE id IN ({marks})"
)
_LOCK = "SELECT id, owner, fencing_token FROM delivery WHERE id IN ({marks})"
_BEGIN = (
    "UPDATE delivery SET state = 'sending', fencing_token = fencing_token + 1, content_at = ?,"
    " layout = 'compact', size = 10, topics = '[]', not_topics = '[]' WHERE id IN ({marks})"
)
_PLAN = (
    "INSERT INTO delivery_part (delivery_id, number, key, refs, state, began_at)"
    " VALUES (?, 1, ?, ?, 'sending', ?)"
)
_STANDS = (
    "UPDATE delivery_part SET state = 'sent', digest = ?, place = ?, message = ?, url = ?"
    " WHERE delivery_id = ? AND number = 1"
)
_DONE = (
    "UPDATE delivery SET state = 'sent', sent_at = ?, owner = NULL, ready_at = NULL, error = NULL,"
    " fencing_token = fencing_token + 1 WHERE id IN ({marks})"
)

# The URL of a store where so many deliveries are ready, each time another.
Fresh = Callable[[], AbstractContextManager[str]]
Row = tuple[Any, ...]


class Raw(Protocol):
    """A driver's connection."""

    def transaction(self, *, lasting: bool) -> AbstractContextManager[None]:
        """Write what is done within, so that it outlasts a power cut where it is lasting."""

    def run(self, statement: str, values: Sequence[Any], locks: str = "") -> list[Row]:
        """Run a statement that locks rows, where the database has locks of rows."""

    def run_each(self, statement: str, rows: Sequence[Row]) -> None:
        """Run a statement for each row."""


def notes(stage: Stage, runs: int, number: int) -> Iterator[Figure]:
    """Take so many deliveries to their end on both databases, where the machine has both."""
    with sqlite_with_ready(stage, number) as fresh:
        yield _figure("SQLite", fresh, runs)
    try:
        with _postgres(stage, number) as fresh:
            figure = _figure("Postgres", fresh, runs)
    except ImportError:
        return
    yield figure


def _figure(name: str, fresh: Fresh, runs: int) -> Figure:
    pairs = [_timed(fresh) for _ in range(1 + runs)][1:]
    least, mine = zip(*pairs, strict=True)
    return Figure(f"ledger writes, {name}", "ms", least, mine, aim=1.5)


def _timed(fresh: Fresh) -> tuple[float, float]:
    """Return the ms by hand and by the product, in stores of their own."""
    with fresh() as hand, fresh() as product:
        return asyncio.run(carried_out(hand, product))


async def carried_out(hand: str, product: str) -> tuple[float, float]:
    """Take all deliveries of two stores to their end, one by hand; return the ms of both.

    Batch by batch by turns: what the disc has to do besides keeps both waiting alike. The first
    batch is left out, for statements are compiled once in a bot's life.
    """
    took = [0.0, 0.0]
    some = await _batches(hand), await _batches(product)
    async with by_hand(hand) as first, by_product(product) as second:
        for number, both in enumerate(zip(*some, strict=True)):
            for side, (carry_out, batch) in enumerate(zip((first, second), both, strict=True)):
                with Stopwatch() as watch:
                    await carry_out(batch)
                took[side] += watch.milliseconds if number else 0
    return took[0], took[1]


async def _batches(url: str) -> list[list[ReadyDelivery]]:
    """Return what is ready in a store, in batches."""
    async with Database(url) as database:
        found = await database.read(_ready)
    return [found[first : first + BATCH] for first in range(0, len(found), BATCH)]


def _ready(session: Any) -> list[ReadyDelivery]:
    owed_by_now = datetime.now(UTC) + timedelta(minutes=1)
    return queue.find_ready(session, (_PLATFORM,), owed_by_now, 1_000_000).ready


# Takes a batch to its end.
CarryOut = Callable[[Sequence[ReadyDelivery]], Awaitable[None]]


@asynccontextmanager
async def by_product(url: str) -> AsyncIterator[CarryOut]:
    """Give what takes deliveries to their end as the outbox does."""
    numbers = count(1)
    async with Database(url) as database:
        yield lambda some: _carry_out(database, some, numbers)


async def _carry_out(
    database: Database, some: Sequence[ReadyDelivery], numbers: Iterator[int]
) -> None:
    now = datetime.now(UTC)
    works = await database.write_locking_rows(claim.claim_deliveries, some, _OWNER, len(some))
    parts = [Part(1, f"key-{next(numbers):012}", ("1", "2", "3")) for _ in works]
    begun = await database.write_durably(
        transitions.record_transitions,
        [
            transitions.PartBegun(work.claim, 1, now, work, (part,))
            for work, part in _pairs(works, parts)
        ],
    )
    await database.write_durably(
        transitions.record_transitions,
        [
            transitions.PartSent(_held(held), _stands(part), now)
            for held, part in _pairs(begun, parts)
        ],
    )


def _pairs(first: Sequence[Any], parts: Sequence[Part]) -> Iterator[tuple[Any, Part]]:
    return zip(first, parts, strict=True)


def _held(held: DeliveryClaim | LeaseLost) -> DeliveryClaim:
    if isinstance(held, LeaseLost):
        raise held
    return held


def _stands(part: Part) -> Part:
    return Part(part.number, part.key, part.refs, DeliveryState.SENT, *_WHERE)


@asynccontextmanager
async def by_hand(url: str) -> AsyncIterator[CarryOut]:
    """Give what does the same by the driver alone; each transaction is one hop to a thread too."""
    numbers = count(1)
    with ThreadPoolExecutor(1) as thread, ExitStack() as stack:
        hop = partial(asyncio.get_running_loop().run_in_executor, thread)
        raw = await hop(stack.enter_context, _raw(url))

        async def carry_out(some: Sequence[ReadyDelivery]) -> None:
            for step in _STEPS:
                await hop(step, raw, some, numbers)

        yield carry_out
        await hop(stack.close)


def _claim(raw: Raw, some: Sequence[ReadyDelivery], _numbers: Iterator[int]) -> None:
    ids, marks = _marked(some)
    with raw.transaction(lasting=False):
        raw.run(_SELECT.format(marks=marks), ids, "delivery, channel SKIP LOCKED")
        raw.run(_EDITION, ids[:1])
        raw.run(_TAKE.format(marks=marks), [_OWNER, *ids])


def _begin(raw: Raw, some: Sequence[ReadyDelivery], numbers: Iterator[int]) -> None:
    (ids, marks), now = _marked(some), datetime.now(UTC).isoformat(" ")
    with raw.transaction(lasting=True):
        raw.run(_LOCK.format(marks=marks), ids, "delivery")
        raw.run(_BEGIN.format(marks=marks), [now, *ids])
        raw.run_each(_PLAN, [(each, f"key-{next(numbers):012}", _REFS, now) for each in ids])


def _sent(raw: Raw, some: Sequence[ReadyDelivery], _numbers: Iterator[int]) -> None:
    (ids, marks), now = _marked(some), datetime.now(UTC).isoformat(" ")
    with raw.transaction(lasting=True):
        raw.run(_LOCK.format(marks=marks), ids, "delivery")
        raw.run_each(_STANDS, [(*_WHERE, each) for each in ids])
        raw.run(_DONE.format(marks=marks), [now, *ids])


def _marked(some: Sequence[ReadyDelivery]) -> tuple[list[int], str]:
    ids = [each.id for each in some]
    return ids, ", ".join("?" * len(ids))


_STEPS = (_claim, _begin, _sent)


class _Sqlite:
    """The `sqlite3` module with the pragmas that the product sets."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    @contextmanager
    def transaction(self, *, lasting: bool) -> Iterator[None]:
        level = "FULL" if lasting else "NORMAL"
        self._connection.execute(f"PRAGMA synchronous = {level}")
        self._connection.execute("BEGIN IMMEDIATE")
        yield
        self._connection.execute("COMMIT")

    def run(self, statement: str, values: Sequence[Any], locks: str = "") -> list[Row]:
        del locks  # the transaction has the whole file
        rows: list[Row] = self._connection.execute(statement, values).fetchall()
        return rows

    def run_each(self, statement: str, rows: Sequence[Row]) -> None:
        self._connection.executemany(statement, rows)


class _Postgres:
    """Psycopg; each transaction outlasts a power cut, as the server is set."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    @contextmanager
    def transaction(self, *, lasting: bool) -> Iterator[None]:
        del lasting
        with self._connection.transaction():
            yield

    def run(self, statement: str, values: Sequence[Any], locks: str = "") -> list[Row]:
        asked = f"{statement} FOR NO KEY UPDATE OF {locks}" if locks else statement
        cursor = self._connection.execute(_of_psycopg(asked), values)
        return cursor.fetchall() if cursor.description else []

    def run_each(self, statement: str, rows: Sequence[Row]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_of_psycopg(statement), rows)


def _of_psycopg(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()


@contextmanager
def _raw(url: str) -> Iterator[Raw]:
    known = make_url(url)
    if known.get_backend_name() == "sqlite":
        with floor.connected(Path(known.database or "")) as connection:
            yield _Sqlite(connection)
        return
    plain = known.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as postgres:
        yield _Postgres(postgres)


@contextmanager
def sqlite_with_ready(stage: Stage, number: int) -> Iterator[Fresh]:
    """Give what opens a copy of a store where so many deliveries are ready."""
    with copied(stage.filled) as template:
        asyncio.run(_fill(f"sqlite:///{template}", number))

        @contextmanager
        def fresh() -> Iterator[str]:
            with copied(template) as path:
                yield f"sqlite:///{path}"

        yield fresh


@contextmanager
def _postgres(stage: Stage, number: int) -> Iterator[Fresh]:
    with own_postgres() as server, fresh_postgres(server) as template:
        asyncio.run(take_in(template, stage.archive.read_bytes()))
        asyncio.run(_fill(template, number))
        yield lambda: fresh_postgres(server, f"TEMPLATE {make_url(template).database}")


async def _fill(url: str, number: int) -> None:
    places = [
        Channel(Workspace(_PLATFORM, f"T{each % _WORKSPACES}"), f"C{each}")
        for each in range(number)
    ]
    await owe(url, await order(url, places))
