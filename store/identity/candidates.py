"""Who might be of one paper: the entries that share a sign with some, and those with these."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from store.database.statements import Reader
from store.identity.candidate_keys import counterparts
from store.identity.grouping import in_doubt
from store.identity.identifiers import Judgements, Signs
from store.identity.plausibility import Words, words_of
from store.identity.word_index import KEYS
from store.records import Entry, Highlight
from store.tables.library import EntryRow

_AT_ONCE = 1_000  # entries whose texts are read; a database takes only so many values


@dataclass(frozen=True, slots=True)
class Known:
    """What a stored paper is known by."""

    arxiv_id: str | None
    doi: str | None
    title_key: str
    year: int


@dataclass(frozen=True, slots=True)
class Standing:
    """An entry as it is stored, and the paper that it belongs to by now."""

    signs: Signs
    paper: int
    known: Known


_STANDING = (
    "SELECT entry.id, entry.ref, entry.title, entry.title_key, entry.name_key, entry.arxiv_id,"
    " entry.doi, edition.last_day, paper.id, paper.arxiv_id, paper.doi, paper.title_key, paper.year"
    " FROM entry JOIN edition ON edition.id = entry.edition_id"
    " JOIN paper ON paper.id = entry.paper_id"
)
_ALL_KEYS = "SELECT entry_id, word FROM entry_word WHERE word >= ? AND word < ?"
# A column of `entry` and what stands in it; or of `entry_word`, which has its keys.
Sign = tuple[str, str | int]


def around(
    session: Session, signs: Iterable[Signs], papers: Iterable[int], said: Judgements
) -> dict[int, Standing]:
    """Return, by id, the stored entries that may share a paper with some.

    These are all of the papers that are given, all that have a sign in common with one of these or
    of `signs`, or were merged with it, and so on.
    """
    reader = Reader(session.connection())
    # Of refs only those are asked for by which somebody named a paper.
    pairs = [{_sign(each.one), _sign(each.other)} for each in said.merges]
    said_refs = {sign for pair in pairs for sign in pair if sign[0] == "ref"}
    asked: set[Sign] = set()
    found: dict[int, Standing] = {}
    wanted: set[Sign] = {("paper_id", paper) for paper in papers}
    wanted.update(sign for each in signs for sign in _signs(each))
    while wanted := wanted.union(*(pair for pair in pairs if pair & wanted)) - asked:
        asked |= wanted
        looked_up = [sign for sign in wanted if sign[0] != "ref" or sign in said_refs]
        new = _with_keys(reader, _bearers(reader, looked_up))
        found |= {each.signs.entry: each for each in new}
        wanted = {("paper_id", each.paper) for each in new}
        wanted.update(sign for each in new for sign in _signs(each.signs))
    return found


def everyone(session: Session) -> dict[int, Standing]:
    """Return all entries by id."""
    reader = Reader(session.connection())
    keys = _by_entry(reader.rows(_ALL_KEYS, *KEYS))
    found = (_standing(*row) for row in reader.rows(_STANDING))
    return {each.signs.entry: _keyed(each, keys) for each in found}


def standing(session: Session, edition: int, refs: Collection[str] | None = None) -> list[Standing]:
    """Return how the entries of an edition stand: all, or those of some refs."""
    if refs is not None and not refs:
        return []
    reader = Reader(session.connection())
    of_edition = f"{_STANDING} WHERE entry.edition_id = ?"
    if refs is None:
        rows = reader.rows(of_edition, edition)
    else:
        among, value = reader.among("entry.ref", refs)
        rows = reader.rows(f"{of_edition} AND {among}", edition, value)
    return _with_keys(reader, [_standing(*row) for row in rows])


def _with_keys(reader: Reader, found: Collection[Standing]) -> list[Standing]:
    """Return entries with their keys, by which others are found."""
    if not found:
        return []
    among, value = reader.among("entry_id", [each.signs.entry for each in found])
    keys = _by_entry(reader.rows(f"{_ALL_KEYS} AND {among}", *KEYS, value))
    return [_keyed(each, keys) for each in found]


def _by_entry(rows: Iterable[tuple[int, str]]) -> dict[int, set[str]]:
    keys: dict[int, set[str]] = defaultdict(set)
    for entry, word in rows:
        keys[entry].add(word)
    return keys


def _keyed(found: Standing, keys: Mapping[int, Collection[str]]) -> Standing:
    signs = replace(found.signs, keys=frozenset(keys.get(found.signs.entry, ())))
    return replace(found, signs=signs)


def words_in_doubt(
    session: Session, entries: Collection[Signs], written: Mapping[int, Entry]
) -> dict[int, Words]:
    """Return the words of those entries of which all is to be known.

    Those in `written` are not stored as they are yet.
    """
    doubtful = in_doubt(entries)
    titles = {each.entry: each.title for each in entries if each.entry in doubtful}
    told = {
        entry: (_texts(written[entry].summary, written[entry].highlights), written[entry].links)
        for entry in doubtful & written.keys()
    }
    if stored := doubtful - written.keys():
        columns = (
            col(EntryRow.id),
            col(EntryRow.summary),
            col(EntryRow.highlights),
            col(EntryRow.links),
        )
        query = select(*columns).where(col(EntryRow.id).in_(bindparam("entries", expanding=True)))
        in_order = sorted(stored)
        for start in range(0, len(in_order), _AT_ONCE):
            asked = {"entries": in_order[start : start + _AT_ONCE]}
            for entry, summary, highlights, links in session.connection().execute(query, asked):
                told[entry] = _texts(summary, highlights), links
    return {entry: words_of(title, *told[entry]) for entry, title in titles.items()}


def _texts(summary: str | None, highlights: Iterable[Highlight]) -> list[str]:
    return [summary or "", *(f"{each.lead or ''} {each.text}" for each in highlights)]


def _signs(entry: Signs) -> Iterator[Sign]:
    """Return what others may have in common with an entry."""
    yield "ref", entry.ref
    if entry.arxiv_id:
        yield "arxiv_id", entry.arxiv_id
    if entry.doi:
        yield "doi", entry.doi
    if entry.title_key:
        yield "title_key", entry.title_key
    for key in entry.keys:
        for counterpart in counterparts(key):
            yield _KEYS, counterpart


_KEYS = "word"
_NAMES = {"arxiv": "arxiv_id", "doi": "doi", "entry": "ref"}


def _sign(name: str) -> Sign:
    """Return the sign that a name in a judgement goes by."""
    kind, _, rest = name.partition(":")
    return (_NAMES[kind], rest) if kind in _NAMES else ("title_key", rest.partition(":")[2])


def _bearers(reader: Reader, signs: Iterable[Sign]) -> list[Standing]:
    """Return the entries that have one of some signs."""
    by_column: dict[str, list[Any]] = defaultdict(list)
    for column, value in signs:
        by_column[column].append(value)
    if not by_column:
        return []
    among = {column: reader.among(column, values) for column, values in by_column.items()}
    ids = " UNION ALL ".join(
        f"SELECT entry_id FROM entry_word WHERE {condition}"  # noqa: S608 - columns of ours
        if column == _KEYS
        else f"SELECT id FROM entry WHERE {condition}"  # noqa: S608 - columns of ours
        for column, (condition, _) in among.items()
    )
    statement = f"{_STANDING} WHERE entry.id IN ({ids})"
    rows = reader.rows(statement, *(value for _, value in among.values()))
    return [_standing(*row) for row in rows]


def _standing(*row: Any) -> Standing:  # noqa: ANN401 - a row
    last_day = date.fromisoformat(str(row[7]))  # which SQLite hands out as text
    return Standing(Signs(*(*row[:7], last_day)), row[8], Known(*row[9:]))
