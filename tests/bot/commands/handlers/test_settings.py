"""`settings`: what a workspace settles for itself, asked and changed by its managers."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.accounts import Workspaces
from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.commands.handlers.settings import SETTINGS
from bot.commands.params.times import find_zone
from bot.commands.types import PRESSED
from bot.replies.blocks import Visibility
from bot.replies.plain_text import plain_text
from store.database import Database
from store.records import Workspace, WorkspaceSettings
from tests.bot.conftest import READER, FixedClock, bot_of
from tests.bot.posting.delivery.setup import MovedClock
from tests.bot.replies.parts import pressed

MANAGER = Actor("slack", "T1", "U1", Role.MANAGER, channel="C1")
# A Sunday: in Tokyo it is Monday, and another week, already.
SUNDAY = FixedClock(datetime(2026, 1, 11, 23, tzinfo=UTC))


def _app(database: Database) -> Broadsheet:
    return bot_of(database, SUNDAY)


async def test_settings_are_listed_with_likely_changes(database: Database) -> None:
    """Each is listed with its value and meaning, and buttons for likely changes."""
    reply = await _app(database).run_text("settings", replace(MANAGER, zone="Europe/Berlin"))
    assert plain_text(reply).splitlines()[:5] == [
        "Settings",
        "",
        "What is settled here holds for everybody in this workspace.",
        "",
        "zone     not set · the zone of days and times for those whose profile names none",
    ]
    assert "unfurls  on · cards for links to known papers" in plain_text(reply)
    assert list(pressed(reply).items()) == [
        ("Change settings", "settings"),
        ("Set zone to Europe/Berlin", "settings zone Europe/Berlin"),
        ("Turn cards off", "settings unfurls off"),
    ]
    assert reply.visibility is Visibility.PRIVATE


async def test_one_setting_says_what_it_takes(database: Database) -> None:
    """A name alone is answered with all about it."""
    app = _app(database)
    await app.run_text("settings zone asia/tokyo", MANAGER)
    reply = await app.run_text("settings ZONE", MANAGER)
    text = plain_text(reply)
    assert "now    Asia/Tokyo" in text
    assert "A zone has an IANA name, such as Europe/Berlin" in text
    assert "default resets it: not set." in text
    assert list(pressed(reply).items()) == [("Forget the zone", "settings zone default")]


@pytest.mark.parametrize(
    ("first", "line", "said", "before", "after"),
    [
        (None, "zone Europe/Berlin", "zone: not set → Europe/Berlin", "default", "Europe/Berlin"),
        ("zone UTC", "zone berlin", "zone: UTC → Europe/Berlin", "UTC", "Europe/Berlin"),
        ("zone UTC", "zone Default", "zone: UTC → not set", "UTC", "default"),
        (None, "unfurls off", "unfurls: on → off", "on", "off"),
        ("unfurls no", "unfurls TRUE", "unfurls: off → on", "off", "on"),
        (None, "layout full", "layout: compact → full", "default", "full"),
        ("layout full", "layout thread", "layout: full → thread", "full", "thread"),
        ("unfurls off", "name:unfurls value:default", "unfurls: off → on", "off", "on"),
    ],
)
async def test_a_change_can_be_undone(  # noqa: PLR0913, PLR0917 - a change, and what is said
    database: Database, first: str | None, line: str, said: str, before: str, after: str
) -> None:
    """The answer says what became of what, and its button restores what was."""
    name = said.partition(":")[0]
    undo = f"settings {name}:{before} seen:{name}={after}"
    app = _app(database)
    if first:
        await app.run_text(f"settings {first}", MANAGER)
    stood = await app.run_text("settings", MANAGER)
    reply = await app.run_text(f"channel settings {line}", MANAGER)
    assert plain_text(reply).splitlines()[0] == said
    assert list(pressed(reply).items()) == [("Undo", undo)]
    assert not (await app.run_text(undo, MANAGER, origin=PRESSED)).failed
    assert await app.run_text("settings", MANAGER) == stood


async def test_what_is_so_already_is_not_changed(database: Database) -> None:
    """The same value again is answered as such, with nothing to undo."""
    app = _app(database)
    for line in ("zone Asia/Tokyo", "unfurls on", "layout full"):
        await app.run_text(f"settings {line}", MANAGER)
        name, value = line.split()
        reply = await app.run_text(f"settings {line}", MANAGER)
        assert plain_text(reply) == f"{name}: {value}, as before."
        assert list(pressed(reply).items()) == []


async def test_what_nobody_set_stays_so(database: Database) -> None:
    """A setting that is reset to its default is shown as before."""
    reply = await _app(database).run_text("settings zone default", MANAGER)
    assert plain_text(reply) == "zone: not set, as before."


async def test_a_change_asked_again_is_what_is_settled(database: Database) -> None:
    """The command string of a change shows the present value, and changes nothing."""
    app = _app(database)
    changed = await app.run_text("settings zone Europe/Berlin", MANAGER)
    same = await app.run_text("settings zone Europe/Berlin", MANAGER)
    assert (changed.command, same.command) == ("settings zone", "settings zone")


async def test_a_request_that_comes_again_changes_nothing(database: Database) -> None:
    """Delivered twice, a command is answered twice and carried out once."""
    app = _app(database)
    await app.run_text("settings unfurls off", MANAGER, "slack:T1:1")
    await app.run_text("settings unfurls on", MANAGER, "slack:T1:2")
    await app.run_text("settings unfurls off", MANAGER, "slack:T1:1")
    kept = await Workspaces(database).settings(Workspace("slack", "T1"))
    assert kept == WorkspaceSettings(unfurls=True)


@pytest.mark.parametrize(
    ("line", "sentence", "buttons"),
    [
        ("zoen UTC", "I can't read 'zoen' as a setting.", ["settings zone UTC"]),
        (
            "Europe/Berlin",
            "I can't read 'Europe/Berlin' as a setting.",
            ["settings zone", "settings layout", "settings unfurls"],
        ),
        ("zone berlln", "zone: I can't read 'berlln' as a zone.", ["settings zone Europe/Berlin"]),
        ("zone GMT+99", "zone: No zone is at 'GMT+99' all year.", None),
        (f"zone {'x' * 500}", "as a zone.", []),
        (
            "zone istanbul",
            "zone: Several zones fit 'istanbul'.",
            ["settings zone Asia/Istanbul", "settings zone Europe/Istanbul"],
        ),
        (
            "unfurls maybe",
            "unfurls: I can't read 'maybe' as on or off.",
            ["settings unfurls on", "settings unfurls off"],
        ),
        ("unfurls of", "unfurls: I can't read 'of' as on or off.", ["settings unfurls off"]),
        (
            "value:off",
            "settings needs the name of what is to have that value.",
            ["settings zone", "settings layout", "settings unfurls"],
        ),
    ],
)
async def test_what_cannot_be_settled_gets_the_nearest_that_can(
    empty_app: Broadsheet, line: str, sentence: str, buttons: list[str] | None
) -> None:
    """A wrong name or value is answered with what was understood, and what may be meant."""
    reply = await empty_app.run_text(f"settings {line}", MANAGER)
    assert reply.failed == ("Several" not in sentence)  # a choice is no error
    assert sentence in plain_text(reply)
    if buttons is not None:
        assert list(pressed(reply).values()) == buttons


NAMES = (
    "America/Argentina/Buenos_Aires", "America/Indiana/Knox", "America/New_York",
    "America/Port-au-Prince", "America/Sao_Paulo", "Etc/GMT+2", "Europe/Berlin", "Japan", "UTC",
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("europe/berlin", "Europe/Berlin"),
        (" Berlin ", "Europe/Berlin"),
        ("europe berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("NEW_YORK", "America/New_York"),
        ("São Paulo", "America/Sao_Paulo"),
        ("port au prince", "America/Port-au-Prince"),
        ("argentina/buenos aires", "America/Argentina/Buenos_Aires"),
        ("knox", "America/Indiana/Knox"),
        ("japan", "Japan"),
        ("utc", "UTC"),
        ("etc/gmt+2", "Etc/GMT+2"),
    ],
)
def test_a_zone_is_named_in_full_or_by_its_end(text: str, zone: str) -> None:
    """Case, accents and what parts words do not matter."""
    assert find_zone(text, NAMES) == zone


@pytest.mark.parametrize(
    ("beginning", "first"),
    [
        ("berl", "Europe/Berlin"),
        ("yor", "America/New_York"),
        ("america/new", "America/New_York"),
        ("of", "off"),
        ("", "default"),
    ],
)
async def test_values_are_completed(empty_app: Broadsheet, beginning: str, first: str) -> None:
    """By the beginning of any word; each zone says what time it is there."""
    options = await empty_app.options(SETTINGS.params[1], beginning, MANAGER)
    assert options[0].value == first
    assert len(options) <= 25


async def test_every_value_offered_is_taken(empty_app: Broadsheet) -> None:
    """Whatever is offered for an empty beginning can be settled somewhere; one's own zone first."""
    actor = replace(MANAGER, zone="Asia/Tokyo")
    options = await empty_app.options(SETTINGS.params[1], "", actor)
    assert [option.value for option in options[:3]] == ["default", "Asia/Tokyo", "UTC"]
    assert options[1].label == "18:00 now"
    for option in options:
        lines = [f"settings {name} {option.value}" for name in ("zone", "layout", "unfurls")]
        answers = [await empty_app.run_text(line, actor) for line in lines]
        assert not all(answer.failed for answer in answers)


async def test_readers_have_no_settings(empty_app: Broadsheet) -> None:
    """A reader neither sees nor runs it; managers and operators do both."""
    for role in Role:
        actor = replace(MANAGER, role=role)
        helped = plain_text(await empty_app.run_text("help", actor))
        answered = await empty_app.run_text("settings", actor)
        offered = [each.text for each in await empty_app.complete("sett", actor)]
        may = role is not Role.READER
        assert ("settings" in helped, not answered.failed, offered == ["settings"]) == (
            may, may, may,
        )  # fmt: skip


async def test_the_terminal_has_no_channel(empty_app: Broadsheet) -> None:
    """There the operator is told in a sentence where settings are, and that it failed."""
    operator = Actor("terminal", "terminal", "operator", Role.OPERATOR)
    reply = await empty_app.run_text("settings unfurls off", operator)
    assert reply.failed
    sentence = "settings is about a workspace, and there is none here."
    assert plain_text(reply).startswith(sentence)


async def test_the_zone_of_a_workspace_is_for_those_without_one(filled: Database) -> None:
    """The user's own zone comes first, then the workspace's, then the program's."""
    app = _app(filled)

    async def week(zone: str | None, workspace: str = "T1") -> str:
        asker = Actor("slack", workspace, "U2", Role.READER, zone)
        reply = await app.run_text("week this week", asker)
        return reply.command or ""

    assert await week(None) == "week 2026-W02 from:dair"
    await app.run_text("settings zone Asia/Tokyo", MANAGER)
    assert await week(None) == "week 2026-W03"
    assert await week("Europe/Berlin") == "week 2026-W03"
    assert await week("America/New_York") == "week 2026-W02 from:dair"
    assert await week(None, "T2") == "week 2026-W02 from:dair"


async def test_settings_are_asked_of_a_workspace_with_a_reader_in_it(database: Database) -> None:
    """A setting of one workspace is seen in no other."""
    app = _app(database)
    await app.run_text("settings unfurls off", MANAGER)
    other = replace(MANAGER, workspace="T2")
    assert "unfurls  on" in plain_text(await app.run_text("settings", other))
    assert "unfurls  off" in plain_text(await app.run_text("settings", MANAGER))
    assert (await app.run_text("settings", replace(READER, channel="C1"))).failed


async def test_a_request_is_known_again_whatever_day_is_played(database: Database) -> None:
    """The time that a setting moves lets nothing through that came before."""
    clock = MovedClock(SUNDAY.now())
    app = bot_of(database, clock)
    await app.run_text("settings unfurls off", MANAGER, "slack:T1:1")
    await app.run_text("settings unfurls on", MANAGER, "slack:T1:2")
    clock.at += timedelta(days=9)
    await app.run_text("settings unfurls off", MANAGER, "slack:T1:1")
    assert "unfurls  on" in plain_text(await app.run_text("settings", MANAGER))
