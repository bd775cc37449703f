"""Stored queries: the keys that they are kept under, and which of them a few entries match.

A query is stored under the keys of one of its parts, the rarest. Entries have the key of each word
and of each two words in a row, and what the vocabulary takes for them: so acronyms that are learnt
later find queries that were stored before. What is found by its keys is matched in memory.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain, pairwise

from sqlalchemy import Integer, column, select, table
from sqlmodel import Session, col

from store import content_version
from store.database.statements import in_list
from store.search.corpus import Corpus, cache_of
from store.search.filters import (
    IN_CONSENSUS,
    EntryFacts,
    Filters,
    folded_name,
    lets_through,
    longest_word_of_name,
)
from store.search.query import Forms, Run, SearchQuery, Term
from store.search.spelling import by_letters
from store.search.synonyms import everyday, stems
from store.search.terms import as_one, forms_of_words, runs, spellings, terms
from store.search.weights import COLUMNS
from store.tables.library import ArxivRow, EditionRow, EntryRow, PaperRow
from store.text import LONGEST_WORD

Entries = frozenset[int]

_NONE: Entries = frozenset()
# So many answers are remembered, whatever strangers ask.
_MOST_ANSWERS = 50_000
_TEXT = table("entry_text", column("rowid", Integer), *map(column, COLUMNS))
_TEXTS = select(_TEXT).where(in_list(_TEXT.c.rowid, "entries"))
_FACTS = (
    select(
        col(EntryRow.id),
        col(EditionRow.source),
        col(EditionRow.first_day),
        col(EditionRow.last_day),
        IN_CONSENSUS.label("in_consensus"),
        col(EntryRow.topics),
        col(ArxivRow.authors),
    )
    .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
    .join(PaperRow, col(PaperRow.id) == col(EntryRow.paper_id))
    .outerjoin(ArxivRow, col(ArxivRow.arxiv_id) == col(PaperRow.arxiv_id))
    .where(in_list(col(EntryRow.id), "entries"))
)


def entry_facts(session: Session, entries: Sequence[int]) -> dict[int, EntryFacts]:
    """Return the facts of entries that filters ask for, by database id."""
    return {
        row.id: EntryFacts(
            row.source,
            row.first_day,
            row.last_day,
            row.in_consensus,
            row.topics,
            authors=[*map(folded_name, row.authors or ())],
        )
        for row in session.connection().execute(_FACTS, {"entries": [*entries]})
    }


class FewEntries:
    """The texts and facts of a few entries, which find the same as the full-text index does.

    FTS5 takes folded words as they are; of all letters and digits only 21 part words there, vowels
    of New Tai Lue and signs of Vedic.
    """

    def __init__(self, session: Session, entries: Sequence[int]) -> None:
        connection, these = session.connection(), {"entries": [*entries]}
        self.facts = entry_facts(session, entries)
        self._texts = {
            entry: [stems(tuple(text.split())) for text in texts]
            for entry, *texts in connection.execute(_TEXTS, these)
            if entry in self.facts
        }
        self._with_stem = _with_stem(self._texts)
        # No run leads over the stroke from one text to the next.
        self._joined = {
            entry: f" {' | '.join(map(' '.join, texts))} " for entry, texts in self._texts.items()
        }
        # The entries that match a run of folded words, and those that filters let through.
        self.with_run = lru_cache(_MOST_ANSWERS)(self._find)
        self.through = lru_cache(_MOST_ANSWERS)(self._let_through)

    def with_any(self, forms: Forms) -> Entries:
        """Return the entries that match any of the forms."""
        return _NONE.union(*map(self.with_run, forms))

    def short_runs(self) -> Iterator[Run]:
        """Yield the stem of each word, and the stems of each two words in a row."""
        for texts in self._texts.values():
            for text in texts:
                yield from zip(text, strict=True)
                yield from pairwise(text)

    def _let_through(self, filters: Filters) -> Entries:
        return frozenset(e for e, facts in self.facts.items() if lets_through(filters, facts))

    def _find(self, run: Run) -> Entries:
        stemmed = stems(run)
        first, *others = (self._with_stem.get(stem, _NONE) for stem in stemmed)
        if not others:
            return first
        spaced = f" {' '.join(stemmed)} "
        within = first.intersection(*others)
        return frozenset(entry for entry in within if spaced in self._joined[entry])


def _with_stem(texts: dict[int, list[Run]]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for entry, columns in texts.items():
        for stem in set().union(*columns):
            found[stem].add(entry)
    return {stem: frozenset(entries) for stem, entries in found.items()}


# So many words are remembered, whatever strangers store.
_MOST_KEPT = 20_000


def matching(
    session: Session, queries: Mapping[int, SearchQuery], entries: Sequence[int]
) -> dict[int, list[int]]:
    """Return the queries that match some of the entries, by their numbers, with these in order.

    They match as a search for every word does that takes the query as typed, whatever the limits
    of a search. Filters alone match all that they let through but what is excluded. Queries name no
    papers by their ids.
    """
    matcher, corpus = _matcher_of(session, tuple(entries)), Corpus(session)
    found = {number: matcher.matches(query, corpus) for number, query in queries.items()}
    return {number: [e for e in entries if e in some] for number, some in found.items() if some}


class _Matcher:
    """Finds what queries match among a few entries, while the content stays as it is."""

    def __init__(self, session: Session, entries: Sequence[int]) -> None:
        self._entries = FewEntries(session, entries)
        self._words: dict[str, Entries] = {}

    def matches(self, query: SearchQuery, corpus: Corpus) -> Entries:
        """Return the entries that match a query."""
        if query.is_empty and not query.filters:
            return _NONE
        words, with_run = query.significant_words, self._entries.with_run
        within = _in_all(self._entries.through(query.filters), map(with_run, query.phrases))
        within = within.difference(*map(with_run, query.excluded))
        as_typed = _in_all(within, (with_run((word,)) for word in words))
        if as_typed == within:
            return as_typed
        # Most often other forms add nothing. Which there are has to be asked of the store.
        if as_typed == _in_all(within, self._at_most(words, query.words, corpus)):
            return as_typed
        forms = forms_of_words(query, corpus)
        return _in_all(within, map(self._entries.with_any, forms.values()))

    def _at_most(self, significant: Run, words: Run, corpus: Corpus) -> Iterable[Entries]:
        """Yield the entries that match each significant word in any form that it could have."""
        all_runs = ((run, self._together(run, corpus)) for run in runs(words))
        together = [(run, found) for run, found in all_runs if found]
        for word in significant:
            found = self._of_word(word, corpus)
            yield found.union(*(others for run, others in together if word in run))

    def _of_word(self, word: str, corpus: Corpus) -> Entries:
        if word not in self._words:
            if len(self._words) >= _MOST_KEPT:
                self._words.clear()
            forms = ((word,), *by_letters(word), *_meant((word,), corpus))
            self._words[word] = self._entries.with_any(forms)
        return self._words[word]

    def _together(self, run: Run, corpus: Corpus) -> Entries:
        return self._entries.with_any((*as_one(run), *_meant(run, corpus)))


class _Matchers(dict[tuple[int, ...], _Matcher]):
    """Keeps the matcher of the entries that were asked for last."""


def _matcher_of(session: Session, entries: tuple[int, ...]) -> _Matcher:
    """Return the matcher of entries; it stays while others of their queries are asked for."""
    kept = content_version.cache(session, _Matchers, lambda _: _Matchers())
    if entries not in kept:
        kept.clear()
        kept[entries] = _Matcher(session, entries)
    return kept[entries]


def _meant(run: Run, corpus: Corpus) -> Forms:
    return (*corpus.synonyms(run), *everyday().get(stems(run), ()))


def _in_all(within: Entries, others: Iterable[Entries]) -> Entries:
    return reduce(lambda some, more: some & more, others, within)


# Every entry has this key. No folded word contains a colon.
_ANY = "any:"
# Words of a query that are one together make the longest key.
_LONGEST = 3 * LONGEST_WORD


def index_keys(session: Session, query: SearchQuery) -> tuple[str, ...]:
    """Return the keys of the rarest part of a query; any entry that it matches has one of them.

    None where no entry can match.
    """
    corpus = Corpus(session)
    if rarest := max(terms(query, corpus), key=_rarity, default=None):
        if rarest.exact:
            return (_key(stems(_rarest_of(rarest.typed, corpus))),)
        return tuple(dict.fromkeys(map(_key, map(stems, spellings(rarest.typed[0], query.words)))))
    return tuple(_filter_keys(query.filters))


def entry_keys(session: Session, entries: Sequence[int]) -> set[str]:
    """Return the keys of entries, by their ids: of texts, topics and authors."""
    few = FewEntries(session, entries)
    facts = few.facts.values()
    names = {name for each in facts for name in each.authors}
    keys = {_key(run) for run in few.short_runs()}
    keys |= {_key((word,)) for word in _meant_words(session, few)}
    keys |= {_author_key(word) for name in names for word in name.split()}
    keys |= {_topic_key(topic) for each in facts for topic in each.topics}
    return {_ANY, *(key for key in keys if len(key) <= _LONGEST)} if facts else set()


def _rarity(term: Term) -> float:
    return term.weight or float("inf")


def _rarest_of(phrase: Run, corpus: Corpus) -> Run:
    """Return the rarest two words in a row of a phrase, or its only word."""
    pairs: list[Run] = [*pairwise(phrase)]
    return min(pairs or [phrase], key=lambda pair: corpus.frequency((pair,)))


def _filter_keys(filters: Filters) -> Iterator[str]:
    if filters.author:
        if word := longest_word_of_name(filters.author):
            yield _author_key(word)
    elif filters.topic:
        yield _topic_key(filters.topic)
    elif filters:
        yield _ANY


def _meant_words(session: Session, entries: FewEntries) -> Iterable[str]:
    """Return the stems of the words that the vocabulary takes for those of the entries."""
    synonyms = cache_of(session).synonyms
    # Either number of the last word has this singular.
    learnt = (
        stems((*run, f"{run[-1]}s")) for run, forms in synonyms.items() if entries.with_any(forms)
    )
    written = (run for run, forms in everyday().items() if entries.with_any(forms))
    return chain.from_iterable((*learnt, *written))


def _key(run: Run) -> str:
    return " ".join(run)


def _author_key(word: str) -> str:
    return f"author:{word}"


def _topic_key(topic: str) -> str:
    return f"topic:{topic}"
