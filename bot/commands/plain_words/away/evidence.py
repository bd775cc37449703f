"""Wishes for what was missed, told by signs wherever these stand, as `evidence.toml` lists them.

Pure, once the file is loaded.
"""

from collections.abc import Iterator
from functools import cache

from bot.commands.plain_words.away.recaps import asks_beside_story
from bot.commands.plain_words.filters import ReadingFacts
from bot.commands.plain_words.posts.schedules import signs_of_schedule
from bot.commands.plain_words.signs import (
    Wish,
    evidence_table,
    has_sign,
    sign_patterns,
    wishes_of,
)

_MOST_WORDS = 40  # a longer line is a description


@cache
def all_wishes() -> tuple[Wish, ...]:
    """Return the wishes in the order in which they are tried."""
    return wishes_of(evidence_table()["wishes"])


def wishes_in(words: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the commands, with slots to be filled, that the signs of a cleaned line ask for."""
    if len(words.split()) > _MOST_WORDS:
        return
    signs = frozenset(_signs(words, facts))
    yield from (wish.command for wish in all_wishes() if wish.is_told_by(signs))


def _signs(words: str, facts: ReadingFacts) -> Iterator[str]:
    told = {sign for sign, pattern in sign_patterns().items() if pattern.search(words)}
    yield from told
    yield from signs_of_schedule(words, facts)
    if told.isdisjoint(("away", "recap")) and asks_beside_story(words, facts):
        yield "told"


def is_to_go_on(words: str) -> bool:
    """Tell whether a line asks for what comes from now on."""
    return has_sign("ongoing", words)
