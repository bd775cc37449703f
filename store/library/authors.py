"""Authors of papers as arXiv names them: an index by the words of their names."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from sqlalchemy import ColumnElement, and_, bindparam, delete, exists, false, func, or_, select
from sqlmodel import Session, col

from store.database.statements import begins, execute_each, insert_new
from store.search.filters import folded_name, is_author, is_initial
from store.search.spelling import similar
from store.tables.library import ArxivRow, AuthorWordRow
from store.text import typed_words

# So many rows of the index are read to complete a name or to correct one.
_MOST_READ = 20_000
_MOST_COMPARED = 4  # words of a name
_SAME = 2  # letters that a misspelt word begins with as the right one does

# A word, a name and an arXiv id.
_Row: TypeAlias = tuple[str, str, str]
_KEY = ("of_word", "of_name", "of_paper")
_DELETE = delete(AuthorWordRow).where(
    col(AuthorWordRow.word) == bindparam("of_word"),
    col(AuthorWordRow.name) == bindparam("of_name"),
    col(AuthorWordRow.arxiv_id) == bindparam("of_paper"),
)


def index_authors(
    session: Session,
    before: Mapping[str, Sequence[str]],
    after: Mapping[str, Sequence[str]],
) -> None:
    """Bring the index up to date with the authors of papers, by arXiv id, before and after."""
    new = _rows(after)
    gone = sorted(_rows({arxiv_id: before.get(arxiv_id, ()) for arxiv_id in after}) - new)
    connection = session.connection()
    execute_each(connection, _DELETE, [dict(zip(_KEY, row, strict=True)) for row in gone])
    rows = [{"word": word, "name": name, "arxiv_id": of} for word, name, of in sorted(new)]
    execute_each(connection, insert_new(session, AuthorWordRow), rows)


def _rows(authors: Mapping[str, Sequence[str]]) -> set[_Row]:
    return {
        (word, name, arxiv_id)
        for arxiv_id, names in authors.items()
        for name in map(folded_name, names)
        for word in name.split()
    }


def any_stored(session: Session) -> bool:
    """Tell whether the authors of any paper are stored."""
    return bool(session.connection().scalar(select(exists(select(col(AuthorWordRow.word))))))


def is_known(session: Session, name: str) -> bool:
    """Tell whether a stored author's name has all parts of a name."""
    found = select(exists(select(col(AuthorWordRow.word)).where(is_author(name))))
    return bool(session.connection().scalar(found))


def beginning(session: Session, text: str, limit: int) -> list[tuple[str, int]]:
    """Return authors whose name has the words of a text, the last of which may be begun only.

    Each with the number of papers, those with most first. None for fewer than two letters.
    """
    *words, begun = typed_words(text).words or ("",)
    if any(not is_initial(word) for word in words):
        spaced = " " + col(AuthorWordRow.name)
        return _named(session, and_(is_author(" ".join(words)), spaced.like(f"% {begun}%")), limit)
    if not begun or is_initial(begun):
        return []
    initials = ((" " + col(AuthorWordRow.name)).like(f"% {word}%") for word in words)
    return _named(session, and_(begins(col(AuthorWordRow.word), begun), *initials), limit)


def nearest(session: Session, name: str, limit: int) -> list[tuple[str, int]]:
    """Return authors who may be meant by a name that no stored one has, most papers first.

    They have one of its words, or one that is spelt alike and begins with the same two letters.
    """
    words = [word for word in dict.fromkeys(typed_words(name).words) if not is_initial(word)]
    found = _named(session, col(AuthorWordRow.word).in_(words), limit)
    if found:
        return found
    compared = words[:_MOST_COMPARED]
    known = _words_like(session, compared)
    alike = [
        other
        for word in compared
        for other in similar(word, [each for each in known if each[:_SAME] == word[:_SAME]])
    ]
    return _named(session, col(AuthorWordRow.word).in_(alike[:limit]), limit) if alike else []


def _words_like(session: Session, words: Sequence[str]) -> Collection[str]:
    """Return words of names that begin as some words do."""
    written = col(AuthorWordRow.word)
    begun = or_(false(), *(begins(written, each) for each in {word[:_SAME] for word in words}))
    known = select(written).where(begun).distinct()
    return session.connection().scalars(known.limit(_MOST_READ)).all()


def _named(session: Session, condition: ColumnElement[bool], limit: int) -> list[tuple[str, int]]:
    """Return the authors of rows of the index as arXiv writes them, most papers first."""
    read = select(col(AuthorWordRow.name), col(AuthorWordRow.arxiv_id)).where(condition)
    rows = read.limit(_MOST_READ).subquery()
    papers = func.count(rows.c.arxiv_id.distinct())
    query = (
        select(rows.c.name, papers, func.max(rows.c.arxiv_id))
        .group_by(rows.c.name)
        .order_by(papers.desc(), rows.c.name)
        .limit(limit)
    )
    found = session.connection().execute(query).all()
    written = _written(session, [row[2] for row in found])
    return [(written.get(name, name), number) for name, number, _ in found]


def _written(session: Session, ids: Iterable[str]) -> dict[str, str]:
    """Return the names of the authors of papers as arXiv writes them, by their folded form."""
    query = select(col(ArxivRow.authors)).where(col(ArxivRow.arxiv_id).in_([*ids]))
    rows = session.connection().scalars(query)
    return {folded_name(name): name for names in rows for name in names}
