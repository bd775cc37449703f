"""Welcomes: noted once, however many ask at the same moment, on both databases."""

import asyncio
from datetime import UTC, datetime, timedelta

from store.database import Database
from store.readers import welcomes
from store.readers.welcomes import Welcome
from store.records import Person, Workspace
from store.workspaces import people, workspaces

HERE, THERE = Workspace("slack", "T1"), Workspace("slack", "T2")
ANN, BOB = Person(HERE, "U1"), Person(HERE, "U2")
NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)


async def test_of_many_at_the_same_moment_one_is_told(database: Database) -> None:
    """Eight devices of one person, as new as the workspace: it is news to one of them."""
    told = await asyncio.gather(
        *(database.write(welcomes.welcome, ANN, HERE, NOW) for _ in range(8))
    )
    assert sum(each.person for each in told) == 1
    assert sum(each.workspace for each in told) == 1


async def test_people_are_told_each_and_their_workspace_once(database: Database) -> None:
    """What one knows is news to another; who manages nothing is told of no workspace."""
    told = [
        await database.write(welcomes.welcome, ANN, None, NOW),
        await database.write(welcomes.welcome, BOB, HERE, NOW),
        await database.write(welcomes.welcome, ANN, HERE, NOW + timedelta(days=9)),
        await database.write(welcomes.welcome, Person(THERE, "U1"), THERE, NOW),
    ]
    assert told == [
        Welcome(person=True, workspace=False),
        Welcome(person=True, workspace=True),
        Welcome(person=False, workspace=False),
        Welcome(person=True, workspace=True),
    ]


async def test_whoever_was_noted_for_something_else_is_still_to_be_told(
    database: Database,
) -> None:
    """A person with a list, and a workspace with settings, need not have been told."""
    await database.write(people.member_id, ANN)
    await database.write(workspaces.change, HERE, {"zone": "UTC"})
    told = await database.write(welcomes.welcome, ANN, HERE, NOW)
    assert told == Welcome(person=True, workspace=True)


async def test_whoever_is_forgotten_is_new_again(database: Database) -> None:
    """Nothing is left of a person by which they could be known."""
    await database.write(welcomes.welcome, ANN, HERE, NOW)
    await database.write(people.forget, ANN)
    told = await database.write(welcomes.welcome, ANN, HERE, NOW)
    assert told == Welcome(person=True, workspace=False)


async def test_a_workspace_that_could_not_be_told_is_told_later(database: Database) -> None:
    """What was taken back is news once more; so it is where the bot left and returned."""
    assert await database.write(welcomes.welcome_workspace, HERE, NOW)
    assert not await database.write(welcomes.welcome_workspace, HERE, NOW)
    await database.write(welcomes.undo, None, HERE)
    assert await database.write(welcomes.welcome_workspace, HERE, NOW)
    await database.write(workspaces.left, HERE, NOW)
    await database.write(workspaces.returned, HERE)
    assert await database.write(welcomes.welcome_workspace, HERE, NOW)
