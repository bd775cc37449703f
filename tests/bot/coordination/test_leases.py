"""Leases taken part in: one holder over real stores, and what happens to it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.coordination.leases import Candidate, Leases, LeaseTerm
from store.database import Database
from store.errors import StoreUnavailable

TERM = LeaseTerm(heartbeat=0.05, expiry=2.0, release_within=0.5, handover=0.1)
ONE = ("g",)


class _Told:
    """Notes what is held."""

    def __init__(self) -> None:
        self.held: set[str] = set()
        self.handed: list[bool] = []

    def gained(self, lease: str) -> None:
        """One more."""
        self.held.add(lease)

    def lost(self, lease: str, *, handed: bool) -> None:
        """One less."""
        self.held.remove(lease)
        self.handed.append(handed)


class _Torn(Database):
    """A store that can be out of reach."""

    away = False

    async def write_locking_rows(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        """Refuse while it is away."""
        if self.away:
            raise StoreUnavailable(self.name, "away")
        return await super().write_locking_rows(fn, *args, **kwargs)


class _Slow(Database):
    """A store whose answers can be held back."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.answers = asyncio.Event()
        self.asked = asyncio.Event()

    async def write_locking_rows(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        """Do it, and say so when answers are let through."""
        answer = await super().write_locking_rows(fn, *args, **kwargs)
        self.asked.set()
        await self.answers.wait()
        return answer


async def _until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110 - what is looked at has no event
            await asyncio.sleep(0.01)


@asynccontextmanager
async def _part(
    database: Database, process: str, names: tuple[str, ...] = ONE
) -> AsyncIterator[tuple[Leases, _Told]]:
    told = _Told()
    leases = Leases(database, Candidate("g", names, process, TERM), told)
    leases.start()
    try:
        yield leases, told
    finally:
        await leases.stop()


async def test_one_of_several_holds_it(database: Database) -> None:
    """Whoever comes first; when it ends another has it at once."""
    async with _part(database, "a") as (first, a):
        await _until(lambda: a.held)
        async with _part(database, "b") as (second, b):
            await _until(lambda: second.has_looked and first.has_peers)
            assert (a.held, b.held) == ({"g"}, set())
            await first.stop()
            assert (a.held, a.handed) == (set(), [True])
            await _until(lambda: b.held)


async def test_they_are_shared_evenly(database: Database) -> None:
    """Whoever joins gets its part, and what one leaves goes to the others."""
    names = tuple(f"g:{each}" for each in range(4))
    async with _part(database, "a", names) as (_, a), _part(database, "b", names) as (_, b):
        await _until(lambda: (len(a.held), len(b.held)) == (2, 2))
        async with _part(database, "c", names) as (_, c):
            await _until(lambda: sorted(map(len, (a.held, b.held, c.held))) == [1, 1, 2])
            assert a.held | b.held | c.held == set(names)
        await _until(lambda: (len(a.held), len(b.held)) == (2, 2))


async def test_who_has_the_store_no_more_lets_go(database_url: str) -> None:
    """Where another is there to take it over, and before that does; it hands nothing over."""
    torn, other = _Torn(database_url), Database(database_url)
    async with _part(torn, "a") as (first, a):
        await _until(lambda: a.held)
        async with _part(other, "b") as (_, b):
            await _until(lambda: first.has_peers)
            torn.away = True
            both = []
            while not b.held:
                both.append(bool(a.held and b.held))
                await asyncio.sleep(0.01)
            assert a.handed == [False]
            assert not any(both)
            torn.away = False
    for each in (torn, other):
        each.close()


async def test_who_is_alone_holds_on(database_url: str, caplog: pytest.LogCaptureFixture) -> None:
    """However long the store is away; that is logged once."""
    torn = _Torn(database_url)
    async with _part(torn, "a") as (_, a):
        await _until(lambda: a.held)
        torn.away = True
        await asyncio.sleep(1.3 * TERM.expiry)
        assert a.held == {"g"}
        torn.away = False
    assert [each.msg for each in caplog.records].count("leases_unknown") == 1
    torn.close()


async def test_who_dies_is_followed(database: Database) -> None:
    """Without a word of its own, after as long as leases last."""
    told = _Told()
    dying = Leases(database, Candidate("g", ONE, "a", TERM), told)
    dying.start()
    await _until(lambda: told.held)
    for task in asyncio.all_tasks():
        if task.get_name().startswith("leases"):
            task.cancel()
    async with _part(database, "b") as (_, b):
        await _until(lambda: b.held)


async def test_what_the_store_says_too_late_is_told_nobody(database_url: str) -> None:
    """Whoever would act on it has ended; the lease is given back all the same."""
    slow, other = _Slow(database_url), Database(database_url)
    async with _part(slow, "a") as (leases, a):
        await slow.asked.wait()
        await leases.stop()
        slow.answers.set()
        await _until(lambda: not _named("leases"))
    assert (a.held, a.handed) == (set(), [])
    async with _part(other, "b") as (_, b):
        await _until(lambda: b.held)
    for each in (slow, other):
        each.close()


def _named(begins: str) -> list[str]:
    names = (task.get_name() for task in asyncio.all_tasks())
    return [name for name in names if name.startswith(begins)]


async def test_one_that_never_began_ends_well(database: Database) -> None:
    """There is nothing that it would give back."""
    told = _Told()
    await Leases(database, Candidate("g", ONE, "a", TERM), told).stop()
    assert not told.handed
