"""The stored texts, asked about words and entries."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from store.database.statements import Reader
from store.search.fts5 import Fts5
from store.search.matcher import Forms, Matcher, rarity
from store.search.postgres import Tsvector
from store.search.query import Run, SearchQuery
from store.search.spelling import MOST_SLIPS, alike, nearest, parts, slips
from store.search.synonyms import EVERYDAY, SYNONYMS, singular
from store.sources import CONSENSUS
from store.text import title_key

# Where the words have more holders than these, the database finds those that hold all.
MANY = 5000

# So many of the best are read at once: whoever wants the next page finds it kept.
_BEST = 500

_ENTRIES = "SELECT entry.id FROM entry JOIN edition ON edition.id = entry.edition_id WHERE "
_NEWEST_FIRST = " ORDER BY edition.last_day DESC, edition.source, entry.position, entry.id"
# The consensus has no entries of its own: it refers to those of others.
_IS_REFERRED_TO = (
    "EXISTS (SELECT 1 FROM consensus_rank JOIN edition AS its ON its.id = consensus_rank.edition_id"
    " WHERE consensus_rank.entry_id = entry.id AND its.source = ?)"
)
_HAS_TOPIC = (
    "EXISTS (SELECT 1 FROM entry_topic"
    " WHERE entry_topic.entry_id = entry.id AND entry_topic.topic = ?)"
)


class Corpus:
    """The stored texts; who holds what is read once an import.

    With `titles` nothing but titles is looked at.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._memory = memory_of(reader)
        self._recall = self._memory.recall
        self._matcher: Matcher = (
            Fts5(reader) if reader.is_sqlite else Tsvector(reader, self._memory.entries)
        )

    def frequency(self, forms: Forms, *, titles: bool = False) -> int:
        """Return how many entries hold any of the forms."""
        if self._memory.entries <= MANY:  # then they are soon read, as they will have to be
            return len(self.holders(forms, titles=titles))
        return self._recall(self._matcher.count, forms, titles=titles)

    def weight(self, forms: Forms, *, titles: bool = False) -> int:
        """Return how rare it is to hold any of the forms; 0 where no entry does.

        It is in whole thousandths, so that sums are exact.
        """
        holders = self.frequency(forms, titles=titles)
        return 1 + round(1000 * rarity(holders, self._memory.entries)) if holders else 0

    def scored(self, run: Run, *, titles: bool = False) -> Mapping[int, float]:
        """Return the entries that hold a run, with their scores."""
        return self._recall(self._matcher.scored, run, titles=titles)

    def holders(self, forms: Forms, *, titles: bool = False) -> AbstractSet[int]:
        """Return the entries that hold any of the forms."""
        if len(forms) == 1:
            return self.scored(forms[0], titles=titles).keys()
        return self._recall(self._union, forms, titles=titles)

    def best(self, groups: Sequence[Forms], *, titles: bool = False) -> Mapping[int, float]:
        """Return the best 500 of the entries that hold a form of every group, with scores."""
        return self._recall(self._matcher.best, tuple(groups), _BEST, titles=titles)

    def forms(self, word: str) -> Forms:
        """Return a word and what it is also written as: two words, its synonyms."""
        return self._recall(self._forms, word)

    def others(self, run: Run) -> Forms:
        """Return what a run is also written as: its acronym, or what it stands for."""
        return self._memory.others.get(singular(run), ())

    def meant(self, word: str) -> str | None:
        """Return the word that was likely meant by one that no entry holds."""
        wrong = slips(word)
        if not wrong:
            return None
        known = self._as_long(word, wrong)
        return nearest(word, known, lambda other: self.frequency(((other,),)))

    def alike(self, word: str) -> list[str]:
        """Return the words that may have been meant by one, the nearest first."""
        near = alike(word, self._as_long(word, MOST_SLIPS))
        return [other for other in near if self.frequency(((other,),))]

    def titled(self, words: Run) -> list[int]:
        """Return the entries whose title is just these words."""
        key = title_key(" ".join(words))
        return _firsts(self._reader.rows("SELECT id FROM entry WHERE title_key = ?", key))

    def newest_first(self, entries: Collection[int]) -> list[int]:
        """Return entries in the order of their editions, then of their places."""
        condition, value = self._reader.among("entry.id", entries)
        return _firsts(self._reader.rows(_ENTRIES + condition + _NEWEST_FIRST, value))

    def chosen(self, query: SearchQuery) -> set[int] | None:
        """Return the entries that a query's filters let through; `None` where it has none."""
        of_source = _IS_REFERRED_TO if query.source == CONSENSUS else "edition.source = ?"
        filters = {
            of_source: query.source,
            _HAS_TOPIC: query.topic,
            "edition.last_day >= ?": query.since,
            "edition.first_day <= ?": query.until,
        }
        given = {condition: str(value) for condition, value in filters.items() if value}
        if not given:
            return None
        return set(_firsts(self._reader.rows(_ENTRIES + " AND ".join(given), *given.values())))

    def _as_long(self, word: str, wrong: int) -> list[str]:
        """Return the words of a length that so many slips may have made of a word's."""
        as_long = "SELECT word FROM word WHERE length(word) BETWEEN ? AND ?"
        return _firsts(self._reader.rows(as_long, len(word) - wrong, len(word) + wrong))

    def _union(self, forms: Forms, *, titles: bool) -> AbstractSet[int]:
        return set().union(*(self.scored(run, titles=titles) for run in forms))

    def _forms(self, word: str) -> Forms:
        pairs = parts(word)
        known = self._known({part for pair in pairs for part in pair})
        parted = (pair for pair in pairs if known.issuperset(pair))
        others = dict.fromkeys([*parted, *self.others((word,))])
        return ((word,), *(run for run in others if self.frequency((run,))))

    def _known(self, words: AbstractSet[str]) -> set[str]:
        """Return those of the words that an entry holds or held; any number counts as known."""
        numbers = {word for word in words if word.isdigit()}
        asked = words - numbers
        if not asked:
            return numbers
        marks = ", ".join("?" * len(asked))
        rows = self._reader.rows(f"SELECT word FROM word WHERE word IN ({marks})", *asked)  # noqa: S608 - marks only
        return numbers.union(_firsts(rows))


def _firsts(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    return [first for (first,) in rows]


P = ParamSpec("P")
T = TypeVar("T")

# Entries and words that are kept, in all: some 5 MB.
_MOST_KEPT = 50_000


@dataclass(slots=True)
class Memory:
    """What was found out about one version of the stored texts.

    `others` are the other ways to write a run of words, by the run in the singular.
    """

    version: str
    entries: int
    others: Mapping[Run, tuple[Run, ...]]
    _kept: dict[Hashable, Any] = field(default_factory=dict)
    _size: int = 0

    def recall(self, make: Callable[P, T], *asked: P.args, **how: P.kwargs) -> T:
        """Return `make(…)` as it was the first time; its arguments are hashable."""
        key = (make.__qualname__, asked, *how.values())
        if key not in self._kept:
            self._keep(key, make(*asked, **how))
        answer: T = self._kept[key]
        return answer

    def _keep(self, key: Hashable, answer: object) -> None:
        size = 1 + (len(answer) if isinstance(answer, Sized) else 0)
        self._size += size
        if self._size > _MOST_KEPT:
            self._kept.clear()
            self._size = size
        self._kept[key] = answer


def memory_of(reader: Reader) -> Memory:
    """Return what the connection keeps, or a new memory if something was imported since."""
    rows = reader.rows("SELECT version FROM content")
    version: str = rows[0][0] if rows else ""
    kept: Memory | None = reader.kept.get(Memory)
    if kept is None or kept.version != version:
        kept = reader.kept[Memory] = _new(reader, version)
    return kept


def _new(reader: Reader, version: str) -> Memory:
    [(entries,)] = reader.rows("SELECT count(*) FROM entry")
    explained = reader.rows("SELECT letters, words FROM acronym ORDER BY letters, words")
    others: dict[Run, dict[Run, None]] = defaultdict(dict)
    for one, other in (*explained, *SYNONYMS.items()):
        short, long = singular(one.split()), singular(other.split())
        others[short][long] = None
        others[long][short] = None
    for said, written in EVERYDAY.items():
        others[singular(said.split())] |= {tuple(words.split()): None for words in written}
    return Memory(version, entries, {run: tuple(each) for run, each in others.items()})
