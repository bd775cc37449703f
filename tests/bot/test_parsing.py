"""From text to a command with its arguments, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.command import Command
from bot.commands import COMMANDS
from bot.errors import UserError
from bot.parsing import parse, write
from store.folding import tokens

BY_NAME = {command.name: command for command in COMMANDS}


@pytest.mark.parametrize(
    ("text", "command", "arguments"),
    [
        ("", "latest", {}),
        ("  /LATEST ", "latest", {}),
        ("lookup latest", "latest", {}),
        ("latest from:dair", "latest", {"source": "dair"}),
        ("latest source:dair", "latest", {"source": "dair"}),
        ("latest dair", "latest", {"source": "dair"}),
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


_VALUE = st.text(st.characters(exclude_characters='"', exclude_categories=["Cs"]), min_size=1)


@st.composite
def _calls(draw: st.DrawFn) -> tuple[Command, dict[str, str]]:
    command = draw(st.sampled_from(COMMANDS))
    chosen = [param for param in command.params if draw(st.booleans())]
    values = {param.name: " ".join(draw(_VALUE).split()) for param in chosen}
    return command, {name: value for name, value in values.items() if value}


@given(_calls())
def test_a_written_line_is_read_as_it_was_meant(call: tuple[Command, dict[str, str]]) -> None:
    """Buttons lead where they say: a line that was written parses to the same words."""
    command, arguments = call
    read = parse(write(command, arguments), COMMANDS)
    assert read.command is command
    assert {name: tokens(value) for name, value in read.arguments.items()} == {
        name: tokens(value) for name, value in arguments.items()
    }


def test_words_that_look_like_a_filter_stay_words() -> None:
    """What was typed as a query does not become a filter on a button."""
    line = write(BY_NAME["search"], {"query": "topic:modelling in from:x", "page": 2})
    assert line == "search topic: modelling in from: x page:2"
    assert parse(line, COMMANDS).arguments == {"query": "topic: modelling in from: x", "page": "2"}


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("serach moe", ["search moe", "search serach moe"]),
        ("topci rag", ["topic rag", "search topci rag"]),
        ("latset now", ["latest", "search latset now"]),
        ("latset from:dair", ["latest from:dair", "search latset from:dair"]),
        ("serach", ["help search", "search serach"]),
        ("whats new", ["search whats new"]),
    ],
)
def test_a_misspelt_command_is_offered_as_it_was_meant(text: str, offered: list[str]) -> None:
    """What was typed behind it is taken along where the command has a place for it."""
    with pytest.raises(UserError) as refused:
        parse(text, COMMANDS)
    assert [each.command for each in refused.value.suggestions] == offered


@given(st.text())
def test_any_line_is_read_or_refused_in_words(text: str) -> None:
    """No text raises anything but an error in words, with a way on."""
    assert _outcome(text)


def _outcome(text: str) -> object:
    try:
        return parse(text, COMMANDS).command
    except UserError as error:
        return error.sentence and (error.suggestions or error.remedy)
