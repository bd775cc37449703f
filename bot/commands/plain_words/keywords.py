"""Requests told by a few words wherever these stand, as `keywords.toml` lists them.

Pure, once the file is loaded.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from bot.commands.plain_words.absences import about_absence
from bot.commands.plain_words.filters import (
    FIRST_DAY,
    ReadingFacts,
    WantedFilters,
    is_week,
    quoted_value,
    take_filters,
)
from bot.commands.plain_words.phrases import places_pattern
from bot.domain.weeks import parse_whole_period
from store.text import fold

_MOST_WORDS = 30  # a longer line is a description
_LONGEST_TOPIC = 4
_SIGNS = " ,.;:!?\"'()-"
_MINUTES = re.compile(r"\b(\d{1,3}) minutes?\b", re.IGNORECASE)
_DAYS_IN_WEEK = 7
_FORMATS = {
    "bibtex": "bibtex", "bib": "bibtex", "latex": "bibtex", "csv": "csv", "excel": "csv",
    "spreadsheet": "csv", "sheet": "csv", "ris": "ris", "zotero": "ris", "endnote": "ris",
    "mendeley": "ris", "json": "json", "markdown": "markdown", "md": "markdown",
}  # fmt: skip
# Words that may follow a topic and add nothing: "multimodal models".
_KINDS = frozenset({"model", "models", "method", "methods", "system", "systems", "llms"})
_EVER = re.compile(r"\bever\b|\ball[- ]times?\b|\bin history\b", re.IGNORECASE)
_PERIODS = frozenset({"period", "period!"})
_TO_COME = frozenset({"will", "next", "shall"})
_OF_LISTS = frozenset({"latest", "week", "top", "topic"})
_LAST_VISIT = "last visit"
_BY_VOTES = re.compile(r"\bvote[sd]?\b|\bupvote[sd]?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Intent:
    """A command, the filters that it takes, and the words that ask for it.

    `heads` are phrases with a blank on either side, the longest first.
    """

    command: str
    takes: frozenset[str]
    heads: tuple[str, ...]
    words: frozenset[str]
    examples: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A line without its filters: its words, and the topics among these by their places."""

    wanted: WantedFilters
    words: tuple[str, ...]
    topics: tuple[tuple[int, int, str], ...]
    minutes: str | None
    format: str | None
    is_by_votes: bool
    is_ever: bool


@cache
def all_intents() -> tuple[Intent, ...]:
    """Return the intents in the order in which they are tried."""
    return tuple(_intents(_table()["intents"], frozenset(_table()["common"].split())))


@cache
def _table() -> dict[str, Any]:
    text = files("bot.commands.plain_words").joinpath("keywords.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _superlatives() -> tuple[tuple[re.Pattern[str], str], ...]:
    patterns: dict[str, str] = _table()["superlatives"]
    before = r"\b(?:(?:papers?|articles?|works?|research) )?(?:from|by|at|out of) "
    places = f"{before}(?={places_pattern().pattern})"
    return tuple(
        (re.compile(pattern, re.IGNORECASE), sentence)
        for pattern, sentence in (*patterns.items(), (places, _table()["places"]))
    )


@cache
def _any_superlative() -> re.Pattern[str]:
    """Return what finds whether a line has one: hardly any has."""
    patterns = (f"(?:{pattern.pattern})" for pattern, _ in _superlatives())
    return re.compile("|".join(patterns), re.IGNORECASE)


def unknown_superlatives(text: str) -> tuple[str, ...]:
    """Return what is said of the superlatives in a text that the store can't know."""
    if len(text.split()) > _MOST_WORDS or not _any_superlative().search(text):
        return ()
    return tuple(sentence for pattern, sentence in _superlatives() if pattern.search(text))


@lru_cache(maxsize=64)
def without_unknown(text: str) -> str:
    """Return a text without the superlatives and orders that the store can't know."""
    if len(text.split()) > _MOST_WORDS:
        return text
    if not _any_superlative().search(text):
        return text
    for pattern, _ in _superlatives():
        # "The best agents ever" holds what it is about.
        text = (_EVER if ".*" in pattern.pattern else pattern).sub(" ", text)
    return " ".join(text.split()).strip(" ,")


def _intents(tables: Sequence[dict[str, Any]], common: frozenset[str]) -> Iterator[Intent]:
    for table in tables:
        heads = sorted(table["heads"], key=len, reverse=True)
        words = common.union(table["also"].split(), *(head.split() for head in heads))
        padded = tuple(f" {head} " if head else "" for head in heads)
        yield Intent(table["command"], frozenset(table["takes"]), padded, words, table["examples"])


@cache
def words_of_intents() -> frozenset[str]:
    """Return the words that ask for a list, to which a mistyped word may be corrected."""
    heads = (head for intent in all_intents() for head in intent.heads)
    return frozenset(word for head in heads for word in head.split() if word.isalpha())


@cache
def common_words() -> frozenset[str]:
    """Return the words that tell no request from another."""
    return frozenset.intersection(*(intent.words for intent in all_intents()))


@cache
def brief_words() -> frozenset[str]:
    """Return the words that ask for a brief and tell it from no other."""
    return frozenset[str]().union(
        *(intent.words for intent in all_intents() if intent.command == "brief")
    )


def read_intent(text: str, facts: ReadingFacts) -> str | None:
    """Return the command that a line asks for by its words, `None` if it has others."""
    if len(text.split()) > _MOST_WORDS:
        return None
    asked = _asked(text, facts)
    past = about_absence(text, facts)
    missed = asked if past == text else _asked(past, facts)
    meant = (
        _meant(each, missed if "absence" in each.takes else asked, facts) for each in all_intents()
    )
    return next(filter(None, meant), None)


def drops_filters(command: str, text: str, facts: ReadingFacts) -> bool:
    """Tell whether the command of a list has none of the topics and filters of a whole line."""
    if ":" in command or command.partition(" ")[0] not in _OF_LISTS:
        return False
    wanted = take_filters(text, facts)
    return any(wanted.named) or any(topics_of(wanted.words.lower().split(), facts))


def _asked(text: str, facts: ReadingFacts) -> _Asked:
    minutes = _MINUTES.search(text)
    wanted = take_filters(text, facts)
    words = tuple(map(facts.spelled, filter(None, map(_bare, wanted.words.split()))))
    formats = (_FORMATS[word] for word in words if word in _FORMATS)
    return _Asked(
        wanted,
        words,
        tuple(topics_of(words, facts)),
        minutes[1] if minutes else None,
        next(formats, None),
        _BY_VOTES.search(text) is not None,
        _EVER.search(text) is not None,
    )


def _bare(word: str) -> str:
    return word.lower().strip(_SIGNS).removesuffix("'s")


def topics_of(words: Sequence[str], facts: ReadingFacts) -> Iterator[tuple[int, int, str]]:
    """Yield where topics begin and end among words, and their slugs."""
    place = 0
    folded = [fold(word) for word in words]
    while place < len(words):
        lengths = range(min(_LONGEST_TOPIC, len(words) - place), 0, -1)
        named = ((n, facts.exact_topic(" ".join(folded[place : place + n]))) for n in lengths)
        length, slug = next(((n, slug) for n, slug in named if slug), (1, None))
        if slug:
            if folded[place + length : place + length + 1] and folded[place + length] in _KINDS:
                length += 1
            yield place, place + length, slug
        place += length


def _meant(intent: Intent, asked: _Asked, facts: ReadingFacts) -> str | None:
    """Return the command of an intent with its filters, `None` where it is not meant."""
    topics = [
        each
        for each in asked.topics
        if each[1] > each[0] + 1 or asked.words[each[0]] not in intent.words
    ]
    of_topics = {place for first, end, _ in topics for place in range(first, end)}
    rest = [word for place, word in enumerate(asked.words) if place not in of_topics]
    if not all(word in intent.words or _is_counted(word, asked) for word in rest):
        return None
    line = f" {' '.join(rest)} "
    if not any(head in line for head in intent.heads) and not _is_now(intent, asked, facts):
        return None
    return _command(intent, asked, list(dict.fromkeys(slug for *_, slug in topics)), facts)


def _is_counted(word: str, asked: _Asked) -> bool:
    return word == asked.minutes


def _is_now(intent: Intent, asked: _Asked, facts: ReadingFacts) -> bool:
    return intent.command == "latest" and _is_this_week(asked.wanted.period, facts)


def _is_this_week(period: str | None, facts: ReadingFacts) -> bool:
    found = parse_whole_period(period, facts.today) if period else None
    if found is None or not found.first_day <= facts.today <= found.last_day:
        return False
    return (found.last_day - found.first_day).days < _DAYS_IN_WEEK


def _command(intent: Intent, asked: _Asked, topics: list[str], facts: ReadingFacts) -> str | None:
    takes, wanted = intent.takes, asked.wanted
    if "topics" in takes:
        # "what was hot in october?" asks for the best.
        is_past = wanted.period and not topics
        return None if is_past else " ".join(filter(None, (intent.command, ",".join(topics))))
    is_wrong = len(topics) > ("topic" in takes or "topic!" in takes)
    position = _position(takes, asked, facts)
    if is_wrong or position is None or ("topic!" in takes and not topics):
        return None
    if "topic!" in takes:
        return _written(intent, f"{position} {topics[0]}", _named(takes, asked, None))
    return _written(intent, position, _named(takes, asked, next(iter(topics), None)))


def _named(takes: frozenset[str], asked: _Asked, topic: str | None) -> dict[str, str | None]:
    wanted = asked.wanted
    source = None if "sources" in takes else wanted.source
    values = {"from": source, "author": wanted.author, "topic": topic}
    if "since" in takes:
        values.update({key: value for key, value in wanted.named if key in ("since", "until")})
    elif takes & _PERIODS:
        values |= {"since": wanted.since, "until": wanted.until}
    if "votes" in takes and asked.is_by_votes:
        values["by"] = "votes"
    if "format" in takes:
        values["as"] = asked.format
    if "absence" in takes and not (asked.minutes or any(values.values())):
        values["since"] = _LAST_VISIT
    return values


def _position(  # noqa: PLR0911 - each kind of argument is a case
    takes: frozenset[str], asked: _Asked, facts: ReadingFacts
) -> str | None:
    """Return the argument without a name, `None` if a period is no argument of a command."""
    wanted = asked.wanted
    if "absence" in takes:
        # "I will be away", "away until Monday"
        is_to_come = not _TO_COME.isdisjoint(asked.words) or (wanted.until and not wanted.since)
        return None if is_to_come else asked.minutes or ""
    if "minutes" in takes and (asked.minutes or wanted.period):
        return asked.minutes  # "what should I read this week?" names the list
    if "since" in takes:
        return ""
    if takes & _PERIODS and (wanted.since or wanted.until or wanted.period):
        return wanted.period or ""
    if "period" in takes:
        return f"{FIRST_DAY}..{facts.today}" if asked.is_ever else ""
    if wanted.since or wanted.until or "period!" in takes:
        return None
    if not wanted.period or ("week" not in takes and _is_this_week(wanted.period, facts)):
        return ""
    is_one = "week" in takes and is_week(wanted.period, facts) and _is_short(wanted.period, facts)
    return wanted.period if is_one else None


def _is_short(period: str, facts: ReadingFacts) -> bool:
    """Tell whether a period has no more days than an edition."""
    found = parse_whole_period(period, facts.today)
    return found is not None and (found.last_day - found.first_day).days <= _DAYS_IN_WEEK


def _written(intent: Intent, position: str, values: Mapping[str, str | None]) -> str | None:
    if intent.command == "week" and not position:
        return None
    allowed = {"topic", "since", "until", "by", "as"} | intent.takes
    named = [(key, value) for key, value in values.items() if value]
    if any(key not in allowed for key, _ in named) or (intent.command == "search" and not named):
        return None
    position = position.removeprefix("this ") if intent.command == "top" else position
    texts = (f"{key}:{quoted_value(value)}" for key, value in named)
    return " ".join(filter(None, (intent.command, position, *texts)))
