"""Editions: finding them, and applying a change to one in one go."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, case, insert, select, text, update
from sqlmodel import Session

from store import content, entries
from store.records import (
    Contribution,
    Edition,
    EditionChange,
    Entry,
    Source,
    StoredEdition,
)
from store.schema import TABLES

_SOURCE, _EDITION = TABLES["source"], TABLES["edition"]
_CONTRIBUTION = TABLES["contribution"]

# Where two editions end on one day the first of these counts as the newer; then by slug.
_TIES = ("dair", "paperdive", "hf-daily")

_NEWEST = (
    select(_EDITION)
    .order_by(
        _EDITION.c.sample,
        _EDITION.c.last_day.desc(),
        case(
            {slug: place for place, slug in enumerate(_TIES)},
            value=_EDITION.c.source,
            else_=len(_TIES),
        ),
        _EDITION.c.source,
    )
    .limit(1)
)


def newest_first(edition: Edition) -> tuple[bool, int, int, str]:
    """Return a sort key: samples last, then by last day, then by source."""
    tie = _TIES.index(edition.source) if edition.source in _TIES else len(_TIES)
    return edition.sample, -edition.last_day.toordinal(), tie, edition.source


def iso_week(first_day: date, last_day: date) -> str:
    """Return the ISO week, `2026-W02`, that holds most of the days; of two the earlier."""
    days = (first_day + timedelta(days=n) for n in range((last_day - first_day).days + 1))
    weeks = [day.isocalendar()[:2] for day in days]
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
    query = _NEWEST if source is None else _NEWEST.where(_EDITION.c.source == source)
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


def load(session: Session, source: str, first_day: date) -> StoredEdition | None:
    """Return an edition with its entries and contributions, to decide what to change about it."""
    row = session.connection().execute(_FIND, _day(source, first_day)).mappings().one_or_none()
    if row is None:
        return None
    found = session.connection().execute(_CONTRIBUTIONS, {"edition": row["id"]})
    return StoredEdition(
        id=row["id"],
        edition=edition_record(row, entries.of_edition(session, row["id"])),
        contributions=tuple(
            Contribution(each.kind, each.digest, each.sample, each.facts) for each in found
        ),
    )


def digests(session: Session, source: str, kind: str) -> dict[date, str]:
    """Return the digest of each edition's contribution of one kind, by first day."""
    rows = session.connection().execute(_DIGESTS, {"of_source": source, "of_kind": kind})
    return {day: digest for day, digest in rows}  # noqa: C416 - rows are tuples to mypy only so


def apply(
    session: Session,
    source: Source,
    change: EditionChange,
    stored: StoredEdition | None,
    now: datetime,
) -> None:
    """Make the store say what the change says: the edition, its contribution, its entries.

    `stored` is what `load` returned in the same transaction.
    """
    connection = session.connection()
    if stored is None:
        connection.execute(_ADD_SOURCE, {"slug": source.slug, "title": source.title})
        edition_id = connection.execute(_ADD_EDITION, _values(change.edition, now)).scalar_one()
    else:
        edition_id = stored.id
        if change.differs or change.new or change.changed or change.removed:
            connection.execute(_CHANGE_EDITION, {"row": edition_id, **_values(change.edition, now)})
    kinds = {each.kind for each in stored.contributions} if stored else set()
    _put_contribution(session, edition_id, change.contribution, kinds, now)
    entries.put(session, edition_id, change)
    content.touch(session)


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


_DIGESTS = (
    select(_EDITION.c.first_day, _CONTRIBUTION.c.digest)
    .join(_EDITION, _EDITION.c.id == _CONTRIBUTION.c.edition_id)
    .where(_EDITION.c.source == bindparam("of_source"))
    .where(_CONTRIBUTION.c.kind == bindparam("of_kind"))
)
_FIND = select(_EDITION).where(
    _EDITION.c.source == bindparam("of_source"), _EDITION.c.first_day == bindparam("of_day")
)
_CONTRIBUTIONS = select(_CONTRIBUTION).where(_CONTRIBUTION.c.edition_id == bindparam("edition"))
_ADD_SOURCE = text(
    "INSERT INTO source (slug, title) VALUES (:slug, :title) ON CONFLICT (slug) DO NOTHING"
)
_ADD_EDITION = insert(_EDITION).returning(_EDITION.c.id)
_CHANGE_EDITION = update(_EDITION).where(_EDITION.c.id == bindparam("row"))
_ADD_CONTRIBUTION = insert(_CONTRIBUTION)
_CHANGE_CONTRIBUTION = update(_CONTRIBUTION).where(
    _CONTRIBUTION.c.edition_id == bindparam("of_edition"),
    _CONTRIBUTION.c.kind == bindparam("of_kind"),
)
_EDITION_FIELDS = (
    "source", "kind", "title", "first_day", "last_day", "published_on", "year_rule",
    "overview", "minutes", "url", "headings", "sample",
)  # fmt: skip


def _day(source: str, first_day: date) -> dict[str, Any]:
    return {"of_source": source, "of_day": first_day}


def _values(edition: Edition, now: datetime) -> dict[str, Any]:
    values = {field: getattr(edition, field) for field in _EDITION_FIELDS}
    return values | {"week": iso_week(edition.first_day, edition.last_day), "changed_at": now}


def _put_contribution(
    session: Session,
    edition_id: int,
    contribution: Contribution,
    kinds: set[str],
    now: datetime,
) -> None:
    values = {
        "digest": contribution.digest,
        "sample": contribution.sample,
        "facts": contribution.facts,
        "imported_at": now,
    }
    if contribution.kind in kinds:
        same = {"of_edition": edition_id, "of_kind": contribution.kind}
        session.connection().execute(_CHANGE_CONTRIBUTION, {**same, **values})
    else:
        key = {"edition_id": edition_id, "kind": contribution.kind}
        session.connection().execute(_ADD_CONTRIBUTION, {**key, **values})
