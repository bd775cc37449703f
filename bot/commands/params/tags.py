"""Tags of saved papers: those that the user gives, and those that the user has."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

from bot.commands.types import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from bot.replies.wording import count
from store.library.kept_papers import MOST_TAGS_OF_PAPER
from store.readers import saved

_LONGEST = 30  # characters
_SIGNS = "-_.+"  # beside letters and digits: to-read, gpt-4.1, c++
# Those that Unicode calls marks or letters: nobody sees them, or what they choose is the same word.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]+"
)
_NEAREST, _NAMED, _OFFERED = 3, 12, 25
_COMMA = ","
_MAY_HOLD = f"A tag has letters, digits and {' '.join(_SIGNS)} alone; several have commas between."


def tag_of(text: str) -> str:
    """Return the one form of a tag, however it was typed: `to-read` for `#To Read`. Pure.

    Raises:
        ArgumentError: if it is too long, or has other signs than a tag may.
    """
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    # Signs without width join letters in some scripts, and nobody sees them.
    shown = (char for char in _UNSEEN.sub("", plain) if unicodedata.category(char) != "Cf")
    seen = unicodedata.normalize("NFKC", "".join(shown))
    tag = "-".join(seen.strip().lstrip("#").split()).strip("-.")
    if not any(map(str.isalnum, tag)):
        raise ArgumentError(f"{quoted(text)} is no tag.", _MAY_HOLD)
    if wrong := next((char for char in tag if not _may_hold(char)), None):
        words = re.sub(r"-+", "-", "".join(char if _may_hold(char) else "-" for char in tag))
        near = (Option(words.strip("-.")),) if len(words) <= _LONGEST else ()
        raise ArgumentError(f"A tag can't have {quoted(wrong)} in it.", _MAY_HOLD, near)
    if len(tag) > _LONGEST:
        raise ArgumentError(
            f"That tag is {len(tag)} characters long; one may have {_LONGEST}.",
            "Say it in fewer words.",
        )
    return tag


def _may_hold(char: str) -> bool:
    """Tell whether a tag may have a character: also a sign that belongs to a letter."""
    return char.isalnum() or char in _SIGNS or unicodedata.category(char).startswith("M")


def _read_all(text: str) -> tuple[str, ...]:
    """Return the tags of a list, each once; for a wrong one the error suggests whole lists."""
    items = [each for each in text.split(_COMMA) if each.strip()]
    if not items:
        raise ArgumentError("No tag is named.", _MAY_HOLD)
    tags: tuple[str, ...] = ()
    for place, item in enumerate(items):
        try:
            tags = tuple(dict.fromkeys((*tags, tag_of(item))))
        except ArgumentError as error:
            near = [(*tags, each.value, *items[place + 1 :]) for each in error.nearest]
            raise ArgumentError(error.sentence, error.remedy, _lists(near)) from None
    if len(tags) > MOST_TAGS_OF_PAPER:
        raise ArgumentError(
            f"That is {len(tags)} tags; at most {MOST_TAGS_OF_PAPER} go at once.", _MAY_HOLD
        )
    return tags


async def _read(text: str, _context: Context) -> tuple[str, ...]:
    return _read_all(text)


async def _read_known(text: str, context: Context) -> tuple[str, ...]:
    """Return tags that the user has: other words without a name are none."""
    tags, known = _read_all(text), await own_tags(context)
    for tag in tags:
        if tag not in known:
            near = tuple(map(Option, nearest_tags(tag, known)))
            raise ArgumentError(f"You have no tag {quoted(tag)}.", nearest=near)
    return tags


def _lists(tags: Iterable[Iterable[str]]) -> tuple[Option, ...]:
    return tuple(Option(_COMMA.join(" ".join(tag.split()) for tag in each)) for each in tags)


def nearest_tags(tag: str, known: Mapping[str, int]) -> list[str]:
    """Return the tags that are likest to one that the user does not have, best first. Pure."""
    parts = (each for each in known if tag in each or each in tag)
    found = dict.fromkeys((*parts, *get_close_matches(tag, known, n=_NEAREST)))
    return [*found][:_NEAREST]


def tags_in_words(counts: Mapping[str, int]) -> str:
    """Word tags with the number of papers of each: `Tags: rag (3), agents (1)`."""
    words = ", ".join(f"{tag} ({papers})" for tag, papers in [*counts.items()][:_NAMED])
    more = f" and {len(counts) - _NAMED} more" if len(counts) > _NAMED else ""
    return f"Tags: {words}{more}"


async def own_tags(context: Context) -> dict[str, int]:
    """Return the tags that the user has, each with its number of papers, never cached."""
    return await context.database.read(saved.count_tags, context.actor.person)


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Complete the last of several tags with those that the user has."""
    before, _, last = beginning.rpartition(_COMMA)
    try:
        kept = _read_all(before) if before.strip() else ()
    except ArgumentError:
        return []
    found = _begun(last, await own_tags(context))
    new = ((tag, papers) for tag, papers in found if tag not in kept)
    offers = (Option(_COMMA.join([*kept, tag]), count(papers, "paper")) for tag, papers in new)
    return [] if len(kept) == MOST_TAGS_OF_PAPER else [*offers][:_OFFERED]


def _begun(beginning: str, known: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield tags that begin so, then those that hold it elsewhere."""
    begun = "-".join(beginning.lower().strip().lstrip("#").split())
    yield from ((tag, papers) for tag, papers in known.items() if tag.startswith(begun))
    yield from ((tag, papers) for tag, papers in known.items() if begun in tag[1:] and begun)


TAGS = ParamType("TAG", _read, _complete, _MAY_HOLD, several=True, write=_COMMA.join)
"""Tags, whether or not the user has them yet."""

OWN_TAGS = replace(TAGS, read_loose=_read_known)
"""Tags that the user probably has; words without a name are some only if that is so."""
