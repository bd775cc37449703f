"""One grammar of dates: a week written in any way is that week wherever it is read."""

from datetime import date

import pytest

from bot.actor import Actor, Role
from bot.commands.plain_words.filters import ReadingFacts, take_filters
from bot.domain.dates import whole
from bot.domain.drafts import ParseOptions
from bot.domain.weeks import Week, parse_days, parse_period, parse_week
from bot.ingest import documents
from bot.replies.blocks import Actions
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.adapters.common.services import services_over
from tests.bot.conftest import answered
from tests.bot.ingest.formats.review.documents import TITLE as REVIEW
from tests.bot.ingest.formats.review.documents import copy_of
from tests.bot.ingest.formats.review.documents import parse as parse_review

_TODAY = date(2026, 11, 21)
_WEEK = date(2026, 1, 5), date(2026, 1, 11)
_TITLE = "Top AI Papers of the Week"
_RUNS = [
    "January 5-11, 2026", "Jan 5-11, 2026", "Jan 5 - 11 2026", "January 5th \u2013 11th, 2026",
    "Jan. 5\u201311, 2026", "January 5 to 11, 2026", "Jan 5 \u2013 Jan 11, 2026",
    "Jan 5, 2026 \u2014 Jan 11, 2026", "2026 Jan 5-11", "5-11 January 2026", "5\u201311 Jan 2026",
    "5 \u2013 11 January, 2026", "5th\u201311th January 2026", "5. \u2013 11. January 2026",
    "5 to 11 January 2026", "5 January \u2013 11 January 2026", "5 Jan 2026 - 11 Jan 2026",
    "2026-01-05 \u2013 2026-01-11", "2026-01-05 to 2026-01-11", "2026/01/05 - 2026/01/11",
    "2026-01-05/2026-01-11", "2026.01.05-2026.01.11", "Jan 5-11", "January 5 - January 11",
    "5-11 Jan", "5th through 11th January", "2026-W02", "2026W2", "2026 week 2",
    "January 5th, 2026 through January 11th, 2026",
]  # fmt: skip
_NAMES = [
    "week 2, 2026", "week 2 of 2026", "W02 2026", "week 2026-W02",
    "2026-01-07", "2026/1/7", "2026.01.07", "20260107", "7 January 2026", "7th of January, 2026",
    "Jan 7, 2026", "January 7th 2026", "07-Jan-2026", "Week of Jan 7", "week of 7 jan",
]  # fmt: skip
_FACTS = ReadingFacts({}, frozenset(), frozenset(), frozenset(), _TODAY)


def _editions(text: str, path: str = "list.md") -> list[tuple[str, str, date, date]]:
    document = documents.read(path, text.encode()).document
    parsed = documents.parse(document, ParseOptions(_TODAY))
    return [
        (parsed.kind.value, parsed.source_title, each.first_day, each.last_day)
        for each in parsed.editions
    ]


def _newsletter(week: str) -> list[tuple[str, str, date, date]]:
    heading = f"{_TITLE} ({week})\nPosted on Jan 12, 2026 (at noon)"
    return _editions(f"{heading}\n1. Kite\nKite flies.\n2. Lift\nLift lifts.\n")


@pytest.mark.parametrize("days", _RUNS)
def test_a_run_of_days_is_the_same_in_every_document(days: str) -> None:
    """The heading of a newsletter, of an archive, of a review and of a list name one week."""
    assert _newsletter(days) == [("newsletter", _TITLE, *_WEEK)]
    row = "| 1) **Kite** - flies. | [Paper](https://arxiv.org/abs/2601.00001) |"
    archive = f"# Ours\n\n## Top Papers ({days})\n| **Paper** | **Links** |\n| --- | --- |\n{row}\n"
    assert _editions(archive) == [("archive", "Ours", *_WEEK)]
    review = parse_review(copy_of((REVIEW, f"AI Papers Week in Review: {days}")))
    assert [(each.first_day, each.last_day) for each in review.editions] == [_WEEK]
    assert _editions(f"# Reading list\n\n## {days}\n\n- [Kite](https://a.example/k)\n") == [
        ("list", "Reading list", *_WEEK)
    ]


@pytest.mark.parametrize("name", [*_RUNS, *_NAMES])
def test_a_week_is_the_same_for_all_who_name_one(name: str) -> None:
    """The heading of a list, `--week`, `week` in a chat and `week of` before it."""
    written = f"week of {name}" if name[0].isdigit() and "w" not in name.lower() else name
    for text in (name, written, f"  {name.upper()} "):
        assert parse_week(text, _TODAY) == Week(2026, 2)
        days = parse_days(text, _TODAY)
        assert days
        assert (days.first_day, days.last_day) == _WEEK
    listed = _editions(f"# Ours\n\n## {name}\n\n- [Kite](https://a.example/k)\n")
    assert listed == [("list", "Ours", *_WEEK)]
    assert _newsletter(name) == [("newsletter", _TITLE, *_WEEK)] or "2026" not in name


async def test_a_week_is_asked_for_in_any_way(stocked: Database) -> None:
    """Typed as the argument of `week`, or said in plain words."""
    app, actor = services_over(stocked).app, Actor("nowhere", "elsewhere", "somebody", Role.READER)
    for name in [*_RUNS, *_NAMES, "week 5-11 January 2026"]:
        typed = await answered(app, f"week {name}", actor)
        said = await answered(app, f"what came out in the week of {name}?", actor)
        assert (typed.command, said.command) == ("week 2026-W02", "week 2026-W02"), name


@pytest.mark.parametrize(
    ("line", "sentence", "offered"),
    [
        ("week 5.1.2026", "'5.1.2026' may be Jan 5, 2026 or May 1, 2026.",
         ["week 2026-01-05", "week 2026-05-01"]),
        ("week 5/1/2026 from:dair", "'5/1/2026' may be Jan 5, 2026 or May 1, 2026.",
         ["week 2026-01-05 from:dair", "week 2026-05-01 from:dair"]),
        ("search agents since:5.1.2026", "since: '5.1.2026' may be Jan 5, 2026 or May 1, 2026.",
         ["search agents since:2026-01-05", "search agents since:2026-05-01"]),
        ("latest 5.1.2026", "'5.1.2026' may be Jan 5, 2026 or May 1, 2026.",
         ["week 2026-01-05", "week 2026-05-01"]),
        ("5.1.2026", "'5.1.2026' may be Jan 5, 2026 or May 1, 2026.",
         ["week 2026-01-05", "week 2026-05-01"]),
        ("top agents 5.1.2026", "'5.1.2026' may be Jan 5, 2026 or May 1, 2026.",
         ["top 2026-01-05 topic:agents", "top 2026-05-01 topic:agents"]),
        ("top 31.4.2026", "There is no such day as '31.4.2026'.", []),
        ("latest 31.4.2026", "There is no such day as '31.4.2026'.", []),
        ("week 31 february", "There is no such day as '31 february'.", []),
        ("week 29 Feb 2026", "There is no such day as '29 Feb 2026'.", []),
        ("week 2026-02-30", "There is no such day as '2026-02-30'.", []),
    ],
)  # fmt: skip
async def test_a_day_that_is_two_or_none_is_told(
    stocked: Database, line: str, sentence: str, offered: list[str]
) -> None:
    """All of it is taken for a date; of several days the user chooses one."""
    app, actor = services_over(stocked).app, Actor("nowhere", "elsewhere", "somebody", Role.READER)
    reply = await answered(app, line, actor)
    assert plain_text(reply).startswith(sentence)
    rows = [block for block in reply.blocks if isinstance(block, Actions)]
    commands = [each.command for row in rows for each in row.buttons]
    assert commands == offered if offered else reply.failed


@pytest.mark.parametrize("days", _RUNS)
def test_a_period_is_the_same_in_filters_and_in_plain_words(days: str) -> None:
    """`since:`, `until:` and *papers on agents of …* take the days themselves."""
    period = parse_period(days, _TODAY)
    assert period
    assert (period.first_day, period.last_day) == _WEEK
    wanted = take_filters(f"agents in the week of {days}", _FACTS)
    assert wanted.words == "agents"
    assert parse_period(wanted.period or "", _TODAY) == period


@pytest.mark.parametrize(
    "name",
    ["jan-5-11-2026.md", "5-11-jan-2026.md", "2026-W02.md", "papers_2026_01_07.md", "20260107.md",
     "week-2-2026.md", "7-jan-2026.md", "week-of-7-january-2026.md"],
)  # fmt: skip
def test_a_file_s_name_names_the_week_too(name: str) -> None:
    """With the day on either side of its month."""
    assert _editions("- [Kite](https://a.example/k)\n", name)[0][2:] == _WEEK


@pytest.mark.parametrize(
    "text", ["soon", "05/01/2026", "Feb 30", "2026-W60", "week", "11-5 January 2026", "2.5", "moe"]
)
def test_what_is_no_week_is_one_nowhere(text: str) -> None:
    """Two readings, no such day and other words are refused alike."""
    assert parse_week(text, _TODAY) is None
    assert parse_days(text, _TODAY) is None
    assert parse_period(text, _TODAY) is None
    assert [each for each in (whole(text),) if each and each.days(2026)] == []
