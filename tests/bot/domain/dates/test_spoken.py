"""Days and lengths as people name them shortly."""

from datetime import date

import pytest

from bot.domain.dates.spoken import with_days

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
        ("since thanksgiving", "since 2025-11-27"),
        ("since labor day", "since 2026-09-07"),
        ("half a year", "6 months"),
        ("a month and a half", "6 weeks"),
        ("6wks", "6 weeks"),
        ("last 2w", "last 2 weeks"),
        ("the first two weeks of november", "from november 1 to november 14"),
        ("nov 9 till now", "since nov 9"),
        ("stopped 2 years ago", "stopped in 2 years ago"),
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
    ],
)
def test_what_is_no_day_or_may_be_two_stays(said: str) -> None:
    """Numbers that are a day in two ways, in none, or a part of something are left alone."""
    assert with_days(said, _WEDNESDAY) == said
