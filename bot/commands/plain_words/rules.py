"""The rules of `rules.toml`, compiled once. Pure, once the file is loaded."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any

from bot.commands.plain_words.forms import PhraseForm, compile_form, pattern_of

_NAME = re.compile(r"\b[A-Z]{2,}\b")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: the forms of a line, the commands that it may mean, and its examples."""

    says: tuple[PhraseForm, ...]
    commands: tuple[str, ...]
    examples: Mapping[str, str]

    def matches(self, words: str, parts: frozenset[str]) -> Iterator[dict[str, str]]:
        """Yield the words of each slot for every form that fits cleaned words.

        `parts` are these words one by one, in lower case.
        """
        for form in self.says:
            if (slots := form.match(words, parts)) is not None:
                yield slots


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return the rules in the order in which they are tried."""
    return tuple(_rules("rules.toml"))


@cache
def other_languages() -> tuple[Rule, ...]:
    """Return the rules for the commonest requests in other languages than English."""
    return tuple(_rules("languages.toml"))


@cache
def courtesies() -> dict[str, str]:
    """Return `greeting` or `thanks` by each phrase that is one, in lower case."""
    table = _table("languages.toml")["courtesies"]
    return {phrase: kind for kind, phrases in table.items() for phrase in phrases}


@cache
def courtesy_words() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Return, by kind of courtesy, the words that make one and those that may stand beside."""
    table = _table("languages.toml")["courtesy_words"]
    return {
        kind: (frozenset(words["heads"].split()), frozenset(words["others"].split()))
        for kind, words in table.items()
    }


@cache
def words_of(name: str) -> frozenset[str]:
    """Return a list of words of `rules.toml`."""
    return frozenset(_table("rules.toml")["words"][name].split())


@cache
def city_pattern() -> re.Pattern[str]:
    """Return the pattern of cities after which people name their time."""
    names = "|".join(_table("rules.toml")["words"]["cities"])
    return re.compile(rf"\b(?:in )?({names})\b", re.IGNORECASE)


@cache
def zones_of_places() -> dict[str, str]:
    """Return the name of a zone's city by each place that has the zone."""
    zones: dict[str, str] = _table("rules.toml")["zones"]
    return zones


@cache
def meant() -> dict[str, str]:
    """Return the name of a command by each other word for what it does."""
    table: dict[str, str] = _table("rules.toml")["meant"]
    return {word: name for name, words in table.items() for word in words.split()}


@cache
def foreign_signs() -> frozenset[str]:
    """Return words of other languages, in lower case, that English lines have not."""
    return frozenset(_table("languages.toml")["translation"]["signs"].split())


@cache
def translations() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the pattern of the words that are put into English, and these in English."""
    table: dict[str, dict[str, str]] = _table("languages.toml")["translation"]
    words, parts = table["words"], table["parts"]
    by_length = partial(sorted, key=len, reverse=True)
    whole = "|".join(map(re.escape, by_length(words)))
    within = "|".join(map(re.escape, by_length(parts)))
    pattern = re.compile(rf"(?<![\w'-])(?:{whole})(?![\w'-])|{within}", re.IGNORECASE)
    return pattern, {**words, **{part: f" {whole} " for part, whole in parts.items()}}


@cache
def turns() -> dict[str, re.Pattern[str]]:
    """Return the pattern of lines in lower case that turn the page, by `more` and `back`."""
    table: dict[str, list[str]] = _table("rules.toml")["turns"]
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
    table: dict[str, str] = _table("rules.toml")["short_forms"]
    return [(re.compile(short, re.IGNORECASE), whole) for short, whole in table.items()]


@cache
def short_words() -> dict[str, str]:
    """Return the words for those that are written shorter, by these in lower case."""
    words: dict[str, str] = _table("rules.toml")["short_words"]
    return words


def _polite(name: str, behind: str) -> Iterator[str]:
    """Yield patterns of polite forms, with signs and blanks behind each word."""
    names: dict[str, str] = _table("rules.toml")["names"]
    for form in _table("rules.toml")["politeness"][name]:
        yield pattern_of(_whole(form, names), lambda word: re.escape(word) + behind)


@cache
def vocabulary() -> frozenset[str]:
    """Return the words of the English rules, to which a mistyped word may be corrected."""
    table = _table("rules.toml")
    texts = [*table["names"].values(), *(form for rule in table["rules"] for form in rule["says"])]
    return frozenset(word for text in texts for word in re.findall(r"[a-z]{5,}", text))


@cache
def _table(name: str) -> dict[str, Any]:
    text = files("bot.commands.plain_words").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)


def _rules(name: str) -> Iterator[Rule]:
    table = _table(name)
    names: dict[str, str] = table.get("names", {})
    for rule in table["rules"]:
        says = tuple(compile_form(_whole(form, names)) for form in rule["says"])
        yield Rule(says, tuple(rule["commands"]), rule["examples"])


def _whole(form: str, names: Mapping[str, str]) -> str:
    """Return a form with the words that its names in capitals stand for."""
    return _NAME.sub(lambda name: names.get(name[0], name[0]), form)
