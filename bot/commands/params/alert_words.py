"""The words of an alert, which are read as in a search but for what could never match."""

import re
from dataclasses import replace

from bot.commands.params.scalars import WORDS
from bot.commands.types import Context
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted

_OFFERED = 3
# Words that begin a sentence, "alert me when mamba appears": plain words can read it. Not `US`, and
# not `on-policy`.
_SENTENCE = re.compile(r"(?:(?:[Mm]e|us|by|when|whenever|if|once|about|for|on)(?:\s+|$))+")
_PERIOD = re.compile(r"\s*\b(since|until):\S*")
_OR = re.compile(r"\s+OR\s+")


async def _read_words(text: str, context: Context) -> str:
    """Read the words of an alert; refuse those that would never match what is meant by them."""
    read: str = await WORDS.read(text, context)
    if found := _PERIOD.search(text):
        raise ArgumentError(
            f"An alert tells of new papers alone, so {found[1]}: has no place in it.",
            nearest=_offered(_PERIOD.sub("", text)),
        )
    if _OR.search(text):
        raise ArgumentError(
            "An alert looks for all of its words, and OR is none of them.",
            "Make one for each; you get one message for both.",
            _offered(*_OR.split(text)),
        )
    if found := _SENTENCE.match(text):
        spoken = quoted(found[0].strip())
        raise ArgumentError(
            f"An alert looks for words of papers, and {spoken} says nothing about them.",
            nearest=_offered(text[found.end() :]),
        )
    return read


def _offered(*texts: str) -> tuple[Option, ...]:
    return tuple(Option(text.strip()) for text in texts[:_OFFERED] if text.strip())


ALERT_WORDS = replace(WORDS, read=_read_words)
