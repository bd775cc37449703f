"""Weeks and periods, in the asker's zone."""

from bot import periods, weeks
from bot.command import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.periods import Period, parse_period
from bot.weeks import Week, parse_week
from bot.wording import days
from store import editions


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
    found: dict[Week, list[str]] = {}
    for edition in await context.content.read(editions.list_editions):
        week = Week.named(editions.iso_week(edition.first_day, edition.last_day))
        if edition.source not in found.setdefault(week, []):
            found[week].append(edition.source)
    offers = [
        (Option(week.name, f"{days(week.first_day, week.last_day)} · {', '.join(sources)}"), week)
        for week, sources in sorted(found.items(), reverse=True)
    ]
    return [option for option, week in offers if _begins(typed, option, week)]


def _begins(typed: str, option: Option, week: Week) -> bool:
    names = (
        option.value,
        option.label,
        week.first_day.isoformat(),
        f"{week.first_day:%B} {week.first_day.day}",
    )
    return any(name.lower().startswith(typed) for name in names)


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
    found = await context.content.read(editions.list_editions)
    months = dict.fromkeys(f"{edition.last_day:%Y-%m}" for edition in found)
    years = dict.fromkeys(month[:4] for month in months)
    return [Option(each) for each in (*years, *months) if each.startswith(typed)]


WEEK = ParamType("WEEK", _read_week, _complete_week, weeks.EXPECTED)
PERIOD = ParamType("PERIOD", _read_period, _complete_period, periods.EXPECTED)
