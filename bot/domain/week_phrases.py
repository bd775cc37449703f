"""Ranges of days in headings, and the years of those without one. All pure.

The rules and their evidence are in `docs/formats.md`.
"""

import re
from calendar import SUNDAY
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain
from urllib.parse import urlsplit

from bot.domain.drafts import YearRule

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH = r"(?P<{0}month>[A-Za-z]{{3,9}})\.?"
_DAY = r"(?P<{0}day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"
_YEAR = r"(?:,?\s*(?P<{0}year>\d{{4}})(?!\d))"
_DASH = r"\s*(?:-{1,2}|[\u2010-\u2015\u2212]|\bto\b|\bthrough\b|\buntil\b)\s*"
_WEEK = re.compile(
    _MONTH.format("first_") + r"\s*" + _DAY.format("first_") + _YEAR.format("first_") + "?"
    + _DASH
    + "(?:" + _MONTH.format("last_") + r"\s*)?" + _DAY.format("last_")
    + _YEAR.format("last_") + "?",
    re.IGNORECASE,
)  # fmt: skip
_TRAILING_YEAR = re.compile(r"^\W*?(?P<year>(?:19|20)\d{2})(?!\d)")
_DAY_OF_YEAR = re.compile(
    _MONTH.format("") + r"\s*" + _DAY.format("") + r",?\s*(?P<year>\d{4})(?!\d)", re.IGNORECASE
)
_MONTH_DAY = re.compile(_MONTH.format("") + r"\s*" + _DAY.format(""), re.IGNORECASE)
_DAY_MONTH = re.compile(_DAY.format("") + r"\s*" + _MONTH.format(""), re.IGNORECASE)
# A number such as 2412.06769 is an arXiv id and names no year.
_NAMED_YEAR = re.compile(r"(?<!\d)(?<!\d\.)(?:19|20)\d{2}(?![0-9A-Za-z]|\.\d)")
# The day on which a file was saved.
_WHOLE_DATE = re.compile(r"(?<!\d)\d{4}(?P<sign>[-_.])\d{1,2}(?P=sign)\d{1,2}(?!\d)")
# No longer than this from one February 29 to the next: 1896 to 1904.
_LEAP_YEARS = 9

# Four digits, as names of weeks and months have them, with a week of another year on either side.
YEARS = range(1000, 9999)

# The weekday rule looks back this far: a date falls on the same weekday again after five,
# six or eleven years, so a longer look would find a second answer.
LOOK_BACK_YEARS = 6

# Round-ups are published at the end of their week, and some a few days before it begins.
_FARTHEST_AHEAD = timedelta(weeks=1)
# Earlier ones are what programs write that know none, such as 1970; no feed is as old.
_FIRST_PUBLICATION_YEAR = 1990


@dataclass(frozen=True, slots=True)
class WeekPhrase:
    """A range of days as printed: (month, day) pairs, and the years if printed.

    `start` and `end` are character offsets in the searched text, a trailing year included.
    """

    first: tuple[int, int]
    last: tuple[int, int]
    first_year: int | None
    last_year: int | None
    start: int
    end: int

    @property
    def crosses_year(self) -> bool:
        """True if the last day's month comes before the first day's, as in December to January."""
        return self.last[0] < self.first[0]


@dataclass(frozen=True, slots=True)
class ResolvedWeek:
    """The days of a week with their year, and the rule for the year."""

    first_day: date
    last_day: date
    year_rule: YearRule


@dataclass(frozen=True, slots=True)
class YearEvidence:
    """The evidence for the year of a range, beside its own heading.

    `today` limits the weekday rule; `option` is the operator's year and comes first, `index_year`
    the year in an index that lists the week, `published` the date of a feed's post or a message.
    """

    today: date
    option: int | None = None
    index_year: int | None = None
    published: date | None = None


def is_publication(day: date | None, today: date) -> bool:
    """Tell whether a stated day of publication can be one; today differs by zone."""
    return (
        day is not None and day.year >= _FIRST_PUBLICATION_YEAR and day <= today + timedelta(days=1)
    )


def latest_start(today: date, published: date | None = None) -> date:
    """Return the last day on which a week may begin whose document was published on a day.

    Today counts where the publication is not stated, or can't be one.
    """
    stated = published if published and is_publication(published, today) else today
    return min(stated, today) + _FARTHEST_AHEAD


def brought_back(
    phrase: WeekPhrase, week: ResolvedWeek | None, latest: date
) -> ResolvedWeek | None:
    """Return a week that begins after the `latest` day as that of the latest year before.

    One with the year of its own heading, or the operator's, is returned as it is.
    """
    is_printed = week and week.year_rule in (YearRule.HEADING, YearRule.OPTION)
    if week is None or is_printed or week.first_day <= latest:
        return week
    years = range(latest.year, latest.year - _LEAP_YEARS, -1)
    weeks = (starting_in(phrase, year, week.year_rule) for year in years)
    return next((each for each in weeks if each and each.first_day <= latest), None)


def find_week(text: str) -> WeekPhrase | None:
    """Find the first range of days in a line: `Jan 9-15`, `December 30 - January 5, 2026`.

    A year right behind the range, past a bracket or a dash, counts as the last day's.
    """
    for match in _WEEK.finditer(text):
        first_month = _month(match["first_month"])
        last_month = _month(match["last_month"]) if match["last_month"] else first_month
        if first_month is None or last_month is None:
            continue
        last_year, end = match["last_year"], match.end()
        if last_year is None and (trailing := _TRAILING_YEAR.match(text[end:])):
            last_year, end = trailing["year"], end + trailing.end()
        return WeekPhrase(
            first=(first_month, int(match["first_day"])),
            last=(last_month, int(match["last_day"])),
            first_year=int(match["first_year"]) if match["first_year"] else None,
            last_year=int(last_year) if last_year else None,
            start=match.start(),
            end=end,
        )
    return None


def find_day(text: str) -> date | None:
    """Find the first whole date, such as `Jun 28, 2026`."""
    return next(filter(None, map(_day_of, _DAY_OF_YEAR.finditer(text))), None)


def read_day(text: str) -> date | None:
    """Read a text that is a whole date, such as `Jun 28, 2026`."""
    found = _DAY_OF_YEAR.fullmatch(text)
    return _day_of(found) if found else None


def _day_of(found: re.Match[str]) -> date | None:
    month = _month(found["month"])
    return _date(int(found["year"]), (month, int(found["day"]))) if month else None


def read_month_day(text: str) -> tuple[int, int] | None:
    """Read the month and the day of a day without year: `jan 5`, `5 January`."""
    found = _MONTH_DAY.fullmatch(text.strip()) or _DAY_MONTH.fullmatch(text.strip())
    month = _month(found["month"]) if found else None
    return (month, int(found["day"])) if found and month else None


def read_month(text: str) -> int | None:
    """Read the name of a month, whole or its first letters: `jan`, `Sept.`, `january`."""
    return _month(text.strip().removesuffix("."))


def latest_day(month_day: tuple[int, int], today: date) -> date | None:
    """Return the latest such day not in the future; February 29 is that of a leap year."""
    years = range(today.year, today.year - _LEAP_YEARS, -1)
    days = (_date(year, month_day) for year in years)
    return next((day for day in days if day and day <= today), None)


def next_day(month_day: tuple[int, int], today: date) -> date | None:
    """Return the first such day after today."""
    days = (_date(year, month_day) for year in range(today.year, today.year + _LEAP_YEARS))
    return next((day for day in days if day and day > today), None)


def years_named(text: str) -> set[int]:
    """Return the years in a title or a name, without those of whole dates."""
    return {int(year) for year in _NAMED_YEAR.findall(_WHOLE_DATE.sub(" ", text))}


def year_of_file(path: str) -> int | None:
    """Return the only year in a file's own name, or in that of an address: `years/2023.md`."""
    whole = urlsplit(path).path if "://" in path else path
    years = years_named(re.split(r"[/\\]", whole)[-1])
    return years.pop() if len(years) == 1 else None


def starting_in(phrase: WeekPhrase, first_year: int, rule: YearRule) -> ResolvedWeek | None:
    """Return the week of a range by the year of its first day, `None` for impossible days."""
    return _ending_in(phrase, first_year + phrase.crosses_year, rule, first_year)


def resolve_week(phrase: WeekPhrase, evidence: YearEvidence) -> ResolvedWeek | None:
    """Return the week of a range by the best evidence.

    Operator > heading > index section > feed date > weekday. A year that is not printed with the
    week gives none that lies ahead. `None` where no year makes both days real and in order
    (`February 30`, `May 20-14`).
    """
    if evidence.option is not None:
        return _ending_in(phrase, evidence.option, YearRule.OPTION)
    if phrase.last_year is not None:
        return _ending_in(phrase, phrase.last_year, YearRule.HEADING, phrase.first_year)
    if phrase.first_year is not None:
        return starting_in(phrase, phrase.first_year, YearRule.HEADING)
    published = evidence.published
    latest = latest_start(evidence.today, published)
    if evidence.index_year is not None:
        return brought_back(phrase, _by_index(phrase, evidence.index_year), latest)
    if published is not None and is_publication(published, evidence.today):
        return brought_back(phrase, _by_publication(phrase, published), latest)
    return _by_weekday(phrase, evidence.today)


def _month(word: str) -> int | None:
    name = word.lower()
    if name == "sept":
        return 9
    numbers = (n for n, month in enumerate(_MONTHS, 1) if name in (month, month[:3]))
    return next(numbers, None)


def _date(year: int, month_day: tuple[int, int]) -> date | None:
    try:
        return date(year, *month_day) if year in YEARS else None
    except ValueError:
        return None


def _ending_in(
    phrase: WeekPhrase, last_year: int, rule: YearRule, first_year: int | None = None
) -> ResolvedWeek | None:
    if first_year is None:
        first_year = last_year - phrase.crosses_year
    first, last = _date(first_year, phrase.first), _date(last_year, phrase.last)
    return ResolvedWeek(first, last, rule) if first and last and first <= last else None


def _by_index(phrase: WeekPhrase, year: int) -> ResolvedWeek | None:
    """Take the index section as the year of either end: archives list a crossing week in both."""
    starting = starting_in(phrase, year, YearRule.INDEX)
    ending = _ending_in(phrase, year, YearRule.INDEX)
    if ending and ending.first_day.weekday() == 0:
        return ending
    return starting or ending


def _by_publication(phrase: WeekPhrase, published: date) -> ResolvedWeek | None:
    """Take the year that puts the last day nearest to the publication."""
    years = range(published.year - _LEAP_YEARS, published.year + 2)
    weeks = [week for year in years if (week := _ending_in(phrase, year, YearRule.FEED))]
    return min(weeks, key=lambda week: abs((week.last_day - published).days), default=None)


def _by_weekday(phrase: WeekPhrase, today: date) -> ResolvedWeek | None:
    """Take the latest past year that starts on a Monday, else ends on a Sunday, else any."""
    years = range(today.year, today.year - LOOK_BACK_YEARS - 1, -1)
    starts = (starting_in(phrase, year, YearRule.WEEKDAY) for year in years)
    weeks = [week for week in starts if week and week.first_day <= today]
    mondays = (week for week in weeks if week.first_day.weekday() == 0)
    sundays = (week for week in weeks if week.last_day.weekday() == SUNDAY)
    return next(chain(mondays, sundays, weeks), None)
