"""Weekdays and weekends that people tell of, as dates that the grammar reads. All pure."""

import re
from datetime import date, timedelta

_WEEKDAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = r"((?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?)"
_WHOLE_WEEKDAY = r"((?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_RUN_OF_WEEKDAYS = re.compile(
    rf"\b(?:(?:from|between) )?(?:last )?{_WEEKDAY}"
    rf"(?: (?:to|until|till|til|through|thru|and) | ?[-\u2013] ?){_WEEKDAY}\b(?! (?:next|at)\b)",
    re.IGNORECASE,
)
_DAY_OF_LAST_WEEK = re.compile(
    rf"\b{_WHOLE_WEEKDAY} (?:of )?last week\b|\blast week'?s? (?:on )?{_WHOLE_WEEKDAY}\b",
    re.IGNORECASE,
)
_LAST_WEEKDAY = re.compile(
    rf"\b(?:(?<=since )|(?<=after )|(?<=from ))(?:last )?{_WHOLE_WEEKDAY}\b"
    rf"|\b(?:last|this past) {_WHOLE_WEEKDAY}\b",
    re.IGNORECASE,
)
_TOLD_WEEKDAY = re.compile(
    r"\b((?:i|we) (?!(?:have|am|are|need|want)\b(?! been\b)).{0,60}?)"
    rf"\bon (?:last )?{_WHOLE_WEEKDAY}\b(?! at\b)"
    rf"|\bon (?:last )?{_WHOLE_WEEKDAY}(?=,? (?:i|we) (?:was|were|had|did|took|got)\b)",
    re.IGNORECASE,
)
_WEEKEND = re.compile(r"(?<!next )\b(?:(?:the|this|last|past) ){0,2}weekend\b", re.IGNORECASE)
_WEEK_BEFORE_LAST = re.compile(r"\b(?:the )?(week|month) before last\b", re.IGNORECASE)
_DAY_BEFORE = re.compile(
    r"\byesterday and the day before(?: yesterday)?\b|\bthe day before yesterday\b", re.IGNORECASE
)
_NAMES_DAY = re.compile(
    r"(?<![a-z])(?:mon|tue|wed|thu|fri|sat|sun|weekend|(?:week|month|day) before)", re.IGNORECASE
)


def with_weekdays(text: str, today: date) -> str:
    """Return a text with days in place of weekdays, of weekends and of what was before them.

    Each is the last such day: `from saturday to tuesday`, `tuesday last week`, `last friday`.
    """
    if not _NAMES_DAY.search(text):
        return text
    text = _DAY_OF_LAST_WEEK.sub(lambda found: _of_last_week(found, today), text)
    text = _RUN_OF_WEEKDAYS.sub(lambda found: _run_of_weekdays(found, today), text)
    text = _LAST_WEEKDAY.sub(
        lambda found: _weekday_before(today, found[1] or found[2]).isoformat(), text
    )
    text = _TOLD_WEEKDAY.sub(
        lambda found: f"{found[1] or ''}in {_weekday_before(today, found[2] or found[3])}", text
    )
    saturday = _weekday_before(today, "sat")
    text = _WEEKEND.sub(f"from {saturday} to {saturday + timedelta(days=1)}", text)
    text = _WEEK_BEFORE_LAST.sub(lambda found: _before_last(found, today), text)
    before = (today - timedelta(days=2)).isoformat()
    return _DAY_BEFORE.sub(lambda found: f"since {before}" if " and " in found[0] else before, text)


def _weekday_before(day: date, name: str) -> date:
    """Return the last such weekday before a day."""
    number = _WEEKDAY_NAMES.index(name[:3].lower())
    return day - timedelta(days=(day.weekday() - number) % 7 or 7)


def _of_last_week(found: re.Match[str], today: date) -> str:
    monday = today - timedelta(days=today.weekday() + 7)
    number = _WEEKDAY_NAMES.index((found[1] or found[2])[:3].lower())
    return (monday + timedelta(days=number)).isoformat()


def _run_of_weekdays(found: re.Match[str], today: date) -> str:
    last = _weekday_before(today + timedelta(days=1), found[2])
    return f"from {_weekday_before(last, found[1])} to {last}"


def _before_last(found: re.Match[str], today: date) -> str:
    if found[1].lower() == "week":
        monday = today - timedelta(days=today.weekday() + 14)
        return f"from {monday} to {monday + timedelta(days=6)}"
    last_month = today.replace(day=1) - timedelta(days=1)
    return (last_month.replace(day=1) - timedelta(days=1)).strftime("%Y-%m")
