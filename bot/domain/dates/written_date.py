"""A date as it is written: what is printed, and its days once its year is known. All pure."""

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum, auto

MonthDay = tuple[int, int]

# Four digits, as names of weeks and months have them, with a week of another year on either side.
YEARS = range(1000, 9999)


class Unit(StrEnum):
    """The part of the calendar that a date is."""

    DAY = auto()
    DAYS = auto()  # from one day to another
    WEEK = auto()
    MONTH = auto()  # or several
    QUARTER = auto()
    YEAR = auto()


@dataclass(frozen=True, slots=True)
class Period:
    """A run of days, both ends within it."""

    first_day: date
    last_day: date


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date as it is printed, and its place in the text; `None` is left to the reader.

    `first` and `last` are the month and day of its ends, which need not be real. A week has its
    `number` instead. A relative date is as many units `ago` as it says, fewer than none if it is to
    come; one that `is_run` goes on from then to today. Before one `of_week` stood `week of`.
    """

    unit: Unit
    start: int
    end: int
    first: MonthDay = (1, 1)
    last: MonthDay = (12, 31)
    first_year: int | None = None
    last_year: int | None = None
    number: int = 0
    ago: int | None = None
    is_run: bool = False
    of_week: bool = False

    @property
    def has_year(self) -> bool:
        """True if the year of one of its ends is printed."""
        return self.first_year is not None or self.last_year is not None

    @property
    def crosses_year(self) -> bool:
        """True if the last day's month comes before the first day's, as in December to January."""
        return self.last[0] < self.first[0]

    def days(self, year: int | None = None) -> Period | None:
        """Return the days; without a printed year those whose first day is in `year`.

        `None` without any year, and for days that the calendar does not have in this order.
        """
        first_year, last_year = self.first_year, self.last_year
        if first_year is None:
            first_year = year if last_year is None else last_year - self.crosses_year
        if first_year is None:
            return None
        if last_year is None:
            last_year = first_year + self.crosses_year
        if first_year not in YEARS or last_year not in YEARS:
            return None
        try:
            if self.unit is Unit.WEEK:
                monday = date.fromisocalendar(first_year, self.number, 1)
                return Period(monday, monday + timedelta(days=6))
            month, day = self.last
            if self.unit in MONTHS_IN:
                day = monthrange(last_year, month)[1]
            first, last = date(first_year, *self.first), date(last_year, month, day)
        except ValueError:
            return None
        return Period(first, last) if first <= last else None

    def turned(self) -> "WrittenDate":
        """Return a run the other way round: `june to may` as `may to june`."""
        months = MONTHS_IN.get(self.unit, 0)
        first, last = self.last, self.first
        if months:
            first, last = (first[0] - months + 1, 1), (last[0] + months - 1, last[1])
        return replace(
            self, first=first, last=last, first_year=self.last_year, last_year=self.first_year
        )

    def as_week(self) -> "WrittenDate | None":
        """Return the days of the ISO week that the first day of a date with its year is in."""
        if (days := self.days()) is None:
            return None
        first = days.first_day - timedelta(days=days.first_day.weekday())
        last = first + timedelta(days=6)
        return replace(
            self,
            unit=Unit.DAYS,
            first=(first.month, first.day),
            last=(last.month, last.day),
            first_year=first.year,
            last_year=last.year,
        )

    def days_from(self, today: date) -> Period | None:
        """Return the days of a relative date; `None` for another, and beyond the calendar."""
        if self.ago is None:
            return None
        try:
            if self.unit in MONTHS_IN:
                return self._months_from(today, MONTHS_IN[self.unit])
            ago = self.ago * timedelta(days=1 if self.unit is Unit.DAY else 7)
            if self.is_run:
                return Period(today - ago, today)
            if self.unit is Unit.DAY:
                return Period(today - ago, today - ago)
            monday = today - timedelta(days=today.weekday()) - ago
            return Period(monday, monday + timedelta(days=6))
        except (ValueError, OverflowError):
            return None

    def _months_from(self, today: date, length: int) -> Period | None:
        now, ago = 12 * today.year + today.month - 1, length * (self.ago or 0)
        if self.is_run:
            year, month = divmod(now - ago, 12)
            day = min(today.day, monthrange(year, month + 1)[1])
            return Period(date(year, month + 1, day), today)
        year, month = divmod(now - now % length - ago, 12)
        first, last = (month + 1, 1), (month + length, 1)
        return replace(
            self, ago=None, first=first, last=last, first_year=year, last_year=year
        ).days()


MONTHS_IN = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12}
