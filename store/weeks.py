"""The weeks and months that have an edition."""

from sqlalchemy import select
from sqlmodel import Session

from store.editions import IS_ORIGINAL, NEWEST_FIRST
from store.schema import TABLES

_EDITION = TABLES["edition"]


def list_weeks(session: Session) -> list[tuple[str, tuple[str, ...]]]:
    """Return the ISO weeks that have an edition, each with its sources, the newest first.

    The consensus of several is none of them.
    """
    query = select(_EDITION.c.week, _EDITION.c.source).where(IS_ORIGINAL).order_by(*NEWEST_FIRST)
    weeks: dict[str, list[str]] = {}
    for week, source in session.connection().execute(query):
        weeks.setdefault(week, []).append(source)
    return [(week, tuple(dict.fromkeys(weeks[week]))) for week in sorted(weeks, reverse=True)]


def list_months(session: Session) -> list[str]:
    """Return the months, `2026-01`, in which an edition ends, the newest first."""
    days = select(_EDITION.c.last_day).where(IS_ORIGINAL).distinct()
    days = days.order_by(_EDITION.c.last_day.desc())
    return list(dict.fromkeys(f"{day:%Y-%m}" for day in session.connection().scalars(days)))
