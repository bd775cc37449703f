"""Words that mean the same, as `words.toml` has them."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from store.search.query import Forms, Run
from store.text import stem


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
