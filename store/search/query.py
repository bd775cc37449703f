"""Search queries and their results: frozen records."""

from collections.abc import Iterable
from dataclasses import dataclass

from store.search.filters import EVERYTHING, Filters

# Folded words in a row.
Run = tuple[str, ...]
# Runs any of which will do.
Forms = tuple[Run, ...]
# Words that say nothing about a paper: those of grammar, of questions, and of any paper.
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
    "shows", "showing", "tell", "explain", "say", "says", "anything", "something", "please", "pls",
    # "what's", "isn't" and their like are two words each, or one without the apostrophe.
    "s", "t", "d", "m", "ll", "re", "ve", "ain", "aren", "couldn", "didn", "doesn", "don", "hadn",
    "hasn", "haven", "isn", "shouldn", "wasn", "weren", "won", "wouldn", "whats", "hows", "im",
    "ive", "arent", "cant", "couldnt", "didnt", "doesnt", "dont", "isnt", "shouldnt", "wasnt",
    "wont", "wouldnt",
    "paper", "papers", "article", "study", "work", "works", "working", "use", "uses", "used",
    "using",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A search: folded words, phrases and excluded runs, and filters.

    `words` include stop words, in the order typed. `arxiv_ids`, without version, name papers that
    are found first, whatever else is searched for. `title_only` searches titles alone; `every_word`
    drops entries that lack a word; `as_typed` corrects no spelling. `text` is what was typed; `cut`
    is set if it has more words than these.
    """

    words: Run = ()
    phrases: tuple[Run, ...] = ()
    excluded: tuple[Run, ...] = ()
    arxiv_ids: tuple[str, ...] = ()
    filters: Filters = EVERYTHING
    title_only: bool = False
    every_word: bool = False
    as_typed: bool = False
    text: str = ""
    cut: bool = False

    @property
    def is_empty(self) -> bool:
        """True if there is nothing that an entry could match."""
        return not (self.words or self.phrases or self.arxiv_ids)

    @property
    def significant_words(self) -> Run:
        """The words that are searched for: stop words only where there is nothing else."""
        words = significant(self.words)
        is_more = self.phrases or self.arxiv_ids
        return () if is_more and STOP_WORDS.issuperset(words) else words

    @property
    def is_filters_alone(self) -> bool:
        """True if nothing was typed beside filters, which all that they let through matches."""
        return bool(self.filters) and not self.text.strip()


@dataclass(frozen=True, slots=True)
class Term:
    """A word or phrase of a query, with all forms that match it.

    `weight` grows with rarity; 0 means that no entry matches. An `exact` term is a phrase, which
    has no other forms.
    """

    typed: Run
    forms: Forms
    weight: int
    exact: bool = False


@dataclass(frozen=True, slots=True)
class EntryHit:
    """An entry found: its database id, its score, and whether it matches all terms."""

    entry_id: int
    score: float
    complete: bool


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page of hits, best first.

    `total` counts what was found, on all pages; with `or_more` there is more. `any_complete` is set
    if a hit on any page is complete. `terms` are the terms searched for.
    `corrections` are pairs of an unknown word and the word searched for in its place. `cut` is set
    if the most common terms or exclusions were left out, because too many entries match them,
    `uncorrected` if more words were unknown than are compared with others.
    """

    hits: tuple[EntryHit, ...] = ()
    total: int = 0
    or_more: bool = False
    any_complete: bool = False
    terms: tuple[Term, ...] = ()
    corrections: tuple[tuple[str, str], ...] = ()
    cut: bool = False
    uncorrected: bool = False


def significant(words: Iterable[str]) -> Run:
    """Return each word once, without stop words unless there is nothing else."""
    unique = tuple(dict.fromkeys(words))
    return tuple(word for word in unique if word not in STOP_WORDS) or unique
