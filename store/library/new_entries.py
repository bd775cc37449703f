"""New entries of imports, kept until alerts were matched against them.

An import marks its new entries in the transaction that adds them, so that a crash loses none. They
are matched once the whole document is imported, and again when arXiv tells the authors.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    and_,
    bindparam,
    delete,
    exists,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlmodel import Session, col

from store.database.statements import in_list
from store.database.types import Instant, choice
from store.tables.library import AuthorWordRow, EditionRow, EntryRow, PaperRow
from store.tables.readers import NewEntryRow, NewEntryState

# An edition that ended earlier is no news.
NEWS = timedelta(weeks=8)
# An import that was not completed by then was interrupted.
_LONGEST_IMPORT = timedelta(minutes=10)

_IS_READY = col(NewEntryRow.state) == NewEntryState.READY
# Known, or never asked for.
_HAS_AUTHORS = (
    exists()
    .where(
        col(EntryRow.id) == col(NewEntryRow.entry_id),
        col(PaperRow.id) == col(EntryRow.paper_id),
        or_(
            col(PaperRow.arxiv_id).is_(None),
            exists().where(col(AuthorWordRow.arxiv_id) == col(PaperRow.arxiv_id)),
        ),
    )
    .correlate(NewEntryRow)
)


@dataclass(frozen=True, slots=True)
class NewEntries:
    """The entries to match that one import added, by database id in their order.

    The authors of those that are `anonymous` are not known yet.
    """

    source: str
    imported_at: datetime
    entries: tuple[int, ...]
    anonymous: frozenset[int] = frozenset()


def mark(session: Session, edition_id: int, refs: Collection[str], now: datetime) -> None:
    """Mark entries of an edition, by ref, as new since an import that goes on."""
    if not refs:
        return
    marked = (
        select(
            col(EntryRow.id),
            col(EditionRow.source),
            literal(now, Instant()),
            literal(NewEntryState.IMPORTING, choice(NewEntryState)),
        )
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(col(EntryRow.edition_id) == edition_id, col(EntryRow.ref).in_(refs))
        .where(col(EditionRow.last_day) >= oldest_news(now.date()))
        .where(~exists().where(col(NewEntryRow.entry_id) == col(EntryRow.id)))
    )
    names = ["entry_id", "source", "imported_at", "state"]
    session.connection().execute(insert(NewEntryRow).from_select(names, marked))


def oldest_news(today: date) -> date:
    """Return the first day on which an edition may have ended to be news."""
    return today - NEWS


def complete_import(session: Session, source: str, imported_at: datetime) -> None:
    """Have the entries of an import matched that is complete now."""
    of_import = (
        col(NewEntryRow.source) == source,
        col(NewEntryRow.imported_at) == imported_at,
        col(NewEntryRow.state) == NewEntryState.IMPORTING,
    )
    _make_ready(session, and_(*of_import))


def complete_interrupted(session: Session, now: datetime) -> None:
    """Have the entries of imports matched that were interrupted."""
    at = col(NewEntryRow.imported_at)
    interrupted = or_(at < now - _LONGEST_IMPORT, at > now + _LONGEST_IMPORT)
    _make_ready(session, and_(col(NewEntryRow.state) == NewEntryState.IMPORTING, interrupted))


def authors_arrived(session: Session, arxiv_ids: Collection[str]) -> None:
    """Have the entries of papers matched again, whose authors were not known before."""
    if not arxiv_ids:
        return
    of_papers = (
        select(col(EntryRow.id))
        .join(PaperRow, col(PaperRow.id) == col(EntryRow.paper_id))
        .where(col(PaperRow.arxiv_id).in_(arxiv_ids))
    )
    # Those that are ready are written too, so that this and `settle` wait for each other.
    matched = col(NewEntryRow.state).in_((NewEntryState.WAITING, NewEntryState.READY))
    _make_ready(session, and_(matched, col(NewEntryRow.entry_id).in_(of_papers)))


def any_to_match(session: Session) -> bool:
    """Tell whether there are entries to match, or of an import that goes on."""
    unmatched = (NewEntryState.READY, NewEntryState.IMPORTING)
    found = select(exists().where(col(NewEntryRow.state).in_(unmatched)))
    return bool(session.connection().scalar(found))


def first_ready(session: Session) -> NewEntries | None:
    """Return the entries to match of the oldest import that has any."""
    connection = session.connection()
    oldest = (
        select(col(NewEntryRow.source), col(NewEntryRow.imported_at))
        .where(_IS_READY)
        .order_by(col(NewEntryRow.imported_at), col(NewEntryRow.source))
        .limit(1)
    )
    found = connection.execute(oldest).one_or_none()
    if found is None:
        return None
    query = (
        select(col(NewEntryRow.entry_id), _HAS_AUTHORS.label("has_authors"))
        .join(EntryRow, col(EntryRow.id) == col(NewEntryRow.entry_id))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(_IS_READY, col(NewEntryRow.source) == found.source)
        .where(col(NewEntryRow.imported_at) == found.imported_at)
        .order_by(col(EditionRow.last_day).desc(), col(EntryRow.position), col(EntryRow.id))
    )
    rows = connection.execute(query).all()
    anonymous = frozenset(row.entry_id for row in rows if not row.has_authors)
    entries = tuple(row.entry_id for row in rows)
    return NewEntries(found.source, found.imported_at, entries, anonymous)


def settle(session: Session, found: NewEntries) -> bool:
    """Record that entries were matched; return whether no other process did so before.

    Those whose authors are not known yet are matched again when these arrive, the others no more.
    Where they arrived since the entries were read, these stay ready.
    It is called in the transaction that records the matches.
    """
    connection = session.connection()
    entry_id = col(NewEntryRow.entry_id)
    matched = select(entry_id).where(in_list(entry_id, found.entries), _IS_READY)
    # Authors that arrive now wait, or are seen by the statements after this.
    ids = set(connection.scalars(matched.order_by(entry_id).with_for_update()))
    anonymous = in_list(entry_id, sorted(ids & found.anonymous))
    waiting = update(NewEntryRow).where(anonymous, ~_HAS_AUTHORS)
    connection.execute(waiting.values(state=NewEntryState.WAITING))
    done = in_list(entry_id, sorted(ids - found.anonymous))
    connection.execute(delete(NewEntryRow).where(done))
    return bool(ids)


def drop_old(session: Session, today: date) -> None:
    """Drop the entries whose editions are no news any more; their authors never came."""
    old = (
        select(col(EntryRow.id))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(col(EditionRow.last_day) < bindparam("oldest"))
    )
    dropped = delete(NewEntryRow).where(col(NewEntryRow.entry_id).in_(old))
    session.connection().execute(dropped, {"oldest": oldest_news(today)})


def _make_ready(session: Session, condition: ColumnElement[bool]) -> None:
    ready = update(NewEntryRow).where(condition).values(state=NewEntryState.READY)
    session.connection().execute(ready)
