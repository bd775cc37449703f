"""The followed sources: those that come with the program, their choice, and when they are fetched.

A source is fetched often after its usual hour, else now and then. Instants are in UTC, by the
system clock. `spread`, from 0 to 1, spreads the requests of many installations to one host over
some minutes.
"""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from bot.domain.schedule import WEEKDAYS, backoff
from bot.errors import Suggestion, UserError
from store import sources
from store.database import Database
from store.records import Source
from store.sources import FollowedSource, PredefinedSource, UsualTime

# The time after the usual hour in which a source is fetched often.
_AWAITED = timedelta(hours=6)
_OFTEN, _SELDOM = timedelta(hours=1), timedelta(hours=6)
_SPREAD = timedelta(minutes=5)
_DAY = timedelta(days=1)
# The longest wait, whatever a host asks for.
_LONGEST = _DAY


@cache
def predefined() -> tuple[PredefinedSource, ...]:
    """Return the sources of `predefined.toml`, in its order; its head says how it reads."""
    text = files("bot.sources").joinpath("predefined.toml").read_text("utf-8")
    return tuple(map(_predefined, tomllib.loads(text)["source"]))


async def follow_predefined(database: Database) -> None:
    """Add the predefined sources to the followed ones, unless the store knows them already."""
    known = await database.read(sources.list_followed)
    if not sources.is_predefined(known, predefined()):
        await database.write(sources.predefine, predefined())


def choose_sources(known: Sequence[FollowedSource], slugs: Sequence[str]) -> list[FollowedSource]:
    """Return the sources of these names, or all that are enabled. Pure.

    Raises:
        UserError: where one of them is not followed, or none is.
    """
    if not slugs:
        if enabled := [source for source in known if source.enabled]:
            return enabled
        raise UserError(
            "No source is followed." if not known else "No source is enabled.",
            "broadsheet sources add SLUG URL follows one; sources enable SLUG takes one up again.",
        )
    by_slug = {source.source.slug: source for source in known}
    for slug in slugs:
        if slug not in by_slug:
            raise not_followed(slug, list(by_slug))
    return [by_slug[slug] for slug in dict.fromkeys(slugs)]


def not_followed(slug: str, known: Sequence[str]) -> UserError:
    """Return the error for a source that is not followed, with similar names. Pure."""
    near = get_close_matches(slug, known, n=3, cutoff=0.5)
    listed = f"Followed are {', '.join(known)}." if known else "None is followed so far."
    return UserError(
        f"No source {slug!r} is followed.", listed, tuple(Suggestion(name, name) for name in near)
    )


def last_fetched_at(source: FollowedSource) -> datetime | None:
    """Return the time of the last successful fetch at one of a source's addresses. Pure."""
    return max((a.fetched_at for a in source.addresses if a.fetched_at), default=None)


def next_fetch(usual: UsualTime, now: datetime, spread: float) -> datetime:
    """Return the next time of a fetch after one that succeeded now."""
    last, coming = _around(usual, now)
    step = _OFTEN if last and now - last < _AWAITED else _SELDOM
    return min(now + step, coming or now + step) + spread * _SPREAD


def next_edition_time(usual: UsualTime, now: datetime) -> datetime | None:
    """Return when a source usually has its next edition, `None` if its hour is unknown.

    The week of a daily source is complete on the Monday after it.
    """
    weekday = 0 if usual.weekday is None else usual.weekday
    return _around(UsualTime(weekday, usual.hour), now)[1]


def next_retry(failures: int, after: float | None, now: datetime, spread: float) -> datetime:
    """Return the time of the next try after so many failures in a row.

    `after` are the seconds that the host asks to wait, if it does.
    """
    asked = timedelta(seconds=min(after or 0.0, _LONGEST.total_seconds()))
    return now + max(backoff(failures), asked) + spread * _SPREAD


def _predefined(table: Mapping[str, Any]) -> PredefinedSource:
    weekday = table.get("weekday")
    return PredefinedSource(
        Source(table["slug"], table["title"]),
        table["enabled"],
        UsualTime(None if weekday is None else WEEKDAYS.index(weekday), table["hour"]),
        tuple((address.get("kind"), address["url"]) for address in table["address"]),
    )


def _around(usual: UsualTime, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Return the usual instants before and after now, `None` if the hour is unknown."""
    if usual.hour is None:
        return None, None
    every = _DAY if usual.weekday is None else 7 * _DAY
    today = datetime.combine(now.date(), usual.hour, UTC)
    since = 0 if usual.weekday is None else (now.weekday() - usual.weekday) % 7
    last = today - since * _DAY
    last = last if last <= now else last - every
    return last, last + every
