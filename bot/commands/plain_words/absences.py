"""Absences in plain words: `away for two weeks` is about the last two weeks. Pure."""

import re

from bot.commands.plain_words.filters import ReadingFacts, take_filters

_MOST_WORDS = 30  # a longer line is a description
_COUNTS = {"few": "3", "several": "3", "some": "3", "couple": "2", "a": "1", "an": "1"}
_WEEKLY = {"edition", "issue", "newsletter", "digest"}
# "Last month" is a month of the calendar, "the last month" the days up to now.
_UP_TO_NOW = re.compile(r"\bthe (?:last|past) (week|month|quarter|year)\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"(?:\b(?:since|for|after|over|in|during|within|of|about|around|almost|nearly|roughly|these"
    r"|those|the|this|my|our|last|past|previous|good|whole|full|entire)\s+)*"
    r"\b(\d{1,3}|(?:an?\s+)?(?:few|couple(?:\s+of)?)|several|some|an?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten)[\s-]+"
    r"(?:(?:last|past|previous|long|whole|full|good)\s+)?"
    r"(day|week|month|quarter|year|edition|issue|newsletter|digest)s?\b'?(?!\s+(?:ago|later|before|earlier)\b)",
    re.IGNORECASE,
)


def about_absence(text: str, facts: ReadingFacts) -> str:
    """Return a text in which a length of time is that before today: `over the last 2 weeks`.

    Beside a period it adds nothing, and goes.
    """
    if len(text.split()) > _MOST_WORDS:
        return text
    text = _UP_TO_NOW.sub(r"the last 1 \1", text)
    if not _LENGTH.search(text):
        return text
    bare = " ".join(_LENGTH.sub(" ", text).split())
    wanted = take_filters(bare, facts)
    if wanted.period or wanted.since or wanted.until:
        return bare
    return _LENGTH.sub(_last, text, count=1)


def _last(length: re.Match[str]) -> str:
    words = length[1].lower().split()
    counted = [word for word in words if word not in ("a", "an", "of")] or words
    number, unit = _COUNTS.get(counted[0], counted[0]), length[2].lower()
    unit = "week" if unit in _WEEKLY else unit
    return f"over the last {number} {unit}{'' if number in ('1', 'one') else 's'}"
