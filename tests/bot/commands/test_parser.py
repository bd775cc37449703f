"""From text to a command with its arguments, and back."""

from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.handlers import COMMANDS
from bot.commands.parser import command_string, parse
from bot.commands.types import Command
from bot.errors import UserError
from store.text import tokens
from tests.bot.commands.sample_command import ORDER

BY_NAME = {command.name: command for command in COMMANDS}


@pytest.mark.parametrize(
    ("text", "command", "arguments"),
    [
        ("", "latest", {}),
        ("  /LATEST ", "latest", {}),
        ("lookup latest", "latest", {}),
        ("/papers", "latest", {}),
        ("/papers channel resume id:7", "resume", {"id": "7"}),
        ("channel resume id:7", "resume", {"id": "7"}),
        ("latest from:dair", "latest", {"source": "dair"}),
        ("latest source:dair", "latest", {"source": "dair"}),
        ("random rag", "random", {"topic": "rag"}),
        ("week last week from:dair", "week", {"week": "last week", "source": "dair"}),
        ("week from:dair 3 weeks ago", "week", {"week": "3 weeks ago", "source": "dair"}),
        ('search since:"last week" moe', "search", {"query": "moe", "since": "last week"}),
        ("search FROM:dair moe", "search", {"query": "moe", "source": "dair"}),
        ("search https://a.b c:d", "search", {"query": "https://a.b c:d"}),
        ("show dair:2026-01-05#3", "show", {"paper": "dair:2026-01-05#3"}),
        ("show paper:E31", "show", {"paper": "E31"}),
        ("topic rag page:2", "topic", {"topic": "rag", "page": "2"}),
        ("settings zone new york", "settings", {"name": "zone", "value": "new york"}),
        ("channel settings value:off zone", "settings", {"name": "zone", "value": "off"}),
        ("lookup", None, {}),
    ],
)
def test_a_line_is_read_by_the_declarations(
    text: str, command: str | None, arguments: dict[str, str]
) -> None:
    """The name in any case, its group before it, named arguments anywhere, the rest by place."""
    if command is None:
        with pytest.raises(UserError, match="There is no command 'lookup'"):
            parse(text, COMMANDS)
        return
    call = parse(text, COMMANDS)
    assert (call.command.name, call.arguments) == (command, arguments)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("", {}),
        ("tuesday", {"day": "tuesday"}),
        ("09:00", {"time": "09:00"}),
        ("Europe/Berlin", {"zone": "Europe/Berlin"}),
        ("tue 17:30 New York", {"day": "tue", "time": "17:30", "zone": "New York"}),
        ("New York tue 17:30", {"day": "tue", "time": "17:30", "zone": "New York"}),
        ("Europe/Berlin tuesday", {"day": "tuesday", "zone": "Europe/Berlin"}),
        ("monday 9 am", {"day": "monday", "time": "9 am"}),
        ("9 am monday", {"day": "monday", "time": "9 am"}),
        ("9 am Los Angeles", {"time": "9 am", "zone": "Los Angeles"}),
        ("every monday at 9 pm UTC", {"day": "every monday", "time": "at 9 pm", "zone": "UTC"}),
        ("on fridays noon", {"day": "on fridays", "time": "noon"}),
        ("monday size:5 9:00", {"day": "monday", "time": "9:00", "size": "5"}),
        ("topic:agents day:monday 9", {"day": "monday", "time": "9", "topic": "agents"}),
        ('zone:"new york" 9', {"time": "9", "zone": "new york"}),
        # What is wrong goes where its error will speak of it.
        ("thrusday", {"day": "thrusday"}),
        ("monday 25:00", {"day": "monday", "time": "25:00"}),
        ("monday Atlantis", {"day": "monday", "zone": "Atlantis"}),
        (
            "America/Argentina/Buenos Aires 9",
            {"time": "9", "zone": "America/Argentina/Buenos Aires"},
        ),
        ("Thunder Bay", {"zone": "Thunder Bay"}),
    ],
)
def test_words_find_their_arguments_by_what_they_look_like(
    text: str, arguments: dict[str, str]
) -> None:
    """Each may be left out or come in any order; what looks like none is the last one's."""
    assert parse(f"order {text}", [ORDER]).arguments == arguments


@pytest.mark.parametrize(
    ("text", "arguments", "loose"),
    [
        ("latest dair", {}, ("dair",)),
        ("latest dair agents", {"topic": "agents"}, ("dair",)),
        ("top my notes 2025 rag", {"period": "2025", "topic": "rag"}, ("my notes",)),
        ("topic tool use jan 2025", {"topic": "tool use", "period": "jan 2025"}, ()),
        ("brief 10 min agents", {"minutes": "10 min", "topic": "agents"}, ()),
        ("week of jan 5, 2026 dair", {"week": "of jan 5, 2026"}, ("dair",)),
        ("search moe since:last month", {"query": "moe", "since": "last month"}, ()),
        ("search since:jan 5 moe", {"query": "moe", "since": "jan 5"}, ()),
        ("search since:2025 -moe", {"query": "-moe", "since": "2025"}, ()),
        ("search since:the last 3 months moe", {"query": "moe", "since": "the last 3 months"}, ()),
        ("search topic:tool use cases", {"query": "cases", "topic": "tool use"}, ()),
    ],
)
def test_filters_stand_in_any_order(
    text: str, arguments: dict[str, str], loose: tuple[str, ...]
) -> None:
    """By look, with or without a name; what only the store can know stays loose."""
    call = parse(text, COMMANDS)
    assert (call.arguments, call.loose) == (arguments, loose)


@pytest.mark.parametrize("word", ["2025", "agents", "a", "jan 5"])
def test_very_many_words_are_no_filters(word: str) -> None:
    """They are one run that no argument reads, and are not looked at one by one."""
    words = " ".join([word] * 25)
    call = parse(f"top {words}", COMMANDS)
    assert (call.arguments, call.loose) == ({}, (words,))


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("topic:agents, rag", {"topic": "agents, rag"}),
        ("topic:agents ,rag monday", {"topic": "agents ,rag", "day": "monday"}),
        ("topic:agents , rag , vision 9", {"topic": "agents , rag , vision", "time": "9"}),
        ("topic:agents, size:5", {"topic": "agents,", "size": "5"}),
        ("size:5, 9", {"size": "5,", "time": "9"}),
    ],
)
def test_several_go_on_after_a_comma(text: str, arguments: dict[str, str]) -> None:
    """With blanks beside it, as people type lists; and quotes may be curly."""
    assert parse(f"order {text}", [ORDER]).arguments == arguments


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("monday tuesday", "The day is given twice."),
        ("day:monday 9:00 fri", "The day is given twice."),
        ("9:00 10:00", "The time is given twice."),
        ("UTC zone:Europe/Berlin", "The zone is given twice."),
    ],
)
def test_what_looks_like_one_argument_is_given_once(text: str, sentence: str) -> None:
    """A second day is never taken for a zone."""
    with pytest.raises(UserError) as refused:
        parse(f"order {text}", [ORDER])
    assert refused.value.sentence == sentence


def test_no_zone_looks_like_a_day_or_a_time() -> None:
    """Whichever is named, by its whole name or its city's words, it is the zone that is named."""
    for name in available_timezones():
        for text in (name, name.rpartition("/")[2].replace("_", " ")):
            assert parse(f"order {text}", [ORDER]).arguments == {"zone": text}


def test_a_line_names_what_would_not_be_found_by_its_looks() -> None:
    """Values stand without their names where they are read so, and else all have them."""
    whole = {"day": "monday", "time": "09:00", "zone": "Europe/Berlin", "size": 5}
    assert command_string(ORDER, whole) == "order monday 09:00 Europe/Berlin size:5"
    assert command_string(ORDER, {"zone": "America/New_York"}) == "order America/New_York"
    assert command_string(ORDER, {"zone": "monday", "time": "9"}) == "order time:9 zone:monday"
    assert command_string(ORDER, {"day": "x day:y"}) == 'order day:"x day:y"'


_VALUE = st.text(st.characters(exclude_characters='"', exclude_categories=["Cs"]), min_size=1)


_LIKE_ANOTHER = (
    "monday", "every", "at", "9", "am", "9 am", "New York", "UTC", "mon 9", "day:mon", "size:5",
)  # fmt: skip


@st.composite
def _calls(draw: st.DrawFn) -> tuple[Command, dict[str, str]]:
    command = draw(st.sampled_from([*COMMANDS, ORDER]))
    chosen = [param for param in command.params if draw(st.booleans())]
    texts = _VALUE | st.sampled_from(_LIKE_ANOTHER)
    values = {param.name: " ".join(draw(texts).split()) for param in chosen}
    return command, {name: value for name, value in values.items() if value}


@given(_calls())
def test_a_written_line_is_read_as_it_was_meant(call: tuple[Command, dict[str, str]]) -> None:
    """Buttons lead where they say: a line that was written parses to the same words."""
    command, arguments = call
    read = parse(command_string(command, arguments), [*COMMANDS, ORDER])
    assert read.command is command
    assert {name: tokens(value) for name, value in read.arguments.items()} == {
        name: tokens(value) for name, value in arguments.items()
    }


def test_words_that_look_like_a_filter_stay_words() -> None:
    """Typed words of a query do not become a filter on a button."""
    line = command_string(BY_NAME["search"], {"query": "topic:modelling in from:x", "page": 2})
    assert line == "search topic :modelling in from :x page:2"
    assert parse(line, COMMANDS).arguments == {"query": "topic :modelling in from :x", "page": "2"}


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("serach moe", ["search moe", "search serach moe"]),
        ("topci rag", ["topic rag", "top rag", "search topci rag"]),
        ("latset now", ["latest", "search latset now"]),
        ("latset from:dair", ["latest from:dair", "search latset from:dair"]),
        ("serach", ["search", "search serach"]),
        ("whats new", ["search whats new"]),
    ],
)
def test_a_misspelt_command_is_offered_as_it_was_meant(text: str, offered: list[str]) -> None:
    """The arguments behind it are kept if the command takes them."""
    with pytest.raises(UserError) as refused:
        parse(text, COMMANDS)
    assert [each.command for each in refused.value.suggestions] == offered


@given(st.text() | st.text().map("order {}".format))
def test_any_line_is_read_or_refused_in_words(text: str) -> None:
    """No text raises anything but an error in words, with a way on."""
    assert _outcome(text)


def _outcome(text: str) -> object:
    try:
        return parse(text, [*COMMANDS, ORDER]).command
    except UserError as error:
        return error.sentence and (error.suggestions or error.remedy)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("sub", ["subscribe", "subscriptions"]),
        ("unsub 7", ["unsubscribe 7"]),
        ("suscribe monday", ["subscribe monday", "unsubscribe monday"]),
    ],
)
def test_a_name_that_is_begun_is_offered_whole(text: str, nearest: list[str]) -> None:
    """With what was typed after it; then names that are spelt alike."""
    with pytest.raises(UserError) as refused:
        parse(text, COMMANDS)
    assert [each.command for each in refused.value.suggestions][:-1] == nearest
