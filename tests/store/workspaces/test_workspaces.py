"""Workspaces: added once, and each settles for itself, on both databases."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, insert, select
from sqlmodel import SQLModel, col

from store.coordination.request_claims import Claim
from store.database import Database, Session
from store.posting.change_subscription import post_now
from store.posting.deliveries import list_deliveries
from store.posting.notices import add_notice
from store.posting.subscriptions import add_subscription, list_subscriptions
from store.readers import alerts, recent_changes, seen_lists
from store.readers.alerts import AlertLimits, AlertQuery, NewAlert
from store.readers.recent_changes import RecentChange
from store.records import (
    Channel,
    ChannelFacts,
    DeliveryState,
    Layout,
    Person,
    Refusal,
    SeenList,
    Workspace,
    WorkspaceSettings,
)
from store.search import EVERYTHING
from store.tables.readers import (
    BriefRow,
    DismissedPaperRow,
    PersonalCommandStringRow,
    SavedPaperRow,
    SeenPaperRow,
    VoteRow,
)
from store.workspaces.people import ensure_person
from store.workspaces.workspaces import (
    change_settings,
    channel_id,
    delete_left,
    list_left,
    list_present,
    list_zones,
    mark_left,
    mark_returned,
    read_settings,
    workspace_id,
)
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.store.posting.delivery_rows import became
from tests.store.posting.test_subscriptions import ORDER
from tests.store.readers.votes import kept

OURS, THEIRS = Workspace("slack", "T1"), Workspace("slack", "T2")
NOW = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)


async def test_what_nobody_settled_has_its_default(database: Database) -> None:
    """A workspace that the store has never heard of has settings too."""
    defaults = WorkspaceSettings(zone=None, unfurls=True, role=None)
    assert await database.read(read_settings, OURS) == defaults


async def test_a_change_tells_what_was_and_what_is(database: Database) -> None:
    """Each change gives all settings before and after, and leaves the others as they were."""
    first = await database.write(change_settings, OURS, {"zone": "Europe/Berlin"})
    assert first == (WorkspaceSettings(), WorkspaceSettings(zone="Europe/Berlin"))
    both = WorkspaceSettings(zone="Europe/Berlin", unfurls=False)
    assert await database.write(change_settings, OURS, {"unfurls": "off"}) == (first[1], both)
    asked = await database.write(change_settings, OURS, {"zone": "Asia/Tokyo"})
    assert asked == (both, WorkspaceSettings(zone="Asia/Tokyo", unfurls=False))
    assert await database.read(read_settings, OURS) == asked[1]


async def test_the_default_can_be_had_again(database: Database) -> None:
    """What is settled as `None` is as if nobody had settled it, also where nobody had."""
    await database.write(change_settings, OURS, {"zone": "Europe/Berlin"})
    for name in ("zone", "unfurls"):
        await database.write(change_settings, OURS, {name: None})
    assert await database.read(read_settings, OURS) == WorkspaceSettings()


async def test_a_layout_is_kept_as_one(database: Database) -> None:
    """What is settled of layouts is read back as a layout."""
    await database.write(change_settings, OURS, {"layout": "full"})
    assert await database.read(read_settings, OURS) == WorkspaceSettings(layout=Layout.FULL)


async def test_workspaces_settle_apart(database: Database) -> None:
    """Neither another workspace nor one of that name on another platform sees a change."""
    await database.write(change_settings, OURS, {"unfurls": "off"})
    for other in (THEIRS, Workspace("discord", OURS.external_id)):
        assert await database.read(read_settings, other) == WorkspaceSettings()


async def test_zones_that_were_set_are_listed(database: Database) -> None:
    """Each workspace that set one has it, and no other."""
    await database.write(change_settings, THEIRS, {"zone": "EST"})
    await database.write(change_settings, OURS, {"unfurls": "off"})
    assert await database.read(list_zones) == {THEIRS: "EST"}


async def test_a_request_that_comes_again_changes_nothing(database: Database) -> None:
    """The claim is in the change's own transaction; what was settled since stays."""
    request = Claim("slack:T1:envelope", NOW)
    await database.write(change_settings, OURS, {"zone": "Europe/Berlin"}, request)
    since = await database.write(change_settings, OURS, {"zone": None})
    again = await database.write(change_settings, OURS, {"zone": "Europe/Berlin"}, request)
    assert again == (since[1], since[1])


async def test_several_are_settled_at_once(database: Database) -> None:
    """All that is wanted is settled in one transaction, and nothing else."""
    await database.write(change_settings, OURS, {"unfurls": "off"})
    settled = await database.write(change_settings, OURS, {"zone": "Asia/Tokyo", "layout": "full"})
    expected = WorkspaceSettings("Asia/Tokyo", unfurls=False, layout=Layout.FULL)
    assert settled == (WorkspaceSettings(unfurls=False), expected)
    assert await database.read(read_settings, OURS) == expected


async def test_what_is_not_as_it_was_seen_stays(database: Database) -> None:
    """Of what is wanted that is settled which nobody changed since; what is the default counts."""
    seen = WorkspaceSettings(zone="UTC")
    await database.write(change_settings, OURS, {"zone": "Asia/Tokyo", "unfurls": "on"})
    wanted = {"zone": "Europe/Berlin", "unfurls": "off"}
    _, after = await database.write(change_settings, OURS, wanted, None, seen)
    assert after == WorkspaceSettings("Asia/Tokyo", unfurls=False)


async def test_of_those_who_saw_the_same_one_settles_it(database: Database) -> None:
    """Of eight at the same moment the first is obeyed, and each is told what it is then."""
    zones = [f"Etc/GMT+{number}" for number in range(1, 9)]
    seen = WorkspaceSettings()
    told = await asyncio.gather(
        *(database.write(change_settings, OURS, {"zone": zone}, None, seen) for zone in zones)
    )
    [settled] = {after.zone for _, after in told}
    assert settled in zones
    assert sum(before == seen for before, _ in told) == 1


async def test_a_setting_of_a_later_version_is_left_alone(database: Database) -> None:
    """A name or a layout that this version does not know hinders nobody."""
    await database.write(change_settings, OURS, {"colour": "red"})
    await database.write(change_settings, OURS, {"layout": "spiral"})
    assert await database.read(read_settings, OURS) == WorkspaceSettings()


async def test_a_new_workspace_is_added_once(database: Database) -> None:
    """Eight that meet a channel of a new workspace at the same moment get the same ids."""
    channel = Channel(OURS, "C1")
    found = await asyncio.gather(*(database.write(channel_id, channel) for _ in range(8)))
    owners = await asyncio.gather(*(database.write(workspace_id, OURS) for _ in range(2)))
    assert (len(set(found)), len(set(owners))) == (1, 1)


async def _fill(database: Database, workspace: Workspace) -> int:
    """Store something in every table that holds facts of a workspace; return the order's id."""
    channel = Channel(workspace, "C1")
    await database.write(change_settings, workspace, {"zone": "Europe/Berlin"})
    await database.write(change_settings, workspace, {"role": "7"})
    order = await database.write(add_subscription, replace(ORDER, channel=channel))
    [asked] = await database.write(post_now, order, None, NOW, NOW)
    await database.write(became, asked.delivery.id, DeliveryState.SENT, url="https://example.org")
    await database.write(add_notice, order, Refusal("It is gone."), "n1", NOW)
    await database.write(_fill_member, workspace)
    shown = SeenList(("dair:2026-01-05#1",), 1, None, None, None, NOW)
    await database.write(seen_lists.note, Person(workspace, "U1"), "C1", shown)
    await database.write(seen_lists.note_for_all, workspace, "C1", shown)
    return order


def _fill_member(session: Session, workspace: Workspace) -> None:
    """Store something in every table that holds facts of a person."""
    member = ensure_person(session, Person(workspace, "U1"))
    put = session.connection().execute
    paper = {"person_id": member, **kept(session, "dair:2026-01-05#1")}
    put(insert(SavedPaperRow).values(**paper, saved_at=NOW, title="A Paper"))
    place = workspace_id(session, workspace)
    put(insert(VoteRow).values(**paper, voted_at=NOW, workspace_id=place))
    brief = insert(BriefRow).values(person_id=member, minutes=5, asked_at=NOW)
    number = put(brief.returning(col(BriefRow.id))).scalar_one()
    put(insert(SeenPaperRow).values(**paper, seen_at=NOW, brief_id=number))
    line = {"person_id": member, "digest": "1", "command": "note 1 mine", "kept_at": NOW}
    put(insert(PersonalCommandStringRow).values(line))
    put(insert(DismissedPaperRow).values(**paper, dismissed_at=NOW))
    change = RecentChange("voted for A Paper", ("vote dair:2026-01-05#1",))
    recent_changes.note(session, Person(workspace, "U1"), change, workspace, NOW, "k1")
    query = AlertQuery("mamba", "mamba", EVERYTHING)
    here = Channel(workspace, "C1")
    person = Person(workspace, "U1")
    told = {paper["paper_id"] or 0: paper["entry_id"] or 0}
    wanted = NewAlert(person, here, ChannelFacts("ml"), query, ("mamba",), NOW, told)
    alerts.add(session, wanted, AlertLimits(5, 5))


# But for settings, of which a workspace has several.
OF_WORKSPACES = (
    "workspace", "channel", "subscription", "delivery", "delivery_part", "notice",
    "person", "saved_paper", "brief", "seen_paper", "vote", "personal_command_string",
    "seen_list", "shared_list",
    "alert", "alert_key", "alert_paper", "dismissed_paper", "recent_change",
)  # fmt: skip


def _rows(session: Session) -> dict[str, int]:
    """Return how many rows each table has that can hold facts of a workspace."""
    names = (*OF_WORKSPACES, "workspace_setting")
    count = session.connection().scalar
    return {
        name: count(select(func.count()).select_from(SQLModel.metadata.tables[name])) or 0
        for name in names
    }


async def test_what_was_left_long_ago_is_forgotten_whole(database: Database) -> None:
    """Every table forgets it, and nothing of another workspace is touched."""
    await database.write(take_in, edition(entry(1, "A Paper")))
    await _fill(database, OURS)
    stays = await _fill(database, THEIRS)
    assert set((await database.read(_rows)).values()) == {2, 4}
    await database.write(mark_left, OURS, NOW)
    assert await database.write(delete_left, "slack", NOW - timedelta(seconds=1)) == 0
    assert await database.write(delete_left, "discord", NOW) == 0
    assert await database.write(delete_left, "slack", NOW) == 1
    assert set((await database.read(_rows)).values()) == {1, 2}
    assert await database.read(read_settings, OURS) == WorkspaceSettings()
    assert await database.read(read_settings, THEIRS) == WorkspaceSettings(
        "Europe/Berlin", role="7"
    )
    assert [each.id for each in await database.read(list_subscriptions)] == [stays]
    assert [each.subscription_id for each in await database.read(list_deliveries)] == [stays]
    assert await database.write(delete_left, "slack", NOW) == 0


def test_every_table_that_names_a_workspace_is_known_to_be_forgotten() -> None:
    """Whatever hangs on a workspace, directly or not, is among the tables that are looked at."""
    found, more = {"workspace"}, True
    while more:
        above = {SQLModel.metadata.tables[name] for name in found}
        below = {
            table.name
            for table in SQLModel.metadata.tables.values()
            if any(key.column.table in above for key in table.foreign_keys)
        }
        more = not below <= found
        found |= below
    assert found == {*OF_WORKSPACES, "workspace_setting"}


async def test_a_workspace_that_returns_finds_its_facts_again(database: Database) -> None:
    """Until it is forgotten all is kept, and once it is back it is not forgotten."""
    await database.write(change_settings, OURS, {"zone": "Europe/Berlin"})
    await database.write(mark_left, OURS, NOW)
    await database.write(mark_left, OURS, NOW + timedelta(days=3))
    assert await database.read(read_settings, OURS) == WorkspaceSettings("Europe/Berlin")
    await database.write(mark_returned, OURS)
    assert await database.write(delete_left, "slack", NOW + timedelta(days=9)) == 0
    assert await database.read(read_settings, OURS) == WorkspaceSettings("Europe/Berlin")


async def test_the_first_leave_counts(database: Database) -> None:
    """Told again that it was left, a workspace is kept no longer for that."""
    await database.write(workspace_id, OURS)
    for days in (0, 3):
        await database.write(mark_left, OURS, NOW + timedelta(days=days))
    assert await database.write(delete_left, "slack", NOW) == 1


async def test_workspaces_are_listed_by_where_the_bot_is(database: Database) -> None:
    """Of one platform, those with the bot and those without; what is not stored is in neither."""
    elsewhere, unknown = Workspace("discord", "T1"), Workspace("slack", "T9")
    for each in (OURS, THEIRS, elsewhere):
        await database.write(workspace_id, each)
    for each in (THEIRS, unknown):
        await database.write(mark_left, each, NOW)
    await database.write(mark_returned, unknown)
    assert await database.read(list_present, "slack") == [OURS]
    assert await database.read(list_left, "slack") == [THEIRS]
    assert await database.read(list_left, "discord") == []
