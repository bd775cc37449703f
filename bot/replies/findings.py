"""The worth of a line: of a review what was found, of any text more than its title. Pure.

The words are those of `findings.toml`.
"""

import re
import tomllib
from importlib.resources import files

from bot.replies.wording import GAP
from store.text import stem, tokens

_WORDS = tomllib.loads(files("bot.replies").joinpath("findings.toml").read_text(encoding="utf-8"))
ANNOUNCED = "|".join(_WORDS["announced"].split())
_FOUND, _DOUBTED, _EMPTY = (
    frozenset(map(stem, _WORDS[name].split())) for name in ("found", "doubted", "empty")
)
_MEASURED = re.compile(
    r"\d[\d.,]*\s*(?:%|percent\b|\u00d7|x\b|points?\b|times\b|-?fold\b|hours?\b)", re.IGNORECASE
)
# A word was lost that left no mark: "a -level", "'s share", "an when", "a trusted whose".
_LOST = re.compile(
    r"(?:^|\s)(?:-\w*[A-Za-z]|['’]s\s)|\b[Aa]n (?=[bcdfgjklmnpqrstvwz][a-z])"
    r"|\b(?:an?|one|the) \w+(?:ous|able|sive|ted) (?:that|which|whose)\b"
)
# What the line closes was opened before it: its first quotation mark stands behind a stop.
_UNQUOTED = re.compile(r"[^'‘“\"]*[.,!?]['’”\"](?!\w)")
_REFERS = re.compile(r"\b(?:these|those|its?|they|them|that premise)\b", re.IGNORECASE)
_HALVES = re.compile(r"\b(\w+)-(\w+)\b")  # "fine-tuning" where a title has "finetuning"
_FEWEST = 2  # stems that say something


def says_more(line: str, title: str) -> bool:
    """Tell whether a line has some words that neither the title has nor any paper could have."""
    named = {*map(stem, tokens(title))}
    for one, other in _HALVES.findall(line):
        if stem(f"{one}{other}".casefold()) in named:
            named |= {stem(one.casefold()), stem(other.casefold())}
    return len({*map(stem, tokens(line))} - named - _EMPTY) >= _FEWEST


def worth(line: str) -> int:
    """Return how much a line says of what was found: a measure most, a doubt or a gap least."""
    stems = {*map(stem, tokens(line))}
    return (
        2 * bool(_MEASURED.search(line))
        + bool(stems & _FOUND)
        - 8 * is_torn(line)
        - 3 * bool(stems & _DOUBTED)
        - 2 * line.endswith("?")
        - bool(_REFERS.search(line))
    )


def is_torn(line: str) -> bool:
    """Tell a line that lacks a word, or a mark of those that come in pairs."""
    is_closing = line.count(")") > line.count("(") or _UNQUOTED.match(line)
    return GAP in line or bool(is_closing or _LOST.search(line))
