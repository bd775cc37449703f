"""Forms of a line, as the rules write them: `[show] [me] (the|a) paper on {x}`. Pure.

`...` stands for any words or none.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

_TOKEN = re.compile(r"\{\w+(?::\w+)?\}|[()\[\]|]|[^\s()\[\]|{}]+")
# An article may stand before any word.
_ARTICLE = r"(?:(?:the|an?|some|any|all|your|our) )?"
_SIGNS = {"(": "(?:", ")": ")", "[": "(?:", "]": ")?", "|": "|"}
# Slots that nothing is made of.
_ANY_NUMBER, _ANY_WORD, _ANY_WORDS = "{_:number}", "{_}", "..."
_NUMBER = r"(?:\d{1,3}|two|three|five|ten|twenty)"


@dataclass(frozen=True, slots=True)
class PhraseForm:
    """A form, as it is written, and sets of words of each of which a line that fits has one."""

    text: str
    needs: tuple[frozenset[str], ...]

    def match(self, words: str, parts: frozenset[str]) -> dict[str, str] | None:
        """Return the words of each slot where the form fits words; `parts` are the single ones."""
        if any(need.isdisjoint(parts) for need in self.needs):
            return None
        found = _compiled(self.text).fullmatch(f"{words} ")
        if found is None:
            return None
        return {slot: text.strip(" ,;:") for slot, text in found.groupdict("").items()}


def compile_form(form: str) -> PhraseForm:
    """Return a form ready to be matched."""
    return PhraseForm(form, tuple(_needs(_TOKEN.findall(form))))


@cache
def _compiled(form: str) -> re.Pattern[str]:
    """Return the pattern of a form, with one blank behind each word.

    Hundreds of patterns take more than a second; most lines need a few of them.
    """
    pattern = pattern_of(form, lambda word: rf"{_ARTICLE}{re.escape(word)}(?:'s)?[,;:.!?]* ")
    return re.compile(pattern, re.IGNORECASE)


def pattern_of(form: str, word: Callable[[str], str]) -> str:
    """Return the regular expression of a form; `word` gives that of one word."""
    return "".join(_pattern(part, word) for part in _TOKEN.findall(form))


def _pattern(part: str, word: Callable[[str], str]) -> str:
    if part == _ANY_NUMBER:
        return f"{_NUMBER} "
    if part == _ANY_WORD:
        return r"\S+ "
    if part == _ANY_WORDS:
        return r"(?:\S+ )*?"
    if part.startswith("{"):
        return rf"(?P<{part[1:-1]}>\S.*?) "
    return _SIGNS.get(part) or word(part)


def _needs(parts: Sequence[str]) -> Iterator[frozenset[str]]:
    """Yield the words of which a line has one: each bare word, and the first words of a group."""
    place = 0
    while place < len(parts):
        part = parts[place]
        if part in "([":
            end = _end_of_group(parts, place)
            if part == "(" and (first := _first_words(parts[place + 1 : end])):
                yield first
            place = end
        elif not part.startswith("{") and part != _ANY_WORDS:
            yield _forms_of(part)
        place += 1


def _end_of_group(parts: Sequence[str], start: int) -> int:
    depth = 0
    for place in range(start, len(parts)):
        depth += (parts[place] in "([") - (parts[place] in ")]")
        if not depth:
            return place
    raise ValueError(f"{' '.join(parts)} has a bracket that is not closed")


def _first_words(parts: Sequence[str]) -> frozenset[str] | None:
    """Return a word that each alternative of a group has, `None` if one has none for sure."""
    alternatives: list[list[str]] = [[]]
    depth = 0
    for part in parts:
        depth += (part in "([") - (part in ")]")
        if part == "|" and not depth:
            alternatives.append([])
        else:
            alternatives[-1].append(part)
    needs = [next(_needs(alternative), None) for alternative in alternatives]
    return frozenset[str]().union(*filter(None, needs)) if all(needs) else None


def _forms_of(word: str) -> frozenset[str]:
    return frozenset({word.lower(), f"{word.lower()}'s"})
