"""Words that people ask with, and the words of papers that answer them. Pure.

They stand in `question_words.toml`, and only weigh in the choice of a sentence.
"""

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from store.text import stem

_WORDS = tomllib.loads(
    files("bot.library").joinpath("question_words.toml").read_text(encoding="utf-8")
)
ASKING, MEASURING, AUTHORSHIP, NO_NAMES = (
    frozenset(_WORDS[name].split()) for name in ("asking", "measuring", "authorship", "no_names")
)
_LIGHT = frozenset(map(stem, _WORDS["light"].split()))


def alike(word: str) -> frozenset[str]:
    """Return the stems of the words that answer a folded word, without its own."""
    return _groups().get(stem(word), frozenset())


def is_light(word: str) -> bool:
    """Tell whether a folded word says little about what is asked."""
    return stem(word) in _LIGHT


@cache
def _groups() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in _WORDS["groups"].splitlines():
        stems = {" ".join(map(stem, word.split("_"))) for word in line.split()}
        for each in stems:
            found[each] |= stems - {each}
    return {word: frozenset(others) for word, others in found.items()}
