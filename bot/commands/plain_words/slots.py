"""The slots of the rules: each reads words as arguments of a command. Pure.

A slot returns the text of arguments, `None` where the words are no such thing.
"""

import re
from collections.abc import Callable

from bot.commands.plain_words.filters import (
    Facts,
    content_of,
    is_week,
    quoted_value,
    split_filters,
)
from bot.commands.plain_words.list_references import read_list_reference
from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id

_ABOUT_PAPER = re.compile(
    r"(?:(?:the|this|that) )?(?:\w+ )?(?:paper|article|one|work)s?"
    r" (?:(?:called|titled|named|about|on|with the title) )+",
    re.IGNORECASE,
)
_OUTER = re.compile(
    r"^(?:the|a|an|about|on|of|for|to|is|are) |\s+(?:paper|papers|article|about|again)$",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s*(?:,|&|\band\b|\bvs\.?(?=\s)|\bversus\b|\bor\b|\bagainst\b)\s*", re.IGNORECASE
)
_MINUTES = re.compile(r"(\d{1,3}|five|ten|fifteen|twenty|thirty)(?: ?-? ?(?:m|min|mins|minutes?))?")
_SPOKEN_MINUTES = {"five": "5", "ten": "10", "fifteen": "15", "twenty": "20", "thirty": "30"}
_DAY = re.compile(
    r"\b(?:every |each |on |next )*((?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b", re.IGNORECASE
)
_TIME = re.compile(
    r"\b(?:at |around )?((?:[01]?\d|2[0-3])(?::[0-5]\d)? ?(?:am|pm)|(?:[01]?\d|2[0-3]):[0-5]\d|noon)\b"
    r"|\bat (\d{1,2})\b",
    re.IGNORECASE,
)
_ZONE = re.compile(
    r"\b(?:(?:in )?(?:the )?([A-Z][a-z]+/[A-Za-z_]+|utc|gmt)|(?:in (?:the )?)([a-z]+(?: [a-z]+)?)(?: (?:time|zone))?)\b",
    re.IGNORECASE,
)
_EVERY_WEEK = re.compile(
    r"\b(?:every|each) (?:week|day|morning)|\bweekly\b|\bdaily\b", re.IGNORECASE
)
_ABOUT = re.compile(r"\b(?:about|on|for|with)\s+(.+)$", re.IGNORECASE)
# Other words for what a command does, where help is asked for.
_MEANT = {
    "bookmark": "save", "keep": "save", "upvote": "vote", "like": "vote", "find": "search",
    "filter": "search", "schedule": "subscribe", "post": "subscribe", "set": "subscribe",
    "stop": "unsubscribe", "delete": "forget", "export": "saved", "list": "saved",
    "configure": "settings", "timezone": "settings", "zone": "settings", "mute": "pause",
    "annotate": "note", "topics": "topic", "voting": "vote", "saving": "save",
    "searching": "search", "subscribing": "subscribe", "subscription": "subscribe",
}  # fmt: skip


def _paper(text: str, _facts: Facts) -> str | None:
    if ids := [each for each in map(_id_of, text.split()) if each]:
        return ids[0]
    words = _ABOUT_PAPER.sub("", text, count=1).strip(" \"'")
    while read_list_reference(words) is None and (shorter := _OUTER.sub("", words)) != words:
        words = shorter
    return words.strip(" \"'") or None


def _id_of(word: str) -> str | None:
    bare = word.strip("<>(),.?!\"'")
    return bare_arxiv_id(bare) or arxiv_id_in_url(bare)


def _listed(text: str, _facts: Facts) -> str | None:
    """Read only words that speak of the list seen last."""
    return text if read_list_reference(text) else None


def _query(text: str, facts: Facts) -> str | None:
    wanted = split_filters(text, facts)
    named = [f"{key}:{quoted_value(value)}" for key, value in wanted.named]
    return " ".join(filter(None, (wanted.words, *named))) or None


def _best(text: str, facts: Facts) -> str | None:
    """Read a period, a topic, a source and an author, and nothing else."""
    wanted = split_filters(text, facts)
    topic = facts.topic(wanted.words) if wanted.words else None
    if wanted.words and topic is None:
        return None
    by = "votes" if re.search(r"\b(?:by|most|with most) votes?\b", text, re.IGNORECASE) else None
    named = (
        ("topic", topic),
        ("from", wanted.source),
        ("author", wanted.author),
        ("since", wanted.since),
        ("until", wanted.until),
        ("by", by),
    )
    texts = [f"{key}:{quoted_value(value)}" for key, value in named if value]
    period = (wanted.period or "").removeprefix("this ").removeprefix("the ")
    return " ".join(filter(None, (period, *texts)))


def _topic(text: str, facts: Facts) -> str | None:
    wanted = split_filters(text, facts)
    topic = facts.topic(wanted.words)
    named = [f"{key}:{quoted_value(value)}" for key, value in wanted.named]
    return " ".join((topic, *named)) if topic else None


def _topics(text: str, facts: Facts) -> str | None:
    names = [content_of(each) for each in _AND.split(text)]
    slugs = [facts.topic(each) for each in names if each]
    return ",".join(filter(None, slugs)) if slugs and all(slugs) else None


def _week(text: str, facts: Facts) -> str | None:
    words = re.sub(r"^(?:the |for |of |from |in |during )+", "", text.strip(), flags=re.IGNORECASE)
    wanted = split_filters(words, facts)
    topic = facts.topic(wanted.words) if wanted.words else None
    if (wanted.words and not topic) or not wanted.period or not is_week(wanted.period, facts):
        return re.sub(r"^week of ", "", words) if is_week(words, facts) else None
    named = (("topic", topic), ("from", wanted.source))
    return " ".join([wanted.period, *(f"{key}:{value}" for key, value in named if value)])


def _minutes(text: str, _facts: Facts) -> str | None:
    found = _MINUTES.fullmatch(text.lower().strip())
    return _SPOKEN_MINUTES.get(found[1], found[1]) if found else None


def _command(text: str, facts: Facts) -> str | None:
    words = re.findall(r"[a-z]+", text.lower())
    named = (_MEANT.get(word, word) for word in words)
    return next((name for name in named if name in facts.commands), None)


def _source(text: str, facts: Facts) -> str | None:
    slug = text.lower().strip()
    near = (each for each in sorted(facts.sources) if sorted(each) == sorted(slug))
    return slug if slug in facts.sources else next(near, None)


def _schedule(text: str, facts: Facts) -> str | None:
    """Read a day or a time, perhaps a zone and a topic of a subscription, in any order."""
    arguments: list[str] = []
    rest = text
    if day := _DAY.search(rest):
        arguments.append(day[1].lower())
        rest = rest[: day.start()] + " " + rest[day.end() :]
    if time := _TIME.search(rest):
        arguments.append((time[1] or f"{int(time[2]):02}:00").lower().replace(" ", ""))
        rest = rest[: time.start()] + " " + rest[time.end() :]
    if not arguments and not _EVERY_WEEK.search(text):
        return None
    about = _ABOUT.search(rest)
    topic = facts.topic(content_of(about[1])) if about else None
    if about and topic:
        rest = rest[: about.start()]
    if zone := _ZONE.search(rest):
        arguments.append(zone[1] or zone[2])
    return " ".join([*arguments, *([f"topic:{topic}"] if topic else [])])


def _followed(text: str, facts: Facts) -> str | None:
    """Read the topic or the source of a subscription."""
    name = content_of(text)
    if topic := facts.topic(name):
        return f"topic:{topic}"
    return f"from:{name.lower()}" if name.lower() in facts.sources else None


def _text(text: str, _facts: Facts) -> str | None:
    return text or None


SLOTS: dict[str, Callable[[str, Facts], str | None]] = {
    "paper": _paper,
    "listed": _listed,
    "query": _query,
    "best": _best,
    "topic": _topic,
    "topics": _topics,
    "week": _week,
    "minutes": _minutes,
    "command": _command,
    "source": _source,
    "schedule": _schedule,
    "followed": _followed,
    "text": _text,
}
