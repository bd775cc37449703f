"""Entries of an edition: reading them, writing those that changed, and indexing them."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import islice
from operator import itemgetter
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update
from sqlmodel import Session, col

from store import content_version, search
from store.database.statements import Query, execute_each, next_ids
from store.identity import candidates
from store.identity.candidates import edition_candidates
from store.identity.identifiers import Identifiers, candidate_keys
from store.library import papers
from store.library.arxiv import IS_WITHDRAWN
from store.records import Edition, EditionChange, Entry
from store.tables.library import ConsensusRankRow, EntryRow, EntryTopicRow
from store.text import name_key, title_key

# The fields that are columns of the same name; the others are facts of the entry's paper.
_FIELDS = tuple(field.name for field in fields(Entry) if field.name not in {"withdrawn", "paper"})
_VALUES = itemgetter(*_FIELDS)
_COLUMNS = [getattr(EntryRow, name) for name in _FIELDS]
_UPDATE = update(EntryRow).where(col(EntryRow.id) == bindparam("row"))
_BATCH = 500

# The consensus has no entries of its own: it refers to those of other sources, each under its rank.
_RANKED = (
    select(
        *_COLUMNS,
        IS_WITHDRAWN,
        col(EntryRow.paper_id),
        col(ConsensusRankRow.edition_id),
        col(ConsensusRankRow.rank).label("consensus_rank"),
    )
    .join(ConsensusRankRow, col(ConsensusRankRow.entry_id) == col(EntryRow.id))
    .order_by(col(ConsensusRankRow.edition_id), col(ConsensusRankRow.rank))
)


def of_edition(session: Session, edition_id: int, most: int | None = None) -> list[Entry]:
    """Return the entries of an edition, in order, or so many of the first ones.

    A consensus has those of other sources.
    """
    own = _of_edition(edition_id).add_columns(IS_WITHDRAWN, col(EntryRow.paper_id)).limit(most)
    if rows := session.connection().execute(own).all():
        return [Entry(*row) for row in rows]
    ranked = _RANKED.where(col(ConsensusRankRow.edition_id) == edition_id).limit(most)
    return [_ranked(row) for row in session.connection().execute(ranked).mappings()]


def as_imported(session: Session, edition_id: int) -> list[Entry]:
    """Return the same as documents have them, none of them `withdrawn`."""
    return [Entry(*row) for row in session.connection().execute(_of_edition(edition_id))]


def _of_edition(edition_id: int) -> Query:
    of_edition = select(*_COLUMNS).where(col(EntryRow.edition_id) == edition_id)
    return of_edition.order_by(col(EntryRow.position))


def by_edition(session: Session) -> dict[int, list[Entry]]:
    """Return all entries, in order, by the id of their edition."""
    query = select(EntryRow, IS_WITHDRAWN).order_by(
        col(EntryRow.edition_id), col(EntryRow.position)
    )
    grouped: dict[int, list[Entry]] = defaultdict(list)
    for row in session.connection().execute(query).mappings():
        grouped[row["edition_id"]].append(displayed_entry(row))
    return grouped


def of_consensus(session: Session) -> dict[int, list[Entry]]:
    """Return the entries that each consensus refers to, in order, by the id of its edition."""
    grouped: dict[int, list[Entry]] = defaultdict(list)
    for row in session.connection().execute(_RANKED).mappings():
        grouped[row["edition_id"]].append(_ranked(row))
    return grouped


def _ranked(row: Mapping[Any, Any]) -> Entry:
    """Build an entry as a consensus shows it: at its rank there, without heading."""
    rank = row["consensus_rank"]
    return replace(
        displayed_entry(row), rank=rank, position=rank - 1, episode=None, heading=None, section=None
    )


def imported_entry(row: Mapping[Any, Any]) -> Entry:
    """Build an entry from a row of `entry`, as documents have it."""
    return Entry(*_VALUES(row))


def displayed_entry(row: Mapping[Any, Any]) -> Entry:
    """Build an entry for readers from a row of `entry` with the column `withdrawn`."""
    return Entry(*(*_VALUES(row), row["withdrawn"], row["paper_id"]))


def write_changes(
    session: Session, edition_id: int, change: EditionChange, *, moved: bool = False
) -> papers.PlacedEntries:
    """Write the new and changed entries of an edition, drop the removed ones, index them all.

    Unchanged entries are left alone, unless the edition `moved` to other days: the date of a title
    is one of its identifiers. Returns the papers of all entries.
    """
    refs = None if moved else change.changed | change.removed
    before = edition_candidates(session, edition_id, refs)
    ids = {candidate.identifiers.ref: candidate.identifiers.entry for candidate in before}
    _remove(session, [ids[ref] for ref in change.removed])
    new = [entry for entry in change.edition.entries if entry.ref in change.new]
    changed = [entry for entry in change.edition.entries if entry.ref in change.changed]
    new_ids = next_ids(session.connection(), EntryRow, len(new))
    ids |= zip((entry.ref for entry in new), new_ids, strict=True)
    indexed = [(ids[entry.ref], entry) for entry in (*new, *changed)]
    written = {
        entry_id: (_identifiers(entry_id, entry, change.edition), entry)
        for entry_id, entry in indexed
    }
    placed = papers.place(session, written, before)
    rows = {
        identifiers.ref: {
            **{name: getattr(entry, name) for name in _FIELDS},
            "edition_id": edition_id,
            "paper_id": placed.papers[entry_id],
            "title_key": identifiers.title_key,
            "name_key": identifiers.name_key,
        }
        for entry_id, (identifiers, entry) in written.items()
    }
    connection = session.connection()
    updated = [rows[entry.ref] | {"row": ids[entry.ref]} for entry in changed]
    execute_each(connection, _UPDATE, updated)
    inserted = [rows[entry.ref] | {"id": ids[entry.ref]} for entry in new]
    execute_each(connection, insert(EntryRow), inserted)
    _unindex(session, [ids[ref] for ref in change.changed])
    _index_topics(session, indexed)
    candidates.index_words(session, [identifiers for identifiers, _ in written.values()])
    search.index(session, indexed)
    return placed


def retag(session: Session, tag: Callable[[Entry], tuple[str, ...]]) -> None:
    """Replace the topics of all entries by those that a tagger assigns."""
    session.connection().execute(delete(EntryTopicRow))
    rows = session.connection().execute(select(EntryRow)).mappings().all()
    # In batches: Postgres ends a transaction that is idle for long.
    for start in range(0, len(rows), _BATCH):
        read = [(row["id"], imported_entry(row)) for row in rows[start : start + _BATCH]]
        tagged = [(entry_id, replace(entry, topics=tag(entry))) for entry_id, entry in read]
        topics = [{"row": entry_id, "topics": entry.topics} for entry_id, entry in tagged]
        execute_each(session.connection(), _UPDATE, topics)
        _index_topics(session, tagged)


def reindex(session: Session) -> None:
    """Rebuild the full-text index, its words and the acronyms from all entries."""
    search.clear(session)
    rows = session.connection().execute(select(EntryRow)).mappings()
    stored = ((row["id"], imported_entry(row)) for row in rows)
    while batch := list(islice(stored, _BATCH)):
        search.index(session, batch)
    content_version.touch(session)


def drop_of_edition(session: Session, edition_id: int) -> None:
    """Delete the entries of an edition, and the papers that no other entry mentions."""
    before = edition_candidates(session, edition_id)
    _remove(session, [candidate.identifiers.entry for candidate in before])
    papers.place(session, {}, before)


def _identifiers(entry_id: int, entry: Entry, edition: Edition) -> Identifiers:
    return Identifiers(
        entry_id,
        entry.ref,
        entry.title,
        title_key(entry.title),
        name_key(entry.title),
        entry.arxiv_id,
        entry.doi,
        edition.last_day,
        candidate_keys(entry.title, entry.summary),
    )


def _remove(session: Session, ids: Sequence[int]) -> None:
    if ids:
        _unindex(session, ids)
        session.connection().execute(delete(EntryRow).where(col(EntryRow.id).in_(ids)))


def _unindex(session: Session, ids: Sequence[int]) -> None:
    if ids:
        search.unindex(session, ids)
        candidates.unindex_words(session, ids)
        tagged = delete(EntryTopicRow).where(col(EntryTopicRow.entry_id).in_(ids))
        session.connection().execute(tagged)


def _index_topics(session: Session, entries: Sequence[tuple[int, Entry]]) -> None:
    rows = [
        {"topic": topic, "entry_id": entry_id}
        for entry_id, entry in entries
        for topic in entry.topics
    ]
    execute_each(session.connection(), insert(EntryTopicRow), rows)
