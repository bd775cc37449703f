"""The day of a post as its feed states it. All pure.

The library for feeds knows the usual forms, and makes some day of whatever else has numbers.
"""

import re
from datetime import date

from bot.domain.week_phrases import read_month

_LONGEST = 100
_NUMBERS = re.compile(
    r"(?:[^\W\d]{1,12}\.?,? )?(?P<year>\d{4})"
    r"(?:(?P<sign>[-/.])(?P<month>\d\d?)(?P=sign)(?P<day>\d\d?)(?!\d)"
    r"|\s?[年년]\s?(?P<cjk_month>\d\d?)\s?[月월]\s?(?P<cjk_day>\d\d?)\s?[日일]"
    r"|(?P<month_of_8>\d\d)(?P<day_of_8>\d\d)(?!\d))"
)
# A day before its month or behind it.
_EITHER_FIRST = re.compile(
    r"(?:[^\W\d]{1,12}\.?,? )?(?P<one>\d\d?)(?P<sign>[-/.])(?P<other>\d\d?)(?P=sign)"
    r"(?P<year>\d{4})(?!\d)"
)
_DAY_FIRST = re.compile(
    r"(?<!\d)(?P<day>\d\d?)[ -](?P<month>[A-Za-z]{3,9})\.?[ -](?P<year>\d{4}|\d\d)(?!\d)"
)
# The time of a day may stand before the year: Sun Jan 11 14:00:00 2026.
_MONTH_FIRST = re.compile(
    r"\b(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d\d?),?(?: \d\d?:\d\d(?::\d\d)?)?(?: [A-Z]{1,5})?"
    r" (?P<year>\d{4})(?!\d)"
)
# Years of two digits are those of RFC 2822: https://www.rfc-editor.org/rfc/rfc2822#section-4.3.
_CENTURY_TURNS = 50


def stated_day(text: str) -> date | None:
    """Return the day that a text states whole, in its own zone.

    `None` for any other text, and for numbers that two days are written as.
    """
    line = " ".join(text[:_LONGEST].split())
    if found := _NUMBERS.match(line):
        month = found["month"] or found["cjk_month"] or found["month_of_8"]
        day = found["day"] or found["cjk_day"] or found["day_of_8"]
        return _day(int(found["year"]), int(month), int(day))
    if found := _EITHER_FIRST.match(line):
        year, one, other = int(found["year"]), int(found["one"]), int(found["other"])
        days = {_day(year, one, other), _day(year, other, one)} - {None}
        return days.pop() if len(days) == 1 else None
    for form in (_DAY_FIRST, _MONTH_FIRST):
        for named in form.finditer(line):
            if month_number := read_month(named["month"]):
                return _day(_whole_year(named["year"]), month_number, int(named["day"]))
    return None


def _whole_year(digits: str) -> int:
    year = int(digits)
    if len(digits) > 2:  # noqa: PLR2004 - digits
        return year
    return year + (1900 if year >= _CENTURY_TURNS else 2000)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
