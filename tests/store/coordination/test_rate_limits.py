"""Budgets: slots that all processes together use up, evenly apart."""

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update
from sqlmodel import col

from store.coordination import rate_limits
from store.coordination.rate_limits import HORIZON, SlotGrant, SlotRequest, SlotState, grant_slots
from store.database import Database, Session
from store.tables.coordination import RateLimitRow

NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)


def _after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def test_slots_are_evenly_apart_from_when_they_are_free() -> None:
    """Whoever comes to a fresh budget begins at once, whoever comes next behind that."""
    first, free_at = grant_slots(SlotState(NOW), SlotRequest("k", 0.5, 3), NOW)
    assert first == SlotGrant(3, 0.0, 0.5)
    second, free_at = grant_slots(SlotState(free_at), SlotRequest("k", 0.5, 2), NOW)
    assert second == SlotGrant(2, 1.5, 0.5)
    assert free_at == _after(2.5)


def test_what_nobody_used_is_lost_but_for_a_burst() -> None:
    """After a pause one leaves at once, or as many as may at once; the others are as apart."""
    alone, _ = grant_slots(SlotState(_after(-100)), SlotRequest("k", 1.0, 3), NOW)
    assert alone == SlotGrant(3, 0.0, 1.0)
    burst, free_at = grant_slots(SlotState(_after(-100)), SlotRequest("k", 1.0, 9, burst=5), NOW)
    assert burst == SlotGrant(9, -4.0, 1.0)
    assert free_at == _after(5.0)


def test_nobody_gets_slots_that_are_far_away() -> None:
    """Fewer are given than wanted; where none is near it is said when one will be."""
    some, free_at = grant_slots(SlotState(NOW), SlotRequest("k", 3.0, 9), NOW)
    assert some == SlotGrant(4, 0.0, 3.0)
    none, still = grant_slots(SlotState(free_at), SlotRequest("k", 3.0, 1), NOW)
    assert none.count == 0
    assert none.wait == pytest.approx(12 - HORIZON, abs=1.0)
    assert still == free_at


async def test_a_budget_that_was_refused_rests_and_is_then_used_more_slowly(
    database: Database,
) -> None:
    """A refusal is told to all: nothing for as long as asked, then less than before for a while."""
    await database.write_locking_rows(rate_limits.slow_down, ["k"], 4.0, NOW)
    _, [grant] = await database.write_locking_rows(
        rate_limits.claim_slots, [SlotRequest("k", 0.5, 3, burst=2)], NOW
    )
    assert (grant.count, grant.interval) == (3, 0.75)
    assert grant.wait == pytest.approx(4.0, abs=2.0)


def test_a_clock_that_was_ahead_holds_nobody_up() -> None:
    """What was reckoned hours ahead is not believed, nor is a slowness of hours."""
    wrong = SlotState(_after(7200), _after(7200))
    assert grant_slots(wrong, SlotRequest("k", 1.0, 1), NOW) == (
        SlotGrant(1, 0.0, 1.0),
        _after(1.0),
    )


@given(
    wants=st.lists(
        st.tuples(st.floats(0, 30, allow_subnormal=False), st.integers(1, 40)), max_size=30
    ),
    burst=st.integers(1, 5),
)
def test_no_second_has_more_than_its_slots(wants: list[tuple[float, int]], burst: int) -> None:
    """Whoever asks when for how many, a stretch of time has its slots and one burst at most."""
    every, at, free_at = 0.25, 0.0, NOW
    slots: list[float] = []
    for pause, count in wants:
        at += pause
        grant, free_at = grant_slots(
            SlotState(free_at), SlotRequest("k", every, count, burst), _after(at)
        )
        slots += [max(at, at + grant.wait + n * every) for n in range(grant.count)]
    slots.sort()
    for first, slot in enumerate(slots):
        within = sum(1 for each in slots[first:] if each < slot + 2.0 - 1e-6)
        assert within <= 2.0 / every + burst


async def test_processes_never_get_the_same_slot(database: Database) -> None:
    """Three that ask at once for several budgets in any order get slots apart, and none waits."""

    def wants(number: int) -> list[SlotRequest]:
        keys = ["a", "b", "c"] if number % 2 else ["c", "b", "a"]
        return [SlotRequest(key, 0.01, 2) for key in keys]

    url = database.url.render_as_string(hide_password=False)
    async with Database(url) as second, Database(url) as third:
        stores = [database, second, third]
        asked = [
            stores[number % 3].write_locking_rows(_taken, wants(number)) for number in range(60)
        ]
        found = await asyncio.gather(*asked)
    for key in ("a", "b", "c"):
        slots = sorted(slot for each in found for slot in each[key])
        assert len(slots) == 120
        assert all(
            later - earlier >= timedelta(seconds=0.0099) for earlier, later in pairwise(slots)
        )


def _taken(session: Session, wants: list[SlotRequest]) -> dict[str, list[datetime]]:
    """Take slots and return when they are, by what the budget says before and after."""
    _, grants = rate_limits.claim_slots(session, wants, datetime.now(UTC))
    found = {}
    for want, grant in zip(wants, grants, strict=True):
        row = (
            session.connection()
            .execute(select(RateLimitRow).where(col(RateLimitRow.key) == want.key))
            .one()
        )
        step = timedelta(seconds=grant.interval)
        found[want.key] = [row.free_at - step * (grant.count - n) for n in range(grant.count)]
    return found


async def test_budgets_that_nobody_used_for_a_day_are_forgotten(database: Database) -> None:
    """Channels come and go; what was used lately stays."""
    now = datetime.now(UTC)
    await database.write_locking_rows(
        rate_limits.claim_slots, [SlotRequest("old", 1.0, 1), SlotRequest("new", 1.0, 1)], now
    )

    def ages(session: Session) -> None:
        old = update(RateLimitRow).where(col(RateLimitRow.key) == "old")
        session.connection().execute(old.values(free_at=now - timedelta(days=2)))

    await database.write(ages)
    assert await database.write(rate_limits.delete_unused, now) == 1
