"""Lists of topics or sources, separated by commas."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from bot.commands.params.sources import SOURCE
from bot.commands.params.topics import TOPIC, find_topic
from bot.commands.types import Command, Context, ParamType
from bot.domain.topics import all_topics
from bot.errors import ArgumentError, Option
from store.library import editions
from store.posting.editions_to_post import EVERY_SOURCE
from store.sources import CONSENSUS, PREFERRED
from store.text import fold

NO_TOPICS = "none"  # no filter, unlike an argument that is left out
_COMMA = ","
_LONGEST = 60  # no slug is longer
# Channels may subscribe to these before they have an edition.
_PREDEFINED = (*PREFERRED, CONSENSUS)
_KNOWN = tuple(map(Option, _PREDEFINED))
_REAL = "A source is one that editions are imported of, such as dair."


@dataclass(frozen=True, slots=True)
class _List:
    """A list of values of a type.

    `alone` are words that are a whole list, each with its description and the values that it means.
    """

    each: ParamType
    alone: Mapping[str, tuple[str, tuple[str, ...]]]

    async def read(self, text: str, context: Context) -> tuple[str, ...]:
        """Return the values in order, each once."""
        items = _items(text)
        if len(items) == 1 and items[0].lower() in self.alone:
            return self.alone[items[0].lower()][1]
        if not items:
            raise ArgumentError("Nothing is named.", self.each.expected)
        read = [await self._read_one(items, number, context) for number in range(len(items))]
        return tuple(dict.fromkeys(read))

    async def _read_one(self, items: Sequence[str], number: int, context: Context) -> str:
        """Read one item; for a wrong one the error suggests whole lists."""
        item = items[number]
        others = [*items[:number]], [*items[number + 1 :]]
        if item.lower() in self.alone:
            rest = [each for each in (*others[0], *others[1]) if each.lower() not in self.alone]
            lists = (Option(item.lower()), *([Option(_joined(rest))] if rest else []))
            raise ArgumentError(f"{item.lower()} stands alone.", self.each.expected, lists)
        try:
            value: str = await self.each.read(item, context)
        except ArgumentError as error:
            meant = [[option.value] for option in error.nearest] or [[]]
            texts = (_joined([*others[0], *each, *others[1]]) for each in meant)
            near = tuple(Option(each) for each in texts if each)
            raise ArgumentError(error.sentence, error.remedy, near) from None
        return value

    async def complete(self, beginning: str, context: Context) -> list[Option]:
        """Complete the last item with values that the list does not have yet."""
        before, _, last = beginning.rpartition(_COMMA)
        if not before.strip():
            return [*await self.each.complete(last.strip(), context), *self._alone(last)]
        try:
            kept = await self.read(before, context)
        except ArgumentError:
            return []
        if _items(before)[0].lower() in self.alone:
            return []
        return [
            Option(_joined([*kept, option.value]), option.label)
            for option in await self.each.complete(last.strip(), context)
            if option.value not in kept
        ]

    def _alone(self, beginning: str) -> list[Option]:
        typed = beginning.strip().lower()
        return [
            Option(word, meaning)
            for word, (meaning, _) in self.alone.items()
            if word.startswith(typed)
        ]


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(_COMMA) if item.strip()]


def _joined(items: Sequence[str]) -> str:
    return _COMMA.join(dict.fromkeys(items))


async def _read_topic(text: str, _context: Context) -> str:
    return find_topic(text)


async def _complete_topic(beginning: str, context: Context) -> list[Option]:
    """Complete topics, those that stored papers have first."""
    found = await TOPIC.complete(beginning, context)
    stored = {option.value for option in found}
    typed = fold(beginning)
    others = (
        Option(topic.slug, topic.summary)
        for topic in all_topics()
        if topic.slug not in stored and fold(topic.slug).startswith(typed)
    )
    return [*found, *others]


async def _read_source(text: str, context: Context) -> str:
    slug = text.strip().lower()
    if slug in _PREDEFINED:
        return slug
    try:
        read: str = await SOURCE.read(text, context)
    except ArgumentError as error:
        near = get_close_matches(slug[:_LONGEST], _PREDEFINED, n=1)
        nearest = dict.fromkeys((*map(Option, near), *error.nearest))
        raise ArgumentError(error.sentence, error.remedy, tuple(nearest)) from None
    if read in await _samples(context):
        raise ArgumentError(f"{read} holds samples, which are never posted.", _REAL, _KNOWN)
    return read


async def _samples(context: Context) -> set[str]:
    """Return the sources whose editions are samples."""
    stored = await context.content.read(editions.list_editions)
    return {edition.source for edition in stored if edition.sample}


async def _complete_source(beginning: str, context: Context) -> list[Option]:
    """Complete sources, the stored ones first, then the predefined ones."""
    typed = beginning.strip().lower()
    found = await SOURCE.complete(beginning, context)
    samples = await _samples(context)
    stored = [option for option in found if option.value not in {*samples, CONSENSUS}]
    known = {option.value for option in stored}
    missing = (slug for slug in _PREDEFINED if slug not in known and typed in slug)
    return [*stored, *(Option(slug) for slug in missing)]


def _several(
    name: str, each: ParamType, expected: str, **alone: tuple[str, tuple[str, ...]]
) -> ParamType:
    read = _List(ParamType(name, each.read, each.complete, expected), alone)
    return ParamType(name, read.read, read.complete, expected, several=True)


TOPICS = _several(
    "TOPICS",
    ParamType("TOPIC", _read_topic, _complete_topic, TOPIC.expected),
    "Topics are named by their slugs, several by commas; topic lists them. none is no filter.",
    **{NO_TOPICS: ("no filter", ())},
)
SOURCES = _several(
    "SOURCES",
    ParamType("SOURCE", _read_source, _complete_source, SOURCE.expected),
    "Sources are named by their slugs, several by commas; sources lists them. all is every one.",
    all=("every source but the consensus", (EVERY_SOURCE,)),
)


def cleared(command: Command, entered: Mapping[str, str]) -> dict[str, str]:
    """Return the arguments of the topic fields that were emptied in a form."""
    names = (param.name for param in command.shown if param.type is TOPICS)
    return {name: NO_TOPICS for name in names if not entered.get(name)}


def filled(command: Command, arguments: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a form's fields: a field of topics is empty if there is no filter."""
    unwanted = cleared(command, {})
    return {name: text for name, text in arguments.items() if unwanted.get(name) != text}
