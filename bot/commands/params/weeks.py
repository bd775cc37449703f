"""Weeks and periods, in the user's zone."""

import re
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import islice
from zoneinfo import ZoneInfo

from bot.commands.params.scalars import unreadable
from bot.commands.types import Context, ParamType
from bot.domain.dates import misread
from bot.domain.dates.written_date import Period
from bot.domain.weeks import (
    EXPECTED_PERIOD,
    EXPECTED_WEEK,
    Week,
    name_of,
    parse_edge,
    parse_period,
    parse_week,
    parse_whole_period,
)
from bot.errors import ArgumentError, Choice, Option, SeveralMeant, Suggestion, UserError
from bot.replies.plain_text import quoted
from bot.replies.wording import day, days
from store.library.statistics import list_months, list_weeks
from store.readers import seen

_SPOKEN = ("last week", "this week")  # offered once they are begun
_NUMBER = re.compile(r"\d{1,2}(?:,? (?:of )?\d{4})?", re.ASCII)
_SOME_DAY = date(2020, 12, 31)  # what looks like a week or a period does so on any day
_LAST_VISIT = "last visit"
_OFFERED = 100  # no platform's menu shows more


async def _read_week(text: str, context: Context, fewest: int = 1) -> Week:
    typed = " ".join(text.split())
    # The name of the command says that it is a week: week 2.
    named = f"week {typed}" if _NUMBER.fullmatch(typed) else text
    week = parse_week(named, context.today)
    if week is None:
        newest = tuple((await _complete_week("", context, fewest))[:1])
        raise _unread(text, EXPECTED_WEEK, newest) or unreadable(
            text, "a week", EXPECTED_WEEK, newest
        )
    return week


def _looks_like_week(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text) or parse_week(text, _SOME_DAY) or misread(text))


def _looks_like_period(text: str) -> bool:
    return parse_whole_period(text, _SOME_DAY) is not None or bool(misread(text))


async def _complete_week(beginning: str, context: Context, fewest: int = 1) -> list[Option]:
    """Complete the weeks that so many sources cover, newest first, by number, day or words."""
    typed = " ".join(beginning.lower().split())
    spoken = ((words, parse_week(words, context.today)) for words in _SPOKEN)
    stored = await context.content.read(list_weeks, context.day)
    meant = parse_week(typed, context.today)
    found = (
        Option(name, f"{_days(week)} · {', '.join(sources)}")
        for name, sources in stored
        if len(sources) >= fewest and ((week := Week.named(name)) == meant or _begins(typed, week))
    )
    return [
        *(
            Option(words, _days(week) if week else "")
            for words, week in spoken
            if typed and words.startswith(typed)
        ),
        *islice(found, _OFFERED),
    ]


def _begins(typed: str, week: Week) -> bool:
    """Tell whether a name of a week begins so, in lower case."""
    first = week.first_day
    names = week.name, _days(week), first.isoformat(), f"{first:%B} {first.day}"
    return any(name.lower().startswith(typed) for name in names)


def _days(week: Week) -> str:
    return days(week.first_day, week.last_day)


async def _read_edge(text: str, context: Context) -> Period:
    return parse_edge(text, context.today) or await _read_period(text, context)


async def _read_until(text: str, context: Context) -> Period:
    """Read the last day of a period."""
    last = (await _read_edge(text, context)).last_day
    return Period(last, last)


async def _read_period(text: str, context: Context) -> Period:
    period = parse_period(text, context.today)
    if period is None:
        newest = tuple((await _complete_period("", context))[:2])
        raise _unread(text, EXPECTED_PERIOD, newest) or unreadable(
            text, "a period", EXPECTED_PERIOD, newest
        )
    return period


def which_week(text: str) -> UserError | None:
    """Return what is said of a day that may be two, with their weeks, or that there is not.

    `None` of any other text.
    """
    error = _unread(text, EXPECTED_WEEK)
    if error is None:
        return None
    weeks = tuple(Suggestion(each.label, f"week {each.value}") for each in error.nearest)
    return (Choice if weeks else UserError)(error.sentence, error.remedy, weeks)


def _unread(text: str, expected: str, newest: tuple[Option, ...] = ()) -> ArgumentError | None:
    """Return the error for a day that may be two or that there is not; `None` of other texts."""
    meant = misread(text)
    real = [period.first_day for each in meant if (period := each.days())]
    if real:
        names = " or ".join(map(day, real))
        offered = tuple(Option(each.isoformat(), day(each)) for each in real)
        return SeveralMeant(f"{quoted(text)} may be {names}.", "Which one do you mean?", offered)
    no_such_day = f"There is no such day as {quoted(text)}."
    return ArgumentError(no_such_day, expected, newest) if meant else None


async def _complete_period(beginning: str, context: Context) -> list[Option]:
    """Complete the years and months that have an edition, newest first."""
    typed = beginning.strip().lower()
    months = await context.content.read(list_months, context.day)
    years = dict.fromkeys(month[:4] for month in months)
    quarters = dict.fromkeys(f"{month[:4]}-Q{(int(month[5:7]) + 2) // 3}" for month in months)
    offers = (*years, *months, *(quarters if "q" in typed else ()))
    return [Option(each) for each in offers if each.lower().startswith(typed)]


async def _read_since(text: str, context: Context) -> Period | None:
    """Read the first day of a period, or when the user was last here: `None` if not known."""
    if not _is_last_visit(text):
        first = (await _read_edge(text, context)).first_day
        return Period(first, first)
    await context.background.wait_for(context.actor.person)  # what was just shown is noted
    now, person = context.clock.now(), context.actor.person
    at = await context.database.read(seen.last_visit, person, now)
    day = at.astimezone(ZoneInfo(context.actor.zone or context.zone)).date() if at else None
    return Period(day, day) if day else None


def _is_last_visit(text: str) -> bool:
    return " ".join(text.lower().split()).removeprefix("my ") == _LAST_VISIT


def _looks_like_since(text: str) -> bool:
    return _is_last_visit(text) or _looks_like_period(text)


def _write_since(period: Period | None) -> str | None:
    return period.first_day.isoformat() if period else None


async def _read_whole_period(text: str, context: Context) -> Period:
    return parse_whole_period(text, context.today) or await _read_period(text, context)


async def _complete_whole_period(beginning: str, context: Context) -> list[Option]:
    """Complete this month and this year in words, then any period."""
    typed = beginning.strip().lower()
    spoken = (words for words in ("month", "year") if typed and words.startswith(typed))
    return [*map(Option, spoken), *await _complete_period(beginning, context)]


WEEK = ParamType(
    "WEEK",
    _read_week,
    _complete_week,
    EXPECTED_WEEK,
    looks=_looks_like_week,
    write=lambda week: str(week.name),
)
# Completed by the weeks of several sources; others are read too.
SHARED_WEEK = replace(
    WEEK, read=partial(_read_week, fewest=2), complete=partial(_complete_week, fewest=2)
)
_PERIOD = ParamType(
    "PERIOD", _read_period, _complete_period, EXPECTED_PERIOD, looks=_looks_like_period
)
SINCE = replace(
    _PERIOD,
    read=_read_since,
    looks=_looks_like_since,
    write=_write_since,
    expected=f"{EXPECTED_PERIOD} last visit is when you were last here.",
)
UNTIL = replace(_PERIOD, read=_read_until, write=lambda period: period.last_day.isoformat())
WHOLE_PERIOD = replace(
    _PERIOD,
    read=_read_whole_period,
    complete=_complete_whole_period,
    expected=f"{EXPECTED_PERIOD} month is this month.",
    write=name_of,
)
