"""Weeks and periods, in the asker's zone."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from bot import periods, weeks
from bot.command import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.periods import Period, parse_period
from bot.weeks import Week, parse_week
from bot.wording import days
from store.weeks import list_months, list_weeks

_OFFERED = 100  # no platform's menu shows more
_REMEMBERED = 2048  # weeks, of forty years


async def _read_week(text: str, context: Context) -> Week:
    week = parse_week(text, context.today)
    if week is None:
        raise ArgumentError(
            f"I can't read {text[:40]!r} as a week.", weeks.EXPECTED, await _newest(context)
        )
    return week


async def _complete_week(beginning: str, context: Context) -> list[Option]:
    """Offer the weeks that have an edition, newest first, by number, day or words of the day."""
    typed = " ".join(beginning.lower().split())
    stored = await context.content.read(list_weeks)
    offers = ((name, sources) for name, sources in stored if _begins(typed, name))
    return [_option(name, sources) for name, sources in islice(offers, _OFFERED)]


def _option(name: str, sources: Sequence[str]) -> Option:
    return Option(name, f"{_days(name)} · {', '.join(sources)}")


def _begins(typed: str, name: str) -> bool:
    return any(each.startswith(typed) for each in _names(name))


@lru_cache(_REMEMBERED)
def _names(name: str) -> tuple[str, ...]:
    """Return what a week is completed by, in lower case."""
    day = Week.named(name).first_day
    return name.lower(), _days(name).lower(), day.isoformat(), f"{day:%B} {day.day}".lower()


@lru_cache(_REMEMBERED)
def _days(name: str) -> str:
    week = Week.named(name)
    return days(week.first_day, week.last_day)


async def _newest(context: Context) -> tuple[Option, ...]:
    return tuple((await _complete_week("", context))[:1])


async def _read_period(text: str, context: Context) -> Period:
    period = parse_period(text, context.today)
    if period is None:
        raise ArgumentError(
            f"I can't read {text[:40]!r} as a period.",
            periods.EXPECTED,
            tuple((await _complete_period("", context))[:2]),
        )
    return period


async def _complete_period(beginning: str, context: Context) -> list[Option]:
    """Offer the years and months that have an edition, newest first."""
    typed = beginning.strip().lower()
    months = await context.content.read(list_months)
    years = dict.fromkeys(month[:4] for month in months)
    return [Option(each) for each in (*years, *months) if each.startswith(typed)]


WEEK = ParamType("WEEK", _read_week, _complete_week, weeks.EXPECTED)
PERIOD = ParamType("PERIOD", _read_period, _complete_period, periods.EXPECTED)
