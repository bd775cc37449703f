"""The editions that may be posted: the newest of the sources that subscriptions follow."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlmodel import Session, col

from store import content_version
from store.consensus import queries
from store.database.statements import Query
from store.library import entries
from store.library.editions import IS_ORIGINAL, closes_at, edition_record, is_ahead, may_be_posted
from store.records import Edition
from store.sources import CONSENSUS
from store.tables.library import EditionRow

EVERY_SOURCE = "all"

# The most editions that a connection keeps.
_MOST_KEPT = 64

_EDITION = select(EditionRow).where(col(EditionRow.id) == bindparam("id"))


@dataclass(frozen=True, slots=True)
class NewestEdition:
    """The newest edition of a source that may be posted.

    `came_at` is from when on it could be posted: it had arrived, and no longer grew. It is `None`
    where its arrival was not stored.
    """

    id: int
    source: str
    first_day: date
    last_day: date
    came_at: datetime | None = None


def newest_editions(session: Session, today: date) -> dict[str, NewestEdition]:
    """Return the newest edition of each source that may be posted on a day (UTC)."""
    names = ("first_day", "last_day", "kind", "week", "arrived_at")
    query = (
        _not_older(today)
        .add_columns(*(getattr(EditionRow, name) for name in names))
        .where(may_be_posted(today))
        .order_by(col(EditionRow.first_day))
    )
    rows = session.connection().execute(query)
    return {
        row.source: NewestEdition(row.id, row.source, row.first_day, row.last_day, _came_at(row))
        for row in rows
    }


def list_not_older(session: Session, today: date) -> dict[int, str]:
    """Return the source of each edition, by id, that is as new as the newest of its source.

    These are the newest itself, and those that end on the same day or later and may not be posted,
    but for those that lie ahead.
    """
    rows = session.connection().execute(_not_older(today).where(~is_ahead(today)))
    return {row.id: row.source for row in rows}


def followed_editions(
    sources: Sequence[str], newest: Mapping[str, NewestEdition]
) -> list[NewestEdition]:
    """Return the newest editions of the sources that a subscription follows, in its order."""
    if EVERY_SOURCE in sources:
        return [edition for slug, edition in sorted(newest.items()) if slug != CONSENSUS]
    return [newest[slug] for slug in sources if slug in newest]


def read_newest(session: Session, sources: Sequence[str], today: date) -> list[Edition]:
    """Return the newest edition, with its entries, of each source that a subscription follows."""
    newest = followed_editions(sources, newest_editions(session, today))
    return [read_edition(session, edition.id) for edition in newest]


def read_past(session: Session, sources: Sequence[str], since: date, today: date) -> list[Edition]:
    """Return the editions of followed sources since a day that may be posted, newest first."""
    followed = IS_ORIGINAL if EVERY_SOURCE in sources else col(EditionRow.source).in_(sources)
    query = (
        select(col(EditionRow.id))
        .where(may_be_posted(today), followed, col(EditionRow.last_day).between(since, today))
        .order_by(col(EditionRow.last_day).desc(), col(EditionRow.source))
    )
    ids = session.connection().scalars(query).all()
    return [read_edition(session, edition_id) for edition_id in ids]


def read_edition(session: Session, edition_id: int) -> Edition:
    """Return an edition with its entries by its database id, a consensus with its `hidden_refs`."""
    row = session.connection().execute(_EDITION, {"id": edition_id}).mappings().one()
    found = edition_record(row, entries.of_edition(session, edition_id))
    if found.source != CONSENSUS:
        return found
    return replace(found, others=queries.hidden_refs(session, edition_id))


def read_editions(session: Session, ids: Iterable[int]) -> dict[int, Edition]:
    """Return editions as `read_edition` does, by id, from memory while the content is the same."""
    kept = content_version.cache(session, _Kept, lambda _: _Kept()).editions
    wanted = set(ids)
    if len(kept) + len(wanted) > _MOST_KEPT:
        kept.clear()
    kept.update({each: read_edition(session, each) for each in wanted - kept.keys()})
    return {each: kept[each] for each in wanted}


@dataclass(frozen=True, slots=True)
class _Kept:
    """The editions that a connection has read, by id."""

    editions: dict[int, Edition] = field(default_factory=dict)


def _not_older(today: date) -> Query:
    last = (
        select(col(EditionRow.source), func.max(col(EditionRow.last_day)).label("last_day"))
        .where(may_be_posted(today))
        .group_by(col(EditionRow.source))
        .subquery()
    )
    return select(col(EditionRow.id), col(EditionRow.source)).join(
        last,
        (col(EditionRow.source) == last.c.source) & (col(EditionRow.last_day) >= last.c.last_day),
    )


def _came_at(row: Any) -> datetime | None:  # noqa: ANN401 - a row of `newest_editions`
    arrived_at: datetime | None = row.arrived_at
    closed_at = closes_at(row.kind, row.week)
    return max(arrived_at, closed_at) if arrived_at and closed_at else arrived_at
