"""What of a line no command can use is said; nothing of it is dropped without a word."""

from collections.abc import Mapping
from datetime import date

import pytest

from bot.commands.plain_words.filters import ReadingFacts, in_order, may_be_person
from bot.commands.plain_words.unused import RunCommand, unused_parts
from bot.replies.blocks import Notice
from bot.replies.plain_text import plain_text
from tests.bot.conftest import Ask

_FACTS = ReadingFacts(
    topics={"agents": "agents"},
    sources=frozenset({"dair", "other"}),
    commands=frozenset({"search", "trends"}),
    changing=frozenset(),
    today=date(2026, 11, 25),
)
_SEARCH = frozenset({"query", "topic", "source", "author", "since", "until"})
_TRENDS = frozenset({"topics"})


@pytest.mark.parametrize(
    ("line", "name", "takes", "texts", "said"),
    [
        ("rag in the last 0 weeks", "search", _SEARCH, {"query": "rag"},
         "'In the last 0 weeks' is no length of time, so it was left out."),
        ("rag not from dair", "search", _SEARCH, {"query": "rag"},
         "No source or period can be left out, so 'not from dair' was not looked at."),
        ("agents in february 30", "search", _SEARCH, {"query": "agents", "since": "2026-02-01"},
         "There is no such day as 'february 30'."),
        ("agents from 5.1.2026", "search", _SEARCH, {"query": "agents from 5.1.2026"},
         "'5.1.2026' may be two days."),
        ("trends of agents since march", "trends", _TRENDS, {"topics": "agents"},
         "trends takes no such period, so 'march' was left out."),
        ("agents trends from other", "trends", _TRENDS, {"topics": "agents"},
         "trends takes no source, so 'other' was left out."),
        ("agents trends by Yann LeCun", "trends", _TRENDS, {"topics": "agents"},
         "trends takes no author, so 'Yann LeCun' was left out."),
    ],
)  # fmt: skip
def test_a_filter_that_is_not_used_is_said(
    line: str, name: str, takes: frozenset[str], texts: Mapping[str, str], said: str
) -> None:
    """It is named, with why."""
    assert unused_parts(line, RunCommand(name, takes, texts), _FACTS) == (said,)


@pytest.mark.parametrize(
    ("line", "name", "takes", "texts"),
    [
        ("agents since march by Bengio", "search", _SEARCH,
         {"query": "agents", "since": "2026-03-01", "author": "Bengio"}),
        ("papers by votes", "search", _SEARCH, {"query": "papers by votes"}),
        ("AIME 2024 results", "search", _SEARCH, {"query": "AIME 2024 results"}),
        ("what's new this week", "latest", _SEARCH - {"since", "until"}, {}),
        ("who wrote the paper from dair in may", "show", frozenset({"paper"}), {"paper": "x"}),
        ("rag " * 50 + "since march", "search", _SEARCH, {"query": "rag"}),
    ],
)  # fmt: skip
def test_nothing_is_said_of_what_was_used(
    line: str, name: str, takes: frozenset[str], texts: Mapping[str, str]
) -> None:
    """Nor of what goes on today, of words that are looked for, and of a description."""
    assert unused_parts(line, RunCommand(name, takes, texts), _FACTS) == ()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Kaiming He", True),
        ("bengio", True),
        ("percy liang", True),
        ("song han", True),
        ("small edits", False),
        ("human feedback", False),
        ("using tools", False),
        ("Google", False),
        ("stanford university", False),
        ("our lab", False),
    ],
)
def test_what_papers_are_by_may_be_a_person(words: str, *, expected: bool) -> None:
    """A company is none, nor is a way of doing something."""
    assert may_be_person(words) is expected


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        ("june", "may", ("2026-05-01", "2026-06-30")),
        ("january", "december", ("2026-01-01", "2026-12-31")),
        ("2025", "2023", ("2023-01-01", "2025-12-31")),
        ("today", "last month", ("2026-10-01", "2026-11-25")),
        ("may", "june", ("may", "june")),
        ("june", None, ("june", None)),
        ("last visit", "may", ("last visit", "may")),
    ],
)
def test_ends_stand_in_order(
    since: str | None, until: str | None, expected: tuple[str | None, str | None]
) -> None:
    """A run that would end before it begins is turned."""
    assert in_order(since, until, _FACTS.today) == expected


@pytest.mark.parametrize(
    ("line", "ran", "said"),
    [
        ("between january and december", "search since:2026-01-01 until:2026-12-31", None),
        ("between february and january", "search since:2026-01-01 until:2026-02-28", None),
        ("search since:february until:january", "search since:2026-01-01 until:2026-02-28", None),
        ("last 0 weeks papers on routing", "search routing", "no length of time"),
        ("routing from nowhere-daily", "search routing from nowhere-daily", None),
        ("routing experts from hf daily", "search routing experts",
         "from: There is no source 'hf-daily'."),
        ("routing papers in French", "search routing", "Languages of papers are not stored"),
        ("routing, MIT licence", "search routing", "Licences are not stored"),
        ("routing with over 100 citations", "search routing", "Citations are not stored"),
        ("routing papers from Google", "search routing Google",
         "Affiliations and venues are not stored"),
        ("routing by small edits", "search routing by small edits", None),
        ("routing papers", "search routing", None),
        ("find 3 papers on routing", "search routing", "How many are listed can't be chosen"),
        ("routing excluding attention in 2025",
         "search routing -attention since:2025-01-01 until:2025-12-31", None),
        ("routing papers, google, after 2023, best first",
         "search routing papers, google since:2024-01-01", "The order of a search"),
        ("papers by Ada Lovelace on routing", 'search "Ada Lovelace" routing',
         "No authors are stored yet"),
        ("0 AUG1ST ARTICLE", "search 0 since:2026-08-01 until:2026-08-01", None),
        ("routing papers excluding 2024", "search routing", "No source or period can be left out"),
        ("routing papers, 2023 or later", "search routing since:2023-01-01", None),
        ("routing papers, 2023 or older", "search routing until:2023-12-31", None),
        ("routing work from 2024, max 5", "search routing since:2024-01-01 until:2024-12-31",
         "How many are listed can't be chosen"),
        ("find papers: topic routing, year 2024",
         "search routing since:2024-01-01 until:2024-12-31", None),
        ("open access papers about routing", "search open-access papers about routing", None),
        ("routing papers of the summer (june to august)",
         "search routing since:2026-06-01 until:2026-08-31", None),
        ("routing, nothing about attention", "search routing -attention", None),
        ("routing; year 2025; source dair",
         "search routing from:dair since:2025-01-01 until:2025-12-31", None),
    ],
)  # fmt: skip
def test_what_a_line_filters_by_is_used_or_said(
    two_sources: Ask, line: str, ran: str, said: str | None
) -> None:
    """Every filter stands in the command that was run, or in the first line of the answer."""
    reply = two_sources(line)
    assert reply.ran == ran
    first = reply.blocks[0]
    assert said in first.text if said and isinstance(first, Notice) else said is None, plain_text(
        reply
    )
