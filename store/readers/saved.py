"""Lists of saved papers, each with the note and the tags of the person who keeps it.

A row is of a paper, whichever of its entries it was saved by: `store.library.kept_papers` has the
rules by which rows follow papers.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, exists, insert, select, update
from sqlmodel import Session, col

from store.coordination.request_claims import Claim, claim
from store.library import mentions
from store.library.kept_papers import MOST_TAGS_OF_PAPER
from store.records import Mention, Person
from store.search.filters import EVERYTHING, Filters, conditions
from store.tables.library import EditionRow, EntryRow
from store.tables.readers import SavedPaperRow, SeenPaperRow
from store.workspaces import people

MOST_TAGS = 100  # of one person


class TooManyTags(Exception):
    """A person, or a paper on a list, would have more tags than it may; nothing was written."""

    def __init__(self, most: int, title: str | None = None) -> None:
        """Take the bound, and the title of the paper if it is that of a paper."""
        self.most, self.title = most, title
        super().__init__(most, title)


@dataclass(frozen=True, slots=True)
class SavedPaper:
    """A paper on a list, since an instant, perhaps with a note and with tags.

    `mentions` are all entries of the paper, newest first: none where no edition has it any more.
    `ref` and `title` are the newest entry's; without one, `ref` is `gone:` with the paper's id, and
    `title` the one that the paper was saved under.
    """

    ref: str
    title: str
    at: datetime
    note: str | None
    mentions: tuple[Mention, ...] = ()
    tags: tuple[str, ...] = ()
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page of a list; the papers, notes and read papers of the whole list, and of each tag."""

    papers: tuple[SavedPaper, ...]
    total: int
    notes: int
    tags: Mapping[str, int] = field(default_factory=dict)
    read: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """A paper to save: the ref of one of its entries, its title, and the time."""

    ref: str
    title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The result of saving: is the paper on the list now, and did this request add it.

    `tags` are all that it has now, `added` those that this request gave it.
    """

    is_listed: bool
    is_new: bool
    tags: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnsaveResult:
    """The result of removing: was the paper on the list, its note, and the tags that it lost.

    `left` are the tags that it has still.
    """

    was_listed: bool
    note: str | None = None
    tags: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteResult:
    """The note on a paper before and after; `was_listed` tells whether it was saved before."""

    before: str | None
    after: str | None
    was_listed: bool


def list_page(  # noqa: PLR0913, PLR0917 - a page, and what it is a page of
    session: Session,
    person: Person,
    filters: Filters,
    limit: int,
    offset: int = 0,
    tags: Collection[str] = (),
    *,
    read: bool | None = None,
) -> SavedPage:
    """Return a page of a person's list, unread papers first, then the newest.

    It is of the papers that filters let through, that have any of the tags, if there are any, and
    that were `read` or not, if that is given.
    """
    found = _list(session, person, filters, tags, read=read)
    notes = sum(paper.note is not None for paper, _ in found)
    shown = _with_mentions(session, found[offset : offset + limit])
    tagged = _counted(paper.tags for paper, _ in found)
    number = sum(paper.is_read for paper, _ in found)
    return SavedPage(tuple(shown), len(found), notes, tagged, number)


def list_all(
    session: Session,
    person: Person,
    filters: Filters = EVERYTHING,
    tags: Collection[str] = (),
    *,
    read: bool | None = None,
) -> list[SavedPaper]:
    """Return a person's whole list, as `list_page` orders it, of the papers that that has."""
    return _with_mentions(session, _list(session, person, filters, tags, read=read))


def list_titles(session: Session, person: Person) -> list[SavedPaper]:
    """Return the whole list without mentions."""
    return [paper for paper, _ in _list(session, person, EVERYTHING)]


def count_tags(session: Session, person: Person) -> dict[str, int]:
    """Return a person's tags with the number of papers of each, the most frequent first."""
    query = select(col(SavedPaperRow.tags)).where(
        col(SavedPaperRow.person_id) == people.find_person(session, person)
    )
    return _counted(session.connection().scalars(query))


def _counted(tags: Iterable[Sequence[str]]) -> dict[str, int]:
    counts = Counter(tag for each in tags for tag in each)
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def save_all(
    session: Session,
    person: Person,
    wanted: Sequence[Listing],
    request: Claim | None,
    tags: Sequence[str] = (),
) -> list[SaveResult]:
    """Put papers on a person's list, except those that are there; the last one comes first.

    All of them get the tags. A repeated request changes nothing, and is answered as before while
    the papers are there.

    Raises:
        TooManyTags: if a paper or the person would have too many.
    """
    is_first = request is None or claim(session, request)
    results = [_save(session, person, each, tags, is_first=is_first) for each in wanted]
    if any(each.added for each in results) and len(count_tags(session, person)) > MOST_TAGS:
        raise TooManyTags(MOST_TAGS)
    return results


def _save(
    session: Session, person: Person, wanted: Listing, tags: Sequence[str], *, is_first: bool
) -> SaveResult:
    row = _find(session, person, wanted.ref)
    had = row.tags if row else ()
    if not is_first:
        added = tuple(tag for tag in tags if tag in had)
        return SaveResult(row is not None, row is not None, had, added)
    added = tuple(tag for tag in tags if tag not in had)
    now = (*had, *added)
    if added and len(now) > MOST_TAGS_OF_PAPER:
        raise TooManyTags(MOST_TAGS_OF_PAPER, wanted.title)
    if row is None:
        is_new = _add(session, person, wanted, None, tags)
        return SaveResult(is_new, is_new, now if is_new else (), added if is_new else ())
    if added:
        session.connection().execute(update(SavedPaperRow).where(_is(row)).values(tags=now))
    return SaveResult(is_listed=True, is_new=False, tags=now, added=added)


def unsave_all(
    session: Session, person: Person, refs: Sequence[str], request: Claim | None
) -> list[UnsaveResult]:
    """Take papers off a person's list, with their notes and tags.

    A repeated request changes nothing, and is answered as before.
    """
    is_first = request is None or claim(session, request)
    results: list[UnsaveResult] = []
    for ref in refs:
        row = _find(session, person, ref)
        if not is_first or row is None:
            results.append(UnsaveResult(was_listed=row is None and not is_first))
            continue
        session.connection().execute(delete(SavedPaperRow).where(_is(row)))
        results.append(UnsaveResult(was_listed=True, note=row.note, tags=row.tags))
    return results


def untag_all(
    session: Session,
    person: Person,
    refs: Sequence[str],
    tags: Collection[str],
    request: Claim | None,
) -> list[UnsaveResult]:
    """Take tags off papers of a person's list, which stay there.

    A repeated request changes nothing, and is answered as before.
    """
    is_first = request is None or claim(session, request)
    results: list[UnsaveResult] = []
    for ref in refs:
        row = _find(session, person, ref)
        had = row.tags if row else ()
        left = tuple(tag for tag in had if tag not in tags)
        lost = tuple(tag for tag in (had if is_first else tags) if tag not in left)
        if row is not None and left != had and is_first:
            session.connection().execute(update(SavedPaperRow).where(_is(row)).values(tags=left))
        results.append(UnsaveResult(row is not None, None, lost if row else (), left))
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


def _add(
    session: Session, person: Person, wanted: Listing, text: str | None, tags: Sequence[str] = ()
) -> bool:
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
        tags=tags,
    )
    session.connection().execute(new)
    return True


def _list(
    session: Session,
    person: Person,
    filters: Filters,
    tags: Collection[str] = (),
    *,
    read: bool | None = None,
) -> list[tuple[SavedPaper, tuple[int, ...]]]:
    """Return the papers of a list, unread first, then newest, each with the ids of its entries."""
    of_person = col(SavedPaperRow.person_id) == people.find_person(session, person)
    saved = select(col(SavedPaperRow.paper_id)).where(of_person)
    has_read = exists().where(
        col(SeenPaperRow.person_id) == col(SavedPaperRow.person_id),
        col(SeenPaperRow.paper_id) == col(SavedPaperRow.paper_id),
        col(SeenPaperRow.read_at).is_not(None),
    )
    rows = select(SavedPaperRow, has_read.label("has_read")).where(of_person)
    if read is not None:
        rows = rows.where(has_read if read else ~has_read)
    if filters:
        wanted = (
            select(col(EntryRow.paper_id))
            .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
            .where(*conditions(filters), col(EntryRow.paper_id).in_(saved))
        )
        rows = rows.where(col(SavedPaperRow.paper_id).in_(wanted))
    in_order = rows.order_by(
        has_read, col(SavedPaperRow.saved_at).desc(), col(SavedPaperRow.paper_id)
    )
    entries = mentions.entries_of_papers(session, col(EntryRow.paper_id).in_(saved))
    listed = []
    for row in session.connection().execute(in_order):
        if tags and not set(tags) & set(row.tags):
            continue
        of_paper = entries.get(row.paper_id, [])
        newest = of_paper[0] if of_paper else None
        ref = newest.ref if newest else mentions.gone_ref(row.paper_id)
        title = newest.title if newest else row.title
        paper = SavedPaper(
            ref, title, row.saved_at, row.note, tags=row.tags, is_read=bool(row.has_read)
        )
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
