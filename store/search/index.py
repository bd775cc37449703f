"""Writing the full-text index, its words, and the acronyms that texts explain."""

from collections.abc import Sequence

from sqlalchemy import delete, text
from sqlmodel import Session

from store.records import Entry
from store.search.synonyms import explained_acronyms
from store.tables.library import AcronymRow, WordRow
from store.text import fold, stem

# Raised with every change of what is written for the same entry.
INDEX_RULES = "1"

# Postgres refuses a tsvector over 1 MB, and a longer text finds nothing that its first
# 100,000 characters don't.
_LONGEST = 100_000
_COLUMNS = ("title", "summary", "highlights", "heading", "section")

_INDEX = {
    "sqlite": text(
        "INSERT INTO entry_text (rowid, title, summary, highlights, heading, section)"
        " VALUES (:rowid, :title, :summary, :highlights, :heading, :section)"
    ),
    # A token that is no word separates the texts, so that no phrase leads from one to the next.
    "postgresql": text(
        "INSERT INTO entry_text (rowid, title, summary, highlights, heading, section, words)"
        " VALUES (:rowid, :title, :summary, :highlights, :heading, :section,"
        " setweight(to_tsvector('simple', :title_stems), 'A')"
        " || '|\\:1' || setweight(to_tsvector('simple', :summary_stems), 'B')"
        " || '|\\:1' || setweight(to_tsvector('simple', :highlights_stems), 'C')"
        " || '|\\:1' || setweight(to_tsvector('simple', :heading_stems), 'D')"
        " || '|\\:1' || setweight(to_tsvector('simple', :section_stems), 'C'))"
    ),
}
_ADD_WORD = text("INSERT INTO word (word) VALUES (:word) ON CONFLICT DO NOTHING")
_ADD_ACRONYM = text(
    "INSERT INTO acronym (letters, words) VALUES (:letters, :words) ON CONFLICT DO NOTHING"
)
_UNINDEX = text("DELETE FROM entry_text WHERE rowid = :rowid")


def index(session: Session, entries: Sequence[tuple[int, Entry]]) -> None:
    """Index entries under their database ids, which are not indexed yet.

    Words and acronyms stay when the entries go: a word that no entry contains is never offered.
    """
    if not entries:
        return
    connection = session.connection()
    texts = {entry_id: _texts(entry) for entry_id, entry in entries}
    folded = {
        entry_id: {name: fold(column[:_LONGEST]) for name, column in columns.items()}
        for entry_id, columns in texts.items()
    }
    rows = [{"rowid": entry_id, **columns} for entry_id, columns in folded.items()]
    if connection.dialect.name == "postgresql":  # FTS5 stems by itself
        for row, columns in zip(rows, folded.values(), strict=True):
            row |= {f"{name}_stems": _stems(column) for name, column in columns.items()}
    connection.execute(_INDEX[connection.dialect.name], rows)
    joined = " ".join(column for columns in folded.values() for column in columns.values())
    # In one order, so that no two writers wait for each other.
    if words := sorted(filter(str.isalpha, set(joined.split()))):
        connection.execute(_ADD_WORD, [{"word": word} for word in words])
    acronyms = {
        (letters, " ".join(run))
        for columns in texts.values()
        for letters, run in explained_acronyms("\n".join(columns.values()))
    }
    if acronyms:
        pairs = [{"letters": letters, "words": words} for letters, words in sorted(acronyms)]
        connection.execute(_ADD_ACRONYM, pairs)


def unindex(session: Session, entry_ids: Sequence[int]) -> None:
    """Remove entries from the index."""
    if entry_ids:
        session.connection().execute(_UNINDEX, [{"rowid": entry_id} for entry_id in entry_ids])


def clear(session: Session) -> None:
    """Remove all entries, words and acronyms."""
    connection = session.connection()
    connection.execute(text("DELETE FROM entry_text"))
    for table in (WordRow, AcronymRow):
        connection.execute(delete(table))


def _texts(entry: Entry) -> dict[str, str]:
    """Return the texts of an entry by column of the index."""
    bullets = "\n".join(f"{bullet.lead or ''} {bullet.text}" for bullet in entry.highlights)
    texts = (entry.title, entry.summary, bullets, entry.heading, entry.section)
    return {name: column or "" for name, column in zip(_COLUMNS, texts, strict=True)}


def _stems(folded: str) -> str:
    return " ".join(map(stem, folded.split()))
