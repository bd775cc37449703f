"""How many papers the weeks have, of which topics."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import func, join, select
from sqlmodel import Session, col

from store.library.editions import IS_ORIGINAL, NEWEST_FIRST
from store.sources import precedence
from store.tables.library import EditionRow, EntryRow, EntryTopicRow

_OF_WEEKS = join(EntryRow, EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
_PAPERS = func.count(col(EntryRow.paper_id).distinct())


@dataclass(frozen=True, slots=True)
class WeekCount:
    """How many papers the editions of an ISO week have, and how many of them each topic has.

    A paper counts once a week, however many editions name it; it has a topic where one of its
    entries of that week has it.
    """

    week: str
    papers: int
    topics: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Counted:
    """The weeks that have papers, the oldest first, and the sources whose editions these are."""

    weeks: tuple[WeekCount, ...]
    sources: tuple[str, ...]


def newest_week(session: Session, until: str) -> str | None:
    """Return the newest ISO week no later than another (`2026-W02`) that has papers."""
    query = (
        select(func.max(col(EditionRow.week)))
        .select_from(_OF_WEEKS)
        .where(IS_ORIGINAL, col(EditionRow.week) <= until)
    )
    found: str | None = session.connection().scalar(query)
    return found


def counted(session: Session, first: str, last: str) -> Counted:
    """Count the papers of the ISO weeks from one to another, both included.

    Those of the consensus are counted where they stand.
    """
    in_time = IS_ORIGINAL, col(EditionRow.week).between(first, last)
    week, source, topic = col(EditionRow.week), col(EditionRow.source), col(EntryTopicRow.topic)
    papers = select(week, _PAPERS).select_from(_OF_WEEKS).where(*in_time)
    tagged = _OF_WEEKS.join(EntryTopicRow, col(EntryTopicRow.entry_id) == col(EntryRow.id))
    by_topic = select(week, topic, _PAPERS).select_from(tagged).where(*in_time)
    connection = session.connection()
    topics: dict[str, dict[str, int]] = {}
    for name, slug, number in connection.execute(by_topic.group_by(week, topic)):
        topics.setdefault(name, {})[slug] = number
    weeks = connection.execute(papers.group_by(week).order_by(week))
    named = connection.scalars(select(source).select_from(_OF_WEEKS).where(*in_time).distinct())
    return Counted(
        tuple(WeekCount(name, number, topics.get(name, {})) for name, number in weeks),
        tuple(sorted(named, key=precedence)),
    )


def list_weeks(session: Session) -> list[tuple[str, tuple[str, ...]]]:
    """Return the ISO weeks that have an edition, each with its sources, the newest first.

    The consensus of several is none of them.
    """
    query = (
        select(col(EditionRow.week), col(EditionRow.source))
        .where(IS_ORIGINAL)
        .order_by(*NEWEST_FIRST)
    )
    weeks: dict[str, list[str]] = {}
    for week, source in session.connection().execute(query):
        weeks.setdefault(week, []).append(source)
    return [(week, tuple(dict.fromkeys(weeks[week]))) for week in sorted(weeks, reverse=True)]


def list_months(session: Session) -> list[str]:
    """Return the months, `2026-01`, in which an edition ends, the newest first."""
    days = select(col(EditionRow.last_day)).where(IS_ORIGINAL).distinct()
    days = days.order_by(col(EditionRow.last_day).desc())
    return list(dict.fromkeys(f"{day:%Y-%m}" for day in session.connection().scalars(days)))
