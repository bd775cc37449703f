"""The forms of dates, and the reading of one at its place. All pure.

day and month | month and day | numbers      two of them with a dash: a run of days
week | month | quarter | year                by name or number
3 weeks ago | last month | the last 3 days   relative to today
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from bot.domain.dates.written_date import MONTHS_IN, Unit, WrittenDate

_MONTH_NAMES = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![A-Za-z])"
)
_NUMBER = rf"(?P<number>\d{{1,4}}|an?|{'|'.join(_NUMBERS)})"
_UNIT = r"(?P<unit>day|week|month|quarter|year)"
_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s"
_ENDS = r"(?![0-9A-Za-z]|\.\d)"
# 5,000 is no day.
_DAY = rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{_ENDS}(?!,\d{{3}}(?!\d))"
_YEAR = rf"\d{{4}}{_ENDS}"
_TIME = r"\s\d\d?:\d\d(?::\d\d)?(?:\s[A-Z]{1,5})?"
# A time may stand before the year: Sun Jan 11 14:00:00 2026.
_YEAR_BEHIND = rf"(?:,?(?:\s{{0,3}}|{_TIME}\s)(?P<year>{_YEAR}))?"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_MONTH_FIRST = _form(
    rf"(?:(?P<above>(?:19|20)\d\d),?\s{{1,3}})?(?P<month>{_MONTH})\.?\s{{0,3}}(?:the\s)?"
    rf"{_DAY}{_YEAR_BEHIND}"
)
# In "5 Jan 11" the month belongs to the number behind it; two digits before a time are a year.
_DAY_FIRST = _form(
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\.?\s{{0,3}}|-)(?:of\s)?(?P<month>{_MONTH})\.?"
    rf"(?:(?:,?\s{{0,3}}|-)(?:(?P<year>{_YEAR})|(?P<short>\d\d)(?={_TIME}))"
    r"|(?!\s{0,3}\d{1,2}(?![\d:])))"
)
# Its month stands at the other end of the run.
_BARE_DAY = _form(rf"{_DAY}\.?{_YEAR_BEHIND}")
_IN_NUMBERS = (
    _form(
        r"(?P<year>\d{4})(?P<sign>[-/.])(?P<month>\d\d?)(?P=sign)(?P<day>\d\d?)"
        r"(?![0-9A-SU-Z]|[./]\d{1,3}(?!\d))"
    ),
    _form(r"(?P<year>\d{4})\s?[年년]\s?(?P<month>\d\d?)\s?[月월]\s?(?P<day>\d\d?)\s?[日일]"),
    _form(r"(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?![0-9A-SU-Z])"),
)
_EITHER_FIRST = _form(
    rf"(?P<one>\d\d?)(?P<sign>[-/.])(?P<other>\d\d?)(?P=sign)(?P<year>{_YEAR})(?!/\d)"
)
_DASH = _form(
    r"\s{0,3}(?:-{1,3}|[\u2010-\u2015\u2212\u2192~\u301c\uff5e]|\.\.|/"
    rf"|\b(?:to|through|thru|until|till)\b)\s{{0,3}}(?:the\s)?(?:{_WEEKDAY})?"
)
_TRAILING_YEAR = _form(r"\W{0,8}?(?P<year>(?:19|20)\d{2})(?!\d|\.\d)")

_WEEK_OF = _form(
    r"(?:week|wk\.?|w/[cb])(?:\s(?:of|commencing|starting|beginning|ending|from))?:?\s{0,3}"
    rf"(?:the\s)?\(?(?:{_WEEKDAY})?"
)
_YEAR_WEEK = _form(
    rf"(?P<year>\d{{4}})(?:[-\s]?w|,?\s{{1,3}}(?:week|wk\.?|w)\s?#?)(?P<number>\d{{1,2}}){_ENDS}"
)
_WEEK_YEAR = _form(
    rf"(?:week|wk\.?|w)\s?#?(?P<number>\d{{1,2}}){_ENDS}"
    rf"(?:,?\s{{0,3}}(?:of\s|/\s?|-\s?)?(?P<year>{_YEAR})(?!-\d))?"
)
_NAMED_MONTH = _form(rf"(?P<month>{_MONTH})\.?(?:,?\s{{0,3}}(?:of\s)?(?P<year>{_YEAR}))?")
_YEAR_PART = _form(
    rf"(?P<year>\d{{4}})(?:[-\s]?q(?P<quarter>[1-4])|[-/](?P<month>\d\d?)(?![-/]))?{_ENDS}"
)
_LAST_YEAR = _form(rf"(?P<year>(?:19|20)\d\d){_ENDS}(?![-/]\d)")
_QUARTER_YEAR = _form(rf"q(?P<quarter>[1-4]){_ENDS}(?:,?\s{{1,3}}(?:of\s)?(?P<year>{_YEAR}))?")
_AGO = _form(rf"{_NUMBER}\s{{1,3}}{_UNIT}s?\s{{1,3}}ago(?![A-Za-z])")
_NEAR = _form(
    r"(?:(?P<which>this|last|past|previous|next)\s{1,3})?"
    rf"(?:{_NUMBER}\s{{1,3}})?{_UNIT}s?(?![A-Za-z])"
)
_SPOKEN_DAY = _form(r"(?P<day>today|yesterday|tomorrow)(?![A-Za-z])")

# The beginnings of dates. A number with a slash or a point before it is a part of something.
BEGINNING = _form(
    rf"(?<![0-9A-Za-z])(?:(?P<digit>(?<!/)(?<!\d[.,])\d{{1,8}})|(?P<month>{_MONTH})"
    r"|(?P<week>(?<!\d{4}[-\s])(?:(?:week|wk|w/[cb])(?![A-Za-z])|w\s?#?(?=\d)))"
    r"|(?P<quarter>q(?=[1-4]))"
    r"|(?P<word>(?:this|last|past|previous|next|today|yesterday|tomorrow|month|quarter|year|an?"
    rf"|{'|'.join(_NUMBERS)})(?![A-Za-z])))"
)
_CENTURY_TURNS = 50  # https://www.rfc-editor.org/rfc/rfc2822#section-4.3
_COUNTS = {"a": 1, "an": 1, **{word: number for number, word in enumerate(_NUMBERS, 1)}}
_NEAR_UNITS = {"": 0, "this": 0, "last": 1, "previous": 1, "next": -1}
_DAYS_AGO = {"today": 0, "yesterday": 1, "tomorrow": -1}
_LEAP_YEAR, _LONG_YEAR = 2024, 2020  # with a February 29, with a week 53


def read_at(text: str, beginning: re.Match[str]) -> WrittenDate | None:
    """Read the date at a beginning; `None` where it is the beginning of none."""
    readers = _READERS[beginning.lastgroup or ""]
    at = beginning.start()
    return next((found for read in readers if (found := read(text, at))), None)


def readings_of_day(text: str, at: int) -> list[WrittenDate]:
    """Return what a day at a place may mean, days that the calendar does not have among it."""
    named = filter(None, (read(text, at) for read in (_month_first, _day_first)))
    numbers = sorted(set(_readings_of_numbers(text, at)), key=attrgetter("first"))
    return [*numbers, *named]


def _days(text: str, at: int) -> WrittenDate | None:
    """Read a day, or a run of days in any order of day and month."""
    run = None
    if numbers := _readings_of_numbers(text, at):
        first, run = _only(numbers), _run_of_numbers(text, numbers)
    elif first := _month_first(text, at):
        run = _run(text, first, _month_first, _whole_day_first, _bare_day)
    elif text[at - 1 : at] == "-":
        return None
    elif first := _day_first(text, at):
        run = _run(text, first, _day_first, _month_first)
    elif bare := _bare_day(text, at):
        run = _run(text, bare, _day_first)
    is_day = run is None and first is not None and first.days(_LEAP_YEAR) is not None
    return first if is_day else run


def _month_first(text: str, at: int) -> WrittenDate | None:
    found = _MONTH_FIRST.match(text, at)
    return _day(found, found["month"], found["year"] or found["above"]) if found else None


def _day_first(text: str, at: int) -> WrittenDate | None:
    found = _DAY_FIRST.match(text, at)
    if found is None or not found["short"]:
        return _day(found, found["month"], found["year"]) if found else None
    century = 19 if int(found["short"]) >= _CENTURY_TURNS else 20
    return _day(found, found["month"], f"{century}{found['short']}")


def _whole_day_first(text: str, at: int) -> WrittenDate | None:
    found = _day_first(text, at)
    return found if found and found.has_year else None


def _bare_day(text: str, at: int) -> WrittenDate | None:
    found = _BARE_DAY.match(text, at)
    return _day(found, None, found["year"]) if found else None


def _day(found: re.Match[str], month: str | None, printed_year: str | None) -> WrittenDate:
    year = int(printed_year) if printed_year else None
    day = _month_of(month) if month else 0, int(found["day"])
    return WrittenDate(Unit.DAY, *found.span(), day, day, year, year)


def _month_of(word: str) -> int:
    return _MONTH_NAMES.index(word[:3].casefold()) + 1


def _run_of_numbers(text: str, firsts: Sequence[WrittenDate]) -> WrittenDate | None:
    """Read the last day of a run in numbers, in the same order of day and month as the first."""
    dash = _DASH.match(text, firsts[0].end)
    lasts = _readings_of_numbers(text, dash.end()) if dash else ()
    return _only(_joined(text, *ends) for ends in zip(firsts, lasts, strict=False))


def _only(readings: Iterable[WrittenDate]) -> WrittenDate | None:
    """Return the only reading that the calendar has, else the only one."""
    every = set(readings)
    found = {each for each in every if each.days()} or every
    return found.pop() if len(found) == 1 else None


def _readings_of_numbers(text: str, at: int) -> tuple[WrittenDate, ...]:
    """Return a day in numbers alone with its month before its day and behind it; none without."""
    for form in _IN_NUMBERS:
        if found := form.match(text, at):
            one, other = int(found["month"]), int(found["day"])
            orders = (one, other), (one, other)
            break
    else:
        if not (found := _EITHER_FIRST.match(text, at)):
            return ()
        one, other = int(found["one"]), int(found["other"])
        orders = (one, other), (other, one)
    year = int(found["year"])
    return tuple(WrittenDate(Unit.DAY, *found.span(), day, day, year, year) for day in orders)


_Reader = Callable[[str, int], WrittenDate | None]


def _run(text: str, first: WrittenDate, *readers: _Reader) -> WrittenDate | None:
    """Read the last day of a run, behind a dash, and put both together."""
    dash = _DASH.match(text, first.end)
    lasts = (read(text, dash.end()) for read in readers) if dash else ()
    last = next(filter(None, lasts), None)
    return _joined(text, first, last) if last else None


def _joined(text: str, first: WrittenDate, last: WrittenDate) -> WrittenDate:
    """Unite two days; a year behind them, past a bracket or a dash, is that of the last."""
    year, end = last.last_year, last.end
    if year is None and (trailing := _TRAILING_YEAR.match(text, end)):
        year, end = int(trailing["year"]), trailing.end()
    return WrittenDate(
        Unit.DAYS,
        first.start,
        end,
        (first.first[0] or last.last[0], first.first[1]),
        (last.last[0] or first.first[0], last.last[1]),
        first.first_year,
        year,
    )


def _week_of(text: str, at: int) -> WrittenDate | None:
    before = _WEEK_OF.match(text, at)
    found = (_days(text, before.end()) or _week(text, before.end())) if before else None
    return replace(found, of_week=True) if found else None


def _week(text: str, at: int) -> WrittenDate | None:
    found = _YEAR_WEEK.match(text, at) or _WEEK_YEAR.match(text, at)
    if found is None:
        return None
    year, number = _year_of(found), int(found["number"])
    week = WrittenDate(Unit.WEEK, *found.span(), first_year=year, last_year=year, number=number)
    return week if week.days(_LONG_YEAR) else None


def _months(text: str, at: int) -> WrittenDate | None:
    first = _NAMED_MONTH.match(text, at)
    if first is None:
        return None
    dash = _DASH.match(text, first.end())
    last = (_NAMED_MONTH.match(text, dash.end()) if dash else None) or first
    return WrittenDate(
        Unit.MONTH,
        at,
        last.end(),
        (_month_of(first["month"]), 1),
        (_month_of(last["month"]), 1),
        _year_of(first),
        _year_of(last),
    )


def _year_part(text: str, at: int) -> WrittenDate | None:
    found = _YEAR_PART.match(text, at)
    if found is None:
        return None
    if found["month"]:
        return _part(found, Unit.MONTH, int(found["month"]))
    if found["quarter"]:
        return _part(found, Unit.QUARTER, int(found["quarter"]))
    first = _part(found)
    is_usual = found["year"][:2] in ("19", "20")
    goes_on = is_usual and found.end() < len(text)
    last = _behind_dash(_LAST_YEAR, text, found.end()) if goes_on else None
    return replace(first, end=last.end(), last_year=_year_of(last)) if first and last else first


def _quarter(text: str, at: int) -> WrittenDate | None:
    found = _QUARTER_YEAR.match(text, at)
    first = _part(found, Unit.QUARTER, int(found["quarter"])) if found else None
    other = found and _behind_dash(_QUARTER_YEAR, text, found.end())
    last = _part(other, Unit.QUARTER, int(other["quarter"])) if other else None
    if first is None or last is None:
        return first
    return replace(first, end=last.end, last=last.last, last_year=last.last_year)


def _behind_dash(form: re.Pattern[str], text: str, at: int) -> re.Match[str] | None:
    dash = _DASH.match(text, at)
    return form.match(text, dash.end()) if dash else None


def _part(found: re.Match[str], unit: Unit = Unit.YEAR, number: int = 1) -> WrittenDate | None:
    months, year = MONTHS_IN[unit], _year_of(found)
    first, last = (months * (number - 1) + 1, 1), (months * number, 1)
    part = WrittenDate(unit, *found.span(), first, last, year, year)
    return part if part.days(_LEAP_YEAR) else None


def _year_of(found: re.Match[str]) -> int | None:
    return int(found["year"]) if found["year"] else None


def _ago(text: str, at: int) -> WrittenDate | None:
    found = _AGO.match(text, at)
    return _relative(found, _count(found["number"])) if found else None


def _near(text: str, at: int) -> WrittenDate | None:
    """Read `this week`, `month`, and `the last 3 months`, which end today."""
    found = _NEAR.match(text, at)
    if found is None:
        return None
    which, unit = (found["which"] or "").casefold(), found["unit"].casefold()
    if found["number"] or which == "past":
        is_run = which in ("last", "past", "previous")
        ago = _count(found["number"] or "one")
        return _relative(found, ago, is_run=True) if is_run and ago else None
    is_named = unit in MONTHS_IN or (which and unit == Unit.WEEK)
    return _relative(found, _NEAR_UNITS.get(which)) if is_named else None


def _relative(found: re.Match[str], ago: int | None, *, is_run: bool = False) -> WrittenDate | None:
    unit = Unit(found["unit"].casefold())
    return None if ago is None else WrittenDate(unit, *found.span(), ago=ago, is_run=is_run)


def _count(word: str) -> int | None:
    return int(word) if word.isdecimal() else _COUNTS.get(word.casefold())


def _spoken_day(text: str, at: int) -> WrittenDate | None:
    found = _SPOKEN_DAY.match(text, at)
    if found is None:
        return None
    return WrittenDate(Unit.DAY, *found.span(), ago=_DAYS_AGO[found["day"].casefold()])


_READERS: dict[str, tuple[_Reader, ...]] = {
    "digit": (_days, _week, _year_part, _ago),
    "month": (_days, _months),
    "week": (_week_of, _week),
    "quarter": (_quarter,),
    "word": (_near, _spoken_day, _ago),
}
