"""The years of runs of days that print none. All pure.

The rules and their evidence are in `docs/formats.md`.
"""

import re
from calendar import SUNDAY
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import chain
from urllib.parse import urlsplit

from bot.domain.dates.written_date import WrittenDate
from bot.domain.drafts import YearRule
from bot.domain.weeks import LEAP_YEARS

# A number such as 2412.06769 is an arXiv id and names no year.
_NAMED_YEAR = re.compile(r"(?<!\d)(?<!\d\.)(?:19|20)\d{2}(?![0-9A-Za-z]|\.\d)")
# The day on which a file was saved.
_WHOLE_DATE = re.compile(r"(?<!\d)\d{4}(?P<sign>[-_.])\d{1,2}(?P=sign)\d{1,2}(?!\d)")
# The weekday rule looks back this far: a date falls on the same weekday again after five,
# six or eleven years, so a longer look would find a second answer.
LOOK_BACK_YEARS = 6

# Round-ups are published at the end of their week, and some a few days before it begins.
_FARTHEST_AHEAD = timedelta(weeks=1)
# Earlier ones are what programs write that know none, such as 1970; no feed is as old.
_FIRST_PUBLICATION_YEAR = 1990


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
    the year in an index that lists the week, `published` the date of a feed's post or a message,
    `document` the year that names the whole document.
    """

    today: date
    option: int | None = None
    index_year: int | None = None
    published: date | None = None
    document: int | None = None


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
    phrase: WrittenDate, week: ResolvedWeek | None, latest: date
) -> ResolvedWeek | None:
    """Return a week that begins after the `latest` day as that of the latest year before.

    One with the year of its own heading, or the operator's, is returned as it is.
    """
    is_printed = week and week.year_rule in (YearRule.HEADING, YearRule.OPTION)
    if week is None or is_printed or week.first_day <= latest:
        return week
    years = range(latest.year, latest.year - LEAP_YEARS, -1)
    weeks = (starting_in(phrase, year, week.year_rule) for year in years)
    return next((each for each in weeks if each and each.first_day <= latest), None)


def _years_named(text: str) -> set[int]:
    return {int(year) for year in _NAMED_YEAR.findall(_WHOLE_DATE.sub(" ", text))}


def year_of_file(path: str) -> int | None:
    """Return the only year in a file's own name, or in that of an address: `years/2023.md`."""
    whole = urlsplit(path).path if "://" in path else path
    years = _years_named(re.split(r"[/\\]", whole)[-1])
    return years.pop() if len(years) == 1 else None


def year_of_document(title: str | None, path: str) -> int | None:
    """Return the only year in a title, or in the file's name where the title has none."""
    titled = _years_named(title or "")
    if not titled:
        return year_of_file(path)
    return titled.pop() if len(titled) == 1 else None


def starting_in(phrase: WrittenDate, first_year: int, rule: YearRule) -> ResolvedWeek | None:
    """Return the week of a range by the year of its first day, `None` for impossible days."""
    return _resolved(replace(phrase, first_year=first_year, last_year=None), rule)


def resolve_week(phrase: WrittenDate, evidence: YearEvidence) -> ResolvedWeek | None:
    """Return the week of a range by the best evidence.

    Operator > heading > index section > feed date > document > weekday. A year that is not printed
    with the week gives none that lies ahead. `None` where no year makes both days real and in order
    (`February 30`, `May 20-14`).
    """
    if evidence.option is not None:
        return _ending_in(phrase, evidence.option, YearRule.OPTION)
    if phrase.has_year:
        return _resolved(phrase, YearRule.HEADING)
    published = evidence.published
    latest = latest_start(evidence.today, published)
    if evidence.index_year is not None:
        return brought_back(phrase, _by_index(phrase, evidence.index_year), latest)
    if published is not None and is_publication(published, evidence.today):
        return brought_back(phrase, _by_publication(phrase, published), latest)
    if evidence.document is not None:
        named = starting_in(phrase, evidence.document, YearRule.DOCUMENT)
        return brought_back(phrase, named, latest)
    return _by_weekday(phrase, evidence.today)


def _ending_in(phrase: WrittenDate, last_year: int, rule: YearRule) -> ResolvedWeek | None:
    return _resolved(replace(phrase, first_year=None, last_year=last_year), rule)


def _resolved(phrase: WrittenDate, rule: YearRule) -> ResolvedWeek | None:
    days = phrase.days()
    return ResolvedWeek(days.first_day, days.last_day, rule) if days else None


def _by_index(phrase: WrittenDate, year: int) -> ResolvedWeek | None:
    """Take the index section as the year of either end: archives list a crossing week in both."""
    starting = starting_in(phrase, year, YearRule.INDEX)
    ending = _ending_in(phrase, year, YearRule.INDEX)
    if ending and ending.first_day.weekday() == 0:
        return ending
    return starting or ending


def _by_publication(phrase: WrittenDate, published: date) -> ResolvedWeek | None:
    """Take the year that puts the last day nearest to the publication."""
    years = range(published.year - LEAP_YEARS, published.year + 2)
    weeks = [week for year in years if (week := _ending_in(phrase, year, YearRule.FEED))]
    return min(weeks, key=lambda week: abs((week.last_day - published).days), default=None)


def _by_weekday(phrase: WrittenDate, today: date) -> ResolvedWeek | None:
    """Take the latest past year that starts on a Monday, else ends on a Sunday, else any."""
    years = range(today.year, today.year - LOOK_BACK_YEARS - 1, -1)
    starts = (starting_in(phrase, year, YearRule.WEEKDAY) for year in years)
    weeks = [week for week in starts if week and week.first_day <= today]
    mondays = (week for week in weeks if week.first_day.weekday() == 0)
    sundays = (week for week in weeks if week.last_day.weekday() == SUNDAY)
    return next(chain(mondays, sundays, weeks), None)
