"""Identifiers of entries and papers, and manual overrides of their grouping: frozen records."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Identifiers:
    """An entry's identifiers, by which its paper is found.

    `entry` is the entry's database id. `name_key` is the folded name before the colon of the title.
    `arxiv_id` and `doi` are those of its links, right or wrong. `keys` are those of its title and
    summary (`store/identity/candidate_keys.py`).
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
class PossibleDuplicate:
    """Two entries, the older first, of two papers that may be one.

    Their summaries share `shared` words `of` those of the shorter one, without the titles'.
    """

    one: Identifiers
    other: Identifiers
    shared: int
    of: int


@dataclass(frozen=True, slots=True)
class Group:
    """The entries of one paper, oldest first, and the paper's identifiers.

    Of several ids, as after a merge, it has the lowest. `year` is the arXiv id's, else that of the
    oldest edition; `title_key` is the oldest entry's.
    """

    entries: tuple[Identifiers, ...]
    arxiv_id: str | None
    doi: str | None
    title_key: str
    year: int


@dataclass(frozen=True, slots=True)
class Merge:
    """A manual override: two papers are one.

    Each has a name that outlasts database rows: `arxiv:2501.12948`, `doi:10.1000/1`,
    `title:2025:sparse attention`, or `entry:dair:2026-01-05#3` for an entry that was split off.
    """

    one: str
    other: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Split:
    """A manual override: the entry of a ref is joined with no other except by a merge."""

    ref: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Separation:
    """A manual override: the entries of two refs are of two papers, however similar they are."""

    one: str
    other: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ManualOverrides:
    """All manual overrides, oldest first."""

    merges: tuple[Merge, ...] = ()
    splits: tuple[Split, ...] = ()
    separations: tuple[Separation, ...] = ()
