"""Workspaces: added once, and each settles for itself, on both databases."""

import asyncio
from datetime import UTC, datetime

from store.claims import Claim
from store.database import Database
from store.records import Channel, Workspace, WorkspaceSettings
from store.workspaces import change, channel_id, settings, workspace_id

OURS, THEIRS = Workspace("slack", "T1"), Workspace("slack", "T2")
NOW = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)


async def test_what_nobody_settled_has_its_default(database: Database) -> None:
    """A workspace that the store has never heard of has settings too."""
    assert await database.read(settings, OURS) == WorkspaceSettings(zone=None, unfurls=True)


async def test_a_change_tells_what_was_and_what_is(database: Database) -> None:
    """Each change gives all settings before and after, and leaves the others as they were."""
    first = await database.write(change, OURS, "zone", "Europe/Berlin")
    assert first == (WorkspaceSettings(), WorkspaceSettings(zone="Europe/Berlin"))
    both = WorkspaceSettings(zone="Europe/Berlin", unfurls=False)
    assert await database.write(change, OURS, "unfurls", "off") == (first[1], both)
    asked = await database.write(change, OURS, "zone", "Asia/Tokyo")
    assert asked == (both, WorkspaceSettings(zone="Asia/Tokyo", unfurls=False))
    assert await database.read(settings, OURS) == asked[1]


async def test_the_default_can_be_had_again(database: Database) -> None:
    """What is settled as `None` is as if nobody had settled it, also where nobody had."""
    await database.write(change, OURS, "zone", "Europe/Berlin")
    for name in ("zone", "unfurls"):
        await database.write(change, OURS, name, None)
    assert await database.read(settings, OURS) == WorkspaceSettings()


async def test_workspaces_settle_apart(database: Database) -> None:
    """Neither another workspace nor one of that name on another platform sees a change."""
    await database.write(change, OURS, "unfurls", "off")
    for other in (THEIRS, Workspace("discord", OURS.external_id)):
        assert await database.read(settings, other) == WorkspaceSettings()


async def test_a_request_that_comes_again_changes_nothing(database: Database) -> None:
    """The claim is in the change's own transaction; what was settled since stays."""
    request = Claim("slack:T1:envelope", NOW)
    await database.write(change, OURS, "zone", "Europe/Berlin", request)
    since = await database.write(change, OURS, "zone", None)
    again = await database.write(change, OURS, "zone", "Europe/Berlin", request)
    assert again == (since[1], since[1])


async def test_a_setting_of_a_later_version_is_left_alone(database: Database) -> None:
    """A name that this version does not know hinders nobody."""
    await database.write(change, OURS, "layout", "full")
    assert await database.read(settings, OURS) == WorkspaceSettings()


async def test_a_new_workspace_is_added_once(database: Database) -> None:
    """Eight that meet a channel of a new workspace at the same moment get the same ids."""
    channel = Channel(OURS, "C1")
    found = await asyncio.gather(*(database.write(channel_id, channel) for _ in range(8)))
    owners = await asyncio.gather(*(database.write(workspace_id, OURS) for _ in range(2)))
    assert (len(set(found)), len(set(owners))) == (1, 1)
