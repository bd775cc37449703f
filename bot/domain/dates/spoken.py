"""Days and lengths that people name shortly, as dates that the grammar reads. All pure."""

import re
from calendar import monthrange
from datetime import date, timedelta
from math import ceil

from bot.domain.dates.weekdays import with_weekdays

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_ORDINAL = r"(?:the )?(\d{1,2})(?:st|nd|rd|th)"
_RUN_OF_ORDINALS = re.compile(
    rf"\b(?:from |between )?{_ORDINAL} (?:to|until|till|til|through|and|-) {_ORDINAL}\b(?! of\b)",
    re.IGNORECASE,
)
_FROM_ORDINAL = re.compile(
    rf"\b(since|after|from|on) {_ORDINAL}(?! (?:of|{_MONTH})\b)", re.IGNORECASE
)
_DAY_AND_MONTH = re.compile(
    r"(?:(?<=since )|(?<=from )|(?<=on )|(?<=the )|(?<=to )|(?<=after )|(?<=till )|(?<=until )"
    r"|(?<=away )|(?<=gone )|(?<=off )|(?<=\.[-\u2013]))"
    r"(?:(\d{1,2})\.(\d{1,2})\.?(?![\d.])|(\d{1,2})/(\d{1,2})(?![\d/]))"
    r"|(?<![\d.])(\d{1,2})\.(\d{1,2})\.(?=\s?[-\u2013]\s?\d{1,2}\.\d)"
)
_FEAST = re.compile(
    r"\b(halloween|easter|christmas|xmas|new year'?s?|valentine'?s|thanksgiving|labou?r day)"
    r"(?: (?:day|eve))?\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"(?<=[er])'?s$")
_ANNIVERSARIES = {
    "halloween": (10, 31), "christmas": (12, 25), "xmas": (12, 25), "new year": (1, 1),
    "valentine": (2, 14),
}  # fmt: skip
_HALF = re.compile(r"\bhalf (?:an? )?(month|year)\b", re.IGNORECASE)
_AND_HALF = re.compile(r"\ban? (month|year) and a half\b", re.IGNORECASE)
_HALVES = {"month": "2 weeks", "year": "6 months"}
_AND_HALVES = {"month": "6 weeks", "year": "18 months"}
_SHORT_UNIT = re.compile(
    r"(?:(?<=last )|(?<=past ))(\d{1,3}) ?(d|w|m)\b|\b(\d{1,3}) ?(wks?|mos|mths?|yrs?)\b",
    re.IGNORECASE,
)
_UNITS = {"d": "days", "w": "weeks", "m": "months", "y": "years"}
_MONTH_OF = re.compile(rf"\b(?:the )?(?:whole )?month of (?={_MONTH}\b)", re.IGNORECASE)
_SPACED_RUN = re.compile(
    rf"(?<=[\w.]) ?[-\u2013\u2014]+ ?"
    rf"(?={_MONTH} \d|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}\b|\d{{4}}-\d)",
    re.IGNORECASE,
)
_TO_NOW = re.compile(
    r"\b(?:(?:from|since) )?(?=\S+(?: \S+){0,2} (?:till?|until|to) (?:now|today))(.{1,30}?)"
    r" (?:till?|until|to) (?:now|today)\b",
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
_WEEKS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
    "last": 0,
}  # fmt: skip
_WEEK_OF_MONTH = re.compile(
    rf"\b(?:in |during |the )*({'|'.join(_WEEKS)}) week (?:of|in) ({_MONTH})(?: (20\d\d))?",
    re.IGNORECASE,
)
_PART_NAMED = re.compile(
    rf"\b(?:in |during |the )*(?:(early|mid|late)[- ]|(first|1st|second|2nd|other|last) half of )"
    rf"({_MONTH})\b(?: (20\d\d))?",
    re.IGNORECASE,
)
_RUN_IN_NUMBERS = re.compile(
    r"(?:\b(?:from|between) )?(?<![\d/])(\d{1,2})/(\d{1,2})"
    r" ?(?:to|until|till|through|and|[-\u2013]) ?(\d{1,2})/(\d{1,2})(?![\d/])",
    re.IGNORECASE,
)
_TEENS = {
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "eighteen": 18, "twenty": 20, "thirty": 30, "forty": 40, "dozen": 12,
}  # fmt: skip
_MANY = re.compile(rf"\b(?:an? )?({'|'.join(_TEENS)})(?= (?:day|week|month)s?\b)", re.IGNORECASE)
_WITH_HALF = re.compile(
    r"\b(\d{1,2}|an?|one|two|three|four|five|six) and a half (week|month|year)s?\b"
    r"|\b(\d{1,2})[.,]5 (week|month|year)s?\b",
    re.IGNORECASE,
)
_HOURS = re.compile(r"\b(\d{2,3}) ?(?:hours?|hrs?|h)\b", re.IGNORECASE)
_DAYS_IN = {"week": 7, "month": 30.5, "year": 365}
_ALL = re.compile(r"\ball (week|month|year)(?: long)?\b", re.IGNORECASE)
_TO_DATE = re.compile(r"\b(week|month|quarter|year) to date\b|\bytd\b", re.IGNORECASE)
_ON_DAY = re.compile(
    rf"\bon (?=(?:the )?(?:{_MONTH} \d|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}\b))",
    re.IGNORECASE,
)
_WEEKS_RUN = re.compile(
    r"\b(?:(?:of|in|from) )?(?:weeks?|wks?) (\d{1,2}) ?"
    r"(?:to|until|till|through|and|n|&|[-\u2013]) ?(?:(?:weeks?|wks?) )?(\d{1,2})\b"
    r"(?! (?:of|days?|weeks?|months?)\b)",
    re.IGNORECASE,
)
_MONTH_ALONE = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_TWO_MONTHS = re.compile(
    rf"\b{_MONTH_ALONE} (?:and|n|&|\+|plus) {_MONTH_ALONE}(?! \d{{1,2}}\b)", re.IGNORECASE
)
_UP_TO_NOW = re.compile(r"\bbetween (\S+(?: \S+){0,3}?) and (?:now|today)\b", re.IGNORECASE)
# "Like a month ago", "ca. 3 weeks".
_ABOUT_LONG = re.compile(
    r"\b(?:like|maybe|probably|perhaps|approximately|approx\.?|circa|ca\.?)\s+"
    r"(?=(?:an?|\d{1,3}|one|two|three|four|five|six|several|a few) (?:day|week|month|year)s?\b)",
    re.IGNORECASE,
)
_SPACED_DAYS = re.compile(r"(?<=\d\.) ?[-\u2013] ?(?=\d{1,2}\.\d{1,2}\b)")
# The edge of a run that is meant: "since the second week of november".
_EDGE = re.compile(
    r"\b(?:(since|from) from (\S+(?: \d+)?) to \S+(?: \d{1,2}\b)?"
    r"|(after|until|till) from \S+(?: \d+)? to (\S+(?: \d{1,2}\b)?))",
    re.IGNORECASE,
)
_MONTH_NAMES = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_MONTHS, _THURSDAY = 12, 3
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
    text = _UP_TO_NOW.sub(r"since \1", _ABOUT_LONG.sub("", text))
    text = _SHORT_UNIT.sub(_whole_unit, _MONTH_OF.sub("", _TWO_MONTHS.sub(r"\1 to \2", text)))
    text = _WEEKS_RUN.sub(r"from week \1 to week \2", _SPACED_DAYS.sub("-", text))
    text = _HALF.sub(lambda found: _HALVES[found[1].lower()], text)
    text = _AND_HALF.sub(lambda found: _AND_HALVES[found[1].lower()], text)
    text = _WITH_HALF.sub(_in_days, text)
    text = _HOURS.sub(lambda found: f"{ceil(int(found[1]) / 24)} days", text)
    text = _MANY.sub(lambda found: str(_TEENS[found[1].lower()]), text)
    text = _PART_OF_MONTH.sub(lambda found: _days_of_month(found, today), text)
    text = _WEEK_OF_MONTH.sub(lambda found: _week_of_month(found, today), text)
    text = with_weekdays(text, today)
    text = _RUN_IN_NUMBERS.sub(lambda found: _run_in_numbers(found, today), text)
    text = _RUN_OF_ORDINALS.sub(lambda found: _run(found, today), text)
    text = _FROM_ORDINAL.sub(lambda found: _from(found, today), text)
    text = _DAY_AND_MONTH.sub(lambda found: _in_numbers(found, today), text)
    text = _FEAST.sub(lambda found: _last_feast(found, today), text)
    text = _SPACED_RUN.sub(" to ", text)
    text = _EDGE.sub(lambda run: f"{run[1] or run[3]} {run[2] or run[4]}", text)
    text = _ON_DAY.sub("in ", _BARE.sub("in ", text))
    text = _ALL.sub(r"the last 1 \1", text)
    text = _TO_DATE.sub(lambda found: f"this {found[1] or 'year'}", text)
    return " ".join(_TO_NOW.sub(r"since \1", text).split())


def _whole_unit(found: re.Match[str]) -> str:
    number, unit = found[1] or found[3], found[2] or found[4]
    return f"{number} {_UNITS[unit[0].lower()]}"


def with_parts_of_months(text: str, today: date) -> str:
    """Return a text with days in place of parts of months: `mid-october`, `second half of may`."""
    return _PART_NAMED.sub(lambda found: _named_part(found, today), text)


def _named_part(found: re.Match[str], today: date) -> str:
    part, month = (found[1] or found[2]).lower(), found[3]
    if month[:3].lower() not in _MONTH_NAMES:
        return found[0]
    end = _last_of(month, found[4], today)
    first, last = {
        "early": (1, 10), "mid": (11, 20), "late": (end - 9, end), "first": (1, 15), "1st": (1, 15),
    }.get(part, (end // 2 + 1, end))  # fmt: skip
    year = f" {found[4]}" if found[4] else ""
    return f"from {month} {first} to {month} {last}{year}"


def _week_of_month(found: re.Match[str], today: date) -> str:
    """Return the seven days of a month that its second week is, the 8th to the 14th."""
    number, month = _WEEKS[found[1].lower()], found[2]
    if month[:3].lower() not in _MONTH_NAMES:
        return found[0]
    last = 7 * number or _last_of(month, found[3], today)
    year = f" {found[3]}" if found[3] else ""
    return f"from {month} {last - 6} to {month} {last}{year}"


def _in_days(found: re.Match[str]) -> str:
    """Return a number and a half of weeks, months or years in days."""
    number, unit = (found[1] or found[3]).lower(), (found[2] or found[4]).lower()
    whole = int(number) if number.isdecimal() else _COUNTS.get(number, 1)
    return f"{ceil((whole + 0.5) * _DAYS_IN[unit])} days"


def _run_in_numbers(found: re.Match[str], today: date) -> str:
    """Return a run of days in numbers, its order of day and month that which both can have."""
    one, other, third, fourth = (int(each) for each in found.groups())
    orders = [
        (days, months)
        for days, months in (((one, third), (other, fourth)), ((other, fourth), (one, third)))
        if max(months) <= _MONTHS
    ]
    if len(orders) != 1:
        return found[0]
    [(days, months)] = orders
    try:
        last = _last_time(today + timedelta(days=1), months[1], days[1])
        first = _last_time(last, months[0], days[0])
    except ValueError:
        return found[0]
    return f"from {first} to {last}"


def _last_of(month: str, year: str | None, today: date) -> int:
    """Return the last day of a month, of the last one that began if no year is told."""
    number = _MONTH_NAMES.index(month[:3].lower()) + 1
    told = int(year) if year else today.year - (number > today.month)
    return monthrange(told, number)[1]


def _days_of_month(found: re.Match[str], today: date) -> str:
    days = _COUNTS.get(found[2].lower(), 0) * _DAYS[found[3].lower()]
    month, year = found[4], f" {found[5]}" if found[5] else ""
    if month[:3].lower() not in _MONTH_NAMES:
        return found[0]
    end = _last_of(month, found[5], today)
    if not 0 < days < end:
        return found[0]
    first, last = (1, days) if found[1].lower() == "first" else (end - days + 1, end)
    return f"from {month} {first} to {month} {last}{year}"


def _run(found: re.Match[str], today: date) -> str:
    """Return the run that ended last: one from the 20th to the 5th began in the month before."""
    last = _last_day(today, int(found[2]))
    first = _last_day(last, int(found[1])) if last else None
    return f"from {first} to {last}" if first else found[0]


def _from(found: re.Match[str], today: date) -> str:
    day = _last_day(today, int(found[2]))
    before = "in" if found[1].lower() == "on" else found[1]
    return f"{before} {day}" if day else found[0]


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
    if name == "easter":
        return max(
            day for day in map(_easter, (today.year - 1, today.year)) if day < today
        ).isoformat()
    if name == "thanksgiving":  # the fourth Thursday of November
        days = [
            date(year, 11, day) for year in (today.year - 1, today.year) for day in range(22, 29)
        ]
        return max(day for day in days if day < today and day.weekday() == _THURSDAY).isoformat()
    if name.startswith("labo"):  # the first Monday of September
        days = [date(year, 9, day) for year in (today.year - 1, today.year) for day in range(1, 8)]
        return max(day for day in days if day < today and day.weekday() == 0).isoformat()
    return found[0]


def _easter(year: int) -> date:
    """Return Easter Sunday by the Gregorian calendar, as Meeus gives Butcher's rule."""
    century, years = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (8 * century + 13) // 25 + 15) % 30
    week = (32 + 2 * (century % 4) + 2 * (years // 4) - moon - years % 4) % 7
    month, day = divmod(moon + week - 7 * ((year % 19 + 11 * moon + 22 * week) // 451) + 114, 31)
    return date(year, month, day + 1)


def _last_time(today: date, month: int, day: int) -> date:
    """Return the last such day of a year before today."""
    this_year = date(today.year, month, day)
    return this_year if this_year < today else date(today.year - 1, month, day)
