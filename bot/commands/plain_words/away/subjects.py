"""Subjects of papers that a line about an absence names: topics, and words that no rule knows.

Pure.
"""

import re

from bot.commands.plain_words.filters import ReadingFacts
from bot.commands.plain_words.keywords import topics_of
from bot.commands.plain_words.signs import words_in
from store.search import is_english

# The place of a subject, and its last word before what papers are called.
_SUBJECT = re.compile(
    r"\b(?:(?:about|on|regarding|concerning|what (?:is|are)|explain|define|which|any|new|recent"
    r"|get (?:me|us)|(?:need|want|show|give|tell|find)(?: (?:me|us))?)"
    r"|(?:in|of|for|by|to|around)(?! (?:the|this|that)\b))"
    r"((?: (?!(?:my|our|me|us|him|her|them|and|or|to)\b)[\w'-]+){1,3})"
    r"|([\w'-]+) (?:papers?|articles?|stuff|work|research|models?|news|results|progress)\b",
    re.IGNORECASE,
)
# The place of what somebody was at, or with: "stuck at NeurIPS with covid".
_OF_STORY = re.compile(
    r"\b(?:at|with|during|after|my|our)(?: (?:a|an|the|my|our))? (\S+)", re.IGNORECASE
)
# "Three weeks without robotics papers".
_LACKED = re.compile(r"\b(?:without|no|nothing (?:on|about|in|from)|zero) (.+)", re.IGNORECASE)


def topics_in(text: str, facts: ReadingFacts) -> list[str]:
    """Return the topics that a text names, each once."""
    return list(dict.fromkeys(slug for *_, slug in topics_of(words_in(text), facts)))


def topics_lacked(told: str, facts: ReadingFacts) -> list[str]:
    """Return the topic that somebody has seen nothing of: "three weeks without robotics"."""
    lacked = _LACKED.search(told)
    return topics_in(lacked[1], facts)[:1] if lacked else []


def places_of_topics(words: list[str], facts: ReadingFacts) -> frozenset[int]:
    """Return the places of words that are of topics."""
    return frozenset(
        place for first, end, _ in topics_of(words, facts) for place in range(first, end)
    )


def subjects_among(text: str, words: list[str]) -> list[str]:
    """Return those of some words of a text that a subject of papers is named by.

    They stand where one stands, or are no English words, as names of methods are.
    """
    places = (each for found in _SUBJECT.findall(text) for each in found)
    named = frozenset(words_in(" ".join(places)))
    of_story = frozenset(words_in(" ".join(_OF_STORY.findall(text))))
    return [
        each
        for each in words
        if each in named or not (each in of_story or "'" in each or _is_english(each))
    ]


def _is_english(word: str) -> bool:
    """Tell whether each part of a word is one of English: "earth-shattering"."""
    return all(is_english(part) for part in word.split("-") if part)
