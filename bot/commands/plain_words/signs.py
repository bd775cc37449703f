"""Signs of what a line asks for, wherever they stand in it, as `evidence.toml` lists them.

Pure, once the file is loaded.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from bot.commands.plain_words.cleaning import clean
from bot.commands.plain_words.filters import ReadingFacts
from bot.commands.plain_words.keywords import common_words, topics_of
from bot.commands.plain_words.list_references import paper_alone, read_list_reference
from bot.commands.plain_words.phrases import words_of
from store.search import is_english

_ENDS = ",;:.!?"
MIN_MISTYPED = 5  # letters: a shorter word is near to many
SHORTEST_MISTYPED = 4  # letters, where one lacks or two are turned
_SHORTEST_OF_LIST = 3  # letters of a mistyped command before a number of a list
_WORD = re.compile(r"[^\W_][\w'#/+-]*")


@dataclass(frozen=True, slots=True)
class Wish:
    """A command, the sets of signs that ask for it, those that speak against it, and examples."""

    command: str
    when: tuple[frozenset[str], ...]
    unless: tuple[frozenset[str], ...]
    examples: Mapping[str, str]

    def is_told_by(self, signs: frozenset[str]) -> bool:
        """Tell whether a line with such signs asks for it."""
        asked = any(each <= signs for each in self.when)
        return asked and not any(each <= signs for each in self.unless)


@cache
def evidence_table() -> dict[str, Any]:
    """Return the file of signs, words and wishes."""
    text = files("bot.commands.plain_words").joinpath("evidence.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def wishes_of(tables: Sequence[Mapping[str, Any]]) -> tuple[Wish, ...]:
    """Return wishes as a file has them."""
    return tuple(
        Wish(each["command"], _sets(each["when"]), _sets(each["unless"]), each["examples"])
        for each in tables
    )


def _sets(lines: list[str]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line.split()) for line in lines)


@cache
def words_to_spell() -> frozenset[str]:
    """Return the words of wishes that a mistyped one may mean."""
    spelled: str = evidence_table()["words"]["spelled"]
    return frozenset(spelled.split())


@cache
def words_of_asks() -> frozenset[str]:
    """Return the words of an ask for whatever there is, which names no subject."""
    asking: str = evidence_table()["words"]["asking"]
    return frozenset(asking.split())


@cache
def known_words() -> frozenset[str]:
    """Return everyday words, by which no paper is looked for."""
    known: str = evidence_table()["words"]["known"]
    return common_words() | words_of("scheduling") | frozenset(known.split())


@cache
def sign_patterns() -> dict[str, re.Pattern[str]]:
    """Return what finds each sign in a line, by its name."""
    return {
        sign: re.compile(
            rf"(?<![\w#-])(?:{'|'.join(words).replace(' ', '[,;:]* ')})(?![\w-])", re.IGNORECASE
        )
        for sign, words in evidence_table()["signs"].items()
    }


def unknown_words(text: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the words of a text that no rule knows."""
    for pattern in sign_patterns().values():
        text = pattern.sub(" , ", text)
    words = words_in(text)
    of_topics = {place for first, end, _ in topics_of(words, facts) for place in range(first, end)}
    known = known_words() | facts.sources
    for place, word in enumerate(words):
        if (
            place not in of_topics
            and word not in known
            and not word[0].isdigit()
            and "#" not in word
        ):
            yield word


def has_sign(sign: str, text: str) -> bool:
    """Tell whether a text has one of the words of a sign."""
    return sign_patterns()[sign].search(text) is not None


def words_in(text: str) -> list[str]:
    """Return the words of a text in small letters, without signs."""
    return [word.lower().removesuffix("'s") for word in _WORD.findall(text)]


def nearest_word(part: str, known: frozenset[str], least: int = MIN_MISTYPED) -> str:
    """Return the known word that a word is one slip away from, or the word."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    word = part.lower().rstrip(_ENDS).removesuffix("'s")
    if len(word) < least or not word.isalpha() or word in known or is_english(word):
        return part
    alike = [each for each in known if each[0] == word[0]]
    if len(word) < MIN_MISTYPED:  # a letter lacks, or two are turned
        alike = [each for each in alike if len(each) > len(word) or sorted(each) == sorted(word)]
    found = process.extractOne(word, alike, scorer=OSA.distance, score_cutoff=1)
    return found[0] + part[len(word) :] if found else part


def spelled_by(words: str, known: frozenset[str], facts: ReadingFacts) -> str:
    """Return a line with the words put right that are one slip away from a known one."""
    parts = words.split()
    near = {part: nearest_word(part, known, SHORTEST_MISTYPED) for part in dict.fromkeys(parts)}
    if all(part == meant for part, meant in near.items()):
        return words
    return clean(" ".join(near[part] for part in parts), facts.today)


def near_commands(name: str, facts: ReadingFacts) -> list[str]:
    """Return the lookup that a mistyped word of four letters or more means, if there is one."""
    from rapidfuzz.distance import OSA  # here, because hardly any line needs it

    is_known = name in facts.commands or name in facts.topics or is_english(name)
    if len(name) < SHORTEST_MISTYPED or is_known:
        return []
    near = (
        each
        for each in sorted(facts.commands - facts.changing)
        if len(each) > 3  # noqa: PLR2004 - a shorter name is near to many words
        and OSA.distance(name, each) <= (1 if len(each) < 6 else 2)  # noqa: PLR2004
        and name[0] == each[0]
    )
    return [*near][:1]


def mistyped_command(words: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the command that is one slip away from a word before its argument: `shw 3`."""
    from rapidfuzz.distance import OSA

    name, _, rest = words.lower().partition(" ")
    is_word = name in facts.commands or name in common_words()
    if len(name) < _SHORTEST_OF_LIST or is_word or not rest:
        return
    known = sorted(each for each in facts.commands if each[0] == name[0])
    near = next((each for each in known if OSA.distance(name, each) == 1), None)
    if near is None:
        return
    is_paper = bool(read_list_reference(rest) or paper_alone(rest))
    if is_paper or (near not in facts.changing and facts.exact_topic(rest)):
        yield f"{near} {rest}"
