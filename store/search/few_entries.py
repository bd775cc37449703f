"""A few entries in memory, to be matched with many queries."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sqlalchemy import Integer, column, select, table
from sqlmodel import Session, col

from store.database.statements import in_list
from store.search.filters import IN_CONSENSUS, EntryFacts, Filters, folded_name, lets_through
from store.search.full_text import COLUMNS
from store.search.query import Forms, Run
from store.search.vocabulary import stems
from store.tables.library import ArxivRow, EditionRow, EntryRow, PaperRow

Entries = frozenset[int]

_NONE: Entries = frozenset()
# So many answers are remembered, whatever strangers ask.
_MOST_KEPT = 50_000
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


class FewEntries:
    """The texts and facts of a few entries, which find the same as the full-text index does.

    FTS5 takes folded words as they are; of all letters and digits only 21 part words there, vowels
    of New Tai Lue and signs of Vedic.
    """

    def __init__(self, session: Session, entries: Sequence[int]) -> None:
        connection, these = session.connection(), {"entries": [*entries]}
        self.facts = {
            row.id: EntryFacts(
                row.source,
                row.first_day,
                row.last_day,
                row.in_consensus,
                row.topics,
                authors=[*map(folded_name, row.authors or ())],
            )
            for row in connection.execute(_FACTS, these)
        }
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
        self._with_run: dict[Run, Entries] = {}
        self._through: dict[Filters, Entries] = {}

    def with_run(self, run: Run) -> Entries:
        """Return the entries that match a run of folded words."""
        if run not in self._with_run:
            if len(self._with_run) >= _MOST_KEPT:
                self._with_run.clear()
            self._with_run[run] = self._find(stems(run))
        return self._with_run[run]

    def with_any(self, forms: Forms) -> Entries:
        """Return the entries that match any of the forms."""
        return _NONE.union(*map(self.with_run, forms))

    def through(self, filters: Filters) -> Entries:
        """Return the entries that filters let through."""
        if filters not in self._through:
            if len(self._through) >= _MOST_KEPT:
                self._through.clear()
            passed = (entry for entry, facts in self.facts.items() if lets_through(filters, facts))
            self._through[filters] = frozenset(passed)
        return self._through[filters]

    def short_runs(self) -> Iterator[Run]:
        """Yield the stem of each word, and the stems of each two words in a row."""
        for texts in self._texts.values():
            for text in texts:
                yield from zip(text, strict=True)
                yield from pairwise(text)

    def _find(self, run: Run) -> Entries:
        first, *others = (self._with_stem.get(stem, _NONE) for stem in run)
        if not others:
            return first
        spaced = f" {' '.join(run)} "
        within = first.intersection(*others)
        return frozenset(entry for entry in within if spaced in self._joined[entry])


def _with_stem(texts: dict[int, list[Run]]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for entry, columns in texts.items():
        for stem in set().union(*columns):
            found[stem].add(entry)
    return {stem: frozenset(entries) for stem, entries in found.items()}
