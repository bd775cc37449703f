"""People's lists of papers, each with the notes of whoever keeps it.

A paper stands on a list under the ref of an entry. Which paper that is may change with any import,
so it is found out anew each time: entries that became one paper stand there once.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, delete, insert, select, update
from sqlmodel import Session, col

from store.coordination.request_claims import Claim, claim
from store.library import mentions
from store.library.editions import NEWEST_FIRST
from store.records import Mention, Person
from store.tables.library import EditionRow, EntryRow, EntryTopicRow
from store.tables.readers import SavedRow
from store.workspaces import people

_BETWEEN_NOTES = " · "  # of what was saved as two papers, each with a note, and became one


@dataclass(frozen=True, slots=True)
class SavedPaper:
    """A paper on a list, since an instant, perhaps with a note.

    `mentions` are all entries of the paper, newest first: none where no edition has it any more.
    `ref` is the newest one's, else what it is kept by, and `title` goes with it.
    """

    ref: str
    title: str
    at: datetime
    note: str | None
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedPage:
    """Some papers of a list, and how many papers and notes there are in all of it."""

    papers: tuple[SavedPaper, ...]
    total: int
    notes: int


@dataclass(frozen=True, slots=True)
class Listing:
    """A paper that is to be on a list: the ref of one of its entries, its title, and since when."""

    ref: str
    title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Saving:
    """Whether a paper is on a list now, and whether it came there by this request."""

    is_listed: bool
    is_new: bool


@dataclass(frozen=True, slots=True)
class Removal:
    """Whether a paper was on a list until this request, and the note that went with it."""

    was_listed: bool
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Noting:
    """The note on a paper before and after; `was_listed` tells whether it was saved before."""

    before: str | None
    after: str | None
    was_listed: bool


def list_page(
    session: Session, person: Person, topic: str | None, limit: int, offset: int = 0
) -> SavedPage:
    """Return papers on a person's list, those saved last first, at most so many.

    With a topic only those that any edition gives it.
    """
    kept = _kept(session, person, topic)
    notes = sum(each.note is not None for each in kept)
    shown = _with_mentions(session, kept[offset : offset + limit])
    return SavedPage(tuple(shown), len(kept), notes)


def list_all(session: Session, person: Person, topic: str | None = None) -> list[SavedPaper]:
    """Return all papers on a person's list, or those of a topic, those saved last first."""
    return _with_mentions(session, _kept(session, person, topic))


def titles(session: Session, person: Person) -> list[SavedPaper]:
    """Return the same without their mentions, each under the ref of its newest."""
    return [each.paper for each in _kept(session, person, None)]


def save(session: Session, person: Person, wanted: Listing, request: Claim | None) -> Saving:
    """Put a paper on a person's list, unless it is there by any of its entries.

    A request that comes again puts nothing there, and is told the same while the paper is there.
    """
    is_listed = bool(_rows_of(session, person, wanted.ref))
    if request is not None and not claim(session, request):
        return Saving(is_listed, is_new=is_listed)
    if not is_listed:
        _add(session, person, wanted, None)
    return Saving(is_listed=True, is_new=not is_listed)


def unsave(session: Session, person: Person, ref: str, request: Claim | None) -> Removal:
    """Take the paper of an entry off a person's list, by whichever of its entries it is there.

    A request that comes again takes nothing off, and is told that it did.
    """
    rows = _rows_of(session, person, ref)
    if request is not None and not claim(session, request):
        return Removal(was_listed=not rows)
    _delete(session, rows)
    return Removal(bool(rows), _note_of(rows))


def note(
    session: Session, person: Person, wanted: Listing, text: str | None, request: Claim | None
) -> Noting:
    """Put a note on a paper in place of any before, and the paper on the person's list with it.

    With `None` the note goes, and the paper stays where it is. A request that comes again changes
    nothing, and is told how it stands.
    """
    rows = _rows_of(session, person, wanted.ref)
    before = _note_of(rows)
    if request is not None and not claim(session, request):
        return Noting(None, before, was_listed=True)
    if rows:
        _write_note(session, rows, text)
    elif text is not None:
        _add(session, person, wanted, text)
    return Noting(before, text, was_listed=bool(rows))


def note_on(session: Session, person: Person, ref: str) -> str | None:
    """Return a person's note on the paper of an entry, `None` where there is none."""
    return _note_of(_rows_of(session, person, ref))


def as_one(notes: Iterable[str | None]) -> str | None:
    """Return notes as one, in their order and each once; `None` where there are none."""
    return _BETWEEN_NOTES.join(dict.fromkeys(each for each in notes if each)) or None


_COLUMNS = ("person_id", "ref", "title", "at", "note")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a list."""

    member: int
    ref: str
    title: str
    at: datetime
    note: str | None


@dataclass(frozen=True, slots=True)
class _Kept:
    """A paper on a list with the ids of its entries, newest first."""

    paper: SavedPaper
    entries: tuple[int, ...]

    @property
    def note(self) -> str | None:
        return self.paper.note


def _kept(session: Session, person: Person, topic: str | None) -> list[_Kept]:
    """Return the papers of a list, those saved last first."""
    rows = _rows(session, person)
    if not rows:
        return []
    places = _Places(
        session, select(col(SavedRow.ref)).where(col(SavedRow.person_id) == rows[0].member)
    )
    grouped: dict[int | str, list[_Row]] = {}
    for row in rows:
        grouped.setdefault(places.paper_of.get(row.ref, row.ref), []).append(row)
    wanted = grouped.keys() if topic is None else _with_topic(session, topic, rows[0].member)
    return [
        _paper(of_paper, places.entries.get(paper, []))
        for paper, of_paper in grouped.items()
        if paper in wanted
    ]


class _Places:
    """The entries of the papers that some refs name.

    `paper_of` gives the paper of a ref, the newest where editions use one ref for two; `entries`
    those of a paper, each with its id, ref and title, newest first.
    """

    def __init__(self, session: Session, refs: Select[str]) -> None:
        named = select(col(EntryRow.paper_id)).where(col(EntryRow.ref).in_(refs))
        query = (
            select(col(EntryRow.paper_id), col(EntryRow.id), col(EntryRow.ref), col(EntryRow.title))
            .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
            .where(col(EntryRow.paper_id).in_(named))
            .order_by(*NEWEST_FIRST, col(EntryRow.position))
        )
        self.paper_of: dict[str, int] = {}
        self.entries: dict[int | str, list[tuple[int, str, str]]] = {}
        for paper, entry, ref, title in session.connection().execute(query):
            self.paper_of.setdefault(ref, paper)
            self.entries.setdefault(paper, []).append((entry, ref, title))


def _with_topic(session: Session, topic: str, member: int) -> set[int | str]:
    """Return which papers of a list have a topic."""
    refs = select(col(SavedRow.ref)).where(col(SavedRow.person_id) == member)
    named = select(col(EntryRow.paper_id)).where(col(EntryRow.ref).in_(refs))
    query = (
        select(col(EntryRow.paper_id))
        .join(EntryTopicRow, col(EntryTopicRow.entry_id) == col(EntryRow.id))
        .where(col(EntryTopicRow.topic) == topic, col(EntryRow.paper_id).in_(named))
    )
    return set(session.connection().scalars(query))


def _paper(rows: list[_Row], entries: list[tuple[int, str, str]]) -> _Kept:
    newest = rows[0]
    ref, title = entries[0][1:] if entries else (newest.ref, newest.title)
    paper = SavedPaper(ref, title, newest.at, _note_of(rows))
    return _Kept(paper, tuple(entry for entry, _, _ in entries))


def _with_mentions(session: Session, kept: list[_Kept]) -> list[SavedPaper]:
    ids = [entry for each in kept for entry in each.entries]
    found = iter(mentions.of_entries(session, ids))
    return [
        SavedPaper(
            paper.ref, paper.title, paper.at, paper.note, tuple(next(found) for _ in each.entries)
        )
        for each in kept
        for paper in [each.paper]
    ]


def _rows(session: Session, person: Person) -> list[_Row]:
    """Return the rows of a list, the newest first."""
    query = (
        select(*(getattr(SavedRow, name) for name in _COLUMNS))
        .where(col(SavedRow.person_id) == people.find_person(session, person))
        .order_by(col(SavedRow.at).desc(), col(SavedRow.ref))
    )
    return [_Row(*row) for row in session.connection().execute(query)]


def _rows_of(session: Session, person: Person, ref: str) -> list[_Row]:
    """Return the rows of a list that are of the paper of an entry."""
    rows = _rows(session, person)
    if not rows:
        return []
    places = _Places(session, select(col(EntryRow.ref)).where(col(EntryRow.ref) == ref))
    paper = places.paper_of.get(ref)
    same = {ref, *(other for other, its in places.paper_of.items() if its == paper)}
    return [row for row in rows if row.ref in same]


def _note_of(rows: Iterable[_Row]) -> str | None:
    """Return the notes on a paper as one, the newest first."""
    return as_one(row.note for row in rows)


def _add(session: Session, person: Person, wanted: Listing, text: str | None) -> None:
    member = people.ensure_person(session, person)
    row = {
        "person_id": member,
        "ref": wanted.ref,
        "title": wanted.title,
        "at": wanted.at,
        "note": text,
    }
    session.connection().execute(insert(SavedRow).values(row))


def _delete(session: Session, rows: Iterable[_Row]) -> None:
    for row in rows:
        same = (col(SavedRow.person_id) == row.member, col(SavedRow.ref) == row.ref)
        session.connection().execute(delete(SavedRow).where(*same))


def _write_note(session: Session, rows: list[_Row], text: str | None) -> None:
    """Write the note of a paper into the newest of its rows, and into no other."""
    for place, row in enumerate(rows):
        same = (col(SavedRow.person_id) == row.member, col(SavedRow.ref) == row.ref)
        written = update(SavedRow).where(*same).values(note=None if place else text)
        session.connection().execute(written)
