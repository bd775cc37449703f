"""OAuth states: good once, in time, and gone afterwards, on both databases."""

import asyncio
from datetime import UTC, datetime, timedelta

from sqlalchemy import text

from store.database import Database, Session
from store.oauth_states import consume, issue

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)
MINUTES = timedelta(minutes=10)


def _kept(session: Session) -> list[str]:
    return list(session.scalars(text("SELECT state FROM oauth_state ORDER BY state")))


async def test_a_state_is_good_once(database: Database) -> None:
    """Of eight that come back with the same state at once, one is let through."""
    await database.write(issue, "s1", NOW, NOW + MINUTES)
    let_in = await asyncio.gather(*(database.write(consume, "s1", NOW) for _ in range(8)))
    assert sorted(let_in) == [False] * 7 + [True]
    assert await database.read(_kept) == []


async def test_a_state_nobody_issued_is_none(database: Database) -> None:
    """A state that was made up lets nobody in and takes nobody's."""
    await database.write(issue, "s1", NOW, NOW + MINUTES)
    assert not await database.write(consume, "s2", NOW)
    assert await database.write(consume, "s1", NOW)


async def test_a_state_ends_with_its_minutes(database: Database) -> None:
    """From the instant of its expiry on a state is none, and the next one sweeps it away."""
    await database.write(issue, "old", NOW, NOW + MINUTES)
    assert not await database.write(consume, "old", NOW + MINUTES)
    await database.write(issue, "new", NOW + MINUTES, NOW + 2 * MINUTES)
    assert await database.read(_kept) == ["new"]
