"""The week that a heading, a file's name or a cell of a list names. All pure.

A range of days is its own; a single day means its ISO week.
"""

import re
from dataclasses import replace
from datetime import date
from urllib.parse import unquote, urlsplit

from bot.domain.dates import find, leading
from bot.domain.dates.written_date import Unit, WrittenDate
from bot.domain.drafts import YearRule
from bot.domain.week_years import YearEvidence, latest_start, resolve_week
from bot.domain.weeks import LONGEST_WEEK, Week, latest
from bot.ingest.formats.own_list.rows import NamedWeek

_LONGEST_TEXT = 300
# Notion ends the names of exported files with such an id.
_NOTION_ID = re.compile(r"[0-9a-f]{32}")
_BETWEEN_WORDS = re.compile(r"[\s_+]+")
_BETWEEN_NUMBERS = re.compile(r"(?<=\d)_(?=\d)")
_BEFORE_YEAR = re.compile(r"(?<![\d-])(\d{1,2})-(?=\d{4}(?!\d))")
_WORD_HYPHEN = re.compile(r"(?<=[A-Za-z])-|-(?=[A-Za-z])(?![wW]\d)")
_BEFORE = re.compile(r"[\W_]+")
_BEHIND = " \t\n([{:,|\u00b7\u2013\u2014/_-"
_WEEK_WORDS = re.compile(
    r"\b(?:(?:for\s)?(?:the\s)?week(?:\s(?:of|commencing|starting|beginning))?(?:\sthe)?|w/c)\s*$",
    re.IGNORECASE,
)


def find_named_week(text: str, evidence: YearEvidence) -> NamedWeek | None:
    """Find the week that a text names; `None` where it names none, or an impossible one.

    Of several dates a week with its year in front counts before a run of days, that before a day,
    and the number of a week last.
    """
    short = text[:_LONGEST_TEXT]
    named = [found for found in find(short) if _names_week(short, found)]
    if not named:
        return None
    found = min(named, key=lambda each: _order(short, each))
    return (_run_of_days if found.unit is Unit.DAYS else _iso_week)(found, evidence)


def _names_week(text: str, found: WrittenDate) -> bool:
    """Tell a date that may name a week: a day without a year needs `week of`, or a text alone."""
    if found.ago is not None or found.unit not in (Unit.DAY, Unit.DAYS, Unit.WEEK):
        return False
    is_bare = found.unit is Unit.DAY and not (found.has_year or found.of_week)
    return not is_bare or not (text[: found.start] + text[found.end :]).strip(" \t.:")


def _order(text: str, found: WrittenDate) -> tuple[int, int]:
    begins_with_year = text[found.start : found.start + 4].isdigit()
    is_first = found.unit is Unit.WEEK and begins_with_year
    order = 0 if is_first else (Unit.DAYS, Unit.DAY, Unit.WEEK).index(found.unit) + 1
    return order, found.start


def _run_of_days(found: WrittenDate, evidence: YearEvidence) -> NamedWeek | None:
    is_whole = found.first_year is not None and found.last_year is not None
    week = resolve_week(found, replace(evidence, option=None) if is_whole else evidence)
    if week is None or week.last_day > week.first_day + LONGEST_WEEK:
        return None
    rule = None if is_whole else week.year_rule
    return NamedWeek(week.first_day, week.last_day, rule, found.start, found.end)


def _iso_week(found: WrittenDate, evidence: YearEvidence) -> NamedWeek | None:
    """Return the ISO week of a day or of a number."""
    rule, year = YearRule.WEEKDAY, evidence.option or evidence.document
    if year:
        rule = YearRule.OPTION if evidence.option else YearRule.DOCUMENT
    days = found.days(year) if year or found.has_year else latest(found, evidence.today)
    is_ahead = days is not None and days.first_day > latest_start(evidence.today)
    if is_ahead and rule is YearRule.DOCUMENT and not found.has_year:
        days = latest(found, evidence.today)
    if days is None:
        return None
    week = Week.of(days.first_day)
    year_rule = None if found.has_year else rule
    return NamedWeek(week.first_day, week.last_day, year_rule, found.start, found.end)


def week_of_day(day: date) -> NamedWeek:
    """Return the ISO week of a day."""
    week = Week.of(day)
    return NamedWeek(week.first_day, week.last_day)


def week_of_file(path: str, evidence: YearEvidence) -> NamedWeek | None:
    """Find the week in the name of a file or of the last part of an address."""
    return find_named_week(_words_of(path), evidence)


def title_of_file(path: str) -> str:
    """Return the name of a file without its ending, as words."""
    return _words_of(path).strip()


def without_week(text: str, week: NamedWeek) -> str:
    """Return a title without the week that it names: `Reading list (Jan 5-11)`."""
    before = _WEEK_WORDS.sub("", _trimmed(text[: week.start]))
    after = text[week.end :].strip(" \t)]},.:;|-\u2013\u2014\u00b7")
    return _trimmed(" ".join(filter(None, [_trimmed(before), after])))


def _trimmed(text: str) -> str:
    found = _BEFORE.match(text)
    return text[found.end() if found else 0 :].rstrip(_BEHIND)


def read_cell_day(text: str) -> date | None:
    """Read the day that a cell begins with: `2026-01-05 09:30`, `January 5, 2026 9:00 AM`."""
    found = leading(text.strip()[:_LONGEST_TEXT])
    days = found.days() if found and found.unit in (Unit.DAY, Unit.DAYS) else None
    return days.first_day if days else None


def _words_of(path: str) -> str:
    name = urlsplit(path).path if "://" in path else path
    name = unquote(re.split(r"[/\\]", name.rstrip("/\\"))[-1])[:_LONGEST_TEXT]
    stem, dot, ending = name.rpartition(".")
    name = stem if dot and stem and ending.isalnum() and not ending.isdigit() else name
    name = _BETWEEN_WORDS.sub(" ", _BETWEEN_NUMBERS.sub("-", _NOTION_ID.sub(" ", name)))
    return _BEFORE_YEAR.sub(r"\1 ", _WORD_HYPHEN.sub(" ", name))
