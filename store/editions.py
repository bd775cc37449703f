"""Editions: finding them, and applying a change to one in one go."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import insert, select, update
from sqlmodel import Session, SQLModel

from store import entries
from store.records import Contribution, Edition, EditionChange, Entry, Source

_TABLES = SQLModel.metadata.tables
_SOURCE, _EDITION = _TABLES["source"], _TABLES["edition"]
_CONTRIBUTION = _TABLES["contribution"]

# Where two editions end on one day the first of these counts as the newer; then by slug.
_TIES = ("dair", "paperdive", "hf-daily")


def newest_first(edition: Edition) -> tuple[bool, int, int, str]:
    """Return a sort key: samples last, then by last day, then by source."""
    tie = _TIES.index(edition.source) if edition.source in _TIES else len(_TIES)
    return edition.sample, -edition.last_day.toordinal(), tie, edition.source


def iso_week(first_day: date, last_day: date) -> str:
    """Return the ISO week, `2026-W02`, that holds most of the days; of two the earlier."""
    days = ((last_day - first_day).days + 1) if last_day >= first_day else 1
    weeks = [(first_day + timedelta(days=n)).isocalendar()[:2] for n in range(days)]
    year, week = max(sorted(set(weeks)), key=weeks.count)
    return f"{year}-W{week:02}"


def list_editions(session: Session, source: str | None = None) -> list[Edition]:
    """Return the editions, newest first, without their entries."""
    query = select(_EDITION)
    if source is not None:
        query = query.where(_EDITION.c.source == source)
    rows = session.connection().execute(query).mappings()
    return sorted(map(edition_record, rows), key=newest_first)


def list_sources(session: Session) -> list[Source]:
    """Return the sources by slug."""
    rows = session.connection().execute(select(_SOURCE).order_by(_SOURCE.c.slug))
    return [Source(row.slug, row.title) for row in rows]


def newest_edition(session: Session, source: str | None = None) -> Edition | None:
    """Return the newest edition with its entries; a sample only while there is nothing else."""
    query = select(_EDITION).order_by(_EDITION.c.sample, _EDITION.c.last_day.desc())
    if source is not None:
        query = query.where(_EDITION.c.source == source)
    # Several sources may end on one day; of the newest few the rule for ties picks one.
    rows = session.connection().execute(query.limit(50)).mappings().all()
    if not rows:
        return None
    row = min(rows, key=lambda row: newest_first(edition_record(row)))
    return edition_record(row, entries.of_edition(session, row["id"]))


def find_edition(session: Session, source: str, first_day: date) -> Edition | None:
    """Return an edition with its entries."""
    query = select(_EDITION).where(_EDITION.c.source == source, _EDITION.c.first_day == first_day)
    row = session.connection().execute(query).mappings().one_or_none()
    return edition_record(row, entries.of_edition(session, row["id"])) if row else None


def export_editions(session: Session, source: str | None = None) -> list[Edition]:
    """Return all editions with their entries, newest first."""
    query = select(_EDITION)
    if source is not None:
        query = query.where(_EDITION.c.source == source)
    rows = session.connection().execute(query).mappings().all()
    by_edition = entries.by_edition(session)
    editions = (edition_record(row, by_edition.get(row["id"], ())) for row in rows)
    return sorted(editions, key=newest_first)


def contributions(session: Session, source: str, first_day: date) -> list[Contribution]:
    """Return what each kind of document said about an edition."""
    query = (
        select(_CONTRIBUTION)
        .join(_EDITION, _EDITION.c.id == _CONTRIBUTION.c.edition_id)
        .where(_EDITION.c.source == source, _EDITION.c.first_day == first_day)
    )
    return [
        Contribution(row.kind, row.digest, row.sample, row.facts)
        for row in session.connection().execute(query)
    ]


def digests(session: Session, source: str, kind: str) -> dict[date, str]:
    """Return the digest of each edition's contribution of one kind, by first day."""
    query = (
        select(_EDITION.c.first_day, _CONTRIBUTION.c.digest)
        .join(_EDITION, _EDITION.c.id == _CONTRIBUTION.c.edition_id)
        .where(_EDITION.c.source == source, _CONTRIBUTION.c.kind == kind)
    )
    return {row.first_day: row.digest for row in session.connection().execute(query)}


def apply(session: Session, source: Source, change: EditionChange, now: datetime) -> None:
    """Make the store say what the change says: the edition, its contribution, its entries."""
    _add_source(session, source)
    edition_id = _put_edition(session, change, now)
    _put_contribution(session, edition_id, change.contribution, now)
    entries.put(session, edition_id, change)


def edition_record(row: Mapping[Any, Any], in_order: Iterable[Entry] = ()) -> Edition:
    """Build the record of a row of `edition`."""
    return Edition(
        source=row["source"],
        kind=row["kind"],
        title=row["title"],
        first_day=row["first_day"],
        last_day=row["last_day"],
        published_on=row["published_on"],
        year_rule=row["year_rule"],
        overview=row["overview"],
        minutes=row["minutes"],
        url=row["url"],
        headings=row["headings"],
        sample=row["sample"],
        entries=tuple(in_order),
    )


def _add_source(session: Session, source: Source) -> None:
    connection = session.connection()
    known = connection.scalar(select(_SOURCE.c.slug).where(_SOURCE.c.slug == source.slug))
    if known is None:
        connection.execute(insert(_SOURCE).values(slug=source.slug, title=source.title))


def _put_edition(session: Session, change: EditionChange, now: datetime) -> int:
    """Insert or update the edition's own row; return its id."""
    edition, connection = change.edition, session.connection()
    same = (_EDITION.c.source == edition.source, _EDITION.c.first_day == edition.first_day)
    edition_id = connection.scalar(select(_EDITION.c.id).where(*same))
    unchanged = not (change.differs or change.new or change.changed or change.removed)
    if edition_id is not None and unchanged:
        return int(edition_id)
    values = {field: getattr(edition, field) for field in _EDITION_FIELDS}
    values |= {"week": iso_week(edition.first_day, edition.last_day), "changed_at": now}
    if edition_id is None:
        statement = insert(_EDITION).values(**values).returning(_EDITION.c.id)
        return int(connection.execute(statement).scalar_one())
    connection.execute(update(_EDITION).where(_EDITION.c.id == edition_id).values(**values))
    return int(edition_id)


_EDITION_FIELDS = (
    "source", "kind", "title", "first_day", "last_day", "published_on", "year_rule",
    "overview", "minutes", "url", "headings", "sample",
)  # fmt: skip


def _put_contribution(
    session: Session, edition_id: int, contribution: Contribution, now: datetime
) -> None:
    connection = session.connection()
    same = (_CONTRIBUTION.c.edition_id == edition_id, _CONTRIBUTION.c.kind == contribution.kind)
    values = {**asdict(contribution), "imported_at": now}
    if connection.execute(update(_CONTRIBUTION).where(*same).values(**values)).rowcount == 0:
        connection.execute(insert(_CONTRIBUTION).values(edition_id=edition_id, **values))
