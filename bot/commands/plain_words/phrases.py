"""The rules of `phrases.toml`, compiled once: forms of a line, and what is meant by it.

`[show] [me] (the|a) paper on {x}` is a form; `...` stands for any words or none. Pure, once the
file is loaded.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from store.search.query import STOP_WORDS

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


_NAME = re.compile(r"\b[A-Z]{2,}\b")
_USUAL = 1_000


def _how_usual(words: frozenset[str]) -> int:
    """Return how many lines have one of some words, so that a rule is tried on few."""
    return len(words) + _USUAL * len(words & STOP_WORDS)


@dataclass(frozen=True)
class Rule:
    """A rule: the forms of a line, the commands that it may mean, and its examples."""

    says: tuple[PhraseForm, ...]
    commands: tuple[str, ...]
    examples: Mapping[str, str]

    @cached_property
    def _needs(self) -> frozenset[str] | None:
        """Words of which every line that fits has one, `None` if a form needs none."""
        needs = [min(form.needs, key=_how_usual, default=None) for form in self.says]
        return frozenset[str]().union(*filter(None, needs)) if all(needs) else None

    def matches(self, words: str, parts: frozenset[str]) -> Iterator[dict[str, str]]:
        """Yield the words of each slot for every form that fits cleaned words.

        `parts` are these words one by one, in lower case.
        """
        if self._needs is not None and self._needs.isdisjoint(parts):
            return
        for form in self.says:
            if (slots := form.match(words, parts)) is not None:
                yield slots


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return the rules in the order in which they are tried."""
    return tuple(_rules("phrases.toml"))


@cache
def courtesies() -> dict[str, str]:
    """Return the kind of courtesy that each phrase is, in lower case."""
    table = table_of("courtesies.toml")["courtesies"]
    return {phrase: kind for kind, phrases in table.items() for phrase in phrases}


@dataclass(frozen=True, slots=True)
class CourtesyWords:
    """The words and idioms that make a courtesy, and the words that may stand beside."""

    idioms: re.Pattern[str]
    heads: frozenset[str]
    others: frozenset[str]

    def fit(self, line: str, signs: str) -> bool:
        """Tell whether a line in lower case is such a courtesy; `signs` say nothing."""
        rest, count = self.idioms.subn(" ", line.replace("\u2019", "'"))
        words = frozenset(word.strip(signs) for word in rest.split()) - {""}
        return bool(count or words & self.heads) and words <= self.heads | self.others


@cache
def courtesy_words() -> dict[str, CourtesyWords]:
    """Return the words of each kind of courtesy."""
    return {
        kind: CourtesyWords(
            re.compile(rf"(?<![\w'])(?:{'|'.join(words['idioms'])})(?![\w'])"),
            frozenset(words["heads"].split()),
            frozenset(words["others"].split()),
        )
        for kind, words in table_of("courtesies.toml")["courtesy_words"].items()
    }


@cache
def words_of(name: str) -> frozenset[str]:
    """Return a list of words of `phrases.toml`."""
    return frozenset(table_of("phrases.toml")["words"][name].split())


@cache
def wanted_parts() -> dict[str, re.Pattern[str]]:
    """Return the patterns of the words that ask for one thing of a paper, by what it is."""
    table = table_of("phrases.toml")["wanted"]
    return {
        part: re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)
        for part, words in table.items()
    }


@cache
def city_pattern() -> re.Pattern[str]:
    """Return the pattern of cities after which people name their time."""
    names = "|".join(table_of("phrases.toml")["words"]["cities"])
    return re.compile(rf"\b(?:in )?({names})\b", re.IGNORECASE)


@cache
def places_pattern() -> re.Pattern[str]:
    """Return the pattern of companies, universities and venues that papers are said to come from.

    "Meta-learning" is none.
    """
    names = "|".join(table_of("phrases.toml")["words"]["places_of_papers"])
    return re.compile(rf"(?:the )?(?:{names})\b(?![- ]learn|[- ]analy)", re.IGNORECASE)


@cache
def zones_of_places() -> dict[str, str]:
    """Return the name of a zone's city by each place that has the zone."""
    zones: dict[str, str] = table_of("phrases.toml")["zones"]
    return zones


@cache
def meant() -> dict[str, str]:
    """Return the name of a command by each other word for what it does."""
    table: dict[str, str] = table_of("phrases.toml")["meant"]
    return {word: name for name, words in table.items() for word in words.split()}


@cache
def turns() -> dict[str, re.Pattern[str]]:
    """Return the pattern of lines in lower case that turn the page, by `more` and `back`."""
    table: dict[str, list[str]] = table_of("phrases.toml")["turns"]
    return {
        turn: re.compile("|".join(_line(form) for form in forms)) for turn, forms in table.items()
    }


def _line(form: str) -> str:
    """Return the pattern of a form that is a whole line."""
    return pattern_of(form, lambda word: rf"{re.escape(word)}(?: |$)")


@cache
def openings() -> re.Pattern[str]:
    """Return the pattern of politeness at the beginning of a line."""
    forms = "|".join(_polite("openings", r"[,;:!.-]*\s+"))
    return re.compile(f"(?:{forms})", re.IGNORECASE)


@cache
def closings() -> re.Pattern[str]:
    """Return the pattern of politeness or signs at the end of a line, after a blank."""
    forms = "|".join(_polite("closings", r"[,;:!.-]*\s*"))
    return re.compile(rf"(?:(?<=\s)(?:{forms})|[\s,.!?;:\u2026-]+)$", re.IGNORECASE)


@cache
def short_forms() -> list[tuple[re.Pattern[str], str]]:
    """Return the pattern of each short form and the words that it stands for."""
    table: dict[str, str] = table_of("phrases.toml")["short_forms"]
    return [(re.compile(short, re.IGNORECASE), whole) for short, whole in table.items()]


@cache
def any_short_form() -> re.Pattern[str]:
    """Return what finds whether a line has a short form: hardly any has one."""
    forms = table_of("phrases.toml")["short_forms"]
    return re.compile("|".join(f"(?:{form})" for form in forms), re.IGNORECASE)


@cache
def short_words() -> dict[str, str]:
    """Return the words for those that are written shorter, by these in lower case."""
    words: dict[str, str] = table_of("phrases.toml")["short_words"]
    return words


def _polite(name: str, behind: str) -> Iterator[str]:
    """Yield patterns of polite forms, with signs and blanks behind each word."""
    names: dict[str, str] = table_of("phrases.toml")["names"]
    for form in table_of("phrases.toml")["politeness"][name]:
        yield pattern_of(_whole(form, names), lambda word: re.escape(word) + behind)


@cache
def vocabulary() -> frozenset[str]:
    """Return the words of the English rules, to which a mistyped word may be corrected."""
    table = table_of("phrases.toml")
    texts = [*table["names"].values(), *(form for rule in table["rules"] for form in rule["says"])]
    return frozenset(word for text in texts for word in re.findall(r"[a-z]{4,}", text))


@cache
def table_of(name: str) -> dict[str, Any]:
    """Return what a file of this room holds, by its name."""
    text = files("bot.commands.plain_words").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)


def _rules(name: str) -> Iterator[Rule]:
    for rule in table_of(name)["rules"]:
        yield Rule(whole_forms(name, rule["says"]), tuple(rule["commands"]), rule["examples"])


def whole_forms(name: str, forms: Sequence[str]) -> tuple[PhraseForm, ...]:
    """Return forms of a file with the words that its names, and those of the rules, stand for."""
    names = table_of("phrases.toml")["names"] | table_of(name)["names"]
    return tuple(compile_form(_whole(form, names)) for form in forms)


def _whole(form: str, names: Mapping[str, str]) -> str:
    """Return a form with the words that its names in capitals stand for."""
    return _NAME.sub(lambda name: names.get(name[0], name[0]), form)
