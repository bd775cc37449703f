"""Wishes told by signs wherever these stand in a line, as `evidence.toml` lists them.

Pure, once the file is loaded.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from bot.commands.plain_words.away.absences import read_pause_end
from bot.commands.plain_words.away.recaps import asks_beside_story
from bot.commands.plain_words.filters import (
    ReadingFacts,
    content_of,
    quoted_value,
    split_filters,
)
from bot.commands.plain_words.posts.schedules import signs_of_schedule, without_schedule
from bot.commands.plain_words.signs import (
    evidence_table,
    has_sign,
    sign_patterns,
    unknown_words,
)

_MOST_WORDS = 40  # a longer line is a description
_FEW_WORDS = 10
_MOST_UNKNOWN = 3  # words of a wish for posts that say something else
_OR = re.compile(r"\s+or\s+", re.IGNORECASE)


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
    return wishes_of(evidence_table()["wishes"])


def wishes_of(tables: Sequence[Mapping[str, Any]]) -> tuple[Wish, ...]:
    """Return wishes as a file has them."""
    return tuple(
        Wish(each["command"], _sets(each["when"]), _sets(each["unless"]), each["examples"])
        for each in tables
    )


def _sets(lines: list[str]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line.split()) for line in lines)


def wishes_in(words: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the commands, with slots to be filled, that the signs of a cleaned line ask for."""
    if len(words.split()) > _MOST_WORDS:
        return
    signs = frozenset(_signs(words, facts))
    for wish in all_wishes():
        if wish.is_told_by(signs) and _is_known(wish, words, facts):
            yield wish.command


def _signs(words: str, facts: ReadingFacts) -> Iterator[str]:
    told = {sign for sign, pattern in sign_patterns().items() if pattern.search(words)}
    yield from told
    yield from signs_of_schedule(words, facts)
    if read_pause_end(words, facts):
        yield "until"
    if told.isdisjoint(("away", "recap")) and asks_beside_story(words, facts):
        yield "told"
    rest = without_schedule(words)
    if len(words.split()) <= _FEW_WORDS and not any(unknown_words(rest, facts)):
        yield "plain"


def _is_known(wish: Wish, words: str, facts: ReadingFacts) -> bool:
    """Tell whether the rest of a line that wishes for posts is no subject of papers."""
    if not wish.command.startswith("subscribe"):
        return True
    return len(list(unknown_words(without_schedule(words), facts))) <= _MOST_UNKNOWN


def read_watched(text: str, facts: ReadingFacts) -> str | None:
    """Read what somebody wants to be told of: the words that are no sign of the wish."""
    for sign in ("watch", "tell", "whenever"):
        text = sign_patterns()[sign].sub(" ", text)
    text = _TOLD.sub(" ", text)
    wanted = split_filters(" ".join(text.split()).strip(" ,.;:!?"), facts)
    subject = content_of(_OF.sub("", wanted.words))
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


_OF = re.compile(r"^(?:about|of|on|with) ", re.IGNORECASE)
_TOLD = re.compile(
    r"\b(?:and|please|for (?:me|us)|(?:there is|there are|is there)"
    r"|(?:somebody|someone|anyone|anybody|people) (?:publish\w*|writes?|releases?|posts?|puts? out)"
    r"|(?:comes?|came|pops?|shows?|turns?) up|appears?|drops?|arrives?|lands?|has|have"
    r"|(?:comes?|is|are|gets?) (?:out|published|released|mentioned|featured)"
    r"|in (?:a )?(?:dm|direct messages?|private)|by (?:dm|mail|message)|new|i|to)\b",
    re.IGNORECASE,
)
_MOST_WATCHED = 8


def is_to_go_on(words: str) -> bool:
    """Tell whether a line asks for what comes from now on."""
    return has_sign("ongoing", words)
