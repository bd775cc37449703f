"""Tagging of entries with topics, by the phrases in `topics.toml`.

The scheme is described at the top of that file. Pure, once the file is loaded.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from bot.domain.drafts import EntryDraft
from store.records import Entry
from store.text import fold, tokens

# Raise it with every change of this module that may change a tag.
_RULES = 1

# Points are worth times place; measured against entries that were labelled by hand.
_WORTHS = {"strong": 2, "weak": 1, "not": 0}
_HEADING, _TITLE, _OPENING, _REST, _HIGHLIGHTS = 12, 8, 5, 2, 1
_OPENING_WORDS = 25
_ENOUGH = 10
# An entry with so many points for one topic mentions others in passing: these need more points.
_MUCH, _MORE = 30, 12
_MOST_TAGS = 5

# Where a made-up name is joined: "DocAgent", "RAGEval".
_JOINT = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic: its slug, its name, a line that defines it, and other names for it."""

    slug: str
    title: str
    summary: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tag:
    """A topic of an entry, and the phrases of the file that were found, best first."""

    topic: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Use:
    """The points of a phrase for one topic, by its number in the file; 0 for a `not`."""

    topic: int
    phrase: str
    worth: int


@cache
def all_topics() -> tuple[Topic, ...]:
    """Return the topics in the order of the file."""
    return tuple(
        Topic(slug, table["title"], table["summary"], tuple(table["aliases"]))
        for slug, table in _tables().items()
    )


@cache
def topic_names() -> Mapping[str, str]:
    """Return the slugs of the topics by each folded name: slug, title, alias."""
    return {
        fold(name): topic.slug
        for topic in all_topics()
        for name in (topic.slug, topic.title, *topic.aliases)
    }


@cache
def digest() -> str:
    """Return a hash that changes whenever entries may have to be tagged anew."""
    return hashlib.sha256(b"%d\n%b" % (_RULES, _file())).hexdigest()


def tag(entry: Entry | EntryDraft) -> tuple[Tag, ...]:
    """Return an entry's topics, at most five, those of most points first, then in file order."""
    found: dict[int, dict[str, int]] = {}
    for place, use in _uses(entry):
        phrases = found.setdefault(use.topic, {})
        phrases[use.phrase] = max(phrases.get(use.phrase, 0), use.worth * place)
    points = {topic: sum(phrases.values()) for topic, phrases in found.items()}
    topics = all_topics()
    return tuple(Tag(topics[topic].slug, _best_first(found[topic])) for topic in _chosen(points))


def plural(phrase: str) -> str:
    """Return a phrase with its last word in the plural."""
    if phrase.endswith("y") and not phrase.endswith(("ay", "ey", "oy", "uy")):
        return phrase[:-1] + "ies"
    return phrase + ("es" if phrase.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _chosen(points: Mapping[int, int]) -> list[int]:
    """Return the topics with enough points, in the order in which they are shown."""
    enough = _ENOUGH if max(points.values(), default=0) <= _MUCH else _MORE
    ranked = sorted(points, key=lambda topic: (-points[topic], topic))
    return [topic for topic in ranked[:_MOST_TAGS] if points[topic] >= enough]


def _best_first(phrases: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(phrases, key=lambda phrase: -phrases[phrase]))


def _uses(entry: Entry | EntryDraft) -> Iterator[tuple[int, _Use]]:
    """Yield the uses of phrases in an entry, with the factors of their places."""
    for _, use in _uses_in(entry.heading or ""):
        yield _HEADING, use
    for title in dict.fromkeys((entry.title, _JOINT.sub(" ", entry.title), entry.section or "")):
        for _, use in _uses_in(title):
            yield _TITLE, use
    for start, use in _uses_in(entry.summary or ""):
        yield _OPENING if start < _OPENING_WORDS else _REST, use
    for _, use in _uses_in(" ".join(f"{h.lead or ''} {h.text}" for h in entry.highlights)):
        yield _HIGHLIGHTS, use


# A post is laid out many times before it fits, each time with the same papers.
@lru_cache(maxsize=1024)
def _uses_in(text: str) -> tuple[tuple[int, _Use], ...]:
    """Return the uses of phrases in a text with their first words; the longest phrase wins."""
    words = tokens(text)
    phrases = _phrases()
    ends: dict[int, int] = {}
    uses = []
    for start, word in enumerate(words):
        for phrase, use in phrases.get(word, ()):
            end = start + len(phrase)
            if ends.get(use.topic, 0) <= start and words[start:end] == phrase:
                ends[use.topic] = end
                if use.worth:
                    uses.append((start, use))
    return tuple(uses)


@cache
def _phrases() -> dict[str, list[tuple[list[str], _Use]]]:
    """Return the words of all phrases by their first word, the longest phrase first."""
    phrases: dict[str, list[tuple[list[str], _Use]]] = {}
    for phrase, use in sorted(_listed(), key=lambda listed: -len(listed[0].split())):
        words = phrase.split()
        phrases.setdefault(words[0], []).append((words, use))
    return phrases


def _listed() -> Iterator[tuple[str, _Use]]:
    """Yield each phrase, and its plural unless the topic lists that too."""
    for topic, table in enumerate(_tables().values()):
        uses = {
            phrase: _Use(topic, phrase, worth)
            for name, worth in _WORTHS.items()
            for phrase in table[name]
        }
        yield from uses.items()
        yield from ((plural(p), use) for p, use in uses.items() if plural(p) not in uses)


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(_file().decode())


def _file() -> bytes:
    return files("bot.domain").joinpath("topics.toml").read_bytes()
