"""Entries of an edition: reading them, and writing those that changed."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from operator import itemgetter
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update
from sqlmodel import Session

from store import papers, search, topic_index, word_index
from store.ids import next_ids
from store.records import EditionChange, Entry
from store.schema import TABLES

_ENTRY = TABLES["entry"]
_PAPER = TABLES["paper"]

# A row has a column for each, of the same name.
_FIELDS = tuple(field.name for field in fields(Entry))
_FACTS = itemgetter(*_FIELDS)
_AT_ONCE = 500

_OF_EDITION = (
    select(*(_ENTRY.c[name] for name in _FIELDS))
    .where(_ENTRY.c.edition_id == bindparam("edition"))
    .order_by(_ENTRY.c.position)
)


def of_edition(session: Session, edition_id: int) -> list[Entry]:
    """Return the entries of one edition, in order."""
    rows = session.connection().execute(_OF_EDITION, {"edition": edition_id}).all()
    return [Entry(*row) for row in rows]


def by_edition(session: Session) -> dict[int, list[Entry]]:
    """Return all entries, in order, under the id of their edition."""
    query = select(_ENTRY).order_by(_ENTRY.c.edition_id, _ENTRY.c.position)
    grouped: dict[int, list[Entry]] = defaultdict(list)
    for row in session.connection().execute(query).mappings():
        grouped[row["edition_id"]].append(entry_record(row))
    return grouped


def entry_record(row: Mapping[Any, Any]) -> Entry:
    """Build the record of a row of `entry`."""
    return Entry(*_FACTS(row))


def put(session: Session, edition_id: int, change: EditionChange) -> None:
    """Write the new and changed entries of an edition, drop the removed ones, index them all.

    Entries that stay as they are cost nothing.
    """
    before = _stored(session, edition_id, change.changed | change.removed)
    ids = {row.ref: row.id for row in before}
    _remove(session, [ids[ref] for ref in change.removed])
    written = [entry for entry in change.edition.entries if entry.ref in change.papers]
    keys = [change.papers[entry.ref] for entry in written]
    placed, settled = papers.place(session, keys)
    rows = [
        _values(entry) | {"edition_id": edition_id, "paper_id": paper, "title_key": key.title_key}
        for entry, key, paper in zip(written, keys, placed, strict=True)
    ]
    _update(session, [row | {"row": ids[row["ref"]]} for row in rows if row["ref"] in ids])
    ids |= _insert(session, [row for row in rows if row["ref"] in change.new])
    indexed = [(ids[entry.ref], entry) for entry in written]
    topic_index.unindex(session, [ids[ref] for ref in change.changed])
    topic_index.index(session, indexed)
    word_index.unindex(session, [ids[ref] for ref in change.changed])
    word_index.index(session, [(ids[row["ref"]], row["ref"], row["title_key"]) for row in rows])
    search.unindex(session, [ids[ref] for ref in change.changed])
    search.index(session, indexed)
    if before or not settled:
        touched = {(key.title_key, key.year) for key in keys} | {row.pair for row in before}
        papers.settle(session, touched, left={row.paper_id for row in before})


def tag_anew(session: Session, tag: Callable[[Entry], tuple[str, ...]]) -> None:
    """Give every entry the topics that a tagger says, and index them all by these."""
    topic_index.clear(session)
    rows = session.connection().execute(select(_ENTRY)).mappings().all()
    # Some at a time: Postgres ends a transaction that is silent for long.
    for start in range(0, len(rows), _AT_ONCE):
        read = [(row["id"], entry_record(row)) for row in rows[start : start + _AT_ONCE]]
        tagged = [(entry_id, replace(entry, topics=tag(entry))) for entry_id, entry in read]
        _update(session, [{"row": entry_id, "topics": entry.topics} for entry_id, entry in tagged])
        topic_index.index(session, tagged)


def drop_of_edition(session: Session, edition_id: int) -> None:
    """Drop the entries of one edition, and the papers that no other mentions."""
    rows = session.connection().execute(_OF_EDITION, {"edition": edition_id}).all()
    before = _stored(session, edition_id, [row.ref for row in rows])
    _remove(session, [row.id for row in before])
    papers.settle(session, {row.pair for row in before}, left={row.paper_id for row in before})


@dataclass(frozen=True, slots=True)
class _Stored:
    id: int
    ref: str
    paper_id: int
    pair: papers.TitleYear


def _stored(session: Session, edition_id: int, refs: Collection[str]) -> list[_Stored]:
    if not refs:
        return []
    query = (
        select(_ENTRY.c.id, _ENTRY.c.ref, _ENTRY.c.paper_id, _ENTRY.c.title_key, _PAPER.c.year)
        .join(_PAPER, _PAPER.c.id == _ENTRY.c.paper_id)
        .where(_ENTRY.c.edition_id == edition_id, _ENTRY.c.ref.in_(refs))
    )
    return [
        _Stored(row.id, row.ref, row.paper_id, (row.title_key, row.year))
        for row in session.connection().execute(query)
    ]


def _values(entry: Entry) -> dict[str, Any]:
    return {field: getattr(entry, field) for field in _FIELDS}


def _remove(session: Session, ids: Sequence[int]) -> None:
    if ids:
        search.unindex(session, ids)
        topic_index.unindex(session, ids)
        word_index.unindex(session, ids)
        session.connection().execute(delete(_ENTRY).where(_ENTRY.c.id.in_(ids)))


_ADD = insert(_ENTRY)


def _insert(session: Session, rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Insert rows; return their ids by ref."""
    if not rows:
        return {}
    connection = session.connection()
    ids = next_ids(connection, _ENTRY, len(rows))
    connection.execute(_ADD, [{"id": i, **row} for i, row in zip(ids, rows, strict=True)])
    return {row["ref"]: row_id for row_id, row in zip(ids, rows, strict=True)}


def _update(session: Session, rows: Sequence[Mapping[Any, Any]]) -> None:
    if rows:
        statement = update(_ENTRY).where(_ENTRY.c.id == bindparam("row"))
        session.connection().execute(statement, rows)
