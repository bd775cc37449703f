"""Wishes told by signs wherever these stand in a line, as `evidence.toml` lists them.

Pure, once the file is loaded.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from bot.commands.plain_words.absences import about_absence, read_pause_end
from bot.commands.plain_words.filters import (
    ReadingFacts,
    WantedFilters,
    content_of,
    quoted_value,
    split_filters,
    take_filters,
)
from bot.commands.plain_words.keywords import brief_words, common_words, topics_of
from bot.commands.plain_words.phrases import words_of
from bot.commands.plain_words.schedules import signs_of_schedule, without_schedule
from bot.domain.dates.spoken import with_days
from bot.domain.weeks import parse_edge

_MOST_WORDS = 40  # a longer line is a description
_FEW_WORDS = 10
_MOST_UNKNOWN = 3  # words of a wish for posts that say something else
_WORD = re.compile(r"[^\W_][\w'#/+-]*")
_PART = re.compile(
    r"\s*[.;:!?]+(?:\s+|$)|,\s+|\s+(?:-|\u2013|\u2014)+\s+|\s+(?:so|and then)\s+"
    r"|\s+(?=(?:since|while|whilst) (?:i|we)\b)",
    re.IGNORECASE,
)
# The beginning of a part that tells of the person.
_OF_PERSON = re.compile(
    r"(?:(?:and|but|so|sorry|well|hi|hello|hey|good morning|ok|okay|as|because|when|after|since) )*"
    r"(?:(?:i|we) (?:\S+ )?(?:was|were|am|are|have|had|took|take|went|spent|did|could|got|came|just"
    r"|only|joined|left|missed|returned|ignored|skipped|stopped|finally|last|logged|fell|lost|read)\b"
    r"|(?:just |finally |been |now )*(?:back|been|returned|returning|coming back|away|off|gone)\b"
    r"|(?:after|during|on|following) (?:my|our|a|the)\b|(?:was|were|been) )",
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b(?:i|we|my|our|me|us|been|back)\b", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:what|which|where|anything|something|recap|summar\w+|catch|fill|should|need|want|can|could"
    r"|give|show|tell|miss)\b",
    re.IGNORECASE,
)
_TO_COME = re.compile(r"\b(?:will|next (?:week|month)|going to be|shall|tomorrow)\b", re.IGNORECASE)
_OR = re.compile(r"\s+or\s+", re.IGNORECASE)
_SINCE_THEN = re.compile(
    r"\bsince(?: then| that (?:day|date|time)\b|(?=\s*(?:[.,;!?]|$)))"
    r"|\blast (?:time )?(?:(?:i|we) )?"
    r"(?:looked|read|checked|visited|was here|were here|opened|logged)",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:about|on|regarding|around|concerning|with|in|of|for) (?!(?:the|this|that|my|our)\b)\w",
    re.IGNORECASE,
)
_ONE_PAPER = re.compile(
    r"\b(?:an?|the|that|this|one|some|any) (?:\S+ )?(?:paper|article|study|preprint|one)\b"
    r"|\b(?:looking for|look for|search|find|papers? (?:on|about|by)|read (?:about|an?|of)"
    r"|something|saved?|list|wrote|published|cited?|cite)\b",
    re.IGNORECASE,
)
_LAST_VISIT = "last visit"
_REGULAR = re.compile(
    r"\b(?:the |a |my |your |our )?(daily|weekly|monthly|quarterly|yearly|annual)\b", re.IGNORECASE
)
_LENGTHS = {
    "daily": "1 day", "weekly": "7 days", "monthly": "30 days", "quarterly": "3 months",
    "yearly": "1 year", "annual": "1 year",
}  # fmt: skip
# Words that add nothing to a period: "2026 so far", "year in review 2025".
_SO_FAR = re.compile(r"\bso far\b|\byear(?= in review (?:of )?(?:19|20)\d\d)", re.IGNORECASE)
_MINUTES = re.compile(r"\b(\d{1,3}) minutes?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wish:
    """A command, the sets of signs that ask for it, those that speak against it, and examples."""

    command: str
    when: tuple[frozenset[str], ...]
    unless: tuple[frozenset[str], ...]
    examples: Mapping[str, str]

    def is_told_by(self, signs: frozenset[str]) -> bool:
        """Tell whether a line with such signs asks for it."""
        asked = any(each <= signs for each in self.when)
        return asked and not any(each <= signs for each in self.unless)


@cache
def all_wishes() -> tuple[Wish, ...]:
    """Return the wishes in the order in which they are tried."""
    return tuple(
        Wish(each["command"], _sets(each["when"]), _sets(each["unless"]), each["examples"])
        for each in _table()["wishes"]
    )


def _sets(lines: list[str]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line.split()) for line in lines)


@cache
def _table() -> dict[str, Any]:
    text = files("bot.commands.plain_words").joinpath("evidence.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def words_to_spell() -> frozenset[str]:
    """Return the words of wishes that a mistyped one may mean."""
    spelled: str = _table()["words"]["spelled"]
    return frozenset(spelled.split())


@cache
def _known_words() -> frozenset[str]:
    known: str = _table()["words"]["known"]
    return common_words() | words_of("scheduling") | frozenset(known.split())


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {
        sign: re.compile(
            rf"(?<![\w#-])(?:{'|'.join(words).replace(' ', '[,;:]* ')})(?![\w-])", re.IGNORECASE
        )
        for sign, words in _table()["signs"].items()
    }


def wishes_in(words: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the commands, with slots to be filled, that the signs of a cleaned line ask for."""
    if len(words.split()) > _MOST_WORDS:
        return
    signs = frozenset(_signs(words, facts))
    for wish in all_wishes():
        if wish.is_told_by(signs) and _is_known(wish, words, facts):
            yield wish.command


def _signs(words: str, facts: ReadingFacts) -> Iterator[str]:
    yield from (sign for sign, pattern in _patterns().items() if pattern.search(words))
    yield from signs_of_schedule(words, facts)
    if read_pause_end(words, facts):
        yield "until"
    rest = without_schedule(words)
    if len(words.split()) <= _FEW_WORDS and not any(_unknown(rest, facts)):
        yield "plain"


def _is_known(wish: Wish, words: str, facts: ReadingFacts) -> bool:
    """Tell whether the rest of a line that wishes for posts is no subject of papers."""
    if not wish.command.startswith("subscribe"):
        return True
    return len(list(_unknown(without_schedule(words), facts))) <= _MOST_UNKNOWN


def _unknown(text: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the words of a text that no rule knows."""
    for pattern in _patterns().values():
        text = pattern.sub(" , ", text)
    words = [word.lower().removesuffix("'s") for word in _WORD.findall(text)]
    of_topics = {place for first, end, _ in topics_of(words, facts) for place in range(first, end)}
    known = _known_words() | facts.sources
    for place, word in enumerate(words):
        if (
            place not in of_topics
            and word not in known
            and not word[0].isdigit()
            and "#" not in word
        ):
            yield word


def read_watched(text: str, facts: ReadingFacts) -> str | None:
    """Read what somebody wants to be told of: the words that are no sign of the wish."""
    for sign in ("watch", "tell", "whenever"):
        text = _patterns()[sign].sub(" ", text)
    text = _TOLD.sub(" ", text)
    wanted = split_filters(" ".join(text.split()).strip(" ,.;:!?"), facts)
    subject = wanted.words
    named = [f"{k}:{quoted_value(v)}" for k, v in wanted.named if k in ("from", "author")]
    if (
        not (subject or wanted.author)
        or subject.partition(" ")[0] == "and"
        or len(subject.split()) > _MOST_WATCHED
    ):
        return None
    if named or wanted.since or wanted.until:
        return " ".join(filter(None, (subject, *named)))
    if (topic := facts.topic(subject)) and topic.replace("-", " ") == subject.lower():
        return f"topic:{topic}"
    return (
        " OR ".join(map(quoted_value, parts)) if len(parts := _OR.split(subject)) > 1 else subject
    )


_TOLD = re.compile(
    r"\b(?:and|please|for (?:me|us)|(?:there is|there are|is there)"
    r"|(?:somebody|someone|anyone|anybody|people) (?:publish\w*|writes?|releases?|posts?|puts? out)"
    r"|(?:comes?|came|pops?|shows?|turns?) up|appears?|drops?|arrives?"
    r"|(?:comes?|is|are|gets?) (?:out|published|released|mentioned|featured)"
    r"|in (?:a )?(?:dm|direct messages?|private)|by (?:dm|mail|message)|new|i|to)\b",
    re.IGNORECASE,
)
_MOST_WATCHED = 8


def is_of_absence(words: str) -> bool:
    """Tell whether a line says that its person was away."""
    return _patterns()["away"].search(words) is not None


def is_to_go_on(words: str) -> bool:
    """Tell whether a line asks for what comes from now on."""
    return _patterns()["ongoing"].search(words) is not None


def read_recap(words: str, facts: ReadingFacts) -> str | None:
    """Return the command of a line by somebody who was away, or who asks for a recap.

    What a part of the line tells of the person is no subject; a period that is asked for comes
    before one in which the person was away.
    """
    if len(words.split()) > _MOST_WORDS or _TO_COME.search(words):
        return None
    words = with_days(words, facts.today)
    is_recap = _patterns()["recap"].search(words) is not None
    is_away = is_of_absence(words) and (is_recap or _PERSON.search(words) is not None)
    is_away = is_away or _tells_of_time(words, facts)
    since_told = _SINCE_THEN.search(words) is not None
    if not (is_away or is_recap):
        return None
    text = _patterns()["aside"].sub(" ", words.replace("(", ", ").replace(")", ", "))
    if is_recap and not is_away:
        text = _REGULAR.sub(lambda found: f"the last {_LENGTHS[found[1].lower()]}", text)
    text = _SO_FAR.sub(" ", text)
    asked, told = _parts(" ".join(text.split()), facts)
    minutes = _MINUTES.search(asked)
    wanted = _time_of(asked, told, facts, since_told=since_told)
    if wanted.period and is_away and (since_told or _begins(wanted.period, facts)):
        wanted = replace(wanted, since=wanted.period, period=None)
    has_period = wanted.period or wanted.since or wanted.until
    if not (is_away or has_period) or (wanted.until and not wanted.since):
        return None
    about = wanted.words
    for sign in ("recap", "away"):
        about = _patterns()[sign].sub(" , ", about)
    topics = list(dict.fromkeys(slug for *_, slug in topics_of(_words(about), facts)))
    unknown = [each for each in _unknown(about, facts) if each not in brief_words()]
    if is_away and not _ABOUT.search(about):
        unknown = []  # they tell why
    if len(topics) > 1 or (unknown and not (told and is_recap and has_period)):
        return None
    values = {
        "from": wanted.source,
        "author": wanted.author,
        "topic": topics[0] if topics else None,
        **{key: value for key, value in wanted.named if key in ("since", "until")},
    }
    if not has_period and not minutes:
        values["since"] = _LAST_VISIT
    begun = f"search {content_of(' '.join(unknown))}" if unknown else "brief"
    named = (f"{key}:{quoted_value(value)}" for key, value in values.items() if value)
    return " ".join((begun, *([minutes[1]] if minutes and not unknown else ()), *named))


def _time_of(asked: str, told: str, facts: ReadingFacts, *, since_told: bool) -> WantedFilters:
    """Return the filters of what is asked, and the time of it, else that which is told."""
    wanted, of_person = _filters(_MINUTES.sub(" ", asked), facts), _filters(told, facts)
    if since_told or not (wanted.period or wanted.since or wanted.until):
        source = wanted.source or of_person.source
        if of_person.period or of_person.since or of_person.until:
            return replace(of_person, words=wanted.words, source=source)
    return wanted


def _tells_of_time(words: str, facts: ReadingFacts) -> bool:
    """Tell whether somebody says what they did in some time, and asks for no paper.

    There are more reasons to be away than words for them: "had the flu for ten days".
    """
    told = [each for each in _PART.split(words) if _OF_PERSON.match(each)]
    if not told or _ONE_PAPER.search(words):
        return False
    wanted = _filters(words, facts)
    return bool(wanted.period or wanted.since)


def _begins(period: str, facts: ReadingFacts) -> bool:
    """Tell whether a period is the day on which an absence began: `14 September`, `2 years ago`."""
    found = parse_edge(period, facts.today)
    return found is not None and (
        found.first_day == found.last_day or period.lower().endswith(" ago")
    )


def _filters(text: str, facts: ReadingFacts) -> WantedFilters:
    return take_filters(about_absence(text, facts), facts)


def _words(text: str) -> list[str]:
    return [word.lower().removesuffix("'s") for word in _WORD.findall(text)]


def _parts(text: str, facts: ReadingFacts) -> tuple[str, str]:
    """Return what a line asks for, and what it tells of its person.

    Where one part asks for a recap, others of words that no rule knows tell why.
    """
    parts = list(filter(None, map(str.strip, _PART.split(text))))
    recap = _patterns()["recap"]
    asks_recap = any(recap.search(each) for each in parts)
    asked: list[str] = []
    told: list[str] = []
    for part in parts:
        is_told = _OF_PERSON.match(part) and not _ASKS.search(part)
        is_why = asks_recap and not recap.search(part) and any(_unknown(part, facts))
        (told if is_told or is_why else asked).append(part)
    return " , ".join(asked), " , ".join(told)
