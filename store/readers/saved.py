"""Lists of saved papers, each with the notes of the person who keeps it.

A row is of a paper, whichever of its entries it was saved by: `store.library.kept_papers` has the
rules by which rows follow papers.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, insert, select, update
from sqlmodel import Session, col

from store.coordination.request_claims import Claim, claim
from store.library import mentions
from store.records import Mention, Person
from store.search.filters import EVERYTHING, Filters, conditions
from store.tables.library import EditionRow, EntryRow
from store.tables.readers import SavedPaperRow
from store.workspaces import people


@dataclass(frozen=True, slots=True)
class SavedPaper:
    """A paper on a list, since an instant, perhaps with a note.

    `mentions` are all entries of the paper, newest first: none where no edition has it any more.
    `ref` and `title` are the newest entry's; without one, `ref` is `gone:` with the paper's id, and
    `title` the one that the paper was saved under.
    """

    ref: str
    title: str
    at: datetime
    note: str | None
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page of a list, and how many papers and notes the whole list has."""

    papers: tuple[SavedPaper, ...]
    total: int
    notes: int


@dataclass(frozen=True, slots=True)
class Listing:
    """A paper to save: the ref of one of its entries, its title, and the time."""

    ref: str
    title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The result of saving: is the paper on the list now, and did this request add it."""

    is_listed: bool
    is_new: bool


@dataclass(frozen=True, slots=True)
class UnsaveResult:
    """The result of removing: was the paper on the list, and its note."""

    was_listed: bool
    note: str | None = None


@dataclass(frozen=True, slots=True)
class NoteResult:
    """The note on a paper before and after; `was_listed` tells whether it was saved before."""

    before: str | None
    after: str | None
    was_listed: bool


def list_page(
    session: Session, person: Person, filters: Filters, limit: int, offset: int = 0
) -> SavedPage:
    """Return a page of a person's list, newest first, of the papers that filters let through."""
    found = _list(session, person, filters)
    notes = sum(paper.note is not None for paper, _ in found)
    shown = _with_mentions(session, found[offset : offset + limit])
    return SavedPage(tuple(shown), len(found), notes)


def list_all(session: Session, person: Person, filters: Filters = EVERYTHING) -> list[SavedPaper]:
    """Return a person's whole list, newest first, of the papers that filters let through."""
    return _with_mentions(session, _list(session, person, filters))


def list_titles(session: Session, person: Person) -> list[SavedPaper]:
    """Return the whole list without mentions."""
    return [paper for paper, _ in _list(session, person, EVERYTHING)]


def save_all(
    session: Session, person: Person, wanted: Sequence[Listing], request: Claim | None
) -> list[SaveResult]:
    """Put papers on a person's list, except those that are there; the last one comes first.

    A repeated request changes nothing, and is answered as before while the papers are there.
    """
    is_first = request is None or claim(session, request)
    results: list[SaveResult] = []
    for each in wanted:
        is_listed = _find(session, person, each.ref) is not None
        is_new = not is_listed and _add(session, person, each, None) if is_first else is_listed
        results.append(SaveResult(is_listed or is_new, is_new))
    return results


def unsave_all(
    session: Session, person: Person, refs: Sequence[str], request: Claim | None
) -> list[UnsaveResult]:
    """Take papers off a person's list.

    A repeated request changes nothing, and is answered as before.
    """
    is_first = request is None or claim(session, request)
    results: list[UnsaveResult] = []
    for ref in refs:
        row = _find(session, person, ref)
        if is_first and row is not None:
            session.connection().execute(delete(SavedPaperRow).where(_is(row)))
        was_listed = (row is not None) is is_first
        results.append(UnsaveResult(was_listed, row.note if row and is_first else None))
    return results


def note(
    session: Session, person: Person, wanted: Listing, text: str | None, request: Claim | None
) -> NoteResult:
    """Replace the note on a paper, and save the paper with it; `None` removes the note alone.

    A repeated request changes nothing, and is answered with the note as it is now.
    """
    row = _find(session, person, wanted.ref)
    before = row.note if row else None
    if request is not None and not claim(session, request):
        return NoteResult(None, before, was_listed=True)
    if row is not None:
        session.connection().execute(update(SavedPaperRow).where(_is(row)).values(note=text))
    elif text is not None:
        _add(session, person, wanted, text)
    return NoteResult(before, text, was_listed=row is not None)


def note_on(session: Session, person: Person, ref: str) -> str | None:
    """Return a person's note on the paper of an entry, `None` where there is none."""
    row = _find(session, person, ref)
    return row.note if row else None


def _find(session: Session, person: Person, ref: str) -> Any | None:  # noqa: ANN401 - a row
    """Return a person's row of the paper of an entry."""
    found = mentions.find_paper(session, ref)
    query = select(SavedPaperRow).where(
        col(SavedPaperRow.person_id) == people.find_person(session, person),
        col(SavedPaperRow.paper_id) == (found and found[0]),
    )
    return session.connection().execute(query).one_or_none()


def _is(row: Any) -> ColumnElement[bool]:  # noqa: ANN401 - the same
    is_of_person = col(SavedPaperRow.person_id) == row.person_id
    return and_(is_of_person, col(SavedPaperRow.paper_id) == row.paper_id)


def _add(session: Session, person: Person, wanted: Listing, text: str | None) -> bool:
    """Save a paper; return whether it is still stored."""
    found = mentions.find_paper(session, wanted.ref)
    if found is None:  # an import dropped it since the person saw it
        return False
    new = insert(SavedPaperRow).values(
        person_id=people.ensure_person(session, person),
        paper_id=found[0],
        entry_id=found[1],
        title=wanted.title,
        saved_at=wanted.at,
        note=text,
    )
    session.connection().execute(new)
    return True


def _list(
    session: Session, person: Person, filters: Filters
) -> list[tuple[SavedPaper, tuple[int, ...]]]:
    """Return the papers of a list, newest first, each with the ids of its entries."""
    of_person = col(SavedPaperRow.person_id) == people.find_person(session, person)
    saved = select(col(SavedPaperRow.paper_id)).where(of_person)
    rows = select(SavedPaperRow).where(of_person)
    if filters:
        wanted = (
            select(col(EntryRow.paper_id))
            .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
            .where(*conditions(filters), col(EntryRow.paper_id).in_(saved))
        )
        rows = rows.where(col(SavedPaperRow.paper_id).in_(wanted))
    in_order = rows.order_by(col(SavedPaperRow.saved_at).desc(), col(SavedPaperRow.paper_id))
    entries = mentions.entries_of_papers(session, col(EntryRow.paper_id).in_(saved))
    listed = []
    for row in session.connection().execute(in_order):
        of_paper = entries.get(row.paper_id, [])
        newest = of_paper[0] if of_paper else None
        ref = newest.ref if newest else mentions.gone_ref(row.paper_id)
        paper = SavedPaper(ref, newest.title if newest else row.title, row.saved_at, row.note)
        listed.append((paper, tuple(entry.id for entry in of_paper)))
    return listed


def _with_mentions(
    session: Session, listed: Collection[tuple[SavedPaper, tuple[int, ...]]]
) -> list[SavedPaper]:
    ids = [entry for _, entries in listed for entry in entries]
    found = iter(mentions.of_entries(session, ids))
    return [
        replace(paper, mentions=tuple(next(found) for _ in entries)) for paper, entries in listed
    ]
