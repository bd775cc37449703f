"""The arguments of commands about channels: how each is read, refused and completed."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.accounts import Subscriptions, Votes, Workspaces
from bot.actor import Actor, ChannelInfo, Role
from bot.app import Broadsheet
from bot.commands.handlers.channel.subscribe import SUBSCRIBE
from bot.commands.params import times
from bot.commands.params.channels_and_roles import CHANNEL
from bot.commands.params.scalars import LAYOUT, SIZE, SUBSCRIPTION_ID, count
from bot.commands.params.times import PATIENCE, TIME_OF_DAY, UNTIL, WEEKDAY, begins
from bot.commands.params.topics_and_sources import SOURCES, TOPICS
from bot.commands.types import BackgroundTasks, Context, Kind, ParamType
from bot.domain.schedule import WEEKDAYS
from bot.errors import ArgumentError, Option
from bot.ingest.samples import add_samples
from bot.library.content import ContentCache
from bot.replies import wording
from store.database import Database
from store.posting.subscriptions import add_subscription
from store.records import Channel, Layout, Subscription, Workspace
from tests.bot.conftest import READER, FixedClock
from tests.bot.member_channels import ML, Rooms

LIKELY = ["09:00", "08:00", "10:00"]
WORKSPACE = Workspace("test", "test")
SEVERAL = Rooms([
    ChannelInfo("C1", "ml"), ChannelInfo("C2", "ml-news"), ChannelInfo("C3", "random"),
    ChannelInfo("500", "Reading Group"), ChannelInfo("501", "reading group"),
    ChannelInfo("502", "2024"),
])  # fmt: skip
MANAGER = Actor("test", "test", "manager", Role.MANAGER, channel="C1", channels=SEVERAL)


@pytest.fixture
def context(filled: Database) -> Context:
    """Return what handlers are given over the filled store, on a Saturday morning."""
    return Context(
        database=filled,
        content=ContentCache(filled),
        workspaces=Workspaces(filled),
        subscriptions=Subscriptions(filled, lambda: None, FixedClock()),
        votes=Votes(filled),
        background=BackgroundTasks(),
        notify=lambda: None,
        clock=FixedClock(),
        actor=MANAGER,
        commands=(),
        zone="UTC",
        dice=Random(1),  # noqa: S311 - nothing here asks for chance
    )


def read(kind: ParamType, text: str, context: Context) -> object:
    """Return what a text is read as."""

    async def reading() -> object:
        return await kind.read(text, context)

    return asyncio.run(reading())


def refusal(kind: ParamType, text: str, context: Context) -> tuple[str, list[str]]:
    """Return the sentence that refuses a text, and the values that are nearest."""
    with pytest.raises(ArgumentError) as raised:
        read(kind, text, context)
    assert raised.value.remedy
    return raised.value.sentence, [option.value for option in raised.value.nearest]


def offered(kind: ParamType, beginning: str, context: Context) -> list[str]:
    """Return the values that a beginning may become."""
    return [option.value for option in options(kind, beginning, context)]


def options(kind: ParamType, beginning: str, context: Context) -> list[Option]:
    """Return what a beginning may become, each with words on it."""

    async def completing() -> list[Option]:
        return await kind.complete(beginning, context)

    return asyncio.run(completing())


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("monday", 0), ("Mon", 0), ("MONDAYS", 0), ("tues", 1), (" wed. ", 2), ("Thu", 3),
        ("fri", 4), ("every Saturday", 5), ("on sundays", 6),
    ],
)  # fmt: skip
def test_a_day_is_named_in_full_or_short(text: str, day: int, context: Context) -> None:
    """By its name, its plural or its first letters, in any case."""
    assert read(WEEKDAY, text, context) == day
    assert WEEKDAY.looks
    assert WEEKDAY.looks(text)


def test_a_wrong_day_gets_the_nearest(context: Context) -> None:
    """A misspelt one gets the one that was meant, anything else all of them."""
    assert refusal(WEEKDAY, "wensday", context) == (
        "I can't read 'wensday' as a day of the week.",
        ["wednesday"],
    )
    assert refusal(WEEKDAY, "every thrusday", context)[1] == ["thursday"]
    assert refusal(WEEKDAY, "7", context)[1] == list(WEEKDAYS)
    assert offered(WEEKDAY, "T", context) == ["tuesday", "thursday"]
    assert offered(WEEKDAY, "", context) == list(WEEKDAYS)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("9", time(9)), ("9:00", time(9)), ("09:00", time(9)), ("09:00:00", time(9)),
        ("9am", time(9)), ("9 AM", time(9)), ("9:30 pm", time(21, 30)), ("9.30 p.m.", time(21, 30)),
        ("17h", time(17)), ("17h30", time(17, 30)), ("17:30", time(17, 30)), ("0930", time(9, 30)),
        ("12am", time()), ("12pm", time(12)), ("0", time()), ("noon", time(12)),
        ("Midnight", time()), ("at 9", time(9)), ("23:59", time(23, 59)),
    ],
)  # fmt: skip
def test_a_time_of_day_has_many_forms(text: str, at: time, context: Context) -> None:
    """Of twelve hours or twenty-four, with minutes or without."""
    assert read(TIME_OF_DAY, text, context) == at
    assert TIME_OF_DAY.looks
    assert TIME_OF_DAY.looks(text)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("25:00", ["23:00"]), ("24:00", ["00:00"]), ("9:75", ["09:59"]), ("13pm", ["13:00"]),
        ("0am", ["00:00"]), ("soon", LIKELY), ("9:5", LIKELY), ("٩", LIKELY), ("0x10", LIKELY),
    ],
)  # fmt: skip
def test_a_wrong_time_gets_the_nearest(text: str, nearest: list[str], context: Context) -> None:
    """An impossible time becomes the nearest one; words get likely times."""
    assert refusal(TIME_OF_DAY, text, context) == (
        f"I can't read {text!r} as a time of day.",
        nearest,
    )


@pytest.mark.parametrize(
    ("beginning", "first"),
    [
        ("", ["09:00", "08:00", "10:00", "12:00"]),
        ("9", ["09:00", "09:30", "09:15", "09:45"]),
        ("17:4", ["17:45"]),
        ("8:20", ["08:20"]),
        ("7pm", ["19:00"]),
        ("midnight", ["00:00"]),
        ("x", []),
    ],
)
def test_times_are_offered_as_they_are_begun(
    beginning: str, first: list[str], context: Context
) -> None:
    """A typed time comes first, then hours, likely ones before others."""
    assert offered(TIME_OF_DAY, beginning, context)[:4] == first


@given(st.times())
def test_a_written_time_is_the_same_time(at: time) -> None:
    """The text on a button is read as the same value, to the minute."""
    minute = at.replace(second=0, microsecond=0)
    assert times.read_time(times.in_digits(minute)) == minute


@pytest.mark.parametrize(
    ("text", "patience"),
    [
        ("3d", timedelta(days=3)), ("12h", timedelta(hours=12)), ("2 days", timedelta(days=2)),
        ("1 Day", timedelta(days=1)), ("90m", timedelta(minutes=90)),
        ("144 hrs", timedelta(days=6)), ("0", timedelta()), ("none", timedelta()),
    ],
)  # fmt: skip
def test_patience_is_a_number_and_a_unit(text: str, patience: timedelta, context: Context) -> None:
    """From none to six days."""
    assert read(PATIENCE, text, context) == patience


@pytest.mark.parametrize(
    ("text", "sentence", "nearest"),
    [
        ("1w", "7 days is too long: it has to end before the next post is due.", ["6d"]),
        ("145h", "145 hours is too long: it has to end before the next post is due.", ["6d"]),
        ("2", "I can't read '2' as a time to wait.", ["2d"]),
        ("-1d", "I can't read '-1d' as a time to wait.", ["3d"]),
        ("ages", "I can't read 'ages' as a time to wait.", ["3d"]),
    ],
)
def test_wrong_patience_gets_the_nearest(
    text: str, sentence: str, nearest: list[str], context: Context
) -> None:
    """It is shorter than a week, when the next post is due."""
    assert refusal(PATIENCE, text, context) == (sentence, nearest)


def test_patience_is_offered_in_each_unit(context: Context) -> None:
    """A number is completed by days, hours and minutes, as far as that is short enough."""
    assert offered(PATIENCE, "", context)[:3] == ["3d", "1d", "2d"]
    assert offered(PATIENCE, "2", context) == ["2d", "2h", "2m"]
    assert offered(PATIENCE, "30", context) == ["30h", "30m"]
    assert offered(PATIENCE, "none", context) == ["none"]
    assert offered(PATIENCE, "9d", context) == []


@given(st.integers(0, 6 * 24 * 60))
def test_a_written_duration_is_the_same_duration(minutes: int) -> None:
    """The text on a button is read as the same value."""
    duration = timedelta(minutes=minutes)
    written = times.in_short(duration)
    assert (times.read_duration(written) or timedelta()) == duration


def test_a_duration_is_worded_in_its_greatest_unit() -> None:
    """Whole days are worded in days."""
    assert wording.duration(timedelta(days=3)) == "3 days"
    assert wording.duration(timedelta(hours=12)) == "12 hours"
    assert wording.duration(timedelta(minutes=90)) == "90 minutes"


def test_a_size_is_a_whole_number_within_bounds(context: Context) -> None:
    """From 1 to 25; what is outside gets the nearest that is not."""
    assert (read(SIZE, "1", context), read(SIZE, " 25 ", context)) == (1, 25)
    assert refusal(SIZE, "26", context) == ("26 is too large.", ["25"])
    assert refusal(SIZE, "-3", context) == ("-3 is too small.", ["1"])
    assert refusal(SIZE, "5 papers", context) == (
        "I can't read '5 papers' as a whole number.",
        ["5"],
    )
    assert refusal(SIZE, "many", context) == ("I can't read 'many' as a whole number.", [])
    assert offered(SIZE, "2", context) == ["2", "20", "21", "22", "23", "24", "25"]
    assert SIZE.kind is Kind.NUMBER


async def test_a_subscription_is_named_by_its_number(filled: Database, context: Context) -> None:
    """With a sign or without; those of the channel are offered by the beginning of theirs."""
    order = Subscription(
        Channel(WORKSPACE, "C1"), 0, time(9), "UTC", datetime(2026, 11, 23, 9, tzinfo=UTC)
    )
    number = await filled.write(add_subscription, order)
    elsewhere = replace(order, channel=Channel(WORKSPACE, "C2"))
    await filled.write(add_subscription, elsewhere)
    assert await SUBSCRIPTION_ID.read(f" #{number} ", context) == number
    for beginning in ("", "#", str(number)):
        offers = await SUBSCRIPTION_ID.complete(beginning, context)
        assert [option.value for option in offers] == [str(number)]
    assert await SUBSCRIPTION_ID.complete("x", context) == []


def test_what_is_no_number_names_no_subscription(context: Context) -> None:
    """Nor does a number longer than any there is."""
    for text in ("seven", "7.5", "1234567890", ""):
        assert refusal(SUBSCRIPTION_ID, text, context) == (
            f"I can't read {text!r} as the number of a subscription.",
            [],
        )
    assert SUBSCRIPTION_ID.kind is Kind.TEXT


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("2026-12-24", "2026-12-24"),
        ("jan 12", "2027-01-12"),
        ("12 January", "2027-01-12"),
        ("Jan 12, 2028", "2028-01-12"),
        ("12 jan 2028", "2028-01-12"),
        ("nov 21", "2027-11-21"),  # today's is not to come
        ("feb 29", "2028-02-29"),
        ("tomorrow", "2026-11-22"),
        ("monday", "2026-11-23"),
        ("next Monday", "2026-11-23"),
        ("next week", "2026-11-23"),
        ("sat", "2026-11-28"),
        ("2w", "2026-12-05"),
        ("3 days", "2026-11-24"),
        ("in 3 days", "2026-11-24"),
        ("12h", "2026-11-21T21:00"),
        ("90 minutes", "2026-11-21T10:30"),
    ],
)
def test_a_pause_ends_as_a_day_begins_or_after_a_while(
    text: str, until: str, context: Context
) -> None:
    """A day without a year is the next to come; hours and minutes count from now."""
    named = read(UNTIL, text, context)
    assert isinstance(named, date)
    assert begins(named, "UTC") == datetime.fromisoformat(until).replace(tzinfo=UTC)


def test_a_day_is_meant_where_the_asker_is_and_begins_where_the_posts_are(
    context: Context,
) -> None:
    """Tomorrow is by the user's date; midnight by the zone of the posts, even if skipped."""
    far = replace(context, zone="Asia/Tokyo")
    late = replace(far, clock=FixedClock(datetime(2026, 11, 22, 15, 30, tzinfo=UTC)))
    assert read(UNTIL, "tomorrow", late) == date(2026, 11, 24)
    assert begins(date(2026, 11, 23), "Asia/Tokyo") == datetime(2026, 11, 22, 15, tzinfo=UTC)
    assert begins(date(2027, 4, 30), "Africa/Cairo") == datetime(2027, 4, 29, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("someday", "I can't read 'someday' as a day to come."),
        ("2026-02-30", "I can't read '2026-02-30' as a day to come."),
        ("today", "'today' is not to come."),
        ("yesterday", "'yesterday' is not to come."),
        ("2026-11-21", "'2026-11-21' is not to come."),
        ("Nov 20, 2026", "'Nov 20, 2026' is not to come."),
        ("0d", "'0d' is not to come."),
        ("0m", "'0m' is not to come."),
        ("9998-12-31", "Dec 31, 9998 is too far ahead."),
        ("99999w", "May 29, 3943 is too far ahead."),
    ],
)
def test_what_is_no_day_to_come_is_refused(text: str, sentence: str, context: Context) -> None:
    """Whatever is wrong, the next Monday and two weeks are offered."""
    assert refusal(UNTIL, text, context) == (sentence, ["2026-11-23", "2026-12-05"])


def test_days_to_come_are_offered(context: Context) -> None:
    """In words, and what was typed where it is one."""
    assert offered(UNTIL, "", context)[:3] == ["tomorrow", "next week", "monday"]
    assert offered(UNTIL, "t", context) == ["tomorrow", "tuesday", "thursday"]
    assert offered(UNTIL, "Jan 12", context) == ["jan 12"]
    assert offered(UNTIL, "2026-01-12", context) == []
    assert options(UNTIL, "tomorrow", context) == [Option("tomorrow", "Nov 22, 2026")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<#C0123|papers>", "C0123"), ("<#C7>", "C7"), ("<#123>", "123"), ("C0123ABC", "C0123ABC"),
        ("123456", "123456"), ("#ml", "C1"), ("ML", "C1"), (" #Ml-News ", "C2"), ("C3", "C3"),
        ("#2024", "502"), ("#C0123ABC", "C0123ABC"), ("<#C0123|>", "C0123"),
    ],
)  # fmt: skip
def test_a_channel_is_mentioned_or_named(text: str, found: str, context: Context) -> None:
    """By a mention, its id, or its name in any case, with its sign or without."""
    assert read(CHANNEL, text, context) == found


def test_a_channel_that_is_not_there_gets_the_nearest(context: Context) -> None:
    """A channel is completed by its name and has its id as value, also with equal names."""
    assert refusal(CHANNEL, "#mlnews", context) == (
        "There is no channel '#mlnews' that you are in.",
        ["C2", "C1"],
    )
    assert refusal(CHANNEL, "zebra", context) == (
        "There is no channel 'zebra' that you are in.",
        [],
    )
    assert refusal(CHANNEL, "reading  group", context) == (
        "Several channels are called 'reading  group'.",
        ["500", "501"],
    )
    cut = replace(context, actor=replace(MANAGER, channels=Rooms([ML], cut=True)))
    assert refusal(CHANNEL, "zebra", cut) == (
        "There is no channel 'zebra' among the 1 channel of yours that were listed.",
        [],
    )
    nowhere = replace(context, actor=replace(MANAGER, channels=None))
    assert refusal(CHANNEL, "#ml", nowhere) == ("There are no channels here.", [])
    assert read(CHANNEL, "<#C0123|ml>", nowhere) == "C0123"


def test_channels_are_offered_by_their_names(context: Context) -> None:
    """Names that begin so come first; the value is the id."""
    assert options(CHANNEL, "#M", context) == [
        Option("C1", "#ml"), Option("C2", "#ml-news"), Option("C3", "#random"),
    ]  # fmt: skip
    assert offered(CHANNEL, "group", context) == ["500", "501"]
    assert offered(CHANNEL, "", replace(context, actor=replace(MANAGER, channels=None))) == []
    assert CHANNEL.kind is Kind.CHANNEL


def test_a_layout_is_one_of_three(context: Context) -> None:
    """Each is offered with a line on what it is."""
    assert read(LAYOUT, "Thread", context) is Layout.THREAD
    assert refusal(LAYOUT, "ful", context) == ("I can't read 'ful' as a layout.", ["full"])
    assert options(LAYOUT, "c", context) == [
        Option("compact", "one message, a line on the first three papers"),
    ]


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("agents", ("agents",)), ("agents,retrieval", ("agents", "retrieval")),
        (" RAG , agents,, rag ", ("retrieval", "agents")),
        ("moe, agents", ("mixture-of-experts", "agents")), ("none", ()),
    ],
)  # fmt: skip
def test_several_topics_are_parted_by_commas(
    text: str, slugs: tuple[str, ...], context: Context
) -> None:
    """Each by any of its names, once, in the order that they were given; none is no filter."""
    assert read(TOPICS, text, context) == slugs


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("dair", ("dair",)), ("paperdive, dair", ("paperdive", "dair")), ("ALL", ("all",)),
        ("hf-daily", ("hf-daily",)),  # nothing of it is stored
    ],
)  # fmt: skip
def test_several_sources_are_parted_by_commas(
    text: str, slugs: tuple[str, ...], context: Context
) -> None:
    """Stored or predefined sources, or all."""
    assert read(SOURCES, text, context) == slugs


def test_a_wrong_item_is_named_and_mended_in_its_list(context: Context) -> None:
    """The suggestions are whole lists; without a near value, the rest alone."""
    assert refusal(TOPICS, "reasoning,agent tuning,rag", context)[0] == (
        "There is no topic 'agent tuning'."
    )
    assert refusal(TOPICS, "rag,agentz", context) == (
        "There is no topic 'agentz'.",
        ["rag,agents", "rag,alignment"],
    )
    assert refusal(TOPICS, "agents,xyzzy", context) == ("There is no topic 'xyzzy'.", ["agents"])
    assert refusal(TOPICS, "rag,none", context) == ("none stands alone.", ["none", "rag"])
    assert refusal(TOPICS, ",", context) == ("Nothing is named.", [])
    assert refusal(SOURCES, "all,dair", context) == ("all stands alone.", ["all", "dair"])
    assert refusal(SOURCES, "dair,paperdiva", context) == (
        "There is no source 'paperdiva'.",
        ["dair,paperdive"],
    )
    assert refusal(SOURCES, "hfdaily", context)[1][0] == "hf-daily"
    assert refusal(SOURCES, "other", context)[0] == "There is no source 'other'."


def test_the_last_item_is_completed(context: Context) -> None:
    """The items before it stay, and none of them is offered again."""
    assert offered(TOPICS, "ag", context) == ["agents"]
    assert offered(TOPICS, "age,vis", context) == []
    assert offered(TOPICS, "agents,vis", context) == ["agents,vision"]  # no paper has it yet
    first = offered(TOPICS, "", context)
    assert first[-1] == "none"
    following = offered(TOPICS, "agents, ", context)
    assert following == [f"agents,{slug}" for slug in first if slug not in {"agents", "none"}]
    assert offered(TOPICS, "none,", context) == []
    assert offered(TOPICS, "xyzzy,a", context) == []
    known = ["dair", "paperdive", "hf-daily", "consensus", "all"]
    assert offered(SOURCES, "", context) == known
    assert offered(SOURCES, "dair,p", context) == ["dair,paperdive"]
    assert offered(SOURCES, "all,d", context) == []
    assert offered(SOURCES, "al", context) == ["all"]


_TYPES = (
    WEEKDAY, TIME_OF_DAY, PATIENCE, SIZE, SUBSCRIPTION_ID, UNTIL, CHANNEL, LAYOUT, TOPICS, SOURCES,
)  # fmt: skip
_BEGINNINGS = (
    "", " ", "a", "d", "m", "t", "n", "1", "2", "9", "12", "#", "mon", "next", "dair,", "agents,r",
    "3 d", "99", "0", "%", "ß", "²", "none", "jan 5",
)  # fmt: skip


@pytest.mark.parametrize("kind", _TYPES, ids=lambda kind: kind.name)
def test_whatever_is_offered_can_be_read(kind: ParamType, context: Context) -> None:
    """No completion leads to an error."""
    for beginning in _BEGINNINGS:
        for value in offered(kind, beginning, context):
            read(kind, value, context)


async def test_samples_can_not_be_ordered(empty_app: Broadsheet, tmp_path: Path) -> None:
    """They are never posted, so that they are neither offered nor taken, and it says why."""
    async with Database(f"sqlite:///{tmp_path / 'store.db'}") as database:
        await add_samples(database, datetime(2026, 1, 12, tzinfo=UTC))
    source = next(param for param in SUBSCRIBE.params if param.name == "source")
    wrong = await empty_app.check(source, "sample-weekly", READER)
    assert isinstance(wrong, ArgumentError)
    assert wrong.sentence == "sample-weekly holds samples, which are never posted."
    offered = [option.value for option in await empty_app.options(source, "", READER)]
    assert offered == ["dair", "paperdive", "hf-daily", "consensus", "all"]


@pytest.mark.parametrize(
    ("beginning", "first", "offered"),
    [
        ("", "1", 100),
        ("7", "7", 100),
        ("214748364", "214748364", 9),
        ("²", None, 0),
        ("01", None, 0),
    ],
)
async def test_numbers_are_completed_without_counting_up_to_them(
    context: Context, beginning: str, first: str | None, offered: int
) -> None:
    """Of two thousand millions few are offered, each of which begins as typed, the least first."""
    ids = count("ID", 1, 2**31 - 1)
    values = [each.value for each in await ids.complete(beginning, context)]
    assert (len(values), next(iter(values), None)) == (offered, first)
    assert all(value.startswith(beginning) for value in values)
    assert [int(value) for value in values] == sorted(map(int, values))
