"""Entries of an edition: reading them, and writing those that changed."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import islice
from operator import itemgetter
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update
from sqlmodel import Session, col

from store import content_version, search
from store.database.statements import table_of
from store.database.types import next_ids
from store.identity import word_index
from store.identity.candidate_keys import candidate_keys
from store.identity.candidates import standing
from store.identity.identifiers import Signs
from store.library import papers, topic_index
from store.library.arxiv import IS_WITHDRAWN
from store.records import Edition, EditionChange, Entry
from store.tables.library import ConsensusRankRow, EntryRow
from store.text import name_key, title_key

# A row has a column for each, of the same name, but for what is said of its paper elsewhere.
_TOLD = ("withdrawn", "paper")
_FIELDS = tuple(field.name for field in fields(Entry) if field.name not in _TOLD)
_FACTS = itemgetter(*_FIELDS)
_AT_ONCE = 500

_OF_EDITION = (
    select(*(getattr(EntryRow, name) for name in _FIELDS))
    .where(col(EntryRow.edition_id) == bindparam("edition"))
    .order_by(col(EntryRow.position))
)
_TOLD_OF_EDITION = _OF_EDITION.add_columns(IS_WITHDRAWN, col(EntryRow.paper_id))


# The consensus has no entries of its own: it refers to those of others, each under its rank.
_REFERRED = (
    select(
        *(getattr(EntryRow, name) for name in _FIELDS),
        IS_WITHDRAWN,
        col(EntryRow.paper_id),
        col(ConsensusRankRow.edition_id),
        col(ConsensusRankRow.rank).label("fused_rank"),
    )
    .join(ConsensusRankRow, col(ConsensusRankRow.entry_id) == col(EntryRow.id))
    .order_by(col(ConsensusRankRow.edition_id), col(ConsensusRankRow.rank))
)
_REFERRED_OF_EDITION = _REFERRED.where(col(ConsensusRankRow.edition_id) == bindparam("edition"))


def of_edition(session: Session, edition_id: int) -> list[Entry]:
    """Return the entries of one edition, in order; those of a consensus are others' entries."""
    connection, asked = session.connection(), {"edition": edition_id}
    rows = connection.execute(_TOLD_OF_EDITION, asked).all()
    if rows:
        return [Entry(*row) for row in rows]
    return [_referred(row) for row in connection.execute(_REFERRED_OF_EDITION, asked).mappings()]


def as_imported(session: Session, edition_id: int) -> list[Entry]:
    """Return the same as documents have them, none of them `withdrawn`."""
    rows = session.connection().execute(_OF_EDITION, {"edition": edition_id}).all()
    return [Entry(*row) for row in rows]


def by_edition(session: Session) -> dict[int, list[Entry]]:
    """Return all entries, in order, under the id of their edition."""
    query = select(EntryRow, IS_WITHDRAWN).order_by(
        col(EntryRow.edition_id), col(EntryRow.position)
    )
    grouped: dict[int, list[Entry]] = defaultdict(list)
    for row in session.connection().execute(query).mappings():
        grouped[row["edition_id"]].append(told_record(row))
    return grouped


def of_consensus(session: Session) -> dict[int, list[Entry]]:
    """Return the entries that each consensus refers to, in order, under the id of its edition."""
    grouped: dict[int, list[Entry]] = defaultdict(list)
    for row in session.connection().execute(_REFERRED).mappings():
        grouped[row["edition_id"]].append(_referred(row))
    return grouped


def _referred(row: Mapping[Any, Any]) -> Entry:
    """Build the record of an entry as a consensus has it: under its rank there, and no heading."""
    rank = row["fused_rank"]
    here = {"rank": rank, "position": rank - 1}
    entry = told_record(row)
    return replace(entry, episode=None, heading=None, section=None, **here)


def entry_record(row: Mapping[Any, Any]) -> Entry:
    """Build the record of a row of `entry`, as documents have it."""
    return Entry(*_FACTS(row))


def told_record(row: Mapping[Any, Any]) -> Entry:
    """Build the record of a row of `entry` for readers; `withdrawn` stands beside its columns."""
    return Entry(*(*_FACTS(row), row["withdrawn"], row["paper_id"]))


def put(
    session: Session, edition_id: int, change: EditionChange, *, moved: bool = False
) -> papers.Placed:
    """Write the new and changed entries of an edition, drop the removed ones, index them all.

    Entries that stay as they are cost nothing, unless the edition `moved` to other days: when a
    title is from is a sign of its paper. The answer is where all stand now.
    """
    refs = None if moved else change.changed | change.removed
    before = standing(session, edition_id, refs)
    ids = {each.signs.ref: each.signs.entry for each in before}
    _remove(session, [ids[ref] for ref in change.removed])
    new = [entry for entry in change.edition.entries if entry.ref in change.new]
    changed = [entry for entry in change.edition.entries if entry.ref in change.changed]
    ids |= zip((entry.ref for entry in new), _new_ids(session, len(new)), strict=True)
    indexed = [(ids[entry.ref], entry) for entry in (*new, *changed)]
    written = {row: (_signs(row, entry, change.edition), entry) for row, entry in indexed}
    placed = papers.place(session, written, before)
    rows = {
        signs.ref: {
            **_values(entry),
            "edition_id": edition_id,
            "paper_id": placed.papers[row],
            "title_key": signs.title_key,
            "name_key": signs.name_key,
        }
        for row, (signs, entry) in written.items()
    }
    _update(session, [rows[entry.ref] | {"row": ids[entry.ref]} for entry in changed])
    _insert(session, [rows[entry.ref] | {"id": ids[entry.ref]} for entry in new])
    topic_index.unindex(session, [ids[ref] for ref in change.changed])
    topic_index.index(session, indexed)
    word_index.unindex(session, [ids[ref] for ref in change.changed])
    by_words = ((row, its.ref, its.title_key, its.keys) for row, (its, _) in written.items())
    word_index.index(session, by_words)
    search.unindex(session, [ids[ref] for ref in change.changed])
    search.index(session, indexed)
    return placed


def tag_anew(session: Session, tag: Callable[[Entry], tuple[str, ...]]) -> None:
    """Give every entry the topics that a tagger says, and index them all by these."""
    topic_index.clear(session)
    rows = session.connection().execute(select(EntryRow)).mappings().all()
    # Some at a time: Postgres ends a transaction that is silent for long.
    for start in range(0, len(rows), _AT_ONCE):
        read = [(row["id"], entry_record(row)) for row in rows[start : start + _AT_ONCE]]
        tagged = [(entry_id, replace(entry, topics=tag(entry))) for entry_id, entry in read]
        _update(session, [{"row": entry_id, "topics": entry.topics} for entry_id, entry in tagged])
        topic_index.index(session, tagged)


def reindex(session: Session) -> None:
    """Write the full-text index, its words and the acronyms anew from all entries."""
    connection = session.connection()
    search.clear(session)
    rows = connection.execute(select(EntryRow)).mappings()
    stored = ((row["id"], entry_record(row)) for row in rows)
    while batch := list(islice(stored, _AT_ONCE)):
        search.index(session, batch)
    content_version.touch(session)


def drop_of_edition(session: Session, edition_id: int) -> None:
    """Drop the entries of one edition, and the papers that no other mentions."""
    before = standing(session, edition_id)
    _remove(session, [each.signs.entry for each in before])
    papers.place(session, {}, before)


def _signs(row: int, entry: Entry, edition: Edition) -> Signs:
    keys = title_key(entry.title), name_key(entry.title)
    ids = entry.arxiv_id, entry.doi
    by_title = candidate_keys(entry.title, entry.summary)
    return Signs(row, entry.ref, entry.title, *keys, *ids, edition.last_day, by_title)


def _values(entry: Entry) -> dict[str, Any]:
    return {field: getattr(entry, field) for field in _FIELDS}


def _remove(session: Session, ids: Sequence[int]) -> None:
    if ids:
        search.unindex(session, ids)
        topic_index.unindex(session, ids)
        word_index.unindex(session, ids)
        session.connection().execute(delete(EntryRow).where(col(EntryRow.id).in_(ids)))


_ADD = insert(EntryRow)


def _new_ids(session: Session, count: int) -> list[int]:
    return next_ids(session.connection(), table_of(EntryRow), count)


def _insert(session: Session, rows: Sequence[Mapping[Any, Any]]) -> None:
    if rows:
        session.connection().execute(_ADD, rows)


def _update(session: Session, rows: Sequence[Mapping[Any, Any]]) -> None:
    if rows:
        statement = update(EntryRow).where(col(EntryRow.id) == bindparam("row"))
        session.connection().execute(statement, rows)
