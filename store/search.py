"""Full-text search behind one function, for FTS5 and for Postgres' `tsvector` alike.

Both index the same folded words, so that both find the same entries; only the ranking is
each database's own. What goes into a query is words and nothing else: raw text in FTS5's
`MATCH` is an error for `GPT-4`, `C++` or a lone quote.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import text
from sqlmodel import Session

from store.folding import words
from store.records import Entry

# How much a word counts by where it stands; column order as in `entry_text`.
_FTS5_WEIGHTS = "bm25(entry_text, 10, 3, 2, 1, 2)"
# D, C, B, A: heading; highlights and section; summary; title.
_POSTGRES_WEIGHTS = "'{0.1, 0.2, 0.3, 1.0}'"

# Postgres refuses a tsvector over 1 MB, and a longer text finds nothing that its first
# 100,000 characters don't.
_LONGEST = 100_000

# Words so common that they say nothing beside others.
_STOP_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "have", "how", "in",
    "into", "is", "it", "its", "of", "on", "or", "that", "the", "their", "this", "to", "was",
    "were", "what", "which", "who", "with",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to look for: words, phrases (word runs) and words that must not occur.

    `since` and `until` bound the edition's last and first day. With `every_word` nothing is
    found that lacks one; without, what holds any is found where nothing holds them all.
    """

    words: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    source: str | None = None
    topic: str | None = None
    since: date | None = None
    until: date | None = None
    title_only: bool = False
    every_word: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that an entry could match."""
        return not (self.words or self.phrases)


@dataclass(frozen=True, slots=True)
class Found:
    """An entry's database id and its score; the higher the better."""

    entry_id: int
    score: float


def significant(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words without the stop words, or all where there would be none."""
    unique = tuple(dict.fromkeys(words))
    return tuple(word for word in unique if word not in _STOP_WORDS) or unique


_INDEX = text(
    "INSERT INTO entry_text (rowid, title, summary, highlights, heading, section)"
    " VALUES (:rowid, :title, :summary, :highlights, :heading, :section)"
)
_UNINDEX = text("DELETE FROM entry_text WHERE rowid = :rowid")


def index(session: Session, entries: Sequence[tuple[int, Entry]]) -> None:
    """Index entries under their database ids, which are not indexed yet."""
    rows = [{"rowid": entry_id, **_columns(entry)} for entry_id, entry in entries]
    if rows:
        session.connection().execute(_INDEX, rows)


def unindex(session: Session, entry_ids: Sequence[int]) -> None:
    """Forget entries."""
    rows = [{"rowid": entry_id} for entry_id in entry_ids]
    if rows:
        session.connection().execute(_UNINDEX, rows)


def search(session: Session, query: SearchQuery, limit: int, offset: int = 0) -> list[Found]:
    """Return what matches every word, or where nothing does, what matches any; best first.

    Phrases must match and exclusions must not in either case. Any query whatever is safe.
    Equal scores stand newest first, then in their edition's order.
    """
    if query.is_empty:
        return []
    found = _run(session, query, every_word=True, limit=limit, offset=offset)
    if found or query.every_word:
        return found
    if offset and _run(session, query, every_word=True, limit=1, offset=0):
        return []
    return _run(session, query, every_word=False, limit=limit, offset=offset)


def _columns(entry: Entry) -> dict[str, str]:
    highlights = " ".join(f"{bullet.lead or ''} {bullet.text}" for bullet in entry.highlights)
    columns = {
        "title": entry.title,
        "summary": entry.summary,
        "highlights": highlights,
        "heading": entry.heading,
        "section": entry.section,
    }
    return {name: words(value[:_LONGEST]) if value else "" for name, value in columns.items()}


@dataclass(frozen=True, slots=True)
class _Match:
    """A query in one database's own terms; all that came from outside is in `values`."""

    score: str
    conditions: list[str]
    values: dict[str, object]


def _run(
    session: Session, query: SearchQuery, *, every_word: bool, limit: int, offset: int
) -> list[Found]:
    sqlite = session.get_bind().dialect.name == "sqlite"
    match = (_fts5 if sqlite else _tsquery)(query, every_word=every_word)
    _add_filters(query, match)
    statement = (
        f"SELECT entry_text.rowid, {match.score} AS score FROM entry_text"  # noqa: S608 - constants only, values are bound
        " JOIN entry ON entry.id = entry_text.rowid"
        " JOIN edition ON edition.id = entry.edition_id"
        f" WHERE {' AND '.join(match.conditions)}"
        " ORDER BY score DESC, edition.last_day DESC, edition.source, entry.position, entry.id"
        " LIMIT :limit OFFSET :offset"
    )
    values = {**match.values, "limit": limit, "offset": offset}
    rows = session.connection().execute(text(statement), values)
    return [Found(entry_id=row.rowid, score=float(row.score)) for row in rows]


_HAS_TOPIC = (
    "EXISTS (SELECT 1 FROM entry_topic"
    " WHERE entry_topic.entry_id = entry.id AND entry_topic.topic = :topic)"
)


def _add_filters(query: SearchQuery, match: _Match) -> None:
    for condition, name, value in (
        ("edition.source = :source", "source", query.source),
        (_HAS_TOPIC, "topic", query.topic),
        ("edition.last_day >= :since", "since", query.since),
        ("edition.first_day <= :until", "until", query.until),
    ):
        if value is not None:
            match.conditions.append(condition)
            match.values[name] = str(value)  # a date as both databases write it


def _fts5(query: SearchQuery, *, every_word: bool) -> _Match:
    """Quote each word: inside quotes FTS5 knows no syntax, and words hold no quote."""
    words = (" AND " if every_word else " OR ").join(f'"{word}"' for word in query.words)
    phrases = [f'"{" ".join(phrase)}"' for phrase in query.phrases]
    wanted = " AND ".join([*([f"({words})"] if words else []), *phrases])
    if query.title_only:
        wanted = f"{{title}} : ({wanted})"
    if query.excluded:
        excluded = " OR ".join(f'"{" ".join(phrase)}"' for phrase in query.excluded)
        wanted = f"({wanted}) NOT ({excluded})"
    return _Match(f"-{_FTS5_WEIGHTS}", ["entry_text MATCH :wanted"], {"wanted": wanted})


def _tsquery(query: SearchQuery, *, every_word: bool) -> _Match:
    """Let Postgres make lexemes of each word: its functions take any text."""
    values: dict[str, object] = {}

    def lexemes(function: str, *words: str) -> str:
        name = f"words{len(values)}"
        values[name] = " ".join(words)
        return f"{function}('words', :{name})"

    words = [lexemes("plainto_tsquery", word) for word in query.words]
    parts = [f"({(' && ' if every_word else ' || ').join(words)})"] if words else []
    parts += [lexemes("phraseto_tsquery", *phrase) for phrase in query.phrases]
    parts += ["!! " + lexemes("phraseto_tsquery", *phrase) for phrase in query.excluded]
    wanted = f"({' && '.join(parts)})"
    conditions = [f"entry_text.words @@ {wanted}"]
    if query.title_only:
        conditions.append(f"to_tsvector('words', entry_text.title) @@ {wanted}")
    return _Match(f"ts_rank({_POSTGRES_WEIGHTS}, entry_text.words, {wanted})", conditions, values)
