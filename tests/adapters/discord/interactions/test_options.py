"""The autocomplete choices of options."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.interactions.options import choices
from bot.commands.params.papers import PAPER
from bot.commands.params.scalars import WORDS
from bot.commands.params.topics_and_sources import TOPIC
from bot.commands.types import Param
from bot.errors import Option
from tests.fakes.discord.rules.messages import problems

PAPERS = Param("paper", "The paper", PAPER)
TOPICS = Param("topic", "The topic", TOPIC)
QUERY = Param("query", "Words", WORDS)


def offered(param: Param, *options: Option, beginning: str = "") -> list[tuple[str, str]]:
    """Return name and value of each choice."""
    return [(each.name, str(each.value)) for each in choices(param, beginning, options)]


@pytest.mark.parametrize(
    ("param", "option", "name"),
    [
        (PAPERS, Option("dair:2026-01-05#3", "3 · Attention"), "3 · Attention"),
        (PAPERS, Option("dair:2026-01-05#3"), "dair:2026-01-05#3"),
        (PAPERS, Option("dair:2026-01-05#3", "\r"), "dair:2026-01-05#3"),
        (TOPICS, Option("rag", "9 papers · Retrieval"), "rag · 9 papers · Retrieval"),
        (TOPICS, Option("rag"), "rag"),
        (TOPICS, Option("rag", "two\nlines"), "rag · two lines"),
    ],
)
def test_a_choice_is_named_for_people(param: Param, option: Option, name: str) -> None:
    """A paper's choice is its title; any other is its value and its label."""
    assert offered(param, option) == [(name, option.value)]


def test_no_more_is_offered_than_discord_takes() -> None:
    """The best twenty-five are offered, each once."""
    options = [Option(str(number)) for number in range(40)]
    assert offered(TOPICS, *options, *options) == [(str(n), str(n)) for n in range(25)]


def test_a_long_name_is_cut_and_a_long_value_left_out() -> None:
    """A name of a hundred characters keeps a short last part; a cut value would be another."""
    title = "long " * 30
    place = "dair, 5 January 2026"
    [(name, _)] = offered(PAPERS, Option("a", f"{title} · {place}"), Option("v" * 101))
    assert len(name) <= 100
    assert name == f"{title[:76]}… · {place}"
    [(name, _)] = offered(PAPERS, Option("a", f"3 · {title}"))
    assert name == f"3 · {title}"[:99].rstrip() + "…"


def test_plain_words_are_offered_as_they_were_typed() -> None:
    """The typed text is the first choice, unless it is blank."""
    found = Option("moe", "in 3 entries"), Option("moes", "in 1 entry")
    assert offered(QUERY, *found, beginning="moe ") == [
        ("moe · in 3 entries", "moe"),
        ("moes · in 1 entry", "moes"),
    ]
    assert offered(QUERY, beginning="mo") == [("mo", "mo")]
    assert offered(QUERY) == []
    assert offered(QUERY, beginning="w" * 101) == []
    assert offered(TOPICS, beginning="mo") == []


@given(
    st.sampled_from([PAPERS, TOPICS, QUERY]),
    st.text(max_size=120),
    st.lists(st.builds(Option, st.text(max_size=120), st.text(max_size=120)), max_size=40),
)
def test_discord_takes_whatever_is_offered(
    param: Param, beginning: str, options: list[Option]
) -> None:
    """No value and no label makes a choice that Discord refuses."""
    made: list[dict[str, Any]] = [each.to_dict() for each in choices(param, beginning, options)]
    assert problems(made, "choices") == []
