"""Autocomplete of papers: by the beginnings of their names and of words of their titles.

Few matches are found by the index and sorted. Of many the newest are found sooner by walking the
editions from the newest on, as sorting takes longer the more there are.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, TypeAlias

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    case,
    exists,
    func,
    or_,
    select,
    union_all,
)
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from store.database.statements import Query, begins
from store.identity.candidates import ref_word
from store.library import mentions
from store.library.editions import is_ahead
from store.records import Mention
from store.tables.library import EditionRow, EntryRow, EntryWordRow, PaperRow

# A paper rarely has more mentions; beyond that fewer papers are offered.
_MENTIONS_OF_PAPER = 3

# Up to so many matches the index is used: with 100,000 entries either way takes some milliseconds
# then. Names of one year are adjacent, and the walk to an old year is long, so more are sorted.
MOST_TITLES, MOST_NAMES = 8_000, 12_000

# A query of the database ids of entries.
_Ids: TypeAlias = "Query | CompoundSelect[Any]"


def by_name(
    session: Session, beginning: str, day: date, limit: int, most: int = MOST_NAMES
) -> list[Mention]:
    """Return papers with a ref, episode or arXiv id that begins so, newest first on a day (UTC)."""
    # An arXiv id of the old form has capitals.
    arxiv_id, ref = col(PaperRow.arxiv_id), ref_word(beginning)
    on_arxiv = or_(begins(arxiv_id, beginning), begins(arxiv_id, beginning.lower()))
    papers = select(col(EntryRow.id)).join(PaperRow, col(PaperRow.id) == col(EntryRow.paper_id))
    named = union_all(_with_word(ref), papers.where(on_arxiv))
    if _count(session, named, most) <= most:
        return _newest(session, _by_index(named, day), limit)
    of_paper = exists().where(col(PaperRow.id) == col(EntryRow.paper_id), on_arxiv)
    return _newest(session, _by_walk(day, _has_word(col(EntryRow.id), ref) | of_paper), limit)


def by_title(
    session: Session, words: tuple[str, ...], day: date, limit: int, most: int = MOST_TITLES
) -> list[Mention]:
    """Return papers whose title has a word for each of these folded beginnings, newest first.

    What lies ahead of a day (UTC) comes last.
    """
    counts = {word: _count(session, _with_word(word), most) for word in words}
    rarest, *others = sorted(counts, key=counts.__getitem__)
    if counts[rarest] > most:
        has_all = (_has_word(col(EntryRow.id), word) for word in (rarest, *others))
        return _newest(session, _by_walk(day, *has_all), limit)
    has_others = (_has_word(col(EntryWordRow.entry_id), word) for word in others)
    return _newest(session, _by_index(_with_word(rarest).where(*has_others), day), limit)


def _with_word(beginning: str) -> Query:
    """Select the entries that have a word that begins so."""
    return select(col(EntryWordRow.entry_id)).where(begins(col(EntryWordRow.word), beginning))


def _has_word(entry: Any, beginning: str) -> ColumnElement[bool]:  # noqa: ANN401 - a column of ids
    """Return the condition that an entry has a word that begins so."""
    word = aliased(EntryWordRow)
    return exists().where(col(word.entry_id) == entry, begins(col(word.word), beginning))


def _by_index(ids: _Ids, day: date) -> list[Query]:
    """Select entries by their ids, those of editions that lie ahead of a day last."""
    edition = col(EditionRow.id) == col(EntryRow.edition_id)
    found = select(col(EntryRow.id), col(EntryRow.paper_id)).join(EditionRow, edition)
    return [found.where(col(EntryRow.id).in_(ids)).order_by(case((is_ahead(day), 1), else_=0))]


def _by_walk(day: date, *conditions: ColumnElement[bool]) -> list[Query]:
    """Select the entries that meet conditions, edition by edition.

    Those that lie ahead of a day have a query of their own: their order would sort all the others.
    """
    # No index finds editions by a sum, so SQLite has to begin with these.
    edition = col(EntryRow.edition_id) == col(EditionRow.id) + 0
    entries = select(col(EntryRow.id), col(EntryRow.paper_id)).select_from(EditionRow)
    walk = entries.join(EntryRow, edition).where(*conditions)
    return [walk.where(~is_ahead(day)), walk.where(is_ahead(day))]


def _count(session: Session, ids: _Ids, most: int) -> int:
    """Count the matches of a query, up to one more than `most`."""
    counted = select(func.count()).select_from(ids.limit(most + 1).subquery())
    return session.connection().scalar(counted) or 0


def _newest(session: Session, found: Sequence[Query], limit: int) -> list[Mention]:
    """Return the newest mention of each paper."""
    # Samples are never shown beside others, so they need no order of their own.
    newest_first = col(EditionRow.last_day).desc(), col(EntryRow.position), col(EntryRow.id)
    papers: dict[int, int] = {}
    for query in found:
        if len(papers) < limit:
            newest = query.order_by(*newest_first).limit(_MENTIONS_OF_PAPER * limit)
            for entry, paper in session.connection().execute(newest):
                papers.setdefault(paper, entry)
    return mentions.of_entries(session, list(papers.values())[:limit])
