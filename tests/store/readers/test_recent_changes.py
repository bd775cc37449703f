"""The last changes of people, on both databases."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from store.database import Database, Session
from store.readers import recent_changes
from store.readers.recent_changes import RecentChange
from store.records import Person, Workspace
from store.tables.readers import RecentChangeRow

NOW = datetime(2026, 1, 12, 8, 0, 0, 1, tzinfo=UTC)
HERE, THERE = Workspace("slack", "T1"), Workspace("slack", "T2")
ANN, BEN = Person(HERE, "U1"), Person(HERE, "U2")
SAVED = RecentChange("saved Kites", ("unsave dair:2026-01-05#1",))
VOTED = RecentChange("voted for Kites", ("vote dair:2026-01-05#1", "show 1"))


async def _note(  # noqa: PLR0913, PLR0917 - who changed what, where, when and by which request
    database: Database,
    change: RecentChange,
    person: Person = ANN,
    workspace: Workspace | None = None,
    at: datetime = NOW,
    request: str | None = None,
) -> None:
    await database.write(recent_changes.note, person, change, workspace, at, request)


async def _take(
    database: Database, request: str, person: Person = ANN, workspace: Workspace = HERE
) -> tuple[RecentChange, str | None, bool] | None:
    since = NOW - recent_changes.LIFETIME
    found = await database.write(recent_changes.take, person, workspace, since, request)
    return (found.change, found.before, found.again) if found else None


async def test_the_last_change_is_taken_first(database: Database) -> None:
    """Each request takes one, with what the one before was; the same gets the same again.

    One that is put back is the last again, with what is left to do.
    """
    for change in (SAVED, VOTED):
        await _note(database, change)
    assert await _take(database, "a") == (VOTED, "saved Kites", False)
    assert await _take(database, "b") == (SAVED, None, False)
    assert await _take(database, "c") is None
    assert await _take(database, "a") == (VOTED, None, True)
    await database.write(recent_changes.put_back, ANN, "a", VOTED.commands)
    assert await _take(database, "d") == (VOTED, None, False)
    await database.write(recent_changes.put_back, ANN, "d", VOTED.commands[1:])
    assert await _take(database, "e") == (replace(VOTED, commands=("show 1",)), None, False)


async def test_changes_are_of_a_person_and_a_place(database: Database) -> None:
    """Another person gets none, and one of a workspace is for that alone."""
    await _note(database, VOTED, workspace=HERE)
    assert await _take(database, "a", BEN) is None
    assert await _take(database, "a", workspace=THERE) is None
    assert await _take(database, "a") == (VOTED, None, False)


async def test_two_at_once_take_two(database: Database) -> None:
    """Two requests at the same moment get different changes."""
    for change in (SAVED, VOTED):
        await _note(database, change)
    found = await asyncio.gather(_take(database, "a"), _take(database, "b"))
    assert {each[0].was for each in found if each} == {SAVED.was, VOTED.was}


async def test_a_request_notes_one_change(database: Database) -> None:
    """Delivered twice it is one change, and several without an id are several."""
    for request in ("k1", "k1", None, None):
        await _note(database, SAVED, request=request)
    assert await database.read(_rows) == 3


async def test_what_is_old_goes(database: Database) -> None:
    """A change deletes those of an hour before it, now and then everybody's; twenty stay."""
    await _note(database, SAVED)
    await _note(database, SAVED, BEN)
    later = NOW + recent_changes.LIFETIME
    await _note(database, VOTED, at=later)
    assert await database.read(_rows) == 2
    await _note(database, VOTED, at=later - timedelta(microseconds=later.microsecond % 64 - 64))
    assert await database.read(_rows) == 2
    for _ in range(25):
        await _note(database, VOTED, at=later)
    assert await database.read(_rows) == 20


def _rows(session: Session) -> int:
    return session.connection().scalar(select(func.count()).select_from(RecentChangeRow)) or 0
