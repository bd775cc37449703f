"""Topics and sources by their slugs or other names, one or several."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from bot.commands.types import Command, Context, ParamType
from bot.domain.topics import Topic, all_topics, topic_names
from bot.errors import ArgumentError, Option, Suggestion
from bot.plots.plotter import MOST_CURVES
from bot.replies.plain_text import quoted
from bot.replies.wording import count
from store.library import editions, statistics
from store.posting.editions_to_post import EVERY_SOURCE
from store.records import Source
from store.sources import CONSENSUS, PREFERRED
from store.text import fold

_COMMA = ","
_OFFERED_TOPICS = 4
_LONGEST_SEARCH = 40  # characters on a button
# Other characters mean something to a search: a colon, a minus before a word, quotes.
_MERE_WORDS = re.compile(r"\w+(?:[ -]\w+)*")


def find_topic(text: str) -> str:
    """Return the slug of the topic that a text names, or raise `ArgumentError`."""
    names, typed = topic_names(), fold(text)
    if typed in names:
        return names[typed]
    # Those whose name contains the typed text, then those with a similar name.
    near = [name for name in sorted(names, key=lambda n: n.find(typed)) if typed and typed in name]
    near += get_close_matches(typed, names, n=_OFFERED_TOPICS, cutoff=0.6)
    slugs = list(dict.fromkeys(names[name] for name in near))[:_OFFERED_TOPICS]
    raise ArgumentError(
        f"There is no topic {quoted(text)}.",
        "topic lists the topics; a word that is none can be searched for.",
        tuple(map(Option, slugs)),
    )


async def _read_topic(text: str, context: Context) -> str:
    try:
        return find_topic(text)
    except ArgumentError as error:
        # Only topics with papers are suggested, and a search for a few words.
        stored = {each.topic for each in await context.content.read(statistics.topic_counts)}
        near = tuple(option for option in error.nearest if option.value in stored)
        asked = " ".join(text.split())
        is_short = len(asked) <= _LONGEST_SEARCH and _MERE_WORDS.fullmatch(asked)
        searches = (Suggestion(f"Search for {asked}", f"search {asked}"),) if is_short else ()
        raise ArgumentError(error.sentence, error.remedy, near, searches) from None


async def _complete_topic(beginning: str, context: Context) -> list[Option]:
    """Complete the topics of stored papers, by slug before other names, the frequent first."""
    typed = fold(beginning)
    by_slug = {topic.slug: topic for topic in all_topics()}
    offers = [
        Option(each.topic, f"{count(each.papers, 'paper')} · {by_slug[each.topic].summary}")
        for each in await context.content.read(statistics.topic_counts)
        if any(name.startswith(typed) for name in _names_of(by_slug[each.topic]))
    ]
    return sorted(offers, key=lambda offer: not fold(offer.value).startswith(typed))


def _names_of(topic: Topic) -> list[str]:
    return [fold(name) for name in (topic.slug, topic.title, *topic.aliases)]


def _looks_like_topic(text: str) -> bool:
    return len(text) <= _LONGEST_SEARCH and fold(text) in topic_names()


TOPIC = ParamType(
    "TOPIC",
    _read_topic,
    _complete_topic,
    "A topic is named by its slug; topic lists them.",
    looks=_looks_like_topic,
    write=str,
)


_OFFERED_SOURCES = 3


def find_source(text: str, sources: Sequence[Source]) -> str:
    """Return the slug of the source that a text names, or raise `ArgumentError`."""
    known = {source.slug: source.title for source in sources}
    slug = text.strip().lower()
    if slug in known or slug == CONSENSUS:  # it may be named before there is one
        return slug
    by_title = {title.lower(): slug for slug, title in known.items()}
    near = get_close_matches(slug, [*known, *by_title], n=_OFFERED_SOURCES, cutoff=0.4)
    slugs = dict.fromkeys(by_title.get(name, name) for name in near)
    raise ArgumentError(
        f"There is no source {quoted(text)}.",
        f"The sources are {', '.join(known)}." if known else "None is stored yet.",
        tuple(map(Option, slugs or list(known)[:_OFFERED_SOURCES])),
    )


async def _read_source(text: str, context: Context) -> str:
    return find_source(text, await context.content.read(editions.list_sources))


async def _complete_source(beginning: str, context: Context) -> list[Option]:
    typed = beginning.strip().lower()
    return [
        Option(source.slug, source.title)
        for source in await context.content.read(editions.list_sources)
        if typed in source.slug or typed in source.title.lower()
    ]


SOURCE = ParamType(
    "SOURCE",
    _read_source,
    _complete_source,
    "A source is named by its slug; sources lists them.",
    write=str,
)


MOST = MOST_CURVES  # the list is plotted
_LONGEST_NAME = 4  # words of one topic that are looked for together
_EXPECTED_PLOTTED = f"Topics are named by their slugs, {MOST} at most; topic lists them."


async def _read_plotted(text: str, context: Context) -> tuple[str, ...]:
    """Return the topics in order, each once."""
    runs = [run for item in text.split(_COMMA) for run in _runs(item.split())]
    topics: list[str] = []
    for number, run in enumerate(runs, 1):
        try:
            topics.append(await _read_topic(run, context))
        except ArgumentError as error:
            after = [slug for each in runs[number:] if (slug := topic_names().get(fold(each)))]
            lists = _lists(topics, error.nearest, after, MOST)
            raise ArgumentError(error.sentence, error.remedy, lists, error.suggestions) from None
    topics = list(dict.fromkeys(topics))
    if not topics:
        raise ArgumentError("Nothing is named.", _EXPECTED_PLOTTED)
    if len(topics) > MOST:
        first = Option(_COMMA.join(topics[:MOST]), f"The first {MOST}")
        raise ArgumentError(f"That is {count(len(topics), 'topic')}.", _EXPECTED_PLOTTED, (first,))
    return tuple(topics)


def _runs(typed: Sequence[str]) -> Iterator[str]:
    """Yield words that name a topic together, the longest name first; else one word."""
    start = 0
    while start < len(typed):
        lengths = range(min(_LONGEST_NAME, len(typed) - start), 0, -1)
        runs = (" ".join(typed[start : start + length]) for length in lengths)
        run = next((run for run in runs if fold(run) in topic_names()), typed[start])
        yield run
        start += len(run.split())


def _lists(
    before: Sequence[str],
    meant: Sequence[Option],
    after: Sequence[str],
    most: int | None = None,
) -> tuple[Option, ...]:
    """Return the lists that may have been meant, with one of the options or without it."""
    middles = [[option.value] for option in meant] or [[]]
    lists = (list(dict.fromkeys([*before, *each, *after]))[:most] for each in middles)
    return tuple(Option(_COMMA.join(each)) for each in lists if each)


async def _complete_plotted(beginning: str, context: Context) -> list[Option]:
    """Complete the last topic with topics that the list does not have yet."""
    # A topic may end at a comma or at a blank.
    before, comma, last = beginning.rpartition(_COMMA)
    whole, _, begun = last.rpartition(" ")
    before = f"{before}{comma}{whole}".strip(f"{_COMMA} ")
    try:
        kept = await _read_plotted(before, context) if before else ()
    except ArgumentError:
        return []
    if len(kept) == MOST:
        return []
    return _added(kept, await _complete_topic(begun, context))


def _added(kept: Sequence[str], options: Sequence[Option]) -> list[Option]:
    """Return lists with one more value, which they do not have yet."""
    new = (option for option in options if option.value not in kept)
    return [Option(_COMMA.join([*kept, option.value]), option.label) for option in new]


TOPIC_LIST = ParamType(
    "TOPIC…", _read_plotted, _complete_plotted, _EXPECTED_PLOTTED, write=_COMMA.join
)


@dataclass(frozen=True, slots=True)
class _List:
    """A list of values of a type, separated by commas.

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
        item, before, after = items[number], items[:number], items[number + 1 :]
        if (word := item.lower()) in self.alone:
            rest = [each for each in (*before, *after) if each.lower() not in self.alone]
            lists = (Option(word), *_lists(rest, (), ()))
            raise ArgumentError(f"{word} stands alone.", self.each.expected, lists)
        try:
            value: str = await self.each.read(item, context)
        except ArgumentError as error:
            lists = _lists(before, error.nearest, after)
            raise ArgumentError(error.sentence, error.remedy, lists) from None
        return value

    async def complete(self, beginning: str, context: Context) -> list[Option]:
        """Complete the last item with values that the list does not have yet."""
        before, _, last = beginning.rpartition(_COMMA)
        options = await self.each.complete(last.strip(), context)
        if not before.strip():
            typed = last.strip().lower()
            words = ((word, meaning) for word, (meaning, _) in self.alone.items())
            return [*options, *(Option(*each) for each in words if each[0].startswith(typed))]
        try:
            kept = await self.read(before, context)
        except ArgumentError:
            return []
        return [] if _items(before)[0].lower() in self.alone else _added(kept, options)


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(_COMMA) if item.strip()]


NO_TOPICS = "none"  # no filter, unlike an argument that is left out
_LONGEST_SLUG = 60
# Channels may subscribe to these before they have an edition.
_PREDEFINED = (*PREFERRED, CONSENSUS)
_REAL = "A source is one that editions are imported of, such as dair."


async def _read_any_topic(text: str, _context: Context) -> str:
    return find_topic(text)


async def _complete_any_topic(beginning: str, context: Context) -> list[Option]:
    """Complete topics, those that stored papers have first."""
    found = await _complete_topic(beginning, context)
    stored, typed = {option.value for option in found}, fold(beginning)
    others = (topic for topic in all_topics() if topic.slug not in stored)
    named = (topic for topic in others if fold(topic.slug).startswith(typed))
    return [*found, *(Option(topic.slug, topic.summary) for topic in named)]


async def _read_real_source(text: str, context: Context) -> str:
    slug = text.strip().lower()
    if slug in _PREDEFINED:
        return slug
    try:
        read = await _read_source(text, context)
    except ArgumentError as error:
        near = get_close_matches(slug[:_LONGEST_SLUG], _PREDEFINED, n=1)
        nearest = dict.fromkeys((*map(Option, near), *error.nearest))
        raise ArgumentError(error.sentence, error.remedy, tuple(nearest)) from None
    if read in await _samples(context):
        known = tuple(map(Option, _PREDEFINED))
        raise ArgumentError(f"{read} holds samples, which are never posted.", _REAL, known)
    return read


async def _samples(context: Context) -> set[str]:
    """Return the sources whose editions are samples."""
    stored = await context.content.read(editions.list_editions)
    return {edition.source for edition in stored if edition.sample}


async def _complete_real_source(beginning: str, context: Context) -> list[Option]:
    """Complete sources, the stored ones first, then the predefined ones."""
    typed = beginning.strip().lower()
    hidden = {*await _samples(context), CONSENSUS}
    stored = [
        each for each in await _complete_source(beginning, context) if each.value not in hidden
    ]
    known = {option.value for option in stored}
    missing = (slug for slug in _PREDEFINED if slug not in known and typed in slug)
    return [*stored, *map(Option, missing)]


def _list_of(each: ParamType, alone: Mapping[str, tuple[str, tuple[str, ...]]]) -> ParamType:
    """Return the type of a list of values of a type, named and described as that is."""
    values = _List(each, alone)
    return replace(each, read=values.read, complete=values.complete, several=True)


_EXPECTED_TOPICS = (
    "Topics are named by their slugs, several by commas; topic lists them. none is no filter."
)
_EXPECTED_SOURCES = (
    "Sources are named by their slugs, several by commas; sources lists them. all is every one."
)
_ANY_TOPIC = ParamType("TOPICS", _read_any_topic, _complete_any_topic, _EXPECTED_TOPICS)
_REAL_SOURCE = ParamType("SOURCES", _read_real_source, _complete_real_source, _EXPECTED_SOURCES)
TOPICS = _list_of(_ANY_TOPIC, {NO_TOPICS: ("no filter", ())})
SOURCES = _list_of(_REAL_SOURCE, {"all": ("every source but the consensus", (EVERY_SOURCE,))})


def cleared(command: Command, entered: Mapping[str, str]) -> dict[str, str]:
    """Return the arguments of the topic fields that were emptied in a form."""
    names = (param.name for param in command.shown if param.type is TOPICS)
    return {name: NO_TOPICS for name in names if not entered.get(name)}


def filled(command: Command, arguments: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a form's fields: a field of topics is empty if there is no filter."""
    unwanted = cleared(command, {})
    return {name: text for name, text in arguments.items() if unwanted.get(name) != text}
