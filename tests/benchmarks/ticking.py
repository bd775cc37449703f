"""The tick over many standing orders: none of them due, and all of them at once.

The floor is the same table by the `sqlite3` of the standard library alone, through hops to a thread
as the product's: the rows that are due read, a delivery each inserted and the order's next
time written, as many a transaction as the product takes. It reckons no zone and rules on nothing.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import perf_counter
from zoneinfo import ZoneInfo

from bot.coordination.wakeup import WakeUp
from bot.operations.metrics import Metrics
from bot.posting.tick import Ticker
from store.database import Database
from tests.benchmarks import floor, product
from tests.benchmarks.measure import Figure, Stopwatch, Timed, by_turns, percentiles
from tests.benchmarks.stage import Stage, copied

NINE = datetime(2026, 11, 23, 9, tzinfo=UTC)
_EARLY = NINE - timedelta(hours=1)
_TICKS = 300
_BATCH = 500
_A_WORKSPACE = 100
# Mostly those of one zone order the same time.
_ZONES = (
    "UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles",
    "America/Sao_Paulo", "Asia/Tokyo", "Asia/Shanghai", "Asia/Kolkata", "Australia/Sydney",
)  # fmt: skip
_MINUTES = 5

_FIND = (
    "SELECT id, next_due_at FROM subscription"
    " WHERE cancelled_at IS NULL AND state = 'active' AND next_due_at <= ? LIMIT ?"
)
_INSERT = (
    "INSERT INTO delivery (subscription_id, edition_id, state, attempts, due_at, enqueued_at,"
    " ready_at, fencing_token, send_anyway) VALUES (?, ?, 'pending', 0, ?, ?, ?, 0, 0)"
)
_MOVE = "UPDATE subscription SET next_due_at = ? WHERE id = ?"
_NEWEST = "SELECT id FROM edition ORDER BY last_day DESC LIMIT 1"


@dataclass
class _SetClock:
    at: datetime

    def now(self) -> datetime:
        return self.at


def ticks(stage: Stage, runs: int, orders: int) -> Iterator[Figure]:
    """Tick over a store with so many orders of channels."""
    with copied(stage.filled) as store:
        _order(store, orders)
        timed = [_looks(store) for _ in range(1 + runs)][1:]
        yield from percentiles(f"tick over {orders:,}, none due", timed, {50: 3})
        least, mine = partial(_all_floor, store, orders), partial(_all, store, orders)
        yield Figure(f"tick over {orders:,}, all due", "ms", *by_turns(least, mine, runs), aim=3)


def _order(store: Path, orders: int) -> None:
    """Give each of so many channels an order that is due at nine or some minutes before."""
    channels = range(1, orders + 1)
    workspaces = range(1, orders // _A_WORKSPACE + 2)
    with floor.connected(store) as connection:
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO workspace (id, platform, external_id) VALUES (?, 'test', ?)",
            [(number, f"T{number}") for number in workspaces],
        )
        connection.executemany(
            "INSERT INTO channel (id, workspace_id, external_id) VALUES (?, ?, ?)",
            [(number, number // _A_WORKSPACE + 1, f"C{number}") for number in channels],
        )
        connection.executemany(
            "INSERT INTO subscription (channel_id, state, weekday, local_time, zone, sources,"
            " topics, not_topics, size, layout, patience, owner, next_due_at)"
            """ VALUES (?, 'active', ?, ?, ?, '["dair"]', '[]', '[]', 10, 'compact', 259200,"""
            " 'U1', ?)",
            [(number, *_times(number)) for number in channels],
        )
        connection.execute("COMMIT")


def _times(number: int) -> tuple[int, str, str, str]:
    """Return the weekday, time and zone of an order, and when it is due."""
    due = NINE - timedelta(minutes=number // len(_ZONES) % _MINUTES)
    zone = _ZONES[number % len(_ZONES)]
    there = due.astimezone(ZoneInfo(zone))
    return there.weekday(), f"{there:%H:%M:%S.%f}", zone, _stored(due)


def _stored(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S.%f}"


def _looks(store: Path) -> Timed:
    with product.opened(store) as database:
        return asyncio.run(_timed_looks(store, database))


async def _timed_looks(store: Path, database: Database) -> Timed:
    """Look on both sides by turns, an hour early."""
    runner = _runner(database, _SetClock(_EARLY))
    await runner.tick()
    least, mine = [], []
    async with _hopping(store) as hop:
        for _ in range(_TICKS):
            start = perf_counter()
            await hop(_look)
            between = perf_counter()
            await runner.tick()
            least.append(1000 * (between - start))
            mine.append(1000 * (perf_counter() - between))
    return Timed(least, mine)


def _all(store: Path, orders: int) -> float:
    with copied(store) as path, product.opened(path) as database:
        took = asyncio.run(_timed_tick(database))
        _require(path, orders)
        return took


async def _timed_tick(database: Database) -> float:
    """Tick at nine, as one that ticked an hour before; return the ms."""
    clock = _SetClock(_EARLY)
    runner = _runner(database, clock)
    await runner.tick()
    clock.at = NINE
    with Stopwatch() as watch:
        await runner.tick()
    return watch.milliseconds


def _runner(database: Database, clock: _SetClock) -> Ticker:
    return Ticker(database, clock, WakeUp(), Metrics(), 1.0)


def _all_floor(store: Path, orders: int) -> float:
    with copied(store) as path:
        took = asyncio.run(_timed_batches(path))
        _require(path, orders)
        return took


async def _timed_batches(store: Path) -> float:
    async with _hopping(store) as hop:
        with Stopwatch() as watch:
            while await hop(_batch):
                pass
        return watch.milliseconds


Call = Callable[[sqlite3.Connection], bool]


@asynccontextmanager
async def _hopping(store: Path) -> AsyncIterator[Callable[[Call], Awaitable[bool]]]:
    """Give what calls a function with a connection, in a thread that has it to itself."""
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as thread:
        opened = floor.connected(store)
        connection = await loop.run_in_executor(thread, opened.__enter__)
        yield lambda call: loop.run_in_executor(thread, call, connection)
        await loop.run_in_executor(thread, opened.__exit__, None, None, None)


def _look(connection: sqlite3.Connection) -> bool:
    """Tell whether anything is due, and read whether anything was imported."""
    connection.execute("SELECT version FROM content").fetchone()
    return bool(_find(connection, _EARLY, 1))


def _find(connection: sqlite3.Connection, now: datetime, most: int) -> list[tuple[int, str]]:
    return connection.execute(_FIND, (_stored(now), most)).fetchall()


def _batch(connection: sqlite3.Connection) -> bool:
    """Enqueue what is due of so many orders; return whether there were any."""
    connection.execute("BEGIN IMMEDIATE")
    due = _find(connection, NINE, _BATCH)
    [edition] = connection.execute(_NEWEST).fetchone()
    now, following = _stored(NINE), _stored(NINE + timedelta(days=7))
    connection.executemany(_INSERT, [(order, edition, at, now, now) for order, at in due])
    connection.executemany(_MOVE, [(following, order) for order, _ in due])
    connection.execute("COMMIT")
    return bool(due)


def _require(store: Path, orders: int) -> None:
    """Hold both sides to it: one delivery an order, and none of them due any more.

    Raises:
        RuntimeError: where it is not so, so that nothing was measured.
    """
    with floor.connected(store) as connection:
        [made] = connection.execute("SELECT count(*) FROM delivery").fetchone()
        left = _find(connection, NINE, 1)
    if made != orders or left:
        raise RuntimeError(f"{made} deliveries for {orders} orders")
