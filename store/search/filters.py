"""The filters that every list of papers takes, as conditions on entries."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import ColumnElement, and_, exists, false, literal, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from store.sources import CONSENSUS
from store.tables.library import (
    AuthorWordRow,
    ConsensusRankRow,
    EditionRow,
    EntryRow,
    EntryTopicRow,
    PaperRow,
)
from store.text import typed_words

_CONSENSUS = aliased(EditionRow, name="consensus")
# The consensus has no entries of its own: it refers to those of other sources.
_IN_CONSENSUS = (
    exists()
    .where(col(ConsensusRankRow.entry_id) == col(EntryRow.id))
    .where(col(_CONSENSUS.id) == col(ConsensusRankRow.edition_id))
    .where(col(_CONSENSUS.source) == CONSENSUS)
    .correlate(EntryRow)
)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which entries are wanted; `None` lets all through.

    `topic` and `source` are slugs, `author` is a name or parts of one. `since` and `until` bound
    the last and the first day of the edition.
    """

    topic: str | None = None
    source: str | None = None
    author: str | None = None
    since: date | None = None
    until: date | None = None

    def __bool__(self) -> bool:
        """Tell whether anything is filtered out."""
        return self != EVERYTHING


EVERYTHING = Filters()


def conditions(filters: Filters) -> list[ColumnElement[bool]]:
    """Return the conditions of filters on `entry` joined with `edition`."""
    found: list[ColumnElement[bool]] = []
    if filters.source == CONSENSUS:
        found.append(_IN_CONSENSUS)
    elif filters.source:
        found.append(col(EditionRow.source) == filters.source)
    if filters.topic:
        tagged = select(col(EntryTopicRow.entry_id)).where(
            col(EntryTopicRow.topic) == filters.topic
        )
        found.append(col(EntryRow.id).in_(tagged))
    if filters.author:
        on_arxiv = select(col(AuthorWordRow.arxiv_id)).where(is_author(filters.author))
        papers = select(col(PaperRow.id)).where(col(PaperRow.arxiv_id).in_(on_arxiv))
        found.append(col(EntryRow.paper_id).in_(papers))
    if filters.since:
        found.append(col(EditionRow.last_day) >= filters.since)
    if filters.until:
        found.append(col(EditionRow.first_day) <= filters.until)
    return found


def is_author(name: str) -> ColumnElement[bool]:
    """Return the condition on `author_word` that an author's name has all parts of another.

    A part is a whole word, or a letter that begins one: `Y. Bengio`. No author has a name without
    a whole word.
    """
    words = typed_words(name).words
    whole = [word for word in words if not is_initial(word)]
    if not whole:
        return false()
    longest = max(whole, key=len)
    # Folded words have no sign that LIKE understands.
    spaced = literal(" ") + col(AuthorWordRow.name) + literal(" ")
    parts = (
        spaced.like(f"% {word}%" if is_initial(word) else f"% {word} %")
        for word in dict.fromkeys(words)
        if word != longest
    )
    return and_(col(AuthorWordRow.word) == longest, *parts)


def is_initial(word: str) -> bool:
    """Tell whether a folded word is the first letter of a name; in Chinese one may be a name."""
    return len(word) == 1 and word.isascii()
