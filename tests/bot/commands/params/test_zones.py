"""Zones, by the names and the offsets that people type."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest

from bot.app import Broadsheet
from bot.commands.params.times import find_zone
from bot.commands.types import PRESSED
from bot.domain.zones import SHORT_NAMES, zone_name, zones_of_short_name
from bot.errors import ArgumentError, SettingsError, SeveralMeant
from bot.replies.blocks import Actions
from bot.replies.plain_text import plain_text
from bot.settings import read_settings
from store.database import Database
from store.posting import change_subscription
from store.posting.subscriptions import list_subscriptions
from tests.bot.conftest import FixedClock
from tests.bot.member_channels import bot_over, manager, rooms
from tests.bot.replies.parts import buttons

MANAGER = manager(rooms())
MONDAY = FixedClock(datetime(2026, 1, 12, 9, 30, tzinfo=UTC))
NAMES = tuple(sorted(available_timezones()))
DAYS = [datetime(year, month, 1, tzinfo=UTC) for year in (2026, 2027) for month in range(1, 13)]


def _offsets(zone: str) -> set[timedelta | None]:
    return {day.astimezone(ZoneInfo(zone)).utcoffset() for day in DAYS}


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("ET", "America/New_York"),
        ("et", "America/New_York"),
        ("edt", "America/New_York"),
        ("PT", "America/Los_Angeles"),
        ("CT", "America/Chicago"),
        ("MT", "America/Denver"),
        ("CET", "CET"),
        ("CEST", "CET"),
        ("JST", "Asia/Tokyo"),
        ("AET", "Australia/Sydney"),
        ("UTC", "UTC"),
        ("gmt", "GMT"),
        ("UTC+2", "Etc/GMT-2"),
        ("UTC +02:00", "Etc/GMT-2"),
        ("+02:00", "Etc/GMT-2"),
        ("-0300", "Etc/GMT+3"),
        ("gmt-11", "Etc/GMT+11"),
        ("UTC−5", "Etc/GMT+5"),
        ("UTC+14", "Etc/GMT-14"),
        ("UTC+0", "UTC"),
        ("UTC+5:30", "Asia/Kolkata"),
        ("+0545", "Asia/Kathmandu"),
        ("-9:30", "Pacific/Marquesas"),
        ("berlin", "Europe/Berlin"),
        ("EST5EDT", "EST5EDT"),
    ],
)
def test_short_names_and_offsets_are_zones(typed: str, zone: str) -> None:
    """A name of a time with its summer time is that zone; an offset is one that keeps it."""
    assert find_zone(typed, NAMES) == zone


@pytest.mark.parametrize(
    ("typed", "first", "other"),
    [
        ("EST", "America/New_York", "America/Panama"),
        ("est", "America/New_York", "America/Jamaica"),
        ("MST", "America/Denver", "America/Phoenix"),
        ("IST", "Asia/Kolkata", "Europe/Dublin"),
        ("BST", "Europe/London", "Asia/Dhaka"),
        ("CST", "America/Chicago", "Asia/Shanghai"),
    ],
)
def test_a_name_without_summer_time_or_of_several_is_asked(
    database: Database, typed: str, first: str, other: str
) -> None:
    """Its candidates are buttons with the whole command, and nothing is stored yet."""
    app = bot_over(database, MONDAY)
    with pytest.raises(SeveralMeant):
        find_zone(typed, NAMES)
    reply = asyncio.run(app.run_text(f"settings zone {typed}", MANAGER))
    blocks = [block for block in reply.blocks if isinstance(block, Actions)]
    commands = [button.command for block in blocks for button in block.buttons]
    assert commands[0] == f"settings zone {first}"
    assert f"settings zone {other}" in commands
    assert not reply.failed
    reply = asyncio.run(app.run_text(f"subscribe monday 9:00 {typed}", MANAGER))
    assert "subscribe monday 9:00" in plain_text(reply)
    assert first in plain_text(reply)
    assert other in plain_text(reply)


@pytest.mark.parametrize("typed", ["UTC+15", "-13", "UTC-3:30", "+10:30", "+5:20", "UTC+99:99"])
def test_an_offset_that_no_zone_keeps_is_refused(typed: str) -> None:
    """What nothing keeps all year long is no zone."""
    with pytest.raises(ArgumentError):
        find_zone(typed, NAMES)


def test_every_short_name_leads_to_zones_that_there_are() -> None:
    """Each is known to the program, and what an offset means keeps it all year long."""
    zones = [zone for name in SHORT_NAMES for zone in zones_of_short_name(name)]
    assert set(zones) <= set(NAMES)
    minutes = range(-12 * 60, 14 * 60 + 1, 15)
    found = {}
    for each in minutes:
        sign, (hours, part) = "-" if each < 0 else "+", divmod(abs(each), 60)
        try:
            found[each] = find_zone(f"{sign}{hours:02}:{part:02}", NAMES)
        except ArgumentError:
            continue
    assert {each: _offsets(zone) for each, zone in found.items()} == {
        each: {timedelta(minutes=each)} for each in found
    }
    assert {each for each in minutes if each % 60 == 0} < found.keys()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("UTC+2", "UTC+02:00 (no summer time), as given"),
        ("-03:00", "UTC-03:00 (no summer time), as given"),
        ("UTC+5:30", "Asia/Kolkata (UTC+05:30, no summer time), as given"),
        ("ET", "America/New_York, as given"),
    ],
)
def test_a_subscription_at_an_offset_says_that_it_knows_no_summer_time(
    filled: Database, typed: str, said: str
) -> None:
    """It is stored, named as people name it, and said of the settings too."""
    app = bot_over(filled, MONDAY)
    reply = asyncio.run(app.run_text(f"subscribe monday 9:00 {typed}", MANAGER))
    assert said in plain_text(reply), plain_text(reply)
    asyncio.run(app.run_text(f"settings zone {typed}", MANAGER))
    settings = plain_text(asyncio.run(app.run_text("settings", MANAGER)))
    assert said.removesuffix(", as given") in settings


def test_zones_at_an_offset_have_peoples_signs() -> None:
    """The database's own names have them reversed."""
    names = ("Etc/GMT-2", "Etc/GMT+11", "Etc/GMT0", "Etc/UTC", "Europe/Rome", "UTC")
    assert [*map(zone_name, names)] == [
        "UTC+02:00", "UTC-11:00", "UTC", "UTC", "Europe/Rome", "UTC",
    ]  # fmt: skip


@pytest.mark.parametrize("line", ["", "subscriptions", "status", "preview", "pause until:1w"])
def test_no_answer_names_a_zone_at_an_offset_by_its_reversed_sign(
    filled: Database, line: str
) -> None:
    """Answers, buttons and their lines say the offset as people do, and it is read again."""
    app = bot_over(filled, MONDAY)
    reply = asyncio.run(app.run_text("subscribe monday 9:00 Etc/GMT-2", MANAGER))
    if line:
        reply = asyncio.run(app.run_text(line, MANAGER))
    assert "Etc/" not in f"{plain_text(reply)} {buttons(reply)}"
    [zone] = {each.zone for each in asyncio.run(filled.read(list_subscriptions))}
    assert zone == "Etc/GMT-2"


async def _stored_before(database: Database) -> Broadsheet:
    """Return a bot over a subscription at `EST`, as programs before took it."""
    app = bot_over(database, MONDAY)
    await app.run_text("subscribe monday 9:00 Panama", MANAGER)
    [order] = await database.read(list_subscriptions)
    await database.write(
        change_subscription.change, order.id or 0, lambda it: replace(it, zone="EST"), None,
        at=MONDAY.now(), now=MONDAY.now(),
    )  # fmt: skip
    return app


async def test_a_zone_that_programs_before_took_is_named_with_what_it_may_mean(
    filled: Database,
) -> None:
    """It keeps its hour until a person chooses, by a button of the channel's list."""
    app = await _stored_before(filled)
    reply = await app.run_text("subscriptions", MANAGER)
    assert "EST knows no summer time, as America/New_York does." in plain_text(reply)
    line = buttons(reply)["In America/New_York"].command
    await app.run_text(line, MANAGER, origin=PRESSED)
    [order] = await filled.read(list_subscriptions)
    assert (order.zone, order.local_time.hour) == ("America/New_York", 9)
    assert "summer" not in plain_text(await app.run_text("subscriptions", MANAGER))


async def test_a_zone_that_programs_before_took_is_not_handed_on(filled: Database) -> None:
    """A new subscription of that channel asks which is meant, with the whole line."""
    app = await _stored_before(filled)
    reply = await app.run_text("subscribe tuesday 10:00 size:5", MANAGER)
    assert "from this channel's last subscription" in plain_text(reply)
    assert not reply.failed
    first = buttons(reply)["America/New_York"].command
    assert first == "subscribe tuesday 10:00 America/New_York size:5"
    assert len(await filled.read(list_subscriptions)) == 1
    await app.run_text(first, MANAGER, origin=PRESSED)
    zones = [each.zone for each in await filled.read(list_subscriptions)]
    assert zones == ["EST", "America/New_York"]


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("ET", "America/New_York"),
        ("UTC+2", "Etc/GMT-2"),
        (" berlin", "Europe/Berlin"),
        ("GB", "GB"),
    ],
)
def test_the_programs_zone_is_read_as_peoples_are(
    monkeypatch: pytest.MonkeyPatch, typed: str, zone: str
) -> None:
    """A short name means the zone with its summer time, an offset is taken, a city found."""
    monkeypatch.setenv("BROADSHEET_TIMEZONE", typed)
    assert read_settings().timezone == zone


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("EST", "it may mean America/New_York, America/Panama or America/Jamaica;"),
        ("IST", "it may mean Asia/Kolkata, Asia/Jerusalem or Europe/Dublin;"),
        ("MST", "it may mean America/Denver or America/Phoenix;"),
        ("-3:30", "no zone is at that offset all year;"),
        ("right/UTC", "no such zone;"),
        ("", "no such zone;"),
    ],
)
def test_a_zone_that_means_several_starts_no_program(
    monkeypatch: pytest.MonkeyPatch, typed: str, reason: str
) -> None:
    """Nobody can be asked: one sentence names what it may mean."""
    monkeypatch.setenv("BROADSHEET_TIMEZONE", typed)
    with pytest.raises(SettingsError) as refused:
        read_settings()
    assert refused.value.sentence.startswith(f"BROADSHEET_TIMEZONE={typed}: {reason}")


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ("remind me every friday at 5pm ET about agents", "5pm ET"),
        ("post here every friday at 5pm pacific time", "5pm los angeles"),
        ("remind me every friday at 5pm CEST about agents", "5pm CEST"),
        ("remind me every friday at 5pm UTC+2 about agents", "5pm UTC+2"),
        ("remind me every friday at 5pm jst about agents", "5pm jst"),
    ],
)
def test_plain_words_name_zones_so_too(filled: Database, line: str, zone: str) -> None:
    """A wish for posts takes the zone that it names."""
    reply = asyncio.run(
        bot_over(filled, MONDAY).run_text(line, replace(MANAGER, zone="Europe/Rome"))
    )
    blocks = [block for block in reply.blocks if isinstance(block, Actions)]
    [command, *_] = [button.command for block in blocks for button in block.buttons]
    assert zone in command


@pytest.mark.parametrize("typed", ["ET", "UTC+2", "+5:30", "IST"])
async def test_names_and_offsets_are_completed(database: Database, typed: str) -> None:
    """What is offered first is what the text means, and is taken."""
    app = bot_over(database, MONDAY)
    command = next(each for each in app.commands if each.name == "subscribe")
    [param] = [each for each in command.params if each.name == "zone"]
    options = await app.options(param, typed, MANAGER)
    assert options
    assert await app.check(param, options[0].value, MANAGER) is None
