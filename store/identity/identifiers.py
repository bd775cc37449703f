"""Identifiers of entries and papers, and the candidate keys of an entry. Pure.

Entries that have a candidate key in common are compared, as they may be of one paper. A key is a
whole title (or its name), a name that a summary introduces, or a part of a title: its beginning.
Two entries are compared if a key is whole for one of them at least, or introduced by both, so a
beginning that many titles share leads to no comparison.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from store.text import name_key, stem, tokens


@dataclass(frozen=True, slots=True)
class Identifiers:
    """An entry's identifiers, by which its paper is found.

    `entry` is the entry's database id. `name_key` is the folded name before the colon of the title.
    `arxiv_id` and `doi` are those of its links, right or wrong. `keys` are the `candidate_keys`.
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
class PaperGroup:
    """The entries of one paper, oldest first, and the paper's identifiers.

    Of several ids, as after a merge, it has the lowest. `year` is the arXiv id's, else that of the
    oldest edition; `title_key` is the oldest entry's.
    """

    entries: tuple[Identifiers, ...]
    arxiv_id: str | None
    doi: str | None
    title_key: str
    year: int


_ARTICLES = frozenset({"a", "an", "the"})
_FILLERS = _ARTICLES | frozenset("and at by for from in is of on or to via with".split())  # noqa: SIM905 - easier to read
_FEWEST, _MOST = 4, 8  # words of a title's beginning
_LONGEST = 100  # letters of a key, which is indexed

# Prefixes of keys; no folded word and no name begins so.
PART, WHOLE, INTRODUCED = "<", "=", ">"
# Two entries are compared by a key that weighs so much for both together.
_WEIGHTS = {WHOLE: 2, INTRODUCED: 1, PART: 0}
_ENOUGH = 2

# A coined word, such as KiteNet: a capital follows a small letter or a digit.
_COINED = r"[A-Za-z]*[a-z0-9][A-Z][A-Za-z0-9]*"
_IN_BRACKETS = re.compile(rf"\(({_COINED})\)")
_INTRODUCED = (
    re.compile(
        rf"(?:^|\b(?i:propos|introduc|present|releas|announc|unveil|develop|call|nam|dub)\w*\s+)({_COINED})\b"
    ),
    # as in "a benchmark, KiteNet," and "a long test of flight (KiteNet)"
    re.compile(rf"\b[Aa]n?\s(?:[\w-]+\s){{0,4}}[a-z-]+(?:,\s|\s\()({_COINED})[,;:.)]"),
)
_OPENING = 200  # letters of a summary in which it names its subject
# Names at the beginning of summaries that are no paper's.
_LABS = frozenset({"bytedance", "deepmind", "deepseek", "github", "huggingface", "openai"})


@lru_cache(maxsize=65_536)
def compact(title: str) -> str:
    """Return a title's folded words without articles and blanks, the same for all its spellings."""
    return "".join(word for word in tokens(title) if word not in _ARTICLES)[:_LONGEST]


def compact_name(title: str) -> str | None:
    """Return the compact name before a title's colon; `None` without one."""
    name = name_key(title)
    return compact(name) or None if name else None


def candidate_keys(title: str, summary: str | None) -> frozenset[str]:
    """Return the keys of an entry, each with the prefix `WHOLE`, `INTRODUCED` or `PART`.

    Its title and the name in its brackets are whole; the name that its summary gives the work is
    introduced; the name before the title's colon and its beginnings are parts.
    """
    stems = [stem(word) for word in tokens(title) if word not in _FILLERS]
    beginnings = (" ".join(stems[:size]) for size in range(_FEWEST, min(len(stems), _MOST + 1)))
    opening = (summary or "")[:_OPENING]
    wholes = {compact(title), " ".join(stems), *map(compact, _IN_BRACKETS.findall(title))}
    introduced = {
        compact(name)
        for pattern in _INTRODUCED
        for name in pattern.findall(opening)
        if name.lower() not in _LABS
    } - wholes
    parts = {compact_name(title) or "", *beginnings} - wholes - introduced
    return frozenset(
        f"{prefix}{key[:_LONGEST]}"
        for prefix, keys in ((WHOLE, wholes), (INTRODUCED, introduced), (PART, parts))
        for key in keys
        if key
    )


def bring_together(prefixes: Iterable[str]) -> bool:
    """Tell whether two of the entries are compared that have one key under these prefixes."""
    heaviest = sorted(_WEIGHTS[prefix] for prefix in prefixes)[-2:]
    return sum(heaviest) >= _ENOUGH


def matching_keys(key: str) -> tuple[str, ...]:
    """Return the keys of the entries that are compared with one that has a key."""
    return tuple(f"{each}{key[1:]}" for each in _WEIGHTS if bring_together((key[0], each)))
