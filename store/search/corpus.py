"""The stored texts as a search sees them: entries by word, words by spelling, with a cache."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Connection, Date, bindparam, case, func, select
from sqlmodel import Session, col

from store import content_version
from store.database.statements import in_list
from store.search.filters import conditions
from store.search.full_text import full_text
from store.search.query import STOP_WORDS, Forms, Run, SearchQuery
from store.search.spelling import (
    MOST_TYPOS,
    allowed_typos,
    american,
    nearest,
    similar,
    spellings,
    splits,
)
from store.search.synonyms import singular, synonyms
from store.search.weights import rarity
from store.tables.library import (
    AcronymRow,
    EditionRow,
    EntryRow,
    WordRow,
)
from store.text import title_key

# If more entries than these match the terms, the database finds those that match all.
MANY = 5000

# So many of the best entries are read at once, so that the next page is in the cache.
BEST = 500

_ENTRIES = select(col(EntryRow.id)).join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
_NEWEST_FIRST = _ENTRIES.where(in_list(col(EntryRow.id), "entries")).order_by(
    case((col(EditionRow.last_day) > bindparam("latest", type_=Date), 1), else_=0),
    col(EditionRow.last_day).desc(),
    col(EditionRow.source),
    col(EntryRow.position),
    col(EntryRow.id),
)
_NAMED = select(col(EntryRow.paper_id)).where(in_list(col(EntryRow.arxiv_id), "arxiv_ids"))
_WITH_ARXIV_IDS = select(col(EntryRow.id)).where(col(EntryRow.paper_id).in_(_NAMED))
_WITH_TITLE = select(col(EntryRow.id)).where(col(EntryRow.title_key) == bindparam("key"))
_PAPERS = select(col(EntryRow.id), col(EntryRow.paper_id)).where(
    in_list(col(EntryRow.id), "entries")
)
_KNOWN_WORDS = select(col(WordRow.word)).where(in_list(col(WordRow.word), "words"))


class Corpus:
    """The stored texts; the entries of a term are read once between two imports.

    With `titles` only titles are searched. What matches more entries than `many` is too much to be
    read for the sake of a few of them. Editions that end later than `latest` are newer than none.
    """

    def __init__(self, session: Session, many: int = MANY, latest: date = date.max) -> None:
        self._many = many
        self._latest = latest
        self._session = session
        self._connection = session.connection()
        self._cache = cache_of(session)
        self._get = self._cache.get
        self._index = full_text(self._connection, self._cache.entries)

    def frequency(self, forms: Forms, *, titles: bool = False) -> int:
        """Return how many entries match any of the forms."""
        if self._cache.entries <= MANY:  # then they are read fast, and will be needed
            return len(self.matches(forms, titles=titles))
        return self._get(self._index.count, forms, titles=titles)

    @property
    def most_weight(self) -> int:
        """The weight of what a single entry matches."""
        return _weight(1, self._cache.entries)

    def weight(self, forms: Forms, *, titles: bool = False) -> int:
        """Return the rarity of the forms, in thousandths for exact sums; 0 if no entry matches."""
        matches = self.frequency(forms, titles=titles)
        return _weight(matches, self._cache.entries) if matches else 0

    def scores(self, run: Run, *, titles: bool = False) -> Mapping[int, float]:
        """Return the entries that match a run, with their scores."""
        return self._get(self._index.scores, run, titles=titles)

    def scores_within(
        self, run: Run, entries: AbstractSet[int], *, titles: bool = False
    ) -> Mapping[int, float]:
        """Return at least those of some entries that match a run, with their scores."""
        if self.frequency((run,), titles=titles) <= self._many:
            return self.scores(run, titles=titles)
        return self._index.scores_within(run, entries, titles=titles)

    def matches(self, forms: Forms, *, titles: bool = False) -> AbstractSet[int]:
        """Return the entries that match any of the forms."""
        if len(forms) == 1:
            return self.scores(forms[0], titles=titles).keys()
        return self._get(self._union, forms, titles=titles)

    def best(self, groups: Sequence[Forms], *, titles: bool = False) -> Mapping[int, float]:
        """Return the best `BEST` entries that match a form of every group, with scores."""
        return self._get(self._index.best, tuple(groups), BEST, titles=titles)

    def forms(self, word: str) -> Forms:
        """Return a word and its other forms: two words, its synonyms, the American spelling."""
        return self._get(self._forms, word)

    def synonyms(self, run: Run) -> Forms:
        """Return the synonyms of a run: its acronym, or what it stands for."""
        return self._cache.synonyms.get(singular(run), ())

    def correction(self, word: str) -> str | None:
        """Return the word that was likely meant by one that no entry contains."""
        return self._get(self._correction, word)

    def similar_words(self, word: str) -> list[str]:
        """Return the words that may have been meant by one, the nearest first."""
        near = similar(word, self._as_long(word, MOST_TYPOS))
        found = [other for other in near if self.frequency(((other,),))]
        meant = self.correction(word)  # of a short or an English word too
        return [*dict.fromkeys((*([meant] if meant else []), *found))]

    def words_beginning(self, beginning: str, limit: int) -> list[str]:
        """Return the shortest words with a beginning."""
        query = select(col(WordRow.word)).where(col(WordRow.word).like(f"{beginning}%"))
        in_order = query.order_by(func.length(col(WordRow.word)), col(WordRow.word)).limit(limit)
        return list(self._connection.scalars(in_order))

    def with_title(self, words: Run) -> Sequence[int]:
        """Return the entries whose title is exactly these words."""
        return self._connection.scalars(_WITH_TITLE, {"key": title_key(" ".join(words))}).all()

    def with_arxiv_ids(self, ids: Sequence[str]) -> set[int]:
        """Return the entries of the papers with one of these arXiv ids."""
        return set(self._connection.scalars(_WITH_ARXIV_IDS, {"arxiv_ids": [*ids]}))

    def newest_first(self, entries: Collection[int]) -> Sequence[int]:
        """Return entries in the order of their editions, then of their positions."""
        these = {"entries": [*entries], "latest": self._latest}
        return self._connection.scalars(_NEWEST_FIRST, these).all()

    def papers_of(self, entries: Collection[int]) -> dict[int, int]:
        """Return the paper of each entry."""
        known = self._cache.papers
        if unread := [entry for entry in entries if entry not in known]:
            if len(known) + len(unread) > _CACHE_SIZE:
                known.clear()
                unread = [*entries]
            read = self._connection.execute(_PAPERS, {"entries": unread})
            known.update((entry, paper) for entry, paper in read)
        return {entry: known[entry] for entry in entries if entry in known}

    def filtered(self, query: SearchQuery) -> set[int] | None:
        """Return the entries that a query's filters let through; `None` if it has none."""
        found = conditions(query.filters)
        return set(self._connection.scalars(_ENTRIES.where(*found))) if found else None

    def _correction(self, word: str) -> str | None:
        most = allowed_typos(word)
        if not most:
            return None
        return nearest(word, self._as_long(word, most), lambda other: self.frequency(((other,),)))

    def _as_long(self, word: str, typos: int) -> Sequence[str]:
        return spellings(self._session).as_long(word, typos)

    def _union(self, forms: Forms, *, titles: bool) -> AbstractSet[int]:
        return set().union(*(self.scores(run, titles=titles) for run in forms))

    def _forms(self, word: str) -> Forms:
        pairs = splits(word)
        known = self._known({part for pair in pairs for part in pair})
        if self.frequency(((word,),)):  # "often" is no spelling of "of ten"
            known -= STOP_WORDS
        split = (pair for pair in pairs if known.issuperset(pair))
        twin = american(word)
        runs = dict.fromkeys([*split, *self.synonyms((word,)), *([(twin,)] if twin else [])])
        return ((word,), *(run for run in runs if self.frequency((run,))))

    def _known(self, words: AbstractSet[str]) -> set[str]:
        """Return those of the words that are stored; any number counts as known."""
        numbers = {word for word in words if word.isdigit()}
        if words == numbers:
            return numbers
        known = self._connection.scalars(_KNOWN_WORDS, {"words": [*words - numbers]})
        return numbers.union(known)


def _weight(matches: int, entries: int) -> int:
    return 1 + round(1000 * rarity(matches, entries))


P = ParamSpec("P")
T = TypeVar("T")

# Entries and words in the cache, in all: some 5 MB.
_CACHE_SIZE = 50_000


@dataclass(slots=True)
class SearchCache:
    """Results for one version of the stored texts.

    `synonyms` are the other ways to write a run of words, by the run in the singular, `papers` the
    paper of each entry of those that were found.
    """

    version: str
    entries: int
    synonyms: Mapping[Run, Forms]
    papers: dict[int, int] = field(default_factory=dict)
    _results: dict[Hashable, Any] = field(default_factory=dict)
    _size: int = 0

    def get(self, make: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
        """Return `make(…)`, computed once; its arguments are hashable."""
        key = (make.__qualname__, args, *options.values())
        if key not in self._results:
            self._add(key, make(*args, **options))
        result: T = self._results[key]
        return result

    def _add(self, key: Hashable, result: object) -> None:
        size = 1 + (len(result) if isinstance(result, Sized) else 0)
        self._size += size
        if self._size > _CACHE_SIZE:
            self._results.clear()
            self._size = size
        self._results[key] = result


def cache_of(session: Session) -> SearchCache:
    """Return the connection's cache, a new one if something was imported since."""

    def make(version: str) -> SearchCache:
        connection = session.connection()
        entries = connection.scalar(select(func.count()).select_from(EntryRow)) or 0
        return SearchCache(version, entries, _synonyms(connection))

    return content_version.cache(session, SearchCache, make)


def _synonyms(connection: Connection) -> Mapping[Run, Forms]:
    query = select(col(AcronymRow.letters), col(AcronymRow.words))
    acronyms = connection.execute(query.order_by(col(AcronymRow.letters), col(AcronymRow.words)))
    found: dict[Run, dict[Run, None]] = defaultdict(dict)
    for one, other in (*acronyms, *synonyms().items()):
        short, long = singular(one.split()), singular(other.split())
        found[short][long] = None
        found[long][short] = None
    return {run: tuple(forms) for run, forms in found.items()}
