"""Days and lengths that people name shortly, as dates that the grammar reads. All pure."""

import re
from datetime import date, timedelta

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_ORDINAL = r"(?:the )?(\d{1,2})(?:st|nd|rd|th)"
_RUN_OF_ORDINALS = re.compile(
    rf"\b(?:from |between )?{_ORDINAL} (?:to|until|till|til|through|and|-) {_ORDINAL}\b(?! of\b)",
    re.IGNORECASE,
)
_FROM_ORDINAL = re.compile(rf"\b(since|after|from) {_ORDINAL}(?! (?:of|{_MONTH})\b)", re.IGNORECASE)
_DAY_AND_MONTH = re.compile(
    r"(?:(?<=since )|(?<=from )|(?<=on )|(?<=the )|(?<=to )|(?<=after )|(?<=till )|(?<=until )"
    r"|(?<=away )|(?<=gone )|(?<=off )|(?<=\.[-\u2013]))"
    r"(?:(\d{1,2})\.(\d{1,2})\.?(?![\d.])|(\d{1,2})/(\d{1,2})(?![\d/]))"
    r"|(?<![\d.])(\d{1,2})\.(\d{1,2})\.(?=\s?[-\u2013]\s?\d{1,2}\.\d)"
)
_FEAST = re.compile(
    r"\b(halloween|christmas|xmas|new year'?s?|valentine'?s|thanksgiving|labou?r day)"
    r"(?: (?:day|eve))?\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"(?<=[er])'?s$")
_ANNIVERSARIES = {
    "halloween": (10, 31), "christmas": (12, 25), "xmas": (12, 25), "new year": (1, 1),
    "valentine": (2, 14),
}  # fmt: skip
_HALF = re.compile(r"\bhalf an? (month|year)\b", re.IGNORECASE)
_AND_HALF = re.compile(r"\ban? (month|year) and a half\b", re.IGNORECASE)
_HALVES = {"month": "2 weeks", "year": "6 months"}
_AND_HALVES = {"month": "6 weeks", "year": "18 months"}
_SHORT_UNIT = re.compile(
    r"(?:(?<=last )|(?<=past ))(\d{1,3}) ?(d|w|m)\b|\b(\d{1,3}) ?(wks?|mos|mths?|yrs?)\b",
    re.IGNORECASE,
)
_UNITS = {"d": "days", "w": "weeks", "m": "months", "y": "years"}
_SPACED_RUN = re.compile(
    rf"(?<=[\w.]) ?[-\u2013\u2014]+ ?(?={_MONTH} \d|\d{{4}}-\d)", re.IGNORECASE
)
_TO_NOW = re.compile(
    r"\b(?:(?:from|since) )?(?=\S+(?: \S+){0,2} (?:un)?till? (?:now|today))(.{1,30}?)"
    r" (?:un)?till? (?:now|today)\b",
    re.IGNORECASE,
)
# What the grammar reads behind a small word alone: "on 2026-09-14", "stopped 2 years ago".
_BARE = re.compile(
    r"\bon {1,2}(?=\d{4}-\d\d-\d\d)"
    r"|(?<!\bin )(?<!since )\b"
    r"(?=(?:\d{1,3}|an?|two|three|four|five|six) (?:day|week|month|year)s? ago\b)",
    re.IGNORECASE,
)
_PART_OF_MONTH = re.compile(
    rf"\b(?:the )?(first|last) (\w+) (day|week)s? (?:of|in) ({_MONTH})(?: (20\d\d))?", re.IGNORECASE
)
_LAST_DAY, _MONTHS, _THURSDAY = 30, 12, 3
_DAYS = {"day": 1, "week": 7}
_COUNTS = {
    **{str(number): number for number in range(1, 31)},
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10,
}  # fmt: skip


def with_days(text: str, today: date) -> str:
    """Return a text in which days and lengths that people name shortly are written out.

    `the 9th to the 20th`, `21.9.-9.10.`, `14/9` and `since halloween` are days that were last;
    `half a year` and `6w` are lengths.
    """
    text = _SHORT_UNIT.sub(_whole_unit, text)
    text = _HALF.sub(lambda found: _HALVES[found[1].lower()], text)
    text = _AND_HALF.sub(lambda found: _AND_HALVES[found[1].lower()], text)
    text = _PART_OF_MONTH.sub(_days_of_month, text)
    text = _RUN_OF_ORDINALS.sub(lambda found: _run(found, today), text)
    text = _FROM_ORDINAL.sub(lambda found: _from(found, today), text)
    text = _DAY_AND_MONTH.sub(lambda found: _in_numbers(found, today), text)
    text = _FEAST.sub(lambda found: _last_feast(found, today), text)
    text = _SPACED_RUN.sub(" to ", text)
    text = _BARE.sub("in ", text)
    return " ".join(_TO_NOW.sub(r"since \1", text).split())


def _whole_unit(found: re.Match[str]) -> str:
    number, unit = found[1] or found[3], found[2] or found[4]
    return f"{number} {_UNITS[unit[0].lower()]}"


def _days_of_month(found: re.Match[str]) -> str:
    days = _COUNTS.get(found[2].lower(), 0) * _DAYS[found[3].lower()]
    month, year = found[4], f" {found[5]}" if found[5] else ""
    if not 0 < days < _LAST_DAY:
        return found[0]
    first, last = (1, days) if found[1].lower() == "first" else (_LAST_DAY - days, _LAST_DAY)
    return f"from {month} {first} to {month} {last}{year}"


def _run(found: re.Match[str], today: date) -> str:
    """Return the run that ended last: one from the 20th to the 5th began in the month before."""
    last = _last_day(today, int(found[2]))
    first = _last_day(last, int(found[1])) if last else None
    return f"from {first} to {last}" if first else found[0]


def _from(found: re.Match[str], today: date) -> str:
    day = _last_day(today, int(found[2]))
    return f"{found[1]} {day}" if day else found[0]


def _last_day(before: date, number: int) -> date | None:
    """Return the last day with a number before a day, `None` if no month has it."""
    days = (before - timedelta(days=ago) for ago in range(1, 63))
    return next((each for each in days if each.day == number), None)


def _in_numbers(found: re.Match[str], today: date) -> str:
    """Return the last such day; with a slash either number may be the month, if one can only be."""
    one, other = (int(each) for each in found.groups() if each)
    is_told = "." in found[0] or one > _MONTHS or other > _MONTHS
    day, month = (other, one) if other > _MONTHS else (one, other)
    try:
        last = _last_time(today, month, day) if is_told else None
    except ValueError:
        last = None
    return f" {last} " if last else found[0]


def _last_feast(found: re.Match[str], today: date) -> str:
    name = _POSSESSIVE.sub("", found[1].lower())
    if name in _ANNIVERSARIES:
        return _last_time(today, *_ANNIVERSARIES[name]).isoformat()
    if name == "thanksgiving":  # the fourth Thursday of November
        days = [
            date(year, 11, day) for year in (today.year - 1, today.year) for day in range(22, 29)
        ]
        return max(day for day in days if day < today and day.weekday() == _THURSDAY).isoformat()
    if name.startswith("labo"):  # the first Monday of September
        days = [date(year, 9, day) for year in (today.year - 1, today.year) for day in range(1, 8)]
        return max(day for day in days if day < today and day.weekday() == 0).isoformat()
    return found[0]


def _last_time(today: date, month: int, day: int) -> date:
    """Return the last such day of a year before today."""
    this_year = date(today.year, month, day)
    return this_year if this_year < today else date(today.year - 1, month, day)
