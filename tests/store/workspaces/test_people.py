"""Welcomes are recorded once, however many ask at the same moment, on both databases."""

import asyncio
from datetime import UTC, datetime, timedelta

from store.database import Database
from store.records import Person, Workspace
from store.workspaces import people, workspaces
from store.workspaces.people import Newcomers

HERE, THERE = Workspace("slack", "T1"), Workspace("slack", "T2")
ANN, BOB = Person(HERE, "U1"), Person(HERE, "U2")
NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)


async def test_of_many_calls_at_the_same_moment_one_is_first(database: Database) -> None:
    """Of eight calls for a new person in a new workspace, one finds them new."""
    told = await asyncio.gather(*(database.write(people.welcome, ANN, HERE, NOW) for _ in range(8)))
    assert sum(each.person for each in told) == 1
    assert sum(each.workspace for each in told) == 1


async def test_people_and_workspaces_are_welcomed_once(database: Database) -> None:
    """People and workspaces are welcomed once each; a call without workspace welcomes none."""
    told = [
        await database.write(people.welcome, ANN, None, NOW),
        await database.write(people.welcome, BOB, HERE, NOW),
        await database.write(people.welcome, ANN, HERE, NOW + timedelta(days=9)),
        await database.write(people.welcome, Person(THERE, "U1"), THERE, NOW),
    ]
    assert told == [
        Newcomers(person=True, workspace=False),
        Newcomers(person=True, workspace=True),
        Newcomers(person=False, workspace=False),
        Newcomers(person=True, workspace=True),
    ]


async def test_stored_people_and_workspaces_are_still_new(
    database: Database,
) -> None:
    """A person with a list and a workspace with settings are new until they are welcomed."""
    await database.write(people.ensure_person, ANN)
    await database.write(workspaces.change_settings, HERE, {"zone": "UTC"})
    told = await database.write(people.welcome, ANN, HERE, NOW)
    assert told == Newcomers(person=True, workspace=True)


async def test_an_erased_person_is_new_again(database: Database) -> None:
    """An erased person is new again."""
    await database.write(people.welcome, ANN, HERE, NOW)
    await database.write(people.delete_person, ANN)
    told = await database.write(people.welcome, ANN, HERE, NOW)
    assert told == Newcomers(person=True, workspace=False)


async def test_an_undone_welcome_is_new_again(database: Database) -> None:
    """An undone welcome is new again, as is a workspace that the bot left."""
    assert await database.write(people.welcome_workspace, HERE, NOW)
    assert not await database.write(people.welcome_workspace, HERE, NOW)
    await database.write(people.undo_welcome, None, HERE)
    assert await database.write(people.welcome_workspace, HERE, NOW)
    await database.write(workspaces.mark_left, HERE, NOW)
    await database.write(workspaces.mark_returned, HERE)
    assert await database.write(people.welcome_workspace, HERE, NOW)
