"""ISO weeks, and the weeks, periods and days to come that users name. All pure.

A week is an ISO week, Monday to Sunday: https://en.wikipedia.org/wiki/ISO_week_date
"""

from dataclasses import dataclass
from datetime import date, timedelta

from bot.domain.dates import whole
from bot.domain.dates.written_date import MONTHS_IN, YEARS, Period, Unit, WrittenDate
from bot.domain.schedule import WEEKDAYS

EXPECTED_WEEK = (
    "A week is named by a day in it (2026-01-07, jan 5, 5 january), by its days (5-11 jan), by its"
    " number (2026-W02, week 2), or as this week, last week or 3 weeks ago."
)
EXPECTED_PERIOD = (
    "A period is a year (2025), a quarter (q4, 2025-Q4), a month (march, 2025-03), a week"
    " (2025-W12, last week), days (17-23 march), a day (2025-03-17), months (march to may 2025), or"
    " as last month or the last 3 months."
)

# A longer run of days is a month or a quarter rather than a week.
LONGEST_WEEK = timedelta(days=31)
_HALF_A_YEAR = timedelta(days=184)
# No longer than this from one February 29 to the next: 1896 to 1904.
LEAP_YEARS = 9
_SHORTEST_WEEKDAY = 3  # letters that tell it from the others


@dataclass(frozen=True, slots=True, order=True)
class Week:
    """An ISO week; the earlier the smaller."""

    year: int
    number: int

    @classmethod
    def of(cls, day: date) -> "Week":
        """Return the week that a day is in."""
        year, number, _ = day.isocalendar()
        return cls(year, number)

    @classmethod
    def named(cls, name: str) -> "Week":
        """Return the week of a name as `name` gives it."""
        return cls(int(name[:4]), int(name[6:]))

    @property
    def name(self) -> str:
        """The name of the week: `2026-W02`."""
        return f"{self.year:04}-W{self.number:02}"

    @property
    def first_day(self) -> date:
        """The Monday."""
        return date.fromisocalendar(self.year, self.number, 1)

    @property
    def last_day(self) -> date:
        """The Sunday."""
        return date.fromisocalendar(self.year, self.number, 7)


def latest(written: WrittenDate, today: date) -> Period | None:
    """Return the days of a date; without a year they are the latest that have begun.

    A run whose months stand the wrong way round is the shorter one between them.
    """
    if written.ago is not None:
        return written.days_from(today)
    years = {written.first_year, written.last_year} - {None}
    may_turn = written.crosses_year or len(years) > 1
    if written.has_year:
        return written.days() or (written.turned().days() if may_turn else None)
    days = _latest(written, today)
    is_long = days is not None and days.last_day - days.first_day > _HALF_A_YEAR
    return _latest(written.turned(), today) if is_long and may_turn else days


def _latest(written: WrittenDate, today: date) -> Period | None:
    tried = map(written.days, range(today.year, today.year - LEAP_YEARS, -1))
    return next((days for days in tried if days and days.first_day <= today), None)


def parse_days(text: str, today: date) -> Period | None:
    """Read the days of a week, where `today` is the user's date; `None` if the text names none.

    A run of days is its own. Days without a year are the latest past ones.
    """
    written = whole(text)
    if written is None or written.is_run or written.unit not in (Unit.DAY, Unit.DAYS, Unit.WEEK):
        return None
    days = latest(written, today)
    if days is None or written.unit is not Unit.DAY:
        return days if days and days.last_day - days.first_day <= LONGEST_WEEK else None
    week = Week.of(days.first_day)
    return Period(week.first_day, week.last_day) if week.year in YEARS else None


def parse_week(text: str, today: date) -> Week | None:
    """Read a week as `parse_days` does; a run of days is the week that holds most of them."""
    days = parse_days(text, today)
    return Week.of(days.first_day + (days.last_day - days.first_day) // 2) if days else None


def parse_period(text: str, today: date) -> Period | None:
    """Read a period, where `today` is the user's date; `None` if the text names none.

    This month, quarter or year ends today. A day without a year stands for its week.
    """
    written, period = whole(text), parse_whole_period(text, today)
    if period and written and written.unit in MONTHS_IN and written.ago == 0:
        return Period(period.first_day, today)
    return period


def parse_whole_period(text: str, today: date) -> Period | None:
    """Read a period as `parse_period` does, but this month and this year up to their end."""
    written = whole(text)
    period = latest(written, today) if written else None
    if written is None or period is None or period.first_day.year not in YEARS:
        return None
    if written.unit is Unit.DAY and written.ago is None and not written.has_year:
        week = Week.of(period.first_day)
        return Period(week.first_day, week.last_day)
    return period


def parse_edge(text: str, today: date) -> Period | None:
    """Read what a list begins or ends with as `parse_period` does, but a day as that very day."""
    written = whole(text)
    if written is None or written.unit is not Unit.DAY:
        return parse_period(text, today)
    day = latest(written, today)
    return day if day and day.first_day.year in YEARS else None


def name_of(period: Period) -> str:
    """Return a name by which `parse_period` reads a period again on any day."""
    first = period.first_day
    quarter = f"{first:%Y}-Q{(first.month + 2) // 3}"
    names = first.isoformat(), Week.of(first).name, f"{first:%Y-%m}", quarter, f"{first:%Y}"
    run_of_days = f"{first}..{period.last_day}"
    return next((name for name in names if parse_period(name, first) == period), run_of_days)


def parse_coming(text: str, today: date) -> date | None:
    """Read a day to come; a weekday, or a date without a year, is the next one after today."""
    written = whole(text)
    if written is None:
        return _next_weekday(text.strip().lower().removeprefix("next "), today)
    if written.has_year or written.ago is not None:
        days = written.days() or written.days_from(today)
        return days.first_day if days else None
    tried = map(written.days, range(today.year, today.year + LEAP_YEARS))
    return next((days.first_day for days in tried if days and days.first_day > today), None)


def _next_weekday(name: str, today: date) -> date | None:
    for number, weekday in enumerate(WEEKDAYS):
        if len(name) >= _SHORTEST_WEEKDAY and weekday.startswith(name):
            return today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)
    return None
