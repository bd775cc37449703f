"""Plain words made ready to be read: whole words, no politeness. Pure."""

import re
from datetime import date, timedelta

from bot.commands.plain_words.phrases import (
    any_short_form,
    closings,
    openings,
    short_forms,
    short_words,
    turns,
    whole_forms,
)
from bot.domain.dates.seasons import with_seasons
from bot.domain.dates.spoken import with_parts_of_months
from bot.domain.schedule import WEEKDAYS

# Emoji, their names in Slack, and smileys.
_SHOWN = ("(show|see) [me] (the|its|their) TOLD", "show [me|us] (only|just) {x}")
_PICTURES = re.compile(
    r":[a-z0-9_+-]{2,}:|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]|[:;]-?[)(]\B|(?<!\w)[:;]-?[DP]\b"
)
_LAUGHED = re.compile(r"[\U0001f600-\U0001f606\U0001f639\U0001f923]|:(?:joy|rofl|laughing):")
_FROWNED = re.compile(
    r"[\U0001f44e\U0001f620\U0001f621\U0001f624\U0001f92c\u2639\U0001f641\U0001f61e]"
    r"|:(?:-1|thumbsdown|angry|rage):"
)
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_PART_OF_YEAR = re.compile(
    rf"\b({_MONTHS}(?: \d{{1,2}}(?:st|nd|rd|th)?)?|\d{{1,2}}(?:st|nd|rd|th)? {_MONTHS}"
    r"|week \d{1,2}|q[1-4]),? (?:of |in )?(last|this) year\b",
    re.IGNORECASE,
)
_SINCE_DAY = re.compile(
    r"\bsince (?:last )?((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?! (?:of )?last week)",
    re.IGNORECASE,
)
# "could you tell me why …"
_ASKED = re.compile(
    r"(?:tell|show|remind|explain to) (?:me|us) (?=(?:what|which|who|whose|when|where|why|how)\b)"
    r"|(?:tell me )?(?:if|whether) (?=(?:there|it|they|you|we|i|the)\b)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s*[,.;:!?]+\s+|\s+(?:-|\u2013|\u2014)+\s+|\s+but\s+"
    r"|\s+(?=(?:before|because|so that|until) (?:i|we|my|our)\b)",
    re.IGNORECASE,
)
_HEADED = re.compile(r"\w+: +\w")
_LONGEST_CLOSING = 60  # characters
# The last four are those of Chinese and Japanese.
_ENDS = " .,!?~-\N{INVERTED EXCLAMATION MARK}\N{INVERTED QUESTION MARK}\u3002\uff01\uff1f\u3001"


def clean(text: str, today: date) -> str:
    """Return the words that carry the meaning, in their case; empty if there are none.

    Greetings before other words, politeness and signs at the end go; short forms become words;
    `this year` and `last year` become years behind a part of a year.
    """
    words = " ".join(_whole(word) for word in without_pictures(text).split())
    if any_short_form().search(words):
        for short, whole in short_forms():
            words = short.sub(whole, words)
    words = with_parts_of_months(with_seasons(words), today)
    words = _PART_OF_YEAR.sub(lambda part: f"{part[1]} {today.year - (part[2] == 'last')}", words)
    words = _SINCE_DAY.sub(lambda day: f"since {_last_day_of(day[1], today)}", words)
    return without_politeness(words)


def _last_day_of(weekday: str, today: date) -> date:
    """Return the last such weekday before today."""
    ago = (today.weekday() - WEEKDAYS.index(weekday.lower())) % 7 or 7
    return today - timedelta(days=ago)


def without_politeness(words: str) -> str:
    """Return words without politeness before and behind them."""
    while (found := openings().match(words)) and words[found.end() :]:
        words = words[found.end() :]
    if asked := _ASKED.match(words):
        words = words[asked.end() :]
    # The end alone is searched, and nothing within an address.
    while (found := closings().search(f" {words[-_LONGEST_CLOSING:]}")) and found.start():
        words = words[: max(0, len(words) - _LONGEST_CLOSING) + found.start() - 1]
    return words.strip(_ENDS)


_OWN = re.compile(r"show (?:me )?(?:my|our) ")


def names_no_paper(text: str) -> bool:
    """Tell whether a line that shows something asks for another page, a part, or less of a list."""
    words = without_politeness(tidy(text))
    forms = whole_forms("phrases.toml", _SHOWN)
    is_shown = any(each.match(words, frozenset(words.split())) for each in forms)
    is_own = _OWN.match(words) is not None
    return is_shown or is_own or any(turn.fullmatch(words) for turn in turns().values())


def clauses(words: str) -> list[str]:
    """Return the clauses of cleaned words, without the politeness of each; none of one alone."""
    parts = [part for part in _BETWEEN.split(words) if part]
    if len(parts) > 1 and _HEADED.match(words):  # what stands behind is what it is of: "recap: X"
        parts[:2] = [" ".join(parts[:2])]
    return [without_politeness(part) for part in parts] if len(parts) > 1 else []


def _whole(word: str) -> str:
    """Return a word for one that is written shorter, with the signs behind it."""
    bare = word.rstrip(",.;:!?")
    whole = short_words().get(bare.lower())
    return word if whole is None else whole + word[len(bare) :]


def tidy(text: str) -> str:
    """Return a text in lower case without pictures and signs at its ends: `Thanks!!` → `thanks`."""
    return without_pictures(text).lower().strip(_ENDS)


def has_picture(text: str) -> bool:
    """Tell whether a text holds an emoji or a smiley."""
    return _PICTURES.search(text) is not None


def is_laughed(text: str) -> bool:
    """Tell whether a text holds a face that laughs."""
    return _LAUGHED.search(text) is not None


def is_frowned(text: str) -> bool:
    """Tell whether a text holds a thumb that points down or a face that is not content."""
    return _FROWNED.search(text) is not None


def is_waved(text: str) -> bool:
    """Tell whether a text holds a waving hand."""
    return "\N{WAVING HAND SIGN}" in text or ":wave:" in text


def without_pictures(text: str) -> str:
    """Return a text without emoji and smileys."""
    return " ".join(_PICTURES.sub(" ", text.replace("`", "'")).split())
