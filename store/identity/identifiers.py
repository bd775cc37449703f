"""What papers are known by, and what people said of who is who: frozen records."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Signs:
    """What the paper of an entry is known by.

    `entry` is the entry's id in the database. `name_key` is the folded name before the colon of the
    title, if there is one. `arxiv_id` and `doi` are those of its links, be they right or wrong.
    `keys` are those of its title and summary (`store/identity/candidate_keys.py`).
    """

    entry: int
    ref: str
    title: str
    title_key: str
    name_key: str | None
    arxiv_id: str | None
    doi: str | None
    last_day: date
    keys: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two entries, the older first, of two papers that may be one.

    Their summaries share so many words of those that the shorter one has, beside their titles.
    """

    one: Signs
    other: Signs
    shared: int
    of: int


@dataclass(frozen=True, slots=True)
class Group:
    """The entries of one paper, the oldest first, and what the paper is known by.

    Of several ids, which a merge brings together, it has the lowest. `year` is the arXiv id's,
    else that of the oldest edition; `title_key` is the oldest entry's.
    """

    entries: tuple[Signs, ...]
    arxiv_id: str | None
    doi: str | None
    title_key: str
    year: int


@dataclass(frozen=True, slots=True)
class Merge:
    """Somebody's word that two papers are one.

    Each has a name that outlasts the store's rows: `arxiv:2501.12948`, `doi:10.1000/1`,
    `title:2025:sparse attention`, or `entry:dair:2026-01-05#3` for an entry that was split off.
    """

    one: str
    other: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Split:
    """Somebody's word that the entry of a ref is joined with no other but by a merge."""

    ref: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Apart:
    """Somebody's word that the entries of two refs are of two papers, however alike they are."""

    one: str
    other: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Judgements:
    """All that people said of who is who, the oldest word first."""

    merges: tuple[Merge, ...] = ()
    splits: tuple[Split, ...] = ()
    apart: tuple[Apart, ...] = ()
