"""Plain words made ready to be read: straight quotes, whole words, no politeness. Pure."""

import re

from bot.commands.plain_words.rules import closings, openings, short_forms

_STRAIGHT = str.maketrans({
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{DOUBLE LOW-9 QUOTATION MARK}": '"',
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{ACUTE ACCENT}": "'",
    "`": "'",
})  # fmt: skip
# Emoji, their names in Slack, and smileys.
_PICTURES = re.compile(
    r":[a-z0-9_+-]{2,}:|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]|[:;]-?[)(DP]\B"
)
# The last four are those of Chinese and Japanese.
_ENDS = " .,!?~-\N{INVERTED EXCLAMATION MARK}\N{INVERTED QUESTION MARK}\u3002\uff01\uff1f\u3001"


def clean(text: str) -> str:
    """Return the words that carry the meaning, in their case; empty if there are none.

    Greetings before other words, politeness and signs at the end go; short forms become words.
    """
    words = _without_pictures(text)
    for short, whole in short_forms():
        words = short.sub(whole, words)
    while (found := openings().match(words)) and words[found.end() :]:
        words = words[found.end() :]
    while (found := closings().search(f" {words}")) and found.start():
        words = words[: found.start() - 1]
    return words.strip(_ENDS)


def tidy(text: str) -> str:
    """Return a text in lower case without pictures and signs at its ends: `Thanks!!` → `thanks`."""
    return _without_pictures(text).lower().strip(_ENDS)


def has_picture(text: str) -> bool:
    """Tell whether a text holds an emoji or a smiley."""
    return _PICTURES.search(text) is not None


def _without_pictures(text: str) -> str:
    return " ".join(_PICTURES.sub(" ", text.translate(_STRAIGHT)).split())
