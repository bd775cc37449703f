"""The rules of `rules.toml`, compiled once. Pure, once the file is loaded."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_TOKEN = re.compile(r"\{\w+(?::\w+)?\}|[()\[\]|]|[^\s()\[\]|{}]+")
_NAME = re.compile(r"\b[A-Z]{2,}\b")
_ARTICLE = r"(?:(?:the|an?|some|any|all|your|our) )?"
_SIGNS = {"(": "(?:", ")": ")", "[": "(?:", "]": ")?", "|": "|"}
_NUMBER = r"(?:\d{1,3}|two|three|five|ten|twenty)"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: the forms of a line, the commands that it may mean, and its examples."""

    says: tuple[re.Pattern[str], ...]
    commands: tuple[str, ...]
    examples: Mapping[str, str]

    def matches(self, words: str) -> Iterator[dict[str, str]]:
        """Yield the words of each slot for every form that fits cleaned words."""
        for form in self.says:
            if found := form.fullmatch(f"{words} "):
                yield {slot: text.strip() for slot, text in found.groupdict("").items()}


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
def vocabulary() -> frozenset[str]:
    """Return the words of the English rules, to which a mistyped word may be corrected."""
    table = _table("rules.toml")
    texts = [*table["names"].values(), *(form for rule in table["rules"] for form in rule["says"])]
    return frozenset(word for text in texts for word in re.findall(r"[a-z]{5,}", text))


def _table(name: str) -> dict[str, Any]:
    text = files("bot.commands.plain_words").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)


def _rules(name: str) -> Iterator[Rule]:
    table = _table(name)
    names: dict[str, str] = table.get("names", {})
    for rule in table["rules"]:
        says = tuple(compile_form(form, names) for form in rule["says"])
        yield Rule(says, tuple(rule["commands"]), rule["examples"])


def compile_form(form: str, names: Mapping[str, str]) -> re.Pattern[str]:
    """Return the pattern of a form; it matches words with one blank behind each."""
    whole = _NAME.sub(lambda name: names.get(name[0], name[0]), form)
    return re.compile("".join(map(_pattern, _TOKEN.findall(whole))), re.IGNORECASE)


def _pattern(token: str) -> str:
    if token in _SIGNS:
        return _SIGNS[token]
    if token == "{_:number}":
        return f"{_NUMBER} "
    if token == "{_}":
        return r"\S+ "
    if token.startswith("{"):
        return rf"(?P<{token[1:-1]}>\S.*?) "
    return rf"{_ARTICLE}{re.escape(token)}(?:'s)? "
