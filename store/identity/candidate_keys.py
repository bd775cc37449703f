"""Keys by which entries that may be of one paper are found: those of their titles and names.

A key either is all of a title (or its name), or something that a title begins with or a summary
introduces. Entries are compared that have a key in common which is all of the title of one of them:
so a beginning that many titles have brings none of these together. All pure.
"""

import re
from functools import lru_cache

from store.text import name_key, stem, tokens

_ARTICLES = frozenset({"a", "an", "the"})
_FILLERS = _ARTICLES | frozenset("and at by for from in is of on or to via with".split())  # noqa: SIM905 - easier to read
_FEWEST, _MOST = 4, 8  # words of a title with which another title of the same work begins
_LONGEST = 100  # letters of a key, which stands in an index

# What a key begins with that is all of a title, and one that another title may be all of. No folded
# word and no name begins so.
WHOLE, PART = "=", "<"

# A word that somebody coined, such as KiteNet: a capital follows a small letter or a digit.
_COINED = r"[A-Za-z]*[a-z0-9][A-Z][A-Za-z0-9]*"
_IN_BRACKETS = re.compile(rf"\(({_COINED})\)")
_INTRODUCED = re.compile(
    rf"(?:^|\b(?i:propos|introduc|present|releas|announc|unveil|develop|call|nam)\w*\s+)({_COINED})\b"
)
_OPENING = 200  # letters of a summary in which it names what it is about
# Names that summaries begin with and that are no work's.
_LABS = frozenset({"bytedance", "deepmind", "deepseek", "github", "huggingface", "openai"})


@lru_cache(maxsize=65_536)
def squeezed(title: str) -> str:
    """Return a title's folded words without articles and blanks: what its spellings share."""
    return "".join(word for word in tokens(title) if word not in _ARTICLES)[:_LONGEST]


def name_of(title: str) -> str | None:
    """Return the name before a title's colon, squeezed as a title is; `None` without one."""
    name = name_key(title)
    return squeezed(name) or None if name else None


def candidate_keys(title: str, summary: str | None) -> frozenset[str]:
    """Return the keys of an entry, each with `WHOLE` or `PART` before it.

    Its title and the name in its brackets are whole; the name before its colon, all with which it
    begins, and the name that its summary introduces are parts.
    """
    stems = [stem(word) for word in tokens(title) if word not in _FILLERS]
    beginnings = (" ".join(stems[:size]) for size in range(_FEWEST, min(len(stems), _MOST + 1)))
    introduced = _INTRODUCED.findall((summary or "")[:_OPENING])
    wholes = {squeezed(title), " ".join(stems), *map(squeezed, _IN_BRACKETS.findall(title))}
    named = (squeezed(name) for name in introduced if name.lower() not in _LABS)
    parts = {name_of(title) or "", *beginnings, *named}
    return frozenset(
        f"{kind}{key[:_LONGEST]}"
        for kind, keys in ((WHOLE, wholes), (PART, parts - wholes))
        for key in keys
        if key
    )


def counterparts(key: str) -> tuple[str, ...]:
    """Return the keys that entries have which are compared with one that has a key."""
    kind, name = key[0], key[1:]
    return (WHOLE + name, PART + name) if kind == WHOLE else (WHOLE + name,)
