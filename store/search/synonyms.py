"""Words that mean the same: those that `words.toml` has, and acronyms that texts explain. Pure."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from store.search.query import Forms, Run
from store.text import stem, tokens

_PARENTHESES = re.compile(r"\(([^()]{2,80})\)")
_LEAST, _MOST = 2, 10  # letters
_BEFORE = 120  # characters, enough for the words of ten letters

# Words that may be skipped: "Olympiad in Informatics".
_SMALL = frozenset({
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "the", "to", "via", "with",
})  # fmt: skip


def synonyms() -> Mapping[str, str]:
    """Return pairs of runs of words; each finds the other."""
    pairs: Mapping[str, str] = _words()["synonyms"]
    return pairs


def everyday_lines() -> Mapping[str, list[str]]:
    """Return what papers write for everyday words."""
    lines: Mapping[str, list[str]] = _words()["everyday"]
    return lines


@cache
def everyday() -> Mapping[Run, Forms]:
    """Return what papers write for everyday words, by the stems of these."""
    return {
        stems(tuple(words.split())): tuple(tuple(term.split()) for term in terms)
        for words, terms in everyday_lines().items()
    }


def stems(words: Run) -> Run:
    """Return the stem of each word."""
    return tuple(map(stem, words))


@cache
def _words() -> dict[str, Any]:
    text = files("store.search").joinpath("words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def explained_acronyms(text: str) -> Iterator[tuple[str, Run]]:
    """Yield each acronym that a text explains, with its words, both folded and in the singular."""
    for match in _PARENTHESES.finditer(text):
        inside = match[1]
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        if letters := _letters(re.split("[,;]", inside, maxsplit=1)[0]):
            run = _last_words(letters, tokens(before))
        elif letters := _letters(before.rstrip().rpartition(" ")[2]):
            run = tuple(tokens(inside))
        else:
            continue
        if _explains(run, letters):
            yield letters, singular(run)


def singular(words: Sequence[str]) -> Run:
    """Return the words, the last one without the `s` of a plural."""
    last = words[-1]
    plural = len(last) > _LEAST and last[-1] == "s" and last[-2] != "s"
    return (*words[:-1], last[:-1]) if plural else tuple(words)


def _letters(word: str) -> str | None:
    """Return an acronym's letters without the `s` of a plural; `None` for any other word."""
    if not (_LEAST <= len(word) <= _MOST and word.isascii() and word.isalpha()):
        return None
    if sum(letter.isupper() for letter in word) < _LEAST:
        return None
    return word.removesuffix("s").lower()


def _last_words(letters: str, words: Sequence[str]) -> Run:
    """Return the shortest end of a text that explains an acronym; empty where none does."""
    ends = (tuple(words[-size:]) for size in range(2, 2 * len(letters) + 1))
    return next((end for end in ends if _explains(end, letters)), ())


def _explains(words: Run, letters: str) -> bool:
    return len(words) > 1 and words[0] not in _SMALL and _spells(words, letters)


def _spells(words: Run, letters: str) -> bool:
    """Tell whether each word gives its first letter and perhaps more of its letters, in order.

    "sparse autoencoder" spells `sae`, "low rank adaptation" `lora`. After Schwartz and Hearst
    (https://psb.stanford.edu/psb-online/proceedings/psb03/schwartz.pdf), but only small words may
    be skipped.
    """
    if not words:
        return not letters
    first, *rest = words
    if first in _SMALL and _spells(tuple(rest), letters):
        return True
    return any(
        _gives(first, letters[:taken]) and _spells(tuple(rest), letters[taken:])
        for taken in range(1, len(letters) + 1)
    )


def _gives(word: str, letters: str) -> bool:
    left = iter(word)
    return word[0] == letters[0] and all(letter in left for letter in letters)
