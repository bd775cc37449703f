"""The week that a heading, a file's name or a cell of a list names. All pure.

A range of days is its own; a single day means its ISO week.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import chain
from urllib.parse import unquote, urlsplit

from bot.domain.drafts import YearRule
from bot.domain.week_phrases import (
    YEARS,
    WeekPhrase,
    YearEvidence,
    brought_back,
    find_week,
    latest_day,
    latest_start,
    read_month_day,
    resolve_week,
    starting_in,
    years_named,
)
from bot.domain.weeks import parse_week, whole_day
from bot.ingest.formats.own_list.rows import NamedWeek

_LAST = timedelta(days=6)
# A longer range of days is a month or a quarter rather than a week.
_LONGEST = timedelta(days=31)
_LONGEST_TEXT = 300
_DASH = r"\s*(?:-{1,2}|[\u2010-\u2015\u2212/]|\.\.|\bto\b|\bthrough\b|\buntil\b|\u2192)\s*"
_ISO_RANGE = re.compile(
    r"(?<!\d)(?P<first>\d{4}-\d{1,2}-\d{1,2})" + _DASH + r"(?P<last>\d{4}-\d{1,2}-\d{1,2})(?!\d)"
)
_DAYS_MONTH = re.compile(
    r"(?<!\d)(?P<day>\d{1,2})\.?\s*(?P<month>[A-Za-z]{3,9})?\.?"
    + _DASH
    + r"(?P<last_day>\d{1,2})\.?"
    r"\s+(?P<last_month>[A-Za-z]{3,9})\b\.?(?:,?\s*(?P<year>\d{4})(?!\d))?"
)
_WHOLE_DAYS = (
    re.compile(r"(?<!\d)\d{4}-\d{1,2}-\d{1,2}(?!\d)"),
    re.compile(r"(?<!\d)\d{4}/\d{1,2}/\d{1,2}(?!\d)"),
    re.compile(r"(?<!\d)\d{4}\.\d{1,2}\.\d{1,2}(?!\d)"),
    re.compile(r"\b[A-Za-z]{3,9}\.?\s?\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}(?!\d)"),
    re.compile(r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?\.?\s[A-Za-z]{3,9}\.?,?\s\d{4}(?!\d)"),
)
_ISO_WEEK = re.compile(
    r"(?<![A-Za-z0-9])(?P<year>\d{4})[-\s]?W(?P<number>\d{1,2})(?!\d)", re.IGNORECASE
)
_NUMBERED_WEEK = re.compile(
    r"(?:(?<![A-Za-z0-9])(?P<before>\d{4}),?\s+)?\b(?:week|wk\.?|w)\s?#?(?P<number>\d{1,2})(?!\d)"
    r"(?:,?\s*(?:of\s|/\s?|-\s?)?(?P<year>\d{4})(?!\d))?",
    re.IGNORECASE,
)
_WEEK_OF_DAY = re.compile(
    r"\b(?:week|w/c)\s*(?:of|commencing|starting|beginning|from)?:?\s*(?:the\s)?"
    r"(?P<day>[A-Za-z]{3,9}\.?\s?\d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?\.?\s[A-Za-z]{3,9})"
    r"(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_COMPACT_DAY = re.compile(r"(?<!\d)(?P<year>20\d{2})(?P<month>[01]\d)(?P<day>[0-3]\d)(?!\d)")
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


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for the year of days without one: today, the operator's, the document's."""

    today: date
    option: int | None = None
    document: int | None = None


def find_named_week(text: str, evidence: Evidence) -> NamedWeek | None:
    """Find the week that a text names; `None` where it names none, or an impossible one."""
    short = text[:_LONGEST_TEXT]
    if found := _iso_range(short) or _iso_week(short):
        return found
    if phrase := _phrase(short):
        return _range(*phrase, evidence)
    return _whole(short) or _day_without_year(short, evidence) or _numbered(short, evidence)


def read_week(text: str, today: date) -> NamedWeek | None:
    """Read a week that an operator names: as headings do, the latest past one, or `last week`."""
    short = text.strip()[:_LONGEST_TEXT]
    phrase = _phrase(short)
    if phrase and phrase[0].first_year is None and phrase[0].last_year is None:
        first = latest_day(phrase[0].first, today)
        return _range(*phrase, Evidence(today, document=first.year)) if first else None
    if found := find_named_week(short, Evidence(today)):
        return found
    week = parse_week(short, today)
    return NamedWeek(week.first_day, week.last_day) if week else None


def week_of_day(day: date, year_rule: YearRule | None = None) -> NamedWeek:
    """Return the ISO week of a day."""
    monday = day - timedelta(days=day.weekday())
    return NamedWeek(monday, monday + _LAST, year_rule)


def week_of_file(path: str, evidence: Evidence) -> NamedWeek | None:
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
    for pattern in _WHOLE_DAYS:
        if found := pattern.match(text.strip()[:_LONGEST_TEXT]):
            return _day(found[0])
    return None


def _words_of(path: str) -> str:
    name = urlsplit(path).path if "://" in path else path
    name = unquote(re.split(r"[/\\]", name.rstrip("/\\"))[-1])[:_LONGEST_TEXT]
    stem, dot, ending = name.rpartition(".")
    name = stem if dot and stem and ending.isalnum() and not ending.isdigit() else name
    name = _COMPACT_DAY.sub(r"\g<year>-\g<month>-\g<day>", _NOTION_ID.sub(" ", name))
    name = _BETWEEN_WORDS.sub(" ", _BETWEEN_NUMBERS.sub("-", name))
    return _BEFORE_YEAR.sub(r"\1 ", _WORD_HYPHEN.sub(" ", name))


def _weeks_in(year: int) -> int:
    return date(year, 12, 28).isocalendar().week  # which is always in the last one


def _at(week: NamedWeek, found: re.Match[str]) -> NamedWeek:
    return replace(week, start=found.start(), end=found.end())


def _day(text: str) -> date | None:
    try:
        found = whole_day(" ".join(re.sub(r"(?<=\d)\.(?=\s)", "", text).lower().split()))
    except ValueError:
        return None
    return found if found and found.year in YEARS else None


def _iso_range(text: str) -> NamedWeek | None:
    for found in _ISO_RANGE.finditer(text):
        first, last = _day(found["first"]), _day(found["last"])
        if first and last and first <= last <= first + _LONGEST:
            return NamedWeek(first, last, None, *found.span())
    return None


def _iso_week(text: str) -> NamedWeek | None:
    for found in _ISO_WEEK.finditer(text):
        year, number = int(found["year"]), int(found["number"])
        if year in YEARS and 1 <= number <= _weeks_in(year):
            return _at(week_of_day(date.fromisocalendar(year, number, 1)), found)
    return None


def _phrase(text: str) -> tuple[WeekPhrase, int, int] | None:
    """Find `Jan 5-11, 2026` with its place; `5-11 January 2026` is read as the former."""
    if phrase := find_week(text):
        return phrase, phrase.start, phrase.end
    found = _DAYS_MONTH.search(text)
    if found is None:
        return None
    first = f"{found['month'] or found['last_month']} {found['day']}"
    year = f", {found['year']}" if found["year"] else ""
    phrase = find_week(f"{first} - {found['last_month']} {found['last_day']}{year}")
    return (phrase, *found.span()) if phrase else None


def _range(phrase: WeekPhrase, start: int, end: int, evidence: Evidence) -> NamedWeek | None:
    has_year = phrase.first_year is not None or phrase.last_year is not None
    if evidence.document and evidence.option is None and not has_year:
        named = starting_in(phrase, evidence.document, YearRule.DOCUMENT)
        week = brought_back(phrase, named, latest_start(evidence.today))
    else:
        week = resolve_week(phrase, YearEvidence(evidence.today, option=evidence.option))
    if week is None or week.last_day > week.first_day + _LONGEST:
        return None
    return NamedWeek(week.first_day, week.last_day, week.year_rule, start, end)


def _whole(text: str) -> NamedWeek | None:
    matches: Iterator[re.Match[str]] = chain.from_iterable(
        pattern.finditer(text) for pattern in _WHOLE_DAYS
    )
    for found in matches:
        if day := _day(found[0]):
            return _at(week_of_day(day), found)
    return None


def _day_without_year(text: str, evidence: Evidence) -> NamedWeek | None:
    named = _WEEK_OF_DAY.search(text)
    bare = text.strip(" \t.:")
    month_day = read_month_day(named["day"] if named else bare)
    span = named.span() if named else (0, len(text))
    if month_day is None:
        return None
    year, rule = evidence.option or evidence.document, YearRule.WEEKDAY
    if year is None:
        day = latest_day(month_day, evidence.today)
    else:
        rule = YearRule.OPTION if evidence.option else YearRule.DOCUMENT
        day = _day(f"{year}-{month_day[0]}-{month_day[1]}")
        if day and rule is YearRule.DOCUMENT and day > latest_start(evidence.today):
            day = latest_day(month_day, evidence.today)
    return replace(week_of_day(day, rule), start=span[0], end=span[1]) if day else None


def _numbered(text: str, evidence: Evidence) -> NamedWeek | None:
    found = _NUMBERED_WEEK.search(text)
    if found is None:
        return None
    printed = found["year"] or found["before"]
    year = printed or evidence.option or evidence.document
    name = f"week {found['number']}" + (f" {year}" if year else "")
    week = parse_week(name, evidence.today)
    if week is None:
        return None
    is_document = not printed and not evidence.option and evidence.document
    if is_document and week.first_day > latest_start(evidence.today):
        week = parse_week(f"week {found['number']}", evidence.today) or week
    rule = None
    if not printed:
        rule = YearRule.OPTION if evidence.option else None
        rule = rule or (YearRule.DOCUMENT if evidence.document else YearRule.WEEKDAY)
    return NamedWeek(week.first_day, week.last_day, rule, *found.span())


def document_year(title: str | None, path: str) -> int | None:
    """Return the only year that a title names, else the only one in the file's name."""
    for text in (title or "", _words_of(path)):
        years = years_named(text)
        if len(years) == 1:
            return years.pop()
    return None
