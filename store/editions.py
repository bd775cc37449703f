"""Editions: finding them, and applying a change to one in one go."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, case, delete, false, func, insert, select, text, true, update
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
_CONTRIBUTION, _ENTRY = TABLES["contribution"], TABLES["entry"]

# Where two editions end on one day the first of these counts as the newer; then by slug.
_TIES = ("dair", "paperdive", "hf-daily")

# Of rows, as `newest_first` is of records.
NEWEST_FIRST = (
    _EDITION.c.sample,
    _EDITION.c.last_day.desc(),
    case(
        {slug: place for place, slug in enumerate(_TIES)},
        value=_EDITION.c.source,
        else_=len(_TIES),
    ),
    _EDITION.c.source,
)
_NEWEST = select(_EDITION).order_by(*NEWEST_FIRST).limit(1)
# Editions of these go on growing until their ISO week ends.
_OPEN_KINDS = ("hf-daily", "consensus")
# For rows, as `is_open` is for records, with the day's ISO week as `this_week`.
IS_CLOSED = _EDITION.c.kind.not_in(_OPEN_KINDS) | (_EDITION.c.week < bindparam("this_week"))
_CLOSED_FIRST = (
    select(_EDITION).order_by(_EDITION.c.sample, case((IS_CLOSED, 0), else_=1), *NEWEST_FIRST)
).limit(1)


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


def is_open(edition: Edition, day: date) -> bool:
    """Tell whether an edition may still grow on a day (UTC)."""
    week = iso_week(edition.first_day, edition.last_day)
    return edition.kind in _OPEN_KINDS and week >= iso_week(day, day)


def newest_edition(
    session: Session, source: str | None = None, day: date | None = None
) -> Edition | None:
    """Return the newest edition with its entries; a sample only while there is nothing else.

    Args:
        session: where they are stored.
        source: of which source, also where it is still open; `None` for any.
        day: the day in UTC, on which what is open comes after what is not; `None` where that does
            not matter.
    """
    query, values = _NEWEST, {}
    if source is not None:
        query = query.where(_EDITION.c.source == source)
    elif day is not None:
        query, values = _CLOSED_FIRST, {"this_week": iso_week(day, day)}
    row = session.connection().execute(query, values).mappings().one_or_none()
    return edition_record(row, entries.of_edition(session, row["id"])) if row else None


def of_week(session: Session, week: str, source: str | None = None) -> list[Edition]:
    """Return the editions of an ISO week (`2026-W02`) with their entries, newest first."""
    query = select(_EDITION).where(_EDITION.c.week == week)
    if source is not None:
        query = query.where(_EDITION.c.source == source)
    rows = session.connection().execute(query).mappings().all()
    found = (edition_record(row, entries.of_edition(session, row["id"])) for row in rows)
    return sorted(found, key=newest_first)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The ISO weeks with an edition before and after one, `None` at either end.

    `others` are the sources with an edition in that week.
    """

    before: str | None
    after: str | None
    others: tuple[str, ...]


def neighbours(session: Session, week: str, source: str | None = None) -> Neighbours:
    """Return the nearest weeks with an edition, of one source or of any."""
    ours = true() if source is None else _EDITION.c.source == source
    before = select(func.max(_EDITION.c.week)).where(_EDITION.c.week < week, ours)
    after = select(func.min(_EDITION.c.week)).where(_EDITION.c.week > week, ours)
    others = select(_EDITION.c.source).where(_EDITION.c.week == week).distinct()
    connection = session.connection()
    return Neighbours(
        connection.scalar(before),
        connection.scalar(after),
        tuple(sorted(connection.scalars(others))),
    )


@dataclass(frozen=True, slots=True)
class SourceState:
    """What is stored of a source, and when its newest edition ended."""

    source: Source
    editions: int
    entries: int
    last_day: date


def source_states(session: Session) -> list[SourceState]:
    """Return what is stored of each source that has an edition, the newest first."""
    query = (
        select(
            _SOURCE,
            func.count(_EDITION.c.id.distinct()).label("editions"),
            func.count(_ENTRY.c.id).label("entries"),
            func.max(_EDITION.c.last_day).label("last_day"),
        )
        .join(_EDITION, _EDITION.c.source == _SOURCE.c.slug)
        .outerjoin(_ENTRY, _ENTRY.c.edition_id == _EDITION.c.id)
        .group_by(_SOURCE.c.slug, _SOURCE.c.title)
    )
    states = [
        SourceState(Source(row.slug, row.title), row.editions, row.entries, row.last_day)
        for row in session.connection().execute(query)
    ]
    return sorted(states, key=lambda state: (-state.last_day.toordinal(), state.source.slug))


def export_editions(
    session: Session, source: str | None = None, week: str | None = None
) -> list[Edition]:
    """Return all editions, or those of a source or an ISO week, with entries, newest first."""
    query = select(_EDITION)
    if source is not None:
        query = query.where(_EDITION.c.source == source)
    if week is not None:
        query = query.where(_EDITION.c.week == week)
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

    `stored` is what `load` returned in the same transaction. The first real edition takes
    the place of all samples; a sample that comes after it is left out.
    """
    connection = session.connection()
    if change.edition.sample:
        if _holds_real(session):
            return
    else:
        _drop_samples(session)
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


_REAL = select(_EDITION.c.id).where(_EDITION.c.sample == false()).limit(1)
_SAMPLES = select(_EDITION.c.id).where(_EDITION.c.sample == true())
_DROP_CONTRIBUTIONS = delete(_CONTRIBUTION).where(
    _CONTRIBUTION.c.edition_id.in_(bindparam("editions", expanding=True))
)
_DROP_EDITIONS = delete(_EDITION).where(_EDITION.c.id.in_(bindparam("editions", expanding=True)))
_DROP_EMPTY_SOURCES = text(
    "DELETE FROM source WHERE NOT EXISTS (SELECT 1 FROM edition WHERE edition.source = source.slug)"
)


def _holds_real(session: Session) -> bool:
    return session.connection().scalar(_REAL) is not None


def _drop_samples(session: Session) -> None:
    connection = session.connection()
    samples = list(connection.scalars(_SAMPLES))
    if not samples:
        return
    for edition_id in samples:
        entries.drop_of_edition(session, edition_id)
    connection.execute(_DROP_CONTRIBUTIONS, {"editions": samples})
    connection.execute(_DROP_EDITIONS, {"editions": samples})
    connection.execute(_DROP_EMPTY_SOURCES)


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
