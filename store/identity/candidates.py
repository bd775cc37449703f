"""Candidates: stored entries that may be of one paper with some, found by common identifiers.

The index of words finds entries by words of titles, by refs and by candidate keys.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select, union_all
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from store.database.statements import Query, execute_each, in_list
from store.identity.comparison import EntryWords, words_of
from store.identity.grouping import doubtful_entries
from store.identity.identifiers import INTRODUCED, PART, Identifiers, matching_keys
from store.identity.overrides import ManualOverrides
from store.records import Entry, Highlight
from store.tables.library import EditionRow, EntryRow, EntryWordRow, PaperRow

# Prefixes of candidate keys are adjacent in the order of bytes.
_FIRST_KEY, _AFTER_KEYS = PART, chr(ord(INTRODUCED) + 1)
IS_KEY = (col(EntryWordRow.word) >= _FIRST_KEY) & (col(EntryWordRow.word) < _AFTER_KEYS)


@dataclass(frozen=True, slots=True)
class PaperIdentifiers:
    """The identifiers of a stored paper."""

    arxiv_id: str | None
    doi: str | None
    title_key: str
    year: int


@dataclass(frozen=True, slots=True)
class EntryCandidate:
    """A stored entry with the paper that it belongs to so far."""

    identifiers: Identifiers
    paper: int
    known: PaperIdentifiers


_CANDIDATES = (
    select(
        col(EntryRow.id),
        col(EntryRow.ref),
        col(EntryRow.title),
        col(EntryRow.title_key),
        col(EntryRow.name_key),
        col(EntryRow.arxiv_id),
        col(EntryRow.doi),
        col(EditionRow.last_day),
        col(PaperRow.id),
        col(PaperRow.arxiv_id),
        col(PaperRow.doi),
        col(PaperRow.title_key),
        col(PaperRow.year),
    )
    .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
    .join(PaperRow, col(PaperRow.id) == col(EntryRow.paper_id))
)
# A column and a value to look up. The keys are in the column `word` of another table.
Lookup = tuple[str, str | int]
_COLUMNS: dict[str, Mapped[Any]] = {
    "paper_id": col(EntryRow.paper_id),
    "ref": col(EntryRow.ref),
    "arxiv_id": col(EntryRow.arxiv_id),
    "doi": col(EntryRow.doi),
    "title_key": col(EntryRow.title_key),
    "word": col(EntryWordRow.word),
}
# The column that each kind of name in an override refers to.
_OVERRIDES = {"arxiv": "arxiv_id", "doi": "doi", "entry": "ref"}


def find_candidates(
    session: Session,
    identifiers: Iterable[Identifiers],
    papers: Iterable[int],
    overrides: ManualOverrides,
) -> dict[int, EntryCandidate]:
    """Return, by id, the stored entries that may share a paper with some.

    These are all entries of the papers, all that have an identifier in common with one of these or
    of `identifiers`, or were merged with it, and so on.
    """
    # Refs are looked up only if an override names a paper by one.
    pairs = [{_lookup(merge.one), _lookup(merge.other)} for merge in overrides.merges]
    override_refs = {lookup for pair in pairs for lookup in pair if lookup[0] == "ref"}
    done: set[Lookup] = set()
    found: dict[int, EntryCandidate] = {}
    wanted: set[Lookup] = {("paper_id", paper) for paper in papers}
    wanted.update(lookup for entry in identifiers for lookup in _lookups(entry))
    while wanted := wanted.union(*(pair for pair in pairs if pair & wanted)) - done:
        done |= wanted
        new = _matching(session, [x for x in wanted if x[0] != "ref" or x in override_refs])
        found |= {candidate.identifiers.entry: candidate for candidate in new}
        wanted = {("paper_id", candidate.paper) for candidate in new}
        wanted.update(lookup for candidate in new for lookup in _lookups(candidate.identifiers))
    return found


def all_candidates(session: Session) -> dict[int, EntryCandidate]:
    """Return all entries by id."""
    found = _candidates(session, _CANDIDATES)
    return {candidate.identifiers.entry: candidate for candidate in found}


def edition_candidates(
    session: Session, edition: int, refs: Collection[str] | None = None
) -> list[EntryCandidate]:
    """Return the entries of an edition: all, or those of some refs."""
    query = _CANDIDATES.where(col(EntryRow.edition_id) == edition)
    if refs is not None:
        query = query.where(in_list(col(EntryRow.ref), refs))
    return _candidates(session, query)


def words_of_doubtful(
    session: Session, entries: Collection[Identifiers], written: Mapping[int, Entry]
) -> dict[int, EntryWords]:
    """Return the words of those entries that `Grouping` compares by all their words.

    Those in `written` are about to be stored so.
    """
    doubtful = doubtful_entries(entries)
    titles = {entry.entry: entry.title for entry in entries if entry.entry in doubtful}
    texts = {
        entry: (_texts(written[entry].summary, written[entry].highlights), written[entry].links)
        for entry in doubtful & written.keys()
    }
    query = select(
        col(EntryRow.id), col(EntryRow.summary), col(EntryRow.highlights), col(EntryRow.links)
    ).where(in_list(col(EntryRow.id), doubtful - written.keys()))
    for entry, summary, highlights, links in session.connection().execute(query):
        texts[entry] = _texts(summary, highlights), links
    return {entry: words_of(title, *texts[entry]) for entry, title in titles.items()}


def _texts(summary: str | None, highlights: Iterable[Highlight]) -> list[str]:
    return [summary or "", *(f"{bullet.lead or ''} {bullet.text}" for bullet in highlights)]


def _lookups(entry: Identifiers) -> Iterator[Lookup]:
    """Yield what other entries may have in common with one."""
    yield "ref", entry.ref
    if entry.arxiv_id:
        yield "arxiv_id", entry.arxiv_id
    if entry.doi:
        yield "doi", entry.doi
    if entry.title_key:
        yield "title_key", entry.title_key
    for key in entry.keys:
        for match in matching_keys(key):
            yield "word", match


def _lookup(name: str) -> Lookup:
    """Return the column and value that a name in an override refers to."""
    kind, _, rest = name.partition(":")
    if kind in _OVERRIDES:
        return _OVERRIDES[kind], rest
    return "title_key", rest.partition(":")[2]


def _matching(session: Session, lookups: Iterable[Lookup]) -> list[EntryCandidate]:
    """Return the entries that match one of some lookups."""
    values: dict[str, list[str | int]] = defaultdict(list)
    for column, value in lookups:
        values[column].append(value)
    if not values:
        return []
    ids = [
        select(col(EntryWordRow.entry_id) if column == "word" else col(EntryRow.id)).where(
            in_list(_COLUMNS[column], wanted)
        )
        for column, wanted in values.items()
    ]
    return _candidates(session, _CANDIDATES.where(col(EntryRow.id).in_(union_all(*ids))))


def _candidates(session: Session, query: Query) -> list[EntryCandidate]:
    """Return the entries of a query with their keys."""
    connection = session.connection()
    rows = connection.execute(query).all()
    is_of_entries = in_list(col(EntryWordRow.entry_id), [row[0] for row in rows])
    keys: dict[int, set[str]] = defaultdict(set)
    for row in connection.execute(select(EntryWordRow).where(IS_KEY, is_of_entries)):
        keys[row.entry_id].add(row.word)
    return [
        EntryCandidate(
            Identifiers(*(*row[:8], frozenset(keys.get(row[0], ())))),
            row[8],
            PaperIdentifiers(*row[9:]),
        )
        for row in rows
    ]


def index_words(session: Session, entries: Iterable[Identifiers]) -> None:
    """Index new entries under words of their titles, their refs and their candidate keys."""
    _index(session, ((entry.entry, word) for entry in entries for word in indexed_words(entry)))


def index_keys(session: Session, entries: Iterable[tuple[int, Collection[str]]]) -> None:
    """Replace the candidate keys of all entries, each given as its database id and keys."""
    session.connection().execute(delete(EntryWordRow).where(IS_KEY))
    _index(session, ((entry, key) for entry, keys in entries for key in keys))


def unindex_words(session: Session, entry_ids: Collection[int]) -> None:
    """Remove entries from the index of words."""
    of_entries = col(EntryWordRow.entry_id).in_(entry_ids)
    session.connection().execute(delete(EntryWordRow).where(of_entries))


def indexed_words(entry: Identifiers) -> set[str]:
    """Return the words under which an entry is indexed."""
    without_source = entry.ref.rpartition(":")[2]
    refs = ref_word(entry.ref), ref_word(without_source)
    return {*refs, *entry.title_key.split(), *entry.keys}


def ref_word(ref: str) -> str:
    """Return the word under which a ref, or the beginning of one, is indexed."""
    return f":{ref.lower()}"


def _index(session: Session, words: Iterable[tuple[int, str]]) -> None:
    rows = [{"entry_id": entry, "word": word} for entry, word in words]
    execute_each(session.connection(), insert(EntryWordRow), rows)
