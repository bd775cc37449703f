"""Identifiers of entries and papers, and the candidate keys of an entry. Pure.

Entries that have a candidate key in common are compared, as they may be of one paper. A key is
either a whole title (or its name), or a part: the beginning of a title, or a name that a summary
introduces. Two entries are compared if a key is whole for one of them at least, so a beginning that
many titles share leads to no comparison.
"""

import re
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


_ARTICLES = frozenset({"a", "an", "the"})
_FILLERS = _ARTICLES | frozenset("and at by for from in is of on or to via with".split())  # noqa: SIM905 - easier to read
_FEWEST, _MOST = 4, 8  # words of a title's beginning
_LONGEST = 100  # letters of a key, which is indexed

# Prefixes of keys; no folded word and no name begins so.
WHOLE, PART = "=", "<"

# A coined word, such as KiteNet: a capital follows a small letter or a digit.
_COINED = r"[A-Za-z]*[a-z0-9][A-Z][A-Za-z0-9]*"
_IN_BRACKETS = re.compile(rf"\(({_COINED})\)")
_INTRODUCED = re.compile(
    rf"(?:^|\b(?i:propos|introduc|present|releas|announc|unveil|develop|call|nam)\w*\s+)({_COINED})\b"
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
    """Return the keys of an entry, each with the prefix `WHOLE` or `PART`.

    Its title and the name in its brackets are whole; the name before its colon, its beginnings, and
    the name that its summary introduces are parts.
    """
    stems = [stem(word) for word in tokens(title) if word not in _FILLERS]
    beginnings = (" ".join(stems[:size]) for size in range(_FEWEST, min(len(stems), _MOST + 1)))
    introduced = _INTRODUCED.findall((summary or "")[:_OPENING])
    wholes = {compact(title), " ".join(stems), *map(compact, _IN_BRACKETS.findall(title))}
    names = (compact(name) for name in introduced if name.lower() not in _LABS)
    parts = {compact_name(title) or "", *beginnings, *names}
    return frozenset(
        f"{prefix}{key[:_LONGEST]}"
        for prefix, keys in ((WHOLE, wholes), (PART, parts - wholes))
        for key in keys
        if key
    )


def matching_keys(key: str) -> tuple[str, ...]:
    """Return the keys of the entries that are compared with one that has a key."""
    prefix, name = key[0], key[1:]
    return (WHOLE + name, PART + name) if prefix == WHOLE else (WHOLE + name,)
