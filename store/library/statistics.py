"""Counts of papers by topic and by week, and which weeks and months there are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import func, join, literal, select
from sqlmodel import Session, col

from store.library.editions import IS_ORIGINAL, in_order, is_ahead, latest_end
from store.search.filters import EVERYTHING, Filters, conditions
from store.sources import precedence
from store.tables.library import EditionRow, EntryRow, EntryTopicRow

_WITH_EDITION = join(EntryRow, EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
_PAPERS = func.count(col(EntryRow.paper_id).distinct())
_TOPIC = col(EntryTopicRow.topic)
_IS_TAGGED = col(EntryTopicRow.entry_id) == col(EntryRow.id)


@dataclass(frozen=True, slots=True)
class TopicCount:
    """The number of papers with a topic."""

    topic: str
    papers: int


@dataclass(frozen=True, slots=True)
class WeekCount:
    """The number of papers in the editions of an ISO week, in all and by topic.

    A paper counts once a week, however many editions have it; it has a topic if one of its entries
    of that week has it.
    """

    week: str
    papers: int
    topics: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WeeklyCounts:
    """The weeks that have papers, oldest first, and the sources of their editions."""

    weeks: tuple[WeekCount, ...]
    sources: tuple[str, ...]


def topic_counts(session: Session) -> list[TopicCount]:
    """Return the topics that papers have, the most frequent first."""
    query = (
        select(_TOPIC, _PAPERS)
        .select_from(_WITH_EDITION.join(EntryTopicRow, _IS_TAGGED))
        .group_by(_TOPIC)
        .order_by(_PAPERS.desc(), _TOPIC)
    )
    return [TopicCount(*row) for row in session.connection().execute(query)]


def count_papers(session: Session, filters: Filters = EVERYTHING) -> int:
    """Return the number of papers that filters let through."""
    query = select(_PAPERS).select_from(_WITH_EDITION).where(*conditions(filters))
    return session.connection().scalar(query) or 0


def has_papers(session: Session, filters: Filters) -> bool:
    """Tell whether filters let a paper through; the first one that is met answers."""
    query = select(literal(1)).select_from(_WITH_EDITION).where(*conditions(filters)).limit(1)
    return session.connection().scalar(query) is not None


def newest_week(session: Session, until: str) -> str | None:
    """Return the newest ISO week that has papers, no later than another (`2026-W02`)."""
    query = select(func.max(col(EditionRow.week))).select_from(_WITH_EDITION)
    return session.connection().scalar(query.where(IS_ORIGINAL, col(EditionRow.week) <= until))


def count_weeks(session: Session, first: str, last: str) -> WeeklyCounts:
    """Count the papers of the ISO weeks from one to another, both included.

    Papers of the consensus are counted in their own editions.
    """
    in_weeks = IS_ORIGINAL, col(EditionRow.week).between(first, last)
    week, source = col(EditionRow.week), col(EditionRow.source)
    tagged = _WITH_EDITION.join(EntryTopicRow, _IS_TAGGED)
    by_topic = select(week, _TOPIC, _PAPERS).select_from(tagged).where(*in_weeks)
    by_week = select(week, _PAPERS).select_from(_WITH_EDITION).where(*in_weeks)
    sources = select(source).select_from(_WITH_EDITION).where(*in_weeks).distinct()
    connection = session.connection()
    topics: dict[str, dict[str, int]] = {}
    for name, topic, number in connection.execute(by_topic.group_by(week, _TOPIC)):
        topics.setdefault(name, {})[topic] = number
    weeks = connection.execute(by_week.group_by(week).order_by(week))
    return WeeklyCounts(
        tuple(WeekCount(name, number, topics.get(name, {})) for name, number in weeks),
        tuple(sorted(connection.scalars(sources), key=precedence)),
    )


def list_weeks(session: Session, day: date) -> list[tuple[str, tuple[str, ...]]]:
    """Return the ISO weeks that have an edition, newest first, with their sources.

    The consensus does not count as a source. Weeks of nothing but editions that lie ahead of a day
    (UTC) come last.
    """
    week = col(EditionRow.week)
    query = select(week, col(EditionRow.source), is_ahead(day).label("ahead")).where(IS_ORIGINAL)
    weeks: dict[str, list[str]] = {}
    ahead: dict[str, bool] = {}
    for row in session.connection().execute(query.order_by(*in_order(day))):
        weeks.setdefault(row.week, []).append(row.source)
        ahead.setdefault(row.week, bool(row.ahead))
    in_turn = sorted(sorted(weeks, reverse=True), key=ahead.__getitem__)
    return [(name, tuple(dict.fromkeys(weeks[name]))) for name in in_turn]


def list_months(session: Session, today: date) -> list[str]:
    """Return the months, `2026-01`, in which an edition ends, newest first.

    Those that lie ahead of a day (UTC) come last.
    """
    query = select(col(EditionRow.last_day)).where(IS_ORIGINAL).distinct()
    days = sorted(session.connection().scalars(query), reverse=True)
    days.sort(key=lambda day: day > latest_end(today))
    return list(dict.fromkeys(f"{day:%Y-%m}" for day in days))
