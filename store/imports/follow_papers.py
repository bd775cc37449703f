"""What people keep of papers, moved along when an import gives a ref to another paper.

what an edition said, and says | refs that lost their paper | does anybody name one?
    | where these papers stand now | rows of lists, of what was seen, of votes

A paper that stands nowhere any more is kept under a name that no entry has, until it returns.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from typing import Any

from sqlalchemy import Table, delete, insert, select, union
from sqlmodel import Session, col

from store.database.statements import table_of
from store.identity import overrides
from store.identity.candidate_keys import candidate_keys
from store.identity.candidates import find_candidates
from store.identity.identifiers import Identifiers
from store.library import papers
from store.library.editions import NEWEST_FIRST
from store.readers.saved import as_one
from store.records import Entry
from store.tables.library import EditionRow, EntryRow
from store.tables.readers import SavedRow, SeenRow, VoteRow
from store.text import name_key, title_key

_NUMBER = re.compile(r"\d+")
_ALIKE = 0.85  # of a title and the same with a slip mended

Row = Mapping[str, Any]
# By refs, the refs that take their place.
Moves = Mapping[str, str]
_Join = Callable[[Sequence[Row]], Row]


@dataclass(frozen=True, slots=True)
class Said:
    """What an edition said or says: its id in the database, last day and entries, by ref."""

    edition: int
    last_day: date
    entries: Mapping[str, Entry]


_Lost = tuple[Said, Entry]


def said(edition: int, last_day: date, entries: Iterable[Entry]) -> Said:
    """Note what an edition says."""
    return Said(edition, last_day, {each.ref: each for each in entries})


def follow(session: Session, before: Sequence[Said], after: Said | None = None) -> None:
    """Have what people keep follow its papers, once the store says what an import says.

    Where nobody keeps any of what is concerned that is all that is asked.

    Args:
        session: the transaction of the import.
        before: what it changed, or dropped, as that was.
        after: what it says in place of these.
    """
    lost = [(each, entry) for each in before for entry in _lost(each, after)]
    back = dict(_back(before, after)) if after else {}
    named = _named(session, {*(entry.ref for _, entry in lost), *back})
    if not named:
        return
    moves = {old: ref for old, ref in back.items() if old in named}
    if any(entry.ref in named for _, entry in lost):
        moves |= _moves(session, lost, after)
    if moves := {old: ref for old, ref in moves.items() if old in named and old != ref}:
        _move(session, moves)


def _lost(before: Said, after: Said | None) -> Iterator[Entry]:
    """Yield the entries whose refs name nothing any more, or something under another title."""
    for ref, entry in before.entries.items():
        now = after.entries.get(ref) if after else None
        if now is None or title_key(now.title) != title_key(entry.title):
            yield entry


def _back(before: Sequence[Said], after: Said) -> Iterator[tuple[str, str]]:
    """Yield by which names papers that an import brings were kept, had they stood nowhere."""
    old = {ref: entry for each in before for ref, entry in each.entries.items()}
    for ref, entry in after.entries.items():
        if old.get(ref) != entry:
            yield from ((name, ref) for name in _names(entry, after.last_day))


def _names(entry: Entry, last_day: date) -> list[str]:
    """Return the names of a paper that stands nowhere, the one that lasts longest first."""
    signs = (
        entry.arxiv_id and f"arxiv:{entry.arxiv_id}",
        entry.doi and f"doi:{entry.doi}",
        f"title:{last_day.year}:{title_key(entry.title)}",
    )
    return [
        f"gone:{hashlib.blake2b(each.encode(), digest_size=8).hexdigest()}"
        for each in signs
        if each
    ]


def _named(session: Session, refs: Collection[str]) -> set[str]:
    """Return by which of some refs anybody keeps anything."""
    if not refs:
        return set()
    found = (
        select(col(row.ref)).where(col(row.ref).in_(refs)) for row in (SavedRow, SeenRow, VoteRow)
    )
    return set(session.connection().scalars(union(*found)))


def _moves(session: Session, lost: Sequence[_Lost], after: Said | None) -> Moves:
    """Return where the papers of entries stand now, by the refs that they had."""
    here = after.edition if after else None
    places = _places(session, lost, here)
    taken = {place.ref for place in places if place and place.edition == here}
    shared = _shared(session, lost)
    moves = {}
    for (of, entry), place in zip(lost, places, strict=True):
        now = after.entries.get(entry.ref) if after else None
        if place and place.edition == here:
            moves[entry.ref] = place.ref
        elif now and now.ref not in taken and _is_retitled(entry, now):
            continue
        elif place:
            moves[entry.ref] = place.ref
        elif entry.ref not in shared:
            moves[entry.ref] = _names(entry, of.last_day)[0]
    return moves


@dataclass(frozen=True, slots=True)
class _Place:
    """An entry: its edition's id, its ref and its folded title."""

    edition: int
    ref: str
    title_key: str


def _places(session: Session, lost: Sequence[_Lost], here: int | None) -> list[_Place | None]:
    """Return where the paper of each entry stands, as if that entry still stood, too."""
    of_lost = {-n: (_signs(-n, *each), each[1]) for n, each in enumerate(lost, start=1)}
    told = overrides.read(session)
    stored = find_candidates(session, [signs for signs, _ in of_lost.values()], (), told)
    groups = papers.grouped(session, told, stored, of_lost).papers()
    standing = _standing(session, stored)
    found: dict[int, _Place | None] = {}
    for group in groups:
        ids = {each.entry for each in group.entries}
        its = [place for entry, place in standing.items() if entry in ids]
        found |= {entry: _best(its, of_lost[entry][0], here) for entry in ids & of_lost.keys()}
    return [found[entry] for entry in of_lost]


def _signs(number: int, of: Said, entry: Entry) -> Identifiers:
    keys = title_key(entry.title), name_key(entry.title)
    ids = entry.arxiv_id, entry.doi
    by_title = candidate_keys(entry.title, entry.summary)
    return Identifiers(number, entry.ref, entry.title, *keys, *ids, of.last_day, by_title)


def _standing(session: Session, ids: Collection[int]) -> dict[int, _Place]:
    """Return entries by id, those of the newest edition first."""
    query = (
        select(
            col(EntryRow.id), col(EntryRow.edition_id), col(EntryRow.ref), col(EntryRow.title_key)
        )
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(col(EntryRow.id).in_(ids))
        .order_by(*NEWEST_FIRST, col(EntryRow.position))
    )
    rows = session.connection().execute(query)
    return {row.id: _Place(row.edition_id, row.ref, row.title_key) for row in rows}


def _best(places: Iterable[_Place], lost: Identifiers, here: int | None) -> _Place | None:
    """Return where a paper is best kept: by its ref, by its title in its edition, there, newest."""
    return min(
        places,
        key=lambda each: (
            each.ref != lost.ref,
            each.edition != here,
            each.edition == here and each.title_key != lost.title_key,
        ),
        default=None,
    )


def _shared(session: Session, lost: Iterable[_Lost]) -> set[str]:
    """Return the refs of entries that others have in editions of their own, as episodes do."""
    refs = {entry.ref for _, entry in lost}
    own = {of.edition for of, _ in lost}
    query = select(col(EntryRow.ref)).where(
        col(EntryRow.ref).in_(refs), col(EntryRow.edition_id).not_in(own)
    )
    return set(session.connection().scalars(query))


def _is_retitled(before: Entry, now: Entry) -> bool:
    """Tell whether an entry seems to be of one paper under both titles."""
    if before.arxiv_id and now.arxiv_id:
        return before.arxiv_id == now.arxiv_id
    if before.summary and before.summary == now.summary:
        return True
    one, other = title_key(before.title), title_key(now.title)
    is_begun = one.startswith(f"{other} ") or other.startswith(f"{one} ")
    has_slip = _NUMBER.findall(one) == _NUMBER.findall(other) and _likeness(one, other) >= _ALIKE
    return is_begun or has_slip


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _move(session: Session, moves: Moves) -> None:
    """Give all rows their new refs at once; two that are one then are joined."""
    for row, joined in ((SavedRow, _of_list), (SeenRow, _of_brief), (VoteRow, _oldest)):
        _rewrite(session, table_of(row), moves, joined)


def _rewrite(session: Session, table: Table, moves: Moves, joined: _Join) -> None:
    """Give the rows of a table their new refs."""
    named = table.c.ref.in_({*moves, *moves.values()})
    query = select(table).where(named).order_by(table.c.at.desc(), table.c.ref)
    rows = [*session.connection().execute(query).mappings()]
    if not rows:
        return
    alike: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in rows:
        moved = {**row, "ref": moves.get(row["ref"], row["ref"])}
        alike[tuple(moved[column.name] for column in table.primary_key)].append(moved)
    session.connection().execute(delete(table).where(named))
    session.connection().execute(insert(table), [joined(each) for each in alike.values()])


def _of_list(rows: Sequence[Row]) -> Row:
    """Join rows of a list, the newest first, as the list shows them."""
    return {**rows[0], "note": as_one(row["note"] for row in rows)}


def _of_brief(rows: Sequence[Row]) -> Row:
    """Return the oldest row that is of a brief, which lists it, else the oldest."""
    return min(rows, key=lambda row: (row["brief_id"] is None, row["at"]))


def _oldest(rows: Sequence[Row]) -> Row:
    return rows[-1]
