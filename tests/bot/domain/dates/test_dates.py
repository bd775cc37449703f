"""Dates as people write them: found with their places, read whole, told from what looks alike."""

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.dates import find, find_day, find_days, leading, misread, reading, whole
from bot.domain.dates.written_date import Period, Unit

_DASHES = (
    "-", "--", "\u2010", "\u2013", "\u2014", "\u2212", " - ", " \u2013 ", " to ", " through ",
)  # fmt: skip
_DAYS = (
    "{0:%B} {0.day}", "{0:%b} {0.day}", "{0:%b.} {0.day}", "{0:%B} {0:%d}", "{0.day} {0:%B}",
    "{0:%d} {0:%b}", "{0.day}. {0:%B}", "{0.day}th of {0:%B}", "{0.day}-{0:%b}",
)  # fmt: skip
_WHOLE_DAYS = (
    *(f"{day}{year}" for day in _DAYS for year in (" {0.year}", ", {0.year}")),
    "{0:%Y-%m-%d}", "{0.year}-{0.month}-{0.day}", "{0:%Y/%m/%d}", "{0:%Y.%m.%d}", "{0:%Y%m%d}",
    "{0.year} {0:%b} {0.day}", "{0.day}-{0:%b}-{0.year}", "{0.year}年{0.month}月{0.day}日",
    "{0:%a} {0:%b} {0.day} 14:00:00 {0.year}",
)  # fmt: skip
_REAL = st.dates(date(1991, 1, 1), date(2040, 12, 31))


@given(_REAL, st.sampled_from(_WHOLE_DAYS), st.sampled_from(["", "Papers, ", "(", "seen on "]))
def test_a_day_is_found_in_each_form(day: date, form: str, before: str) -> None:
    """It is read back as it was, at the place where it stands, alone and within a text."""
    printed = form.format(day)
    (found,) = find(f"{before}{printed}) and more")
    assert (found.unit, found.days()) == (Unit.DAY, Period(day, day))
    weekday = 4 if form.startswith("{0:%a}") else 0
    assert (found.start, found.end) == (len(before) + weekday, len(before) + len(printed))


@given(_REAL, st.integers(1, 27), st.sampled_from(_DASHES), st.data())
def test_a_run_of_days_is_found_in_each_form(
    first: date, length: int, dash: str, data: st.DataObject
) -> None:
    """Both orders, any dash, over months and years, give the same days at the place of the text."""
    last = first + timedelta(days=length)
    forms = [
        f"{first:%B} {first.day}{dash}{last:%b} {last.day}",
        f"{first.day} {first:%b}{dash}{last.day} {last:%B}",
        f"{first.day} {first:%b}{dash}{last:%B} {last.day}",
    ]
    if first.month == last.month:
        forms += [
            f"{first:%b} {first.day}{dash}{last.day}",
            f"{first:%B} {first.day}th{dash}{last.day}th",
            f"{first.day}{dash}{last.day} {last:%B}",
            f"{first.day}.{dash}{last.day}. {last:%b}.",
        ]
    has_year = data.draw(st.booleans())
    year = f"{data.draw(st.sampled_from([' ', ', ']))}{last.year}" if has_year else ""
    printed = data.draw(st.sampled_from(forms)) + year
    (found,) = find(f"Papers ({printed})")
    assert found == find_days(f"Papers ({printed})")
    assert (found.start, found.end) == (8, 8 + len(printed))
    assert found.has_year == has_year
    assert found.days(first.year) == Period(first, last)


@given(
    _REAL,
    st.sampled_from([
        "{0:%G}-W{0:%V}", "{0:%G}W{0:%V}", "{0:%G} w{0:%V}", "Week {0:%V}, {0:%G}",
        "week {0:%V} of {0:%G}", "{0:%G} week {0:%V}", "wk {0:%V} {0:%G}", "W{0:%V}/{0:%G}",
    ]),
)  # fmt: skip
def test_a_week_is_found_by_its_number(day: date, form: str) -> None:
    """The ISO week that holds the day, with its year before or behind."""
    (found,) = find(f"Papers: {form.format(day)}!")
    monday = day - timedelta(days=day.weekday())
    assert (found.unit, found.days()) == (Unit.WEEK, Period(monday, monday + timedelta(days=6)))


@pytest.mark.parametrize(
    ("text", "unit", "first_day", "last_day"),
    [
        ("January 2026", Unit.MONTH, date(2026, 1, 1), date(2026, 1, 31)),
        ("feb. 2024", Unit.MONTH, date(2024, 2, 1), date(2024, 2, 29)),
        ("2026-01", Unit.MONTH, date(2026, 1, 1), date(2026, 1, 31)),
        ("Jan - March 2026", Unit.MONTH, date(2026, 1, 1), date(2026, 3, 31)),
        ("nov to feb 2026", Unit.MONTH, date(2025, 11, 1), date(2026, 2, 28)),
        ("2025-Q4", Unit.QUARTER, date(2025, 10, 1), date(2025, 12, 31)),
        ("Q1 of 2026", Unit.QUARTER, date(2026, 1, 1), date(2026, 3, 31)),
        ("2026", Unit.YEAR, date(2026, 1, 1), date(2026, 12, 31)),
        ("the 5th to the 11th of January 2026", Unit.DAYS, date(2026, 1, 5), date(2026, 1, 11)),
        ("Top 10 week 2, 2026", Unit.WEEK, date(2026, 1, 5), date(2026, 1, 11)),
        ("Week of Jan 5, 2026", Unit.DAY, date(2026, 1, 5), date(2026, 1, 5)),
        ("week 5-11 January 2026", Unit.DAYS, date(2026, 1, 5), date(2026, 1, 11)),
        ("the week of 5 to 11 January, 2026", Unit.DAYS, date(2026, 1, 5), date(2026, 1, 11)),
        ("2026-01-05/2026-01-11", Unit.DAYS, date(2026, 1, 5), date(2026, 1, 11)),
        ("2026-01-05..2026-01-11", Unit.DAYS, date(2026, 1, 5), date(2026, 1, 11)),
        ("13.01.2026 \u2013 19.01.2026", Unit.DAYS, date(2026, 1, 13), date(2026, 1, 19)),
        ("12/29/2025 - 1/4/2026", Unit.DAYS, date(2025, 12, 29), date(2026, 1, 4)),
        ("4.1.2026\u201313.1.2026", Unit.DAYS, date(2026, 1, 4), date(2026, 1, 13)),
        ("01/13/2026", Unit.DAY, date(2026, 1, 13), date(2026, 1, 13)),
        ("29 Dec 2025 - 4 Jan 2026", Unit.DAYS, date(2025, 12, 29), date(2026, 1, 4)),
        ("Dec 29 - Jan 4, 2026", Unit.DAYS, date(2025, 12, 29), date(2026, 1, 4)),
        ("2025 Dec 29 - Jan 4", Unit.DAYS, date(2025, 12, 29), date(2026, 1, 4)),
        ("(Jan 5-11) 2026", Unit.DAYS, date(2026, 1, 5), date(2026, 1, 11)),
        ("(5-11 Jan) - 2026", Unit.DAYS, date(2026, 1, 5), date(2026, 1, 11)),
        ("Mon 5 Jan \u2013 Sun 11 Jan 2026", Unit.DAYS, date(2026, 1, 5), date(2026, 1, 11)),
    ],
)
def test_each_part_of_the_calendar_has_its_forms(
    text: str, unit: Unit, first_day: date, last_day: date
) -> None:
    """What is printed whole is a period by itself."""
    found = next(find(text))
    assert (found.unit, found.days()) == (unit, Period(first_day, last_day))


@pytest.mark.parametrize(
    ("text", "first_day", "last_day"),
    [
        ("this week", date(2026, 3, 9), date(2026, 3, 15)),
        ("previous week", date(2026, 3, 2), date(2026, 3, 8)),
        ("next week", date(2026, 3, 16), date(2026, 3, 22)),
        ("yesterday", date(2026, 3, 14), date(2026, 3, 14)),
        ("3 weeks ago", date(2026, 2, 16), date(2026, 2, 22)),
        ("two months ago", date(2026, 1, 1), date(2026, 1, 31)),
        ("last quarter", date(2025, 10, 1), date(2025, 12, 31)),
        ("the last 3 months", date(2025, 12, 15), date(2026, 3, 15)),
        ("past year", date(2025, 3, 15), date(2026, 3, 15)),
    ],
)
def test_relative_dates_go_by_today(text: str, first_day: date, last_day: date) -> None:
    """They say how long ago, and what today is the reader says."""
    found = whole(text)
    assert found
    assert found.days() is None
    assert found.days_from(date(2026, 3, 15)) == Period(first_day, last_day)
    for edge in (date.min, date.max):
        found.days_from(edge)


@pytest.mark.parametrize(
    "text",
    [
        "we may see", "of which 5% of may come", "fast and may even", "by Jan Leike",
        "this may be", "they march on", "Jan Leike", "v10.1", "1/2 price", "arXiv 2412.06769",
        "2501.12948v2", "https://a.example/2021/05/06", "3-2 in the final", "Models 5-7",
        "Marching 5-7 times", "Q4_K_M weights", "W8A8", "4096 tokens", "24/7",
        "GPT-5", "10-20x fast", "05/01/2026", "05.01.2026", "Feb 30, 2026", "2026-02-30", "32 Jan",
        "we found 5 may help", "1.2.3.2024", "2026.01.05.1", "10,000", "a month",
        "Sept-Net", "janvier", "5,000 Jan", "12345-01-05", "2026-W60", "2021-W53", "Marc 5-7",
    ],
)  # fmt: skip
def test_what_looks_like_a_date_is_none(text: str) -> None:
    """Verbs, names, versions, ids, scores, sizes, addresses and days of no calendar."""
    found = [(each.unit, text[each.start : each.end]) for each in find(text)]
    assert [each for each in found if each[0] is not Unit.YEAR] == []


def test_a_count_before_a_month_is_no_day() -> None:
    """The top five of January are not of the fifth."""
    (found,) = find("the top 5 jan papers")
    assert (found.unit, found.first[0]) == (Unit.MONTH, 1)


def test_a_text_has_several_dates() -> None:
    """They come in their order, each with its place."""
    text = "Seen 2026-01-05, Jan 9-15 and in March 2025; since december, last week"
    assert [text[each.start : each.end] for each in find(text)] == [
        "2026-01-05", "Jan 9-15", "March 2025", "december", "last week",
    ]  # fmt: skip


def test_days_that_no_year_has_are_found_and_have_no_days() -> None:
    """So a reader can name what is wrong with them."""
    for text in ("May 20-14", "February 30 - March 5", "31-7 June"):
        found = find_days(text)
        assert found
        assert found.days(2024) is None


def test_a_whole_day_is_found_behind_others() -> None:
    """A day of publication holds its year."""
    assert find_day("Weekly review \u00b7 Jun 28, 2026 \u00b7 43 min") == date(2026, 6, 28)
    assert find_day("5 Jan, then 28 June 2026") == date(2026, 6, 28)
    assert find_day("on Feb 30, 2026") is None


_PIECES = st.sampled_from([
    "jan", "May ", "5", "11", "2026", "-", "\u2013", "/", ".", ", ", " ", "week ", "of ", "w",
    "W02", "q4", "this ", "last ", "3 ", "months", " ago", "to", "(", ")", "st", "th", "the ",
    "T14:00", "14:00:00", "\n", "march", "year", "0", "\u5e74", "x", "Mon ",
])  # fmt: skip


@given(st.one_of(st.text(), st.lists(_PIECES, max_size=16).map("".join)))
def test_a_text_that_is_a_date_has_it_alone(text: str) -> None:
    """What is read whole is also the only one found; places rise, and none overlap."""
    found = list(find(text))
    places = [place for each in found for place in (each.start, each.end)]
    assert places == sorted(places)
    for each in found:
        each.days(2024)
        each.days_from(date(2026, 3, 15))
    read, others = whole(text), misread(text)
    if read:
        assert found == [read] == [leading(text)]
        assert not others
    days = [each.days() for each in others]
    assert (None not in days and len(days) > 1) or days in ([], [None])


def test_each_form_is_of_a_bounded_length() -> None:
    """One look at each place costs no more in a longer text."""
    forms = [each.pattern for each in vars(reading).values() if isinstance(each, re.Pattern)]
    assert len(forms) > 10
    assert [each for each in forms if re.search(r"[*+]|\{\d+,\}", each)] == []
