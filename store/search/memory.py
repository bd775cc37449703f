"""What a connection keeps of the texts, for as long as nothing is imported."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sized
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from store.search.acronyms import singular
from store.search.query import Run
from store.search.reader import Reader
from store.search.synonyms import EVERYDAY, SYNONYMS

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
