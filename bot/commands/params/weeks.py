"""Weeks and periods, in the user's zone."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice

from bot.commands.types import Context, ParamType
from bot.domain import periods, weeks
from bot.domain.periods import Period, parse_period, parse_whole_period
from bot.domain.weeks import Week, parse_week
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from bot.replies.wording import days
from store.library.statistics import list_months, list_weeks

_SPOKEN = ("last week", "this week")  # offered once they are begun
_OFFERED = 100  # no platform's menu shows more
_REMEMBERED = 2048  # weeks, of forty years


async def _read_week(text: str, context: Context, fewest: int = 1) -> Week:
    week = parse_week(text, context.today)
    if week is None:
        newest = (await _complete_week("", context, fewest))[:1]
        raise ArgumentError(
            f"I can't read {quoted(text)} as a week.", weeks.EXPECTED, tuple(newest)
        )
    return week


async def _complete_week(beginning: str, context: Context, fewest: int = 1) -> list[Option]:
    """Complete the weeks that so many sources cover, newest first, by number, day or words."""
    typed = " ".join(beginning.lower().split())
    spoken = [words for words in _SPOKEN if typed and words.startswith(typed)]
    stored = await context.content.read(list_weeks)
    covered = ((name, sources) for name, sources in stored if len(sources) >= fewest)
    offers = ((name, sources) for name, sources in covered if _begins(typed, name))
    found = [_option(name, sources) for name, sources in islice(offers, _OFFERED)]
    return [*(_spoken(words, context) for words in spoken), *found]


def _spoken(words: str, context: Context) -> Option:
    week = parse_week(words, context.today)
    return Option(words, _days(week.name) if week else "")


def _option(name: str, sources: Sequence[str]) -> Option:
    return Option(name, f"{_days(name)} · {', '.join(sources)}")


def _begins(typed: str, name: str) -> bool:
    return any(each.startswith(typed) for each in _names(name))


@lru_cache(_REMEMBERED)
def _names(name: str) -> tuple[str, ...]:
    """Return the names of a week in lower case."""
    day = Week.named(name).first_day
    return name.lower(), _days(name).lower(), day.isoformat(), f"{day:%B} {day.day}".lower()


@lru_cache(_REMEMBERED)
def _days(name: str) -> str:
    week = Week.named(name)
    return days(week.first_day, week.last_day)


async def _read_period(text: str, context: Context) -> Period:
    period = parse_period(text, context.today)
    if period is None:
        raise ArgumentError(
            f"I can't read {quoted(text)} as a period.",
            periods.EXPECTED,
            tuple((await _complete_period("", context))[:2]),
        )
    return period


async def _complete_period(beginning: str, context: Context) -> list[Option]:
    """Complete the years and months that have an edition, newest first."""
    typed = beginning.strip().lower()
    months = await context.content.read(list_months)
    years = dict.fromkeys(month[:4] for month in months)
    quarters = dict.fromkeys(_quarter(month) for month in months) if "q" in typed else ()
    offers = (*years, *months, *quarters)
    return [Option(each) for each in offers if each.lower().startswith(typed)]


async def _read_whole_period(text: str, context: Context) -> Period:
    period = parse_whole_period(text, context.today)
    return period or await _read_period(text, context)


async def _complete_whole_period(beginning: str, context: Context) -> list[Option]:
    """Complete this month and this year in words, then any period."""
    typed = beginning.strip().lower()
    spoken = (words for words in ("month", "year") if typed and words.startswith(typed))
    return [*map(Option, spoken), *await _complete_period(beginning, context)]


def _quarter(month: str) -> str:
    return f"{month[:4]}-Q{(int(month[5:7]) + 2) // 3}"


def _write_week(week: Week) -> str:
    return week.name


WEEK = ParamType("WEEK", _read_week, _complete_week, weeks.EXPECTED, write=_write_week)
# Completed by the weeks of several sources; others are read too.
SHARED_WEEK = ParamType(
    "WEEK",
    partial(_read_week, fewest=2),
    partial(_complete_week, fewest=2),
    weeks.EXPECTED,
    write=_write_week,
)
_PERIOD = ParamType("PERIOD", _read_period, _complete_period, periods.EXPECTED)
SINCE = replace(_PERIOD, write=lambda period: period.first_day.isoformat())
UNTIL = replace(_PERIOD, write=lambda period: period.last_day.isoformat())
WHOLE_PERIOD = ParamType(
    "PERIOD",
    _read_whole_period,
    _complete_whole_period,
    f"{periods.EXPECTED} month is this month.",
    write=periods.name_of,
)
