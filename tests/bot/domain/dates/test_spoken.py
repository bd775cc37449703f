"""Days and lengths as people name them shortly."""

from datetime import date

import pytest

from bot.domain.dates.spoken import with_days, with_parts_of_months

_WEDNESDAY = date(2026, 11, 25)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("from the 9th to the 20th", "from 2026-11-09 to 2026-11-20"),
        ("from the 20th to the 5th", "from 2026-10-20 to 2026-11-05"),
        ("everything after the 28th", "everything after 2026-10-28"),
        ("since 14/9", "since 2026-09-14"),
        ("since 10/15", "since 2026-10-15"),
        ("away 21.9.-9.10.", "away 2026-09-21 to 2026-10-09"),
        ("since halloween", "since 2026-10-31"),
        ("since easter", "since 2026-04-05"),
        ("between easter and now", "since 2026-04-05"),
        ("in aug n sept", "in aug to sept"),
        ("march or august and may", "march or august to may"),
        ("gist of week 45 and 46", "gist from week 45 to week 46"),
        ("wk 44 - 47", "from week 44 to week 47"),
        ("week 2 and 3 of may", "week 2 and 3 of may"),
        ("like 3 weeks", "3 weeks"),
        ("since thanksgiving", "since 2025-11-27"),
        ("since labor day", "since 2026-09-07"),
        ("half a year", "6 months"),
        ("a month and a half", "6 weeks"),
        ("6wks", "6 weeks"),
        ("last 2w", "last 2 weeks"),
        ("the first two weeks of november", "from november 1 to november 14"),
        ("nov 9 till now", "since nov 9"),
        ("stopped 2 years ago", "stopped in 2 years ago"),
        ("two and a half weeks", "18 days"),
        ("2.5 weeks", "18 days"),
        ("twelve days", "12 days"),
        ("past 72 hours", "past 3 days"),
        ("last ten days of october", "from october 22 to october 31"),
        ("the second week of november", "from november 8 to november 14"),
        ("since the second week of november", "since november 8"),
        ("until the first two weeks of november", "until november 14"),
        ("the month of October", "October"),
        ("on monday I was off", "in 2026-11-23 I was off"),
        ("recap weeks 44 to 46", "recap from week 44 to week 46"),
        ("26.10. - 8.11.", "2026-10-26 to 2026-11-08"),
        ("last tuesday to now", "since 2026-11-24"),
        ("24 oct - 14 nov", "24 oct to 14 nov"),
        ("11/9 to 11/20", "from 2026-11-09 to 2026-11-20"),
        ("from saturday to tuesday", "from 2026-11-21 to 2026-11-24"),
        ("sick mon-wed", "sick from 2026-11-23 to 2026-11-25"),
        ("since tuesday last week", "since 2026-11-17"),
        ("until last friday", "until 2026-11-20"),
        ("weekend recap", "from 2026-11-21 to 2026-11-22 recap"),
        ("since i left on friday", "since i left in 2026-11-20"),
        ("the week before last", "from 2026-11-09 to 2026-11-15"),
        ("the day before yesterday", "2026-11-23"),
        ("on the 7th", "in 2026-11-07"),
    ],
)
def test_what_people_name_shortly_is_written_out(said: str, written: str) -> None:
    """A day without its month or year is the last such day before today."""
    assert with_days(said, _WEDNESDAY) == written


@pytest.mark.parametrize(
    "said",
    [
        "5/6",
        "since 5/6",
        "since 31/2",
        "4d reconstruction",
        "llama 3.2.",
        "since the 45th",
        "the 40th to the 5th",
        "24/7 agents",
        "since 31.2.",
        "5/6 to 7/8",
        "next weekend",
        "sun and moon",
        "post it monday to friday at 9",
        "sat solvers",
    ],
)
def test_what_is_no_day_or_may_be_two_stays(said: str) -> None:
    """Numbers that are a day in two ways, in none, or a part of something are left alone."""
    assert with_days(said, _WEDNESDAY) == said


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("in mid-october", "from october 11 to october 20"),
        ("late feb 2028", "from feb 20 to feb 29 2028"),
        ("late october", "from october 22 to october 31"),
        ("the second half of october", "from october 16 to october 31"),
        ("the first half of 2025", "the first half of 2025"),
    ],
)
def test_a_part_of_a_month_ends_with_it(said: str, written: str) -> None:
    """The last day of a month is that of the calendar."""
    assert with_parts_of_months(said, _WEDNESDAY) == written
