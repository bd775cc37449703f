"""Session starts, spaced out over all processes on a store."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from adapters.discord.gateway.connection import Shard
from adapters.discord.gateway.shards import SessionStarts, lease_names
from bot.clock import SystemClock
from bot.coordination.rate_limiter import RateLimiter
from store.database import Database


class _Waits:
    """Notes how long was waited, in no time."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@contextmanager
def _identifying(database: Database, speed: float = 1.0) -> Iterator[tuple[SessionStarts, _Waits]]:
    waits = _Waits()
    lanes = RateLimiter(database, SystemClock(), sleep=waits)
    yield SessionStarts(lanes, speed, sleep=waits), waits


async def test_who_is_alone_does_not_wait(database: Database) -> None:
    """The first session begins at once."""
    with _identifying(database) as (identifying, waits):
        await identifying.acquire(0, 1)
        assert waits.seconds == []


async def test_another_process_waits_for_five_seconds(database: Database) -> None:
    """Discord counts the sessions of all of them; other buckets have turns of their own."""
    with _identifying(database) as (one, _), _identifying(database) as (other, waits):
        await one.acquire(0, 2)
        await other.acquire(1, 2)
        assert waits.seconds == []
        await other.acquire(2, 2)
        assert 4 < waits.seconds[0] <= 5.2


async def test_without_the_store_it_waits_as_the_library_would(tmp_path: Path) -> None:
    """A shard without the store waits five seconds and connects."""
    database = Database(f"sqlite:///{tmp_path / 'empty.db'}")
    with _identifying(database) as (identifying, waits):
        await identifying.acquire(0, 1)
        assert waits.seconds == [pytest.approx(5.2)]
    database.close()


def test_shards_are_leased_one_by_one() -> None:
    """The leases are in order; without a number of shards there is one for all."""
    assert lease_names(None) == {"discord": None}
    assert lease_names(2) == {"discord:0": Shard(0, 2), "discord:1": Shard(1, 2)}
    names = list(lease_names(12))
    assert names == sorted(names)
    assert names[-1] == "discord:11"
