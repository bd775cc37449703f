"""Writing what searches read: the full-text index, its words, and the acronyms explained."""

from collections.abc import Iterable, Sequence

from sqlalchemy import delete, text
from sqlmodel import Session

from store.database.statements import marked
from store.records import Entry
from store.search.synonyms import explained
from store.tables.library import AcronymRow, WordRow
from store.text import stem, words

# Raised with every change of what is written for the same entry.
INDEX_RULES = "1"

# Postgres refuses a tsvector over 1 MB, and a longer text finds nothing that its first
# 100,000 characters don't.
_LONGEST = 100_000
_BATCH = 500

# SQLAlchemy's own statements would add a third to the time of each of these.
_INDEX = {
    "sqlite": "INSERT INTO entry_text (rowid, title, summary, highlights, heading, section)"
    " VALUES (?, ?, ?, ?, ?, ?)",
    # A sign that is no word stands between two texts, so that no phrase leads from one to the
    # next.
    "postgresql": "INSERT INTO entry_text"
    " (rowid, title, summary, highlights, heading, section, words)"
    " VALUES (?, ?, ?, ?, ?, ?, setweight(to_tsvector('simple', ?), 'A')"
    " || '|:1' || setweight(to_tsvector('simple', ?), 'B')"
    " || '|:1' || setweight(to_tsvector('simple', ?), 'C')"
    " || '|:1' || setweight(to_tsvector('simple', ?), 'D')"
    " || '|:1' || setweight(to_tsvector('simple', ?), 'C'))",
}
_ADD_WORDS = {
    "sqlite": "INSERT OR IGNORE INTO word (word) SELECT value FROM json_each(?)",
    # In one order, so that no two writers wait for each other.
    "postgresql": "INSERT INTO word (word) SELECT json_array_elements_text(CAST(? AS json))"
    " ORDER BY 1 ON CONFLICT DO NOTHING",
}
_ADD_ACRONYM = "INSERT INTO acronym (letters, words) VALUES (?, ?) ON CONFLICT DO NOTHING"
_UNINDEX = text("DELETE FROM entry_text WHERE rowid = :rowid")


def index(session: Session, entries: Sequence[tuple[int, Entry]]) -> None:
    """Index entries under their database ids, which are not indexed yet.

    Words and acronyms stay known when the entries go: what no entry holds is never offered.
    """
    if not entries:
        return
    connection = session.connection()
    texts = [_texts(entry) for _, entry in entries]
    folded = [[words(text[:_LONGEST]) for text in columns] for columns in texts]
    dialect = connection.dialect.name
    stems = [map(_stems, columns) if dialect == "postgresql" else () for columns in folded]
    ids = (entry_id for entry_id, _ in entries)
    rows = [(i, *columns, *more) for i, columns, more in zip(ids, folded, stems, strict=True)]
    connection.exec_driver_sql(marked(connection, _INDEX[dialect]), rows)
    connection.exec_driver_sql(marked(connection, _ADD_WORDS[dialect]), (_words(folded),))
    acronyms = {found for columns in texts for found in explained("\n".join(columns))}
    if acronyms:
        pairs = [(letters, " ".join(run)) for letters, run in sorted(acronyms)]
        connection.exec_driver_sql(marked(connection, _ADD_ACRONYM), pairs)


def unindex(session: Session, entry_ids: Sequence[int]) -> None:
    """Forget entries."""
    rows = [{"rowid": entry_id} for entry_id in entry_ids]
    if rows:
        session.connection().execute(_UNINDEX, rows)


def clear(session: Session) -> None:
    """Forget all entries, words and acronyms."""
    connection = session.connection()
    connection.execute(text("DELETE FROM entry_text"))
    for table in (WordRow, AcronymRow):
        connection.execute(delete(table))


def _texts(entry: Entry) -> tuple[str, ...]:
    """Return the texts of an entry in the order of the index's columns."""
    bullets = (f"{bullet.lead or ''} {bullet.text}" for bullet in entry.highlights)
    others = (entry.summary, "\n".join(bullets), entry.heading, entry.section)
    return (entry.title, *(text or "" for text in others))


def _stems(folded: str) -> str:
    """Return the stems of a folded text, which FTS5 makes by itself."""
    return " ".join(map(stem, folded.split()))


def _words(folded: Iterable[Sequence[str]]) -> str:
    """Return the words of folded texts, numbers left out, as a JSON array.

    Words are letters only, so that there is nothing to escape.
    """
    found = set(" ".join(text for columns in folded for text in columns).split())
    return '["{}"]'.format('","'.join(filter(str.isalpha, found)))
