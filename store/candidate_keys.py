"""Keys by which entries that may be of one paper are found: those of their titles and names.

Two entries are compared only if they have a key in common (`store/pairs.py`). All pure.
"""

import re
from functools import lru_cache

from store.folding import name_key, tokens
from store.stemming import stem

_ARTICLES = frozenset({"a", "an", "the"})
_FILLERS = _ARTICLES | frozenset("and at by for from in is of on or to via with".split())  # noqa: SIM905 - easier to read
_FIRST = 4  # words of a title that two titles of one work begin with, as a rule
_LONGEST = 100  # letters of a key, which stands in an index

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
    """Return the keys of an entry.

    These are its title; how the title begins; the name before a colon, or in brackets; and the name
    that its summary introduces.
    """
    stems = [stem(word) for word in tokens(title) if word not in _FILLERS]
    names = [*_IN_BRACKETS.findall(title), *_INTRODUCED.findall((summary or "")[:_OPENING])]
    keys = {
        squeezed(title),
        " ".join(stems[:_FIRST])[:_LONGEST],
        name_of(title) or "",
        *(squeezed(name) for name in names if name.lower() not in _LABS),
    }
    return frozenset(keys - {""})
