"""Autocomplete of papers: by the beginnings of their names and of words of their titles.

Few matches are found by the index and sorted. Of many the newest are found sooner by walking the
editions from the newest on, as sorting takes longer the more there are.
"""

from collections.abc import Sequence

from sqlalchemy import text
from sqlmodel import Session

from store.identity.candidates import ref_word
from store.library import mentions
from store.records import Mention

_LAST_CHARACTER = "\U0010ffff"
# A paper rarely has more mentions; beyond that fewer papers are offered.
_MENTIONS_OF_PAPER = 3


# Up to so many matches the index is used: with 100,000 entries either way takes some milliseconds
# then. Names of one year are adjacent, and the walk to an old year is long, so more are sorted.
MOST_TITLES, MOST_NAMES = 8_000, 12_000

# Samples are never shown beside others, so they need no order of their own.
_NEWEST_FIRST = " ORDER BY edition.last_day DESC, entry.position, entry.id LIMIT :limit"
_BY_INDEX = (
    "SELECT entry.id, entry.paper_id FROM entry"
    " JOIN edition ON edition.id = entry.edition_id WHERE entry.id IN ({})"
)
# No index finds editions by a sum, so SQLite has to begin with these.
_BY_WALK = (
    "SELECT entry.id, entry.paper_id FROM edition"
    " JOIN entry ON entry.edition_id = edition.id + 0 WHERE {}"
)

# `{0}` is the number of a beginning, whose matches are from `:from{0}` to `:to{0}`.
_WITH_WORD = "SELECT entry_id FROM entry_word AS first WHERE word >= :from{0} AND word < :to{0}"
_HAS_OTHER = (
    " AND EXISTS (SELECT 1 FROM entry_word AS other WHERE other.entry_id = first.entry_id"
    " AND other.word >= :from{0} AND other.word < :to{0})"
)
_HAS_WORD = (
    "EXISTS (SELECT 1 FROM entry_word"
    " WHERE entry_id = entry.id AND word >= :from{0} AND word < :to{0})"
)
# A name is a ref, an episode, or an arXiv id, whose old form has capitals.
_ON_ARXIV = (
    "(paper.arxiv_id >= :from1 AND paper.arxiv_id < :to1"
    " OR paper.arxiv_id >= :from2 AND paper.arxiv_id < :to2)"
)
_NAMED = (
    f"{_WITH_WORD.format(0)} UNION ALL"  # noqa: S608 - constants
    f" SELECT entry.id FROM paper JOIN entry ON entry.paper_id = paper.id WHERE {_ON_ARXIV}"
)
_IS_NAMED = (
    f"({_HAS_WORD.format(0)} OR EXISTS"  # noqa: S608 - constants
    f" (SELECT 1 FROM paper WHERE paper.id = entry.paper_id AND {_ON_ARXIV}))"
)


def by_name(session: Session, beginning: str, limit: int, most: int = MOST_NAMES) -> list[Mention]:
    """Return papers with a ref, episode or arXiv id that begins so, newest first."""
    names = [ref_word(beginning), beginning, beginning.lower()]
    are_few = _count(session, _NAMED, names, most) <= most
    statement = _BY_INDEX.format(_NAMED) if are_few else _BY_WALK.format(_IS_NAMED)
    return _newest(session, statement, names, limit)


def by_title(
    session: Session, words: tuple[str, ...], limit: int, most: int = MOST_TITLES
) -> list[Mention]:
    """Return papers whose title has a word for each of these folded beginnings, newest first."""
    counts = {word: _count(session, _WITH_WORD.format(0), [word], most) for word in words}
    by_rarity = sorted(counts, key=counts.__getitem__)
    numbers = range(len(by_rarity))
    if counts[by_rarity[0]] <= most:
        with_all = _WITH_WORD.format(0) + "".join(map(_HAS_OTHER.format, numbers[1:]))
        return _newest(session, _BY_INDEX.format(with_all), by_rarity, limit)
    has_all = " AND ".join(map(_HAS_WORD.format, numbers))
    return _newest(session, _BY_WALK.format(has_all), by_rarity, limit)


def _count(session: Session, matches: str, typed: Sequence[str], most: int) -> int:
    """Count the matches of a query, up to one more than `most`."""
    counted = text(f"SELECT count(*) FROM ({matches} LIMIT :limit) AS found")  # noqa: S608 - constants
    values = _ranges(typed) | {"limit": most + 1}
    return session.connection().scalar(counted, values) or 0


def _newest(session: Session, statement: str, typed: Sequence[str], limit: int) -> list[Mention]:
    """Return the newest mention of each paper."""
    values = _ranges(typed) | {"limit": _MENTIONS_OF_PAPER * limit}
    papers: dict[int, int] = {}
    for entry, paper in session.connection().execute(text(statement + _NEWEST_FIRST), values):
        papers.setdefault(paper, entry)
    return mentions.of_entries(session, list(papers.values())[:limit])


def _ranges(typed: Sequence[str]) -> dict[str, object]:
    """Return the values that bound the words with each beginning."""
    firsts = {f"from{number}": beginning for number, beginning in enumerate(typed)}
    lasts = {f"to{number}": beginning + _LAST_CHARACTER for number, beginning in enumerate(typed)}
    return {**firsts, **lasts}
