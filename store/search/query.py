"""What is looked for and what is found: the records that go into a search and come out."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

# Folded words that stand beside each other.
Run = tuple[str, ...]
# Words that say nothing about a paper: those of grammar, those of asking, and those of any paper.
STOP_WORDS = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "they", "them", "their",
    "there", "he", "she", "his", "her", "i", "me", "my", "we", "us", "our", "you", "your",
    "one", "ones",
    "and", "or", "but", "nor", "so", "yet", "if", "then", "than", "as", "because", "while",
    "though", "although",
    "of", "in", "on", "at", "to", "for", "from", "by", "with", "into", "onto", "over",
    "under", "about", "between", "through", "during", "without", "within", "per", "via",
    "like",
    "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "doing",
    "done", "has", "have", "had", "having", "can", "could", "may", "might", "must", "shall",
    "should", "will", "would", "get", "gets", "got", "let", "lets", "make", "makes", "made",
    "want", "wants",
    "not", "no", "also", "just", "only", "even", "very", "too", "more", "most", "much",
    "many", "some", "any", "all", "each", "every", "both", "such", "other", "others", "same",
    "how", "what", "when", "where", "which", "who", "whom", "whose", "why", "find", "show",
    "shows", "showing",
    "paper", "papers", "article", "study", "work", "works", "use", "uses", "used", "using",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to look for: words, phrases (word runs) and runs that must not occur, all folded.

    `words` stand as they were typed, stop words and all. `since` and `until` bound the
    edition's last and first day. With `title_only` nothing but titles is looked at, and with
    `every_word` nothing is found that lacks one. `text` is what was typed; `cut` tells that it has
    more words than these.
    """

    words: Run = ()
    phrases: tuple[Run, ...] = ()
    excluded: tuple[Run, ...] = ()
    source: str | None = None
    topic: str | None = None
    since: date | None = None
    until: date | None = None
    title_only: bool = False
    every_word: bool = False
    text: str = ""
    cut: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that an entry could match."""
        return not (self.words or self.phrases)


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase of a query, with the runs any of which stands for it.

    `weight` is the greater, the fewer entries hold one; 0 where none does. An `exact` one is
    a phrase, which has no other forms.
    """

    typed: Run
    forms: tuple[Run, ...]
    weight: int
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """An entry's database id, its score (the higher the better), and whether it holds all."""

    entry_id: int
    score: float
    complete: bool


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page of what was found, best first: what holds every word, then what holds most.

    `terms` is what was looked for after all. `corrections` are the words that no entry
    holds, each with the word that was looked for in its place. `cut` tells that the most common
    words, phrases or exclusions were left out, because too many entries hold them.
    """

    found: tuple[Found, ...] = ()
    terms: tuple[Term, ...] = ()
    corrections: tuple[tuple[str, str], ...] = ()
    cut: bool = False


def significant(words: Iterable[str]) -> Run:
    """Return each word once, without the stop words, or all where there would be none."""
    unique = tuple(dict.fromkeys(words))
    return tuple(word for word in unique if word not in STOP_WORDS) or unique
