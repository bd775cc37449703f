"""Claims: one name is claimed once, whoever tries at the same moment, on both databases."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select
from sqlmodel import col

from store.coordination.request_claims import LIFETIME, Claim, claim
from store.database import Database, Session
from store.tables.coordination import RequestClaimRow

NOW = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)
SHORT = timedelta(minutes=30)


def _names(session: Session) -> list[str]:
    column = col(RequestClaimRow.key)
    return list(session.connection().scalars(select(column).order_by(column)))


async def test_a_name_is_claimed_once(database: Database) -> None:
    """The first to claim is told so, and whoever comes after it is told otherwise."""
    later = Claim("slack:event:Ev1", NOW + LIFETIME - timedelta(seconds=1))
    assert await database.write(claim, Claim("slack:event:Ev1", NOW))
    assert not await database.write(claim, Claim("slack:event:Ev1", NOW))
    assert not await database.write(claim, later)
    assert await database.write(claim, Claim("slack:event:Ev2", NOW))


async def test_a_claim_ends(database: Database) -> None:
    """After its time the name may be claimed anew, and lasts from then on."""

    async def claimed(minutes: int) -> bool:
        at = NOW + timedelta(minutes=minutes)
        return await database.write(claim, Claim("unfurl:C1:dair:2026-01-05#1", at, SHORT))

    assert [await claimed(minutes) for minutes in (0, 29, 30, 59, 60)] == [
        True, False, True, False, True,
    ]  # fmt: skip


async def test_one_of_many_at_once_claims_a_name(database: Database) -> None:
    """Of sixteen that claim one name from two processes at the same moment one succeeds."""
    async with Database(database.url.render_as_string(hide_password=False)) as other:
        claims = (
            store.write(claim, Claim(f"event {number % 2}", NOW))
            for number in range(16)
            for store in (database, other)
        )
        assert sorted(await asyncio.gather(*claims)) == [False] * 30 + [True] * 2


async def test_old_claims_are_dropped(database: Database) -> None:
    """Now and then a claim takes along what nobody can repeat any more."""

    def claim_many(session: Session) -> None:
        for number in range(500):
            assert claim(session, Claim(f"event {number}", NOW + LIFETIME))

    await database.write(claim, Claim("old", NOW))
    await database.write(claim, Claim("newer", NOW + timedelta(hours=1)))
    await database.write(claim_many)
    names = await database.read(_names)
    assert ("old" in names, "newer" in names, len(names)) == (False, True, 501)


async def test_what_fails_is_not_claimed(database: Database) -> None:
    """A claim belongs to its transaction: what could not be done may be tried again."""

    def fail(session: Session) -> None:
        claim(session, Claim("event", NOW))
        raise LookupError

    with pytest.raises(LookupError):
        await database.write(fail)
    assert await database.write(claim, Claim("event", NOW))
