"""Finding papers while somebody types: by the beginnings of their names and of words of titles.

What few entries have is found by the index and put in order. Of what many have the newest are
met soon by going through the editions from the newest on; to put them all in order would take
longer the more there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from store.database.statements import Reader
from store.identity.word_index import named
from store.library import mentions
from store.records import Mention

_LAST_SIGN = "\U0010ffff"
# A paper stands in so many editions at most, as a rule; beyond that fewer papers are offered.
_MENTIONS_OF_ONE = 3


@dataclass(frozen=True, slots=True)
class Few:
    """How many entries are few.

    With 100,000 in the store either way takes some milliseconds for so many `titles`. Names of
    one year stand together, and the way to an old year is long, so more `names` are put in order.
    To look up whether an entry has other words too takes less than that: it is done for so many
    that have one of the `words`.
    """

    titles: int = 3_000
    names: int = 12_000
    words: int = 8_000


FEW = Few()

# Samples never stand beside others, so they need no place of their own.
_NEWEST_FIRST = " ORDER BY edition.last_day DESC, entry.position, entry.id LIMIT ?"
_SOME = (
    "SELECT entry.id, entry.paper_id FROM entry"
    " JOIN edition ON edition.id = entry.edition_id WHERE "
)
# By a sum no index finds editions, so SQLite has to begin with these.
_ALL = (
    "SELECT entry.id, entry.paper_id FROM edition"
    " JOIN entry ON entry.edition_id = edition.id + 0 WHERE "
)

_WITH_WORD = "SELECT entry_id FROM entry_word AS held WHERE word >= ? AND word < ?"
_HAS_TOO = (
    " AND EXISTS (SELECT 1 FROM entry_word AS other"
    " WHERE other.entry_id = held.entry_id AND other.word >= ? AND other.word < ?)"
)
_HAS_WORD = "EXISTS (SELECT 1 FROM entry_word WHERE entry_id = entry.id AND word >= ? AND word < ?)"
_ON_ARXIV = (
    "(paper.arxiv_id >= ? AND paper.arxiv_id < ? OR paper.arxiv_id >= ? AND paper.arxiv_id < ?)"
)
_NAMED = (
    f"{_WITH_WORD} UNION ALL"  # noqa: S608 - constants, values are bound
    f" SELECT entry.id FROM paper JOIN entry ON entry.paper_id = paper.id WHERE {_ON_ARXIV}"
)
_IS_NAMED = (
    f"({_HAS_WORD} OR EXISTS"  # noqa: S608 - the same
    f" (SELECT 1 FROM paper WHERE paper.id = entry.paper_id AND {_ON_ARXIV}))"
)


def by_name(session: Session, beginning: str, limit: int, few: Few = FEW) -> list[Mention]:
    """Return papers with a ref, episode or arXiv id that begins so, newest first."""
    reader = Reader(session.connection())
    typed = [named(beginning), beginning, beginning.lower()]
    are_few = _count(reader, _NAMED, typed, few.names) <= few.names
    statement = f"{_SOME} entry.id IN ({_NAMED})" if are_few else _ALL + _IS_NAMED
    return mentions.of_entries(session, _newest(reader, statement, _ends(typed), limit))


def by_title(session: Session, words: tuple[str, ...], limit: int, few: Few = FEW) -> list[Mention]:
    """Return papers whose title has, for each of these folded beginnings, a word, newest first."""
    reader = Reader(session.connection())
    words = tuple(dict.fromkeys(words))
    typed = _rarest_first(reader, words, few.words)
    if typed:
        holding = _WITH_WORD + _HAS_TOO * (len(typed) - 1)
        rows = reader.rows(f"{holding} LIMIT ?", *_ends(typed), few.titles + 1)
        if len(rows) <= few.titles:
            among, entries = reader.among("entry.id", [entry for (entry,) in rows])
            return mentions.of_entries(session, _newest(reader, _SOME + among, [entries], limit))
    has_all = " AND ".join([_HAS_WORD] * len(words))
    return mentions.of_entries(session, _newest(reader, _ALL + has_all, _ends(words), limit))


def _rarest_first(reader: Reader, words: Sequence[str], few: int) -> list[str]:
    """Return words, that of the fewest entries first; nothing where each is one of many."""
    if len(words) == 1:
        return [*words]
    held = {word: _count(reader, _WITH_WORD, [word], few) for word in words}
    return sorted(held, key=held.__getitem__) if min(held.values()) <= few else []


def _count(reader: Reader, statement: str, typed: Sequence[str], few: int) -> int:
    """Return how many a statement finds, of more than a few one more than these."""
    counted = f"SELECT count(*) FROM ({statement} LIMIT ?) AS found"  # noqa: S608 - constants
    [(number,)] = reader.rows(counted, *_ends(typed), few + 1)
    return int(number)


def _newest(reader: Reader, statement: str, values: Sequence[object], limit: int) -> list[int]:
    """Return the newest entry of each paper."""
    rows = reader.rows(statement + _NEWEST_FIRST, *values, _MENTIONS_OF_ONE * limit)
    papers: dict[int, int] = {}
    for entry, paper in rows:
        papers.setdefault(paper, entry)
    return list(papers.values())[:limit]


def _ends(typed: Sequence[str]) -> list[str]:
    """Return the two ends of the words that begin with each of some."""
    return [end for each in typed for end in (each, each + _LAST_SIGN)]
