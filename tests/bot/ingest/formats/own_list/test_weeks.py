"""Weeks by heading, front matter, file name and column, and those of rows without any."""

from datetime import date

import pytest

from bot.domain.drafts import YearRule
from bot.domain.week_years import YearEvidence
from bot.domain.weeks import parse_days
from bot.errors import DocumentError
from bot.ingest.formats.own_list.placing import first_fetched
from bot.ingest.formats.own_list.weeks import (
    find_named_week,
    week_of_file,
    without_week,
)
from tests.bot.ingest.formats.own_list.reading import TODAY, days, entries, parse, weeks

_EVIDENCE = YearEvidence(TODAY)
_SECOND = (date(2026, 1, 5), date(2026, 1, 11))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Week of Jan 5, 2026", ""),
        ("Week of January 7th, 2026", ""),
        ("Reading list: week of 2026-01-05", "Reading list"),
        ("Reading list (Jan 5-11, 2026)", "Reading list"),
        ("5\u201311 January 2026", ""),
        ("2026-01-05 to 2026-01-11", ""),
        ("Papers \u2013 2026-W02", "Papers"),
        ("2026 week 2", ""),
        ("Week 2, 2026", ""),
        ("W/C 5 January", ""),
        ("Jan 5", ""),
        ("2026/01/09 reading group", "reading group"),
    ],
)
def test_a_heading_names_a_week(text: str, name: str) -> None:
    """A day means its ISO week; without a year it is the latest past one."""
    week = find_named_week(text, _EVIDENCE)
    assert week is not None
    assert (week.first_day, week.last_day) == _SECOND
    assert without_week(text, week) == name


@pytest.mark.parametrize(
    "text",
    ["Agents", "Llama 3", "GPT-4 week", "2026-W60", "Week 99, 2026", "Feb 30, 2026", "10-20x fast",
     "Q1 2026", "January 2026", "1706.03762", "Jan 5 - Dec 9, 2026", ""],
)  # fmt: skip
def test_other_headings_name_none(text: str) -> None:
    """Neither an impossible day, nor a month, nor a number is a week."""
    assert find_named_week(text, _EVIDENCE) is None


def test_a_range_is_its_own_days() -> None:
    """Its first day need not be a Monday, and it may run over the turn of the year."""
    for text in ("Jan 6 \u2013 10, 2026", "6-10 Jan 2026", "2026-01-06..2026-01-10"):
        week = find_named_week(text, _EVIDENCE)
        assert week
        assert (week.first_day, week.last_day) == (date(2026, 1, 6), date(2026, 1, 10))
    week = find_named_week("Dec 29 - Jan 4, 2026", _EVIDENCE)
    assert week
    assert (week.first_day, week.last_day) == (date(2025, 12, 29), date(2026, 1, 4))


def test_a_year_comes_from_the_best_evidence() -> None:
    """The operator's, then the document's, then the calendar's."""
    for text in ("Jan 5-11", "Week of Jan 5"):
        by_option = find_named_week(text, YearEvidence(TODAY, option=2015, document=2020))
        by_document = find_named_week(text, YearEvidence(TODAY, document=2020))
        by_calendar = find_named_week(text, _EVIDENCE)
        assert [
            (w.first_day.year, w.year_rule) for w in (by_option, by_document, by_calendar) if w
        ] == [
            (2015, YearRule.OPTION),
            (2019 if "of" in text else 2020, YearRule.DOCUMENT),
            (2026, YearRule.WEEKDAY),
        ]


@pytest.mark.parametrize(
    "path",
    ["2026-W02.md", "lists/papers-2026-01-07.csv", "week-of-jan-5-2026.md", "20260105.csv",
     "papers_2026_01_05.csv", "https://a.example/x/2026-w02.csv?key=1", "jan-5-11-2026.md",
     r"C:\lists\week 2 2026.txt"],
)  # fmt: skip
def test_a_files_name_names_a_week(path: str) -> None:
    """With words or numbers between any signs."""
    week = week_of_file(path, _EVIDENCE)
    assert week
    assert (week.first_day, week.last_day) == _SECOND
    (edition,) = parse("- Mamba\n", path, week=None).editions
    assert (edition.first_day, edition.last_day) == _SECOND


def test_a_files_name_without_a_week_names_none() -> None:
    """Neither a year, nor an id of Notion's, nor an arXiv id does."""
    for path in (
        "2026.md",
        "arxiv-2501.12948.md",
        "P 20260105deadbeef0123456789abcdef.csv",
        "list",
    ):
        assert week_of_file(path, _EVIDENCE) is None


@pytest.mark.parametrize("field", ["week: 2026-W02", "date: 2026-01-07", 'week_of: "Jan 5, 2026"'])
def test_front_matter_names_the_week(field: str) -> None:
    """So it may name the title."""
    parsed = parse(f"---\ntitle: Our papers\n{field}\n---\n\n1. Mamba\n", week=None)
    (edition,) = parsed.editions
    assert (edition.title, days(edition)) == ("Our papers", ("2026-01-05", "2026-01-11"))
    assert edition.entries[0].line == 6


@pytest.mark.parametrize(
    "line", ["**Week of Jan 5, 2026**", "Week: 2026-W02", "Date: January 7, 2026", "Jan 5-11, 2026"]
)
def test_a_line_by_itself_names_the_week(line: str) -> None:
    """A bold line, a property of a page, or a range; a sentence with a day does not."""
    (edition,) = parse(f"# Ours\n\n{line}\n\n1. Mamba\n", week=None).editions
    assert days(edition) == ("2026-01-05", "2026-01-11")
    with pytest.raises(DocumentError, match="--week"):
        parse("# Ours\n\nUpdated on Jan 5, 2026 by Ann.\n\n1. Mamba\n", week=None)


@pytest.mark.parametrize(
    "text", ["1. Mamba\n", "Title,Date Added\nMamba,2026-01-05\n", "@misc{a, title={Mamba}}\n"]
)
def test_without_a_week_nothing_is_read(text: str) -> None:
    """One sentence names `--week`, even where a column has dates."""
    with pytest.raises(DocumentError, match="--week"):
        parse(text, week=None)


def test_an_operator_names_a_week_in_any_way() -> None:
    """As headings do, and relative to today."""
    assert [w and w.first_day.isoformat() for w in (
        parse_days("2026-W02", TODAY), parse_days("jan 6-10", TODAY),
        parse_days("last week", TODAY), parse_days("soon", TODAY),
    )] == ["2026-01-05", "2026-01-06", "2026-11-09", None]  # fmt: skip


def test_a_followed_row_goes_by_its_date_else_by_its_first_fetch() -> None:
    """A row that is stored stays where it is, whatever its title says now."""
    stored = parse("- [Mamba](https://a.example/m)\n- LSTM\n")
    fetched = first_fetched(stored.editions)
    text = (
        "Title,URL,Date Added\nMamba 2,https://a.example/m/,\nLSTM,,\nGRU,,2026-02-03 10:00\n"
        "RWKV,,\n"
    )
    parsed = parse(text, "list.csv", week=None, fetched=fetched)
    assert weeks(parsed) == [
        ("2026-01-05", ["Mamba 2", "LSTM"]),
        ("2026-02-02", ["GRU"]),
        ("2026-11-16", ["RWKV"]),
    ]


def test_days_with_slashes_are_read_where_the_column_tells_how() -> None:
    """One day beyond the twelfth tells; without one they are left open."""
    head = "Title,Date\n"
    european = parse(f"{head}A b,13/01/2026\nC d,05/01/2026\n", week=None, fetched={})
    american = parse(f"{head}A b,01/13/2026\nC d,01/05/2026\n", week=None, fetched={})
    dotted = parse(f"{head}A b,13.01.2026\nC d,05.01.2026\n", week=None, fetched={})
    for parsed in (european, american, dotted):
        assert [days(e)[0] for e in parsed.editions] == ["2026-01-12", "2026-01-05"]
    unclear = parse(f"{head}A b,05/01/2026\n", week=None, fetched={})
    assert [days(e)[0] for e in unclear.editions] == ["2026-11-16"]
    assert len(entries(unclear)) == 1
