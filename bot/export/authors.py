"""Authors as bibliographies list them. All pure.

arXiv gives each name as it is spoken, `Aidan N. Gomez`, and groups among them.
"""

import re

# Some papers are by a group, whose name has no first and last one.
_GROUP = re.compile(
    r"\b(?:team|group|collaboration|consortium|project|lab|labs|institute|community)$|[,&@\d]",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?:Jr|Sr)\.?|I{2,3}|IV")


def is_group(name: str) -> bool:
    """Tell whether a name is most likely that of a group."""
    return _GROUP.search(name) is not None


def last_name_first(name: str) -> str:
    """Return `Gomez, Aidan N.`, with what a last name begins with: `van der Berg, Jan`.

    What has a single word, and what names a group, stays as it is.
    """
    words = name.split()
    if len(words) < 2 or is_group(name):  # noqa: PLR2004 - a first and a last name
        return name
    suffix = [words.pop()] if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else []  # noqa: PLR2004 - a first and a last name beside it
    start = len(words) - 1
    while start > 1 and words[start - 1].islower():
        start -= 1
    return ", ".join([" ".join(words[start:]), " ".join(words[:start]), *suffix])
