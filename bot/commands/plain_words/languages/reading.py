"""Lines in other languages as English sentences or commands, by the signs that they have. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from bot.commands.plain_words.filters import ReadingFacts
from bot.commands.plain_words.keywords import common_words
from bot.commands.plain_words.languages.words import Word, languages_of, table
from bot.commands.plain_words.phrases import vocabulary
from store.search import is_english

_MOST_WORDS = 40  # a longer line is a description
_LONG = 4  # letters: a shorter word that English rules lack is a word of many languages
_UNITS = {"day", "week", "month", "year"}
_COUNTED = {"last", "this", "every", "ago", "one"}  # signs
_OF_COURTESY = {"greet", "thanks", "praise", "how", "this", "one"}
# English words before what a line in two languages is about.
_BEFORE_REST = frozenset({"and", "show", "me", "give", "find", "get", "about", "on", "any", "some"})
_BEHIND_REST = frozenset({"please", "pls", "thanks", "thx"})
_FEW = 2  # words beside thanks that the language lacks
_COURTESIES = {"greet": "greeting", "thanks": "thanks", "praise": "thanks"}
# Hours, `14h30`, `16 Uhr`, `9点`, which are written before words are looked up.
_HOUR = re.compile(
    r"\b(?:um |à |a las |às )?(\d{1,2}) ?(?:h|uhr|heures?|horas?|hs)(?:(\d\d))?\b", re.IGNORECASE
)
_MORNING = re.compile(r"(?:上午|早上|早|午前|朝)(?:の)?(\d{1,2})[点點时時]")
_EVENING = re.compile(r"(?:下午|晚上|午後|夕方|夜)(?:の)?(\d{1,2})[点點时時]")
_WIDE_HOUR = re.compile(r"(\d{1,2})[点點时時]")
_WIDE_MONTH = re.compile(r"(?:(20\d\d)年(?:の)?)?(\d{1,2})月(?:份)?(?!\d{1,2}[日号])")
_TOP = re.compile(r"\b(top) \d{1,2}\b", re.IGNORECASE)
_WIDE_YEAR = re.compile(r"(20\d\d)年(?!\d)")
_NUMBERED = re.compile(r"(?:第|号)(\d{1,3})(?:篇|番目?|号|个)?|(\d{1,3})(?:番目?|号|篇)")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip


_NAMED = {
    "day": re.compile(r"(?!)"),
    "week": re.compile(r"\d{1,2}"),
    "month": re.compile("|".join(_MONTHS)),
    "year": re.compile(r"20\d\d"),
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """Signs of a line, and what it then means: an English line of some commands, or a command.

    Of a line that is read loosely, words that the language lacks may be left out.
    """

    when: tuple[frozenset[str], ...]
    says: str
    means: frozenset[str]
    command: str
    is_loose: bool


@dataclass(frozen=True, slots=True)
class ForeignLine:
    """A line in another language: its signs, and the words that are no sign, in English.

    `known` are those of the rest that the language has, and numbers.
    """

    signs: frozenset[str]
    rest: str
    known: str
    is_courteous: bool

    @property
    def courtesy(self) -> str | None:
        """The kind of courtesy that it is and nothing else."""
        if not self.is_courteous:
            return None
        kinds = (kind for sign, kind in _COURTESIES.items() if sign in self.signs)
        return "thanks" if "thanks" in self.signs else next(kinds, None)


@cache
def sentences() -> tuple[Sentence, ...]:
    """Return what lines may mean, in the order in which it is tried."""
    return tuple(
        Sentence(
            tuple(frozenset(each.split()) for each in one["when"]),
            one.get("says", ""),
            frozenset(one.get("means", ())),
            one.get("command", ""),
            one.get("loose", False),
        )
        for one in table("sentences")["sentences"]
    )


def foreign_lines(text: str, facts: ReadingFacts) -> Iterator[ForeignLine]:
    """Yield what a line says in each language that it may be in, the likeliest first."""
    if len(text.split()) > _MOST_WORDS:
        return
    line = _HOUR.sub(lambda hour: f" at {int(hour[1])}:{hour[2] or '00'} ", text)
    line = _MORNING.sub(r" at \1am ", line)
    line = _EVENING.sub(r" at \1pm ", line)
    line = _WIDE_HOUR.sub(r" at \1:00 ", line)
    line = _NUMBERED.sub(lambda number: f" {number[1] or number[2]} ", line)
    line = _WIDE_MONTH.sub(_month, line)
    line = _TOP.sub(r"\1", _WIDE_YEAR.sub(r" \1 ", line))

    def counts(word: str) -> bool:
        return _is_english(word) and not facts.exact_topic(word)

    for words in languages_of(line, counts):
        yield _said(_with_times(words))


def _month(found: re.Match[str]) -> str:
    number = int(found[2])
    if not 1 <= number <= len(_MONTHS):
        return found[0]
    return f" {_MONTHS[number - 1]} {found[1] or ''} "


def _is_english(word: str) -> bool:
    if word in _foreign_words():
        return False
    is_known = word in common_words() or word in vocabulary() or word in _english_words()
    return is_known or (len(word) >= _LONG and is_english(word))


@cache
def _foreign_words() -> frozenset[str]:
    return frozenset(table("sentences")["foreign"].split())


@cache
def _english_words() -> frozenset[str]:
    return frozenset(table("sentences")["words"].split())


def _said(words: Sequence[Word]) -> ForeignLine:
    signs = {word.sign for word in words if word.sign}
    rest = [word for word in words if word.english]
    while rest and not rest[0].known and rest[0].english.lower() in _BEFORE_REST:
        rest.pop(0)
    while rest and rest[-1].english.lower() in _BEHIND_REST:
        rest.pop()
    known = [word.english for word in rest if word.known or word.english.isdigit()]
    asked = signs - _OF_COURTESY - ({"help"} if "thanks" in signs else set())
    is_courteous = not (asked or known) and len(rest) <= _FEW
    if not rest:
        signs.add("alone")
    if not rest and len(signs - {"this", "one", "alone"}) == 1:
        signs.add("only")
    it = "it" if "this" in signs else ""
    texts = " ".join(word.english for word in rest)
    return ForeignLine(frozenset(signs), texts or it, " ".join(known) or it, is_courteous)


def _with_times(words: Sequence[Word]) -> list[Word]:
    """Return words with each unit of time and what counts it as one English phrase."""
    kept = [word for word in words if word.sign or word.english]
    found: list[Word] = []
    place = 0
    while place < len(kept):
        if kept[place].english not in _UNITS:
            found.append(kept[place])
            place += 1
            continue
        beside: list[Word] = []
        while found and (found[-1].sign in _COUNTED or found[-1].english.isdigit()):
            beside.append(found.pop())
        unit, place = kept[place].english, place + 1
        while place < len(kept) and kept[place].sign in _COUNTED:
            beside.append(kept[place])
            place += 1
        if not beside and place < len(kept) and _NAMED[unit].fullmatch(kept[place].english):
            continue
        is_since = bool(found) and found[-1].english == "since"
        time = _time(unit, beside, is_since=is_since)
        if is_since and time.english.startswith("the last"):
            found.pop()
        found.append(time)
    return found


def _time(unit: str, beside: Sequence[Word], *, is_since: bool) -> Word:
    """Return a unit of time with the words beside it: `last`, `3` and `week`."""
    signs = {word.sign for word in beside}
    count = next((word.english for word in beside if word.english), "1" if "one" in signs else "")
    if "every" in signs:
        return Word("every", f"every {unit}", known=1)
    if "ago" in signs:
        return Word("time", known=1, english=f"{count or 1} {unit}s ago")
    if "one" in signs and "last" in signs:
        return Word("time", known=1, english=f"last {unit}")
    if count and ("last" in signs or is_since):
        return Word("time", known=1, english=f"the last {count} {unit}s")
    if count:
        return Word("time", known=1, english=f"{count} {unit}s")
    return Word("time", known=1, english=f"{'last' if 'last' in signs else 'this'} {unit}")
