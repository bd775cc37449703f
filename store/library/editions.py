"""Editions, and the sources and weeks that have some."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, case, false, func, select, true
from sqlmodel import Session, col

from store.database.statements import Query
from store.library import entries
from store.records import Edition, Entry, Source
from store.search.filters import Filters, conditions
from store.sources import CONSENSUS, PREFERRED, precedence
from store.tables.library import ConsensusRankRow, EditionRow, EntryRow, SourceRow

_NEWEST_FIRST = (
    col(EditionRow.sample),
    col(EditionRow.last_day).desc(),
    case(
        {slug: place for place, slug in enumerate(PREFERRED)},
        value=col(EditionRow.source),
        else_=len(PREFERRED),
    ),
    col(EditionRow.source),
)
# Editions of the sources themselves; the consensus is merged from these and not counted.
IS_ORIGINAL = col(EditionRow.source) != CONSENSUS
# The fields that are columns of the same name.
EDITION_FIELDS = (
    "source", "kind", "title", "first_day", "last_day", "published_on", "year_rule",
    "overview", "minutes", "url", "headings", "sample",
)  # fmt: skip
FARTHEST_AHEAD = timedelta(weeks=1)
# Editions of these kinds grow until their ISO week ends.
_OPEN_KINDS = ("hf-daily", CONSENSUS)


def newest_first(edition: Edition, day: date | None = None) -> tuple[bool, bool, int, int, str]:
    """Return a sort key: by last day, then by precedence of the source; samples come last.

    Behind them comes what lies ahead of a day, if one is given.
    """
    ahead = day is not None and edition.last_day > latest_end(day)
    return ahead, edition.sample, -edition.last_day.toordinal(), *precedence(edition.source)


def in_order(day: date | None = None) -> tuple[Any, ...]:
    """Return the order of rows that `newest_first` gives to records."""
    ahead = () if day is None else (case((is_ahead(day), 1), else_=0),)
    return (*ahead, *_NEWEST_FIRST)


@lru_cache(256)  # an edition's is asked for in each answer from it
def iso_week(first_day: date, last_day: date) -> str:
    """Return the ISO week, `2026-W02`, that has most of the days; of two the earlier."""
    days = (first_day + timedelta(days=n) for n in range((last_day - first_day).days + 1))
    weeks = [day.isocalendar()[:2] for day in days]
    year, week = max(sorted(set(weeks)), key=weeks.count)
    return f"{year:04}-W{week:02}"


def monday_of(week: str) -> date:
    """Return the first day of an ISO week, `2026-W02`."""
    return date.fromisocalendar(int(week[:4]), int(week[6:]), 1)


def list_editions(
    session: Session, source: str | None = None, day: date | None = None
) -> list[Edition]:
    """Return the editions of a source or of all, newest first, without their entries.

    The consensus is only included if it is the source. What lies ahead of a day comes last.
    """
    rows = session.connection().execute(select(EditionRow).where(_of(source))).mappings()
    return sorted(map(edition_record, rows), key=lambda each: newest_first(each, day))


def _of(source: str | None) -> ColumnElement[bool]:
    """Return the condition that an edition is of a source, or of any but the consensus."""
    return IS_ORIGINAL if source is None else col(EditionRow.source) == source


def list_sources(session: Session) -> list[Source]:
    """Return the sources by slug."""
    rows = session.connection().execute(select(SourceRow).order_by(col(SourceRow.slug)))
    return [Source(row.slug, row.title) for row in rows]


def is_open(edition: Edition, day: date) -> bool:
    """Tell whether an edition may still grow on a day (UTC)."""
    week = iso_week(edition.first_day, edition.last_day)
    return edition.kind in _OPEN_KINDS and week >= iso_week(day, day)


def closed_on(day: date) -> ColumnElement[bool]:
    """Return the condition that an edition does not grow any more on a day (UTC)."""
    return col(EditionRow.kind).not_in(_OPEN_KINDS) | (col(EditionRow.week) < iso_week(day, day))


def latest_end(day: date) -> date:
    """Return the last day on which an edition may end that does not lie ahead of a day.

    Weeks that do are mistakes of a document, which programs before stored.
    """
    return day + FARTHEST_AHEAD


def is_ahead(day: date) -> ColumnElement[bool]:
    """Return the condition that an edition lies ahead of a day."""
    return col(EditionRow.last_day) > latest_end(day)


def list_ahead(session: Session, day: date) -> list[Edition]:
    """Return the editions that end more than a week after a day, newest first, without entries."""
    rows = session.connection().execute(select(EditionRow).where(is_ahead(day))).mappings()
    return sorted(map(edition_record, rows), key=newest_first)


def may_be_posted(day: date) -> ColumnElement[bool]:
    """Return the condition that an edition may be posted on a day.

    It is no sample, does not grow any more, and does not lie ahead.
    """
    return (col(EditionRow.sample) == false()) & closed_on(day) & ~is_ahead(day)


def closes_at(kind: str, week: str) -> datetime | None:
    """Return when an edition of a kind stops growing, `None` if it never grows."""
    if kind not in _OPEN_KINDS:
        return None
    return datetime.combine(monday_of(week) + timedelta(weeks=1), time(), UTC)


def newest_edition(
    session: Session, source: str | None = None, day: date | None = None
) -> Edition | None:
    """Return the newest edition with its entries; a sample only while there is nothing else.

    Without a source it is any but the consensus's, and editions that are open on the day (UTC) come
    after closed ones. One that lies ahead of the day is none.
    """
    query = select(EditionRow).where(_of(source))
    if day is not None:
        query = query.where(~is_ahead(day))
    if source is None and day is not None:
        query = query.order_by(col(EditionRow.sample), case((closed_on(day), 0), else_=1))
    return next(_with_entries(session, query.order_by(*_NEWEST_FIRST).limit(1)), None)


def of_week(session: Session, week: str, source: str | None = None) -> list[Edition]:
    """Return the editions of an ISO week (`2026-W02`) with their entries, newest first.

    The consensus comes last.
    """
    query = select(EditionRow).where(col(EditionRow.week) == week)
    if source is not None:
        query = query.where(col(EditionRow.source) == source)
    found = _with_entries(session, query)
    return sorted(found, key=lambda edition: (edition.source == CONSENSUS, newest_first(edition)))


def of_day(
    session: Session, source: str, first_day: date, most: int | None = None
) -> Edition | None:
    """Return the edition of a source that begins on a day, `None` without one.

    It has its entries, or so many of the first ones.
    """
    query = select(EditionRow).where(
        col(EditionRow.source) == source, col(EditionRow.first_day) == first_day
    )
    return next(_with_entries(session, query, most), None)


def _with_entries(session: Session, query: Query, most: int | None = None) -> Iterator[Edition]:
    """Read editions, each with its entries or so many of the first ones."""
    for row in session.connection().execute(query).mappings().all():
        yield edition_record(row, entries.of_edition(session, row["id"], most))


def wanted_refs(session: Session, week: str, filters: Filters) -> frozenset[str]:
    """Return the refs of the entries of an ISO week's editions that filters let through."""
    query = (
        select(col(EntryRow.ref))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(col(EditionRow.week) == week, *conditions(filters))
    )
    return frozenset(session.connection().scalars(query))


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The ISO weeks with an edition before and after one, `None` at either end.

    `others` are the sources with an edition in that week.
    """

    before: str | None
    after: str | None
    others: tuple[str, ...]


def neighbours(
    session: Session, week: str, source: str | None = None, day: date | None = None
) -> Neighbours:
    """Return the nearest weeks with an edition, of one source or of any.

    Editions that lie ahead of a day make no neighbour.
    """
    matches = true() if source is None else col(EditionRow.source) == source
    if day is not None:
        matches &= ~is_ahead(day)
    before = select(func.max(col(EditionRow.week))).where(col(EditionRow.week) < week, matches)
    after = select(func.min(col(EditionRow.week))).where(col(EditionRow.week) > week, matches)
    others = select(col(EditionRow.source)).where(col(EditionRow.week) == week).distinct()
    connection = session.connection()
    return Neighbours(
        connection.scalar(before),
        connection.scalar(after),
        tuple(sorted(connection.scalars(others))),
    )


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source, how much of it is stored, and when its newest edition ended.

    `last_day` is `None` where all of them lie ahead.
    """

    source: Source
    editions: int
    entries: int
    last_day: date | None


def source_states(session: Session, day: date) -> list[SourceState]:
    """Return the state of each source that has an edition on a day (UTC), the newest first.

    The consensus comes last, with the entries that it refers to.
    """
    query = (
        select(
            SourceRow,
            func.count(col(EditionRow.id).distinct()).label("editions"),
            func.count(col(EntryRow.id)).label("entries"),
            func.max(case((~is_ahead(day), col(EditionRow.last_day)))).label("last_day"),
        )
        .join(EditionRow, col(EditionRow.source) == col(SourceRow.slug))
        .outerjoin(EntryRow, col(EntryRow.edition_id) == col(EditionRow.id))
        .group_by(col(SourceRow.slug), col(SourceRow.title))
    )
    references = select(func.count()).select_from(ConsensusRankRow)
    connection = session.connection()
    states = [
        SourceState(
            Source(row.slug, row.title),
            row.editions,
            row.entries if row.slug != CONSENSUS else connection.scalar(references) or 0,
            row.last_day,
        )
        for row in connection.execute(query)
    ]
    states.sort(key=lambda state: state.source.slug)
    states.sort(key=lambda state: state.last_day or date.min, reverse=True)
    return sorted(states, key=lambda state: state.source.slug == CONSENSUS)


def export_editions(
    session: Session, source: str | None = None, week: str | None = None, day: date | None = None
) -> list[Edition]:
    """Return all editions, or those of a source or an ISO week, with entries, newest first.

    The consensus is only included if it is the source. What lies ahead of a day comes last.
    """
    query = select(EditionRow).where(_of(source))
    if week is not None:
        query = query.where(col(EditionRow.week) == week)
    rows = session.connection().execute(query).mappings().all()
    read = entries.of_consensus if source == CONSENSUS else entries.by_edition
    by_edition = read(session)
    editions = (edition_record(row, by_edition.get(row["id"], ())) for row in rows)
    return sorted(editions, key=lambda each: newest_first(each, day))


def change_times(session: Session, since: date) -> dict[tuple[str, date], datetime]:
    """Return when editions that start on a day or later last changed, by source and first day."""
    columns = col(EditionRow.source), col(EditionRow.first_day), col(EditionRow.changed_at)
    query = select(*columns).where(col(EditionRow.first_day) >= since)
    rows = session.connection().execute(query)
    return {(source, first_day): changed_at for source, first_day, changed_at in rows}


def edition_record(row: Mapping[Any, Any], in_order: Iterable[Entry] = ()) -> Edition:
    """Build an edition from a row of `edition` and its entries."""
    facts = {field: row[field] for field in EDITION_FIELDS}
    return Edition(**facts, entries=tuple(in_order))
