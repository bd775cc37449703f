"""The filters that every list of papers takes, as conditions on entries."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

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
from store.text import fold, typed_words

_LONGEST_NAME = 200  # characters; Postgres limits an index row to 2,700 bytes

_CONSENSUS = aliased(EditionRow, name="consensus")
# The consensus has no entries of its own: it refers to those of other sources.
IN_CONSENSUS = (
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


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """The facts of an entry that filters ask for; `authors` are folded names."""

    source: str
    first_day: date
    last_day: date
    in_consensus: bool
    topics: Collection[str]
    authors: Collection[str]


def conditions(filters: Filters) -> list[ColumnElement[bool]]:
    """Return the conditions of filters on `entry` joined with `edition`."""
    found: list[ColumnElement[bool]] = []
    if filters.source == CONSENSUS:
        found.append(IN_CONSENSUS)
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


def lets_through(filters: Filters, facts: EntryFacts) -> bool:
    """Tell whether filters let an entry through, as `conditions` does. Pure."""
    if filters.source == CONSENSUS:
        is_of_source = facts.in_consensus
    else:
        is_of_source = not filters.source or facts.source == filters.source
    return (
        is_of_source
        and (not filters.topic or filters.topic in facts.topics)
        and (not filters.since or facts.last_day >= filters.since)
        and (not filters.until or facts.first_day <= filters.until)
        and (not filters.author or _names_author(facts.authors, filters.author))
    )


def _names_author(authors: Collection[str], name: str) -> bool:
    """Tell whether one of some folded names has all parts of another, as `is_author` does."""
    longest, parts = _parts_of_name(name)
    spaced = (f" {author} " for author in authors)
    return longest is not None and any(all(part in author for part in parts) for author in spaced)


@lru_cache(maxsize=1024)
def _parts_of_name(name: str) -> tuple[str | None, tuple[str, ...]]:
    words = typed_words(name).words
    parts = tuple(f" {word}" if is_initial(word) else f" {word} " for word in words)
    return longest_word_of_name(name), parts


def is_author(name: str) -> ColumnElement[bool]:
    """Return the condition on `author_word` that an author's name has all parts of another.

    A part is a whole word, or a letter that begins one: `Y. Bengio`. No author has a name without
    a whole word.
    """
    longest = longest_word_of_name(name)
    if longest is None:
        return false()
    # Folded words have no sign that LIKE understands.
    spaced = literal(" ") + col(AuthorWordRow.name) + literal(" ")
    parts = (
        spaced.like(f"% {word}%" if is_initial(word) else f"% {word} %")
        for word in dict.fromkeys(typed_words(name).words)
        if word != longest
    )
    return and_(col(AuthorWordRow.word) == longest, *parts)


def longest_word_of_name(name: str) -> str | None:
    """Return the longest whole word of a name, folded; `None` if it has initials alone."""
    whole = (word for word in typed_words(name).words if not is_initial(word))
    return max(whole, key=len, default=None)


def is_initial(word: str) -> bool:
    """Tell whether a folded word is the first letter of a name; in Chinese one may be a name."""
    return len(word) == 1 and word.isascii()


def folded_name(author: str) -> str:
    """Return an author's name as the index of authors has it."""
    return fold(author)[:_LONGEST_NAME].strip()
