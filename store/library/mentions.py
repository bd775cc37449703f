"""Mentions: entries with their editions, by whatever names a paper."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, case, func, select
from sqlmodel import Session, col

from store import content_version
from store.database.statements import Query, in_list
from store.library.arxiv import IS_WITHDRAWN
from store.library.editions import EDITION_FIELDS, edition_record, in_order, is_ahead, newest_first
from store.library.entries import displayed_entry
from store.records import Entry, Mention
from store.search.filters import Filters, conditions
from store.tables.library import EditionRow, EntryRow, PaperRow
from store.text import title_key

_MENTIONS = (
    select(
        EntryRow,
        IS_WITHDRAWN,
        *(getattr(EditionRow, name).label(f"edition_{name}") for name in EDITION_FIELDS),
    )
    .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
    .join(PaperRow, col(PaperRow.id) == col(EntryRow.paper_id))
)
_OF_ENTRIES = _MENTIONS.where(in_list(col(EntryRow.id), "entries"))  # built once, for searches
_GONE = "gone:"
_MENTIONS_OF_PAPER = 4
# Some 3 MB of each connection.
_MOST_KEPT, _LONGEST_KEPT = 1000, 5000  # entries, characters
_MOST_DIGITS = 9  # of an id, which Postgres keeps in four bytes


def by_ref(session: Session, ref: str, day: date | None = None) -> list[Mention]:
    """Return the mentions with a ref, newest first; an episode may have two.

    As everywhere here, those by editions that lie ahead of a day (UTC) come last.
    """
    return _mentions(session, day, col(EntryRow.ref) == ref)


def by_episode(session: Session, episode: str, day: date | None = None) -> list[Mention]:
    """Return the mentions in an episode ("E162") of any source."""
    return _mentions(session, day, col(EntryRow.episode) == episode)


def by_day_and_rank(session: Session, first_day: date, rank: int) -> list[Mention]:
    """Return the mentions at a rank in the editions that start on a day."""
    return _mentions(
        session, None, col(EditionRow.first_day) == first_day, col(EntryRow.rank) == rank
    )


def by_arxiv_id(session: Session, arxiv_id: str, day: date | None = None) -> list[Mention]:
    """Return the mentions of the paper with an arXiv id (without version)."""
    if found := _mentions(session, day, col(PaperRow.arxiv_id) == arxiv_id):
        return found
    # It may be the second id of a merged paper.
    papers = select(col(EntryRow.paper_id)).where(col(EntryRow.arxiv_id) == arxiv_id)
    return _mentions(session, day, col(PaperRow.id).in_(papers))


def by_title(session: Session, title: str, day: date | None = None) -> list[Mention]:
    """Return the mentions under exactly this title, but for case, punctuation and accents."""
    return _mentions(session, day, col(EntryRow.title_key) == title_key(title))


def of_paper(session: Session, paper_id: int, day: date | None = None) -> list[Mention]:
    """Return every mention of a paper, newest first."""
    return _mentions(session, day, col(PaperRow.id) == paper_id)


def named_often(session: Session, most: int) -> set[int]:
    """Return the papers with more mentions than so many, by database id."""
    counted = select(col(EntryRow.paper_id)).group_by(col(EntryRow.paper_id))
    return set(session.connection().scalars(counted.having(func.count() > most)))


def newest(
    session: Session, filters: Filters, day: date, limit: int, offset: int = 0
) -> list[Mention]:
    """Return the papers that filters let through, newest first, each at its newest such mention.

    Mentions by editions that lie ahead of a day (UTC) come last.
    """
    papers = newest_entries(session, filters, day, offset + limit)
    return of_entries(session, list(papers.values())[offset : offset + limit])


def newest_entries(session: Session, filters: Filters, day: date, most: int) -> dict[int, int]:
    """Return the same papers by database id, each with the entry of that mention, and some more."""
    query = (
        select(col(EntryRow.id), col(EntryRow.paper_id))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(*conditions(filters))
        .order_by(
            case((is_ahead(day), 1), else_=0),
            col(EditionRow.sample),
            col(EditionRow.last_day).desc(),
            col(EditionRow.source),
            col(EntryRow.position),
        )
    )
    # Few papers have many mentions: the first entries are read sooner than all are sorted.
    read = _MENTIONS_OF_PAPER * most
    rows = session.connection().execute(query.limit(read)).all()
    if len(rows) == read and len({row.paper_id for row in rows}) < most:
        rows = session.connection().execute(query).all()
    papers: dict[int, int] = {}
    for entry, paper in rows:
        papers.setdefault(paper, entry)
    return papers


def papers_of(session: Session, entries: Sequence[int]) -> dict[int, int]:
    """Return the papers of entries, by database id, each with the first of these entries."""
    query = select(col(EntryRow.id), col(EntryRow.paper_id)).where(
        in_list(col(EntryRow.id), entries)
    )
    paper_of = {row.id: row.paper_id for row in session.connection().execute(query)}
    return {paper_of[entry]: entry for entry in reversed(entries) if entry in paper_of}


def of_entries(session: Session, entry_ids: Sequence[int]) -> list[Mention]:
    """Return the mentions of entries given by database id, in the order given."""
    if not entry_ids:
        return []
    found = dict(_by_entry(session, _OF_ENTRIES, entries=entry_ids))
    return [found[entry_id] for entry_id in entry_ids if entry_id in found]


def of_found(session: Session, entry_ids: Sequence[int]) -> list[Mention]:
    """Return the same of what a search found; what others found before is kept until an import."""
    kept = content_version.cache(session, _Kept, lambda _: _Kept()).mentions
    found = {entry_id: kept[entry_id] for entry_id in entry_ids if entry_id in kept}
    if unread := [entry_id for entry_id in entry_ids if entry_id not in found]:
        read = dict(_by_entry(session, _OF_ENTRIES, entries=unread))
        found |= read
        if len(kept) + len(read) > _MOST_KEPT:
            kept.clear()
        kept |= {entry_id: each for entry_id, each in read.items() if _is_short(each.entry)}
    return [found[entry_id] for entry_id in entry_ids if entry_id in found]


@dataclass(frozen=True, slots=True)
class _Kept:
    """The mentions that were read lately, by the database id of their entry."""

    mentions: dict[int, Mention] = field(default_factory=dict)


def _is_short(entry: Entry) -> bool:
    """Tell whether an entry is kept in memory; hardly any is longer."""
    letters = len(entry.summary or "") + sum(len(each.text) for each in entry.highlights)
    return letters <= _LONGEST_KEPT


def of_papers(session: Session, entries: Mapping[int, int | None]) -> dict[int, Mention]:
    """Return a mention of each paper, by database id: of an entry, where it is `None` the newest.

    Papers that no edition has any more are left out.
    """
    gone = [paper for paper, entry in entries.items() if entry is None]
    found = entries_of_papers(session, in_list(col(EntryRow.paper_id), gone)) if gone else {}
    newest = {paper: entry.id for paper, (entry, *_) in found.items()}
    known = [entry for entry in ({**entries, **newest}).values() if entry is not None]
    return {each.paper_id: each for each in of_entries(session, known)}


def _mentions(
    session: Session, day: date | None, *conditions: ColumnElement[bool]
) -> list[Mention]:
    mentions = [mention for _, mention in _by_entry(session, _MENTIONS.where(*conditions))]
    return sorted(
        mentions, key=lambda mention: (newest_first(mention.edition, day), mention.entry.position)
    )


def _by_entry(session: Session, query: Query, **values: object) -> list[tuple[int, Mention]]:
    """Return mentions, each with its entry's database id."""
    mentions = []
    for row in session.connection().execute(query, values).mappings():
        edition = edition_record({name: row[f"edition_{name}"] for name in EDITION_FIELDS})
        mentions.append((row["id"], Mention(row["paper_id"], edition, displayed_entry(row))))
    return mentions


def find_paper(session: Session, ref: str) -> tuple[int, int | None] | None:
    """Return the ids of a paper and of the entry that a ref names, `None` where it names none.

    Where editions use one ref for two papers it is the newest one's.
    """
    if ref.startswith(_GONE):
        number = ref.removeprefix(_GONE)
        is_id = number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS
        known = select(col(PaperRow.id)).where(col(PaperRow.id) == int(number if is_id else 0))
        paper = session.connection().scalar(known)
        return None if paper is None else (paper, None)
    found = entries_of_papers(session, col(EntryRow.ref) == ref)
    return next(((paper, entry.id) for paper, (entry, *_) in found.items()), None)


def entries_of_papers(session: Session, condition: ColumnElement[bool]) -> dict[int, list[Any]]:
    """Return the id, ref and title of entries by the id of their paper, newest first."""
    query = (
        select(col(EntryRow.paper_id), col(EntryRow.id), col(EntryRow.ref), col(EntryRow.title))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(condition)
        .order_by(*in_order(), col(EntryRow.position))
    )
    found: dict[int, list[Any]] = defaultdict(list)
    for row in session.connection().execute(query):
        found[row.paper_id].append(row)
    return found


def names_of_papers(session: Session, papers: Collection[int]) -> dict[int, tuple[str | None, str]]:
    """Return the arXiv id of each paper, `None` without one, and the ref of its first mention."""
    query = (
        select(col(PaperRow.id), col(PaperRow.arxiv_id), col(EntryRow.ref))
        .join(EntryRow, col(EntryRow.paper_id) == col(PaperRow.id))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(in_list(col(PaperRow.id), [*papers]))
        .order_by(col(EditionRow.first_day), col(EditionRow.source), col(EntryRow.position))
    )
    found: dict[int, tuple[str | None, str]] = {}
    for paper, arxiv_id, ref in session.connection().execute(query):
        found.setdefault(paper, (arxiv_id, ref))
    return found


def gone_ref(paper: int) -> str:
    """Return the ref of a paper without entries."""
    return f"{_GONE}{paper}"
