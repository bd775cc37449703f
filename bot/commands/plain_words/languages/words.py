"""The words of languages, and the one that a line is in. Pure, once the files are loaded."""

import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_NAMES = ("es", "pt", "fr", "de", "zh", "ja")
_KANA = re.compile(r"[\u3040-\u30ff]")
_WIDE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]+")
# A word, or the beginning of one that French writes before an apostrophe.
_WORD = re.compile(
    r"(?:[ldjcsnmt]|qu)'(?=\w)|[^\W_](?:[\w#+.:/'-]*[\w#+])?(?:-\w+)*", re.IGNORECASE
)
_MOST_WORDS = 5  # of a phrase
_MOST_SIGNS = 12  # of a phrase that is written without blanks
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PERIODS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "today", "yesterday", "this week", "last week",
    "this month", "last month", "this year", "last year",
)  # fmt: skip
_SIGNS_OF_ENGLISH = {
    **dict.fromkeys(_WEEKDAYS, "day"),
    **dict.fromkeys(_PERIODS, "time"),
    "every week": "every", "since": "since", "until": "until",
}  # fmt: skip
_UMLAUT = re.compile(r"([aou])e")  # as keyboards without them write one
_REQUESTS = frozenset({"show", "search", "have", "recap", "explain", "tell", "similar"})  # signs
_SHORTEST_REQUEST = 4  # letters
_UMLAUTS = ("ae", "oe", "ue")
_SHORTEST_MISTYPED = 5  # letters
_MOST_MISTYPED = 3  # words of a line
_SHORTEST_STEM = 3
_LONGEST_STEM = 30


@dataclass(frozen=True, slots=True)
class Word:
    """A word or phrase of a line: its sign, or its English if it has one.

    `known` is the number of its words that the language has; a word that it lacks stays as it is.
    """

    sign: str = ""
    english: str = ""
    known: int = 0
    is_foreign: bool = False
    asks: bool = False  # it is a request in no English word


@dataclass(frozen=True, slots=True)
class Language:
    """The meanings of the phrases and the beginnings of words of one language, without accents.

    `short` are words for those that are written shorter, `by_letter` the long ones by the first
    letter, each with whether it is whole.
    """

    name: str
    phrases: dict[str, Word]
    stems: dict[str, Word]
    short: dict[str, str]
    by_letter: dict[str, list[tuple[str, Word, bool]]]
    examples: dict[str, str]

    @property
    def is_wide(self) -> bool:
        """True if it is written without blanks."""
        return self.name in ("zh", "ja")

    def meaning(self, phrase: str) -> Word | None:
        """Return what a folded phrase means, `None` if the language has no such words."""
        if found := self.phrases.get(phrase):
            return found
        ends = range(min(len(phrase), _LONGEST_STEM), _SHORTEST_STEM - 1, -1)
        of_stem = (self.stems[phrase[:end]] for end in ends if phrase[:end] in self.stems)
        if found := next(of_stem, None):
            return found
        has_umlaut = self.name == "de" and any(each in phrase for each in _UMLAUTS)
        return self.meaning(_UMLAUT.sub(r"\1", phrase)) if has_umlaut else None

    def near(self, word: str) -> Word | None:
        """Return what a mistyped folded word means that is one slip away from a known one."""
        from rapidfuzz.distance import OSA  # here, because hardly any line needs it

        if not word.isalpha():
            return None
        for each, meant, is_whole in self.by_letter.get(word[0], ()):
            typed = word if is_whole else word[: len(each)]
            if OSA.distance(typed, each, score_cutoff=1) <= 1:
                return meant
        return None


@cache
def languages() -> tuple[Language, ...]:
    """Return the languages whose words are known."""
    return tuple(_language(name) for name in _NAMES)


@cache
def table(name: str) -> dict[str, Any]:
    """Return a file of this room."""
    text = files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _language(name: str) -> Language:
    phrases: dict[str, Word] = {}
    stems: dict[str, Word] = {}
    for section in ("signs", "english", "drop"):
        meanings: dict[str, str] = table(name)[section]
        for meaning, texts in meanings.items():
            for phrase in (bare(each.strip()) for each in texts.split(",")):
                kept = stems if phrase.endswith("*") else phrases
                kept.setdefault(phrase.rstrip("*"), _word(section, meaning, phrase))
    by_letter: dict[str, list[tuple[str, Word, bool]]] = defaultdict(list)
    for kept, is_whole in ((phrases, True), (stems, False)):
        for each in kept:
            if len(each) >= _SHORTEST_MISTYPED:
                by_letter[each[0]].append((each, kept[each], is_whole))
    short = table(name).get("short", {})
    return Language(name, phrases, stems, short, by_letter, table(name)["examples"])


def _word(section: str, meaning: str, phrase: str) -> Word:
    known = len(phrase.split())
    if section == "signs":
        return Word(sign=meaning, known=known)
    if section == "drop":
        return Word(sign="", known=known)
    return Word(_SIGNS_OF_ENGLISH.get(meaning, ""), meaning, known)


def bare(text: str) -> str:
    """Return a text in lower case and without accents, a letter for each letter."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFC", text).replace("\u2019", "'").lower()
    return "".join(
        _simplified().get(each, each)
        if _WIDE.match(each)
        else unicodedata.normalize("NFD", each)[0]
        for each in plain
    )


@cache
def _simplified() -> dict[str, str]:
    """Return the simplified sign of each traditional one that the words of Chinese have."""
    signs = table("zh")["traditional"]
    return dict(zip(signs["from"], signs["to"], strict=True))


def languages_of(text: str, is_english: Callable[[str], bool]) -> Iterator[list[Word]]:
    """Yield the words of a line in each language that it may be in, the likeliest first.

    A line that has as many words of English as of a language is English, unless its request is in
    the language: "muéstrame papers about RAG".
    """
    if _WIDE.search(text):
        name = "ja" if _KANA.search(text) else "zh"
        [language] = [each for each in languages() if each.name == name]
        yield list(_wide_words(text, language))
        return
    line = bare(text)
    if any(phrase in line for phrase in table("sentences")["phrases"]):
        return
    english = sum(map(is_english, _WORD.findall(line)))
    read = [list(_words(text, each, is_english)) for each in languages() if not each.is_wide]
    scored = [(sum(word.known for word in words), words) for words in read]
    for score, words in sorted(scored, key=lambda each: -each[0]):
        is_more = score > english and any(word.is_foreign for word in words)
        if is_more or any(word.asks for word in words):
            yield words


def _words(text: str, language: Language, is_english: Callable[[str], bool]) -> Iterator[Word]:
    """Yield the words of a line with blanks, the longest phrase that the language has first."""
    whole = unicodedata.normalize("NFC", text).replace("\u2019", "'")
    found = [each[0] for each in _WORD.finditer(whole)]
    parts = [
        part
        for each in found
        for part in (each.split("-") if _is_joined(each, language) else [each])
    ]
    if language.short:
        parts = [word for part in parts for word in language.short.get(bare(part), part).split()]
    folded = [bare(part) for part in parts]
    place = mistyped = 0
    while place < len(parts):
        for length in range(min(_MOST_WORDS, len(parts) - place), 0, -1):
            phrase = " ".join(folded[place : place + length]).replace("' ", "'")
            if meant := language.meaning(phrase) if length == 1 else language.phrases.get(phrase):
                is_foreign = length > 1 or not is_english(phrase)
                asks = is_foreign and meant.sign in _REQUESTS and len(phrase) >= _SHORTEST_REQUEST
                yield Word(meant.sign, meant.english, length, is_foreign, asks)
                break
        else:
            length = 1
            near = None
            is_long = len(folded[place]) >= _SHORTEST_MISTYPED
            if is_long and mistyped < _MOST_MISTYPED and not is_english(folded[place]):
                mistyped += 1
                near = language.near(folded[place])
            # A slip tells no language: other words have to.
            yield Word(near.sign, near.english) if near else Word(english=parts[place])
        place += length


def _is_joined(word: str, language: Language) -> bool:
    """Tell whether a word with a hyphen is one of several words that a language has."""
    if "-" not in word:
        return False
    parts = bare(word).split("-")
    return (
        len(parts) > 1 and bare(word) not in language.phrases and all(map(language.meaning, parts))
    )


def _wide_words(text: str, language: Language) -> Iterator[Word]:
    place = 0
    for run in _WIDE.finditer(text):
        yield from map(_kept, _WORD.findall(_WIDE.sub(" ", text[place : run.start()])))
        yield from _within(run[0], language)
        place = run.end()
    yield from map(_kept, _WORD.findall(text[place:]))


def _kept(word: str) -> Word:
    return Word(english=word)


def _within(text: str, language: Language) -> Iterator[Word]:
    """Yield the words of a text without blanks, and what stands between them."""
    place = unknown = 0
    while place < len(text):
        for length in range(min(_MOST_SIGNS, len(text) - place), 0, -1):
            if meant := language.phrases.get(bare(text[place : place + length])):
                if unknown < place:
                    yield Word(english=text[unknown:place])
                yield Word(meant.sign, meant.english, 1, is_foreign=True)
                place = unknown = place + length
                break
        else:
            place += 1
    if unknown < len(text):
        yield Word(english=text[unknown:])
