"""Topics, one or several, named by a slug or another name of the topic file."""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache

from bot.commands.types import Context, ParamType
from bot.domain.topics import Topic, all_topics
from bot.errors import ArgumentError, Option, Suggestion
from bot.plots.plotter import MOST_CURVES
from bot.replies.plain_text import quoted
from bot.replies.wording import count
from store.library import statistics
from store.text import fold

_OFFERED = 4
_LONGEST_SEARCH = 40  # characters on a button
# Other characters mean something to a search: a colon, a minus before a word, quotes.
_MERE_WORDS = re.compile(r"\w+(?:[ -]\w+)*")


def topic_named(text: str) -> str | None:
    """Return the slug of the topic that a text names, `None` if there is none."""
    return _names().get(fold(text))


def find_topic(text: str) -> str:
    """Return the slug of the topic that a text names.

    Raises:
        ArgumentError: if it names none, with the nearest.
    """
    names = _names()
    typed = fold(text)
    if typed in names:
        return names[typed]
    raise ArgumentError(
        f"There is no topic {quoted(text)}.",
        "topic lists the topics; a word that is none can be searched for.",
        tuple(Option(slug) for slug in _near(typed, names)),
    )


async def _read(text: str, context: Context) -> str:
    try:
        return find_topic(text)
    except ArgumentError as error:
        # Only topics with papers are suggested.
        stored = await context.content.read(statistics.topic_frequencies)
        near = tuple(option for option in error.nearest if option.value in stored)
        raise ArgumentError(error.sentence, error.remedy, near, _search_for(text)) from None


def _search_for(text: str) -> tuple[Suggestion, ...]:
    """Suggest a search for a few words that name no topic."""
    asked = " ".join(text.split())
    if len(asked) > _LONGEST_SEARCH or not _MERE_WORDS.fullmatch(asked):
        return ()
    return (Suggestion(f"Search for {asked}", f"search {asked}"),)


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Complete the topics of stored papers, by slug before other names, the frequent first."""
    typed = fold(beginning)
    by_slug = {topic.slug: topic for topic in all_topics()}
    offers = [
        (Option(slug, f"{count(papers, 'paper')} · {topic.summary}"), topic)
        for slug, papers in (await context.content.read(statistics.topic_frequencies)).items()
        for topic in [by_slug[slug]]
        if any(name.startswith(typed) for name in _names_of(topic))
    ]
    offers.sort(key=lambda offer: not fold(offer[1].slug).startswith(typed))
    return [option for option, _ in offers]


def _near(typed: str, names: dict[str, str]) -> list[str]:
    """Return topics whose name contains the typed text, then those with a similar name."""
    holding = [names[n] for n in sorted(names, key=lambda n: n.find(typed)) if typed and typed in n]
    alike = [names[name] for name in get_close_matches(typed, names, n=_OFFERED, cutoff=0.6)]
    return list(dict.fromkeys(holding + alike))[:_OFFERED]


@cache
def _names() -> dict[str, str]:
    return {name: topic.slug for topic in all_topics() for name in _names_of(topic)}


def _names_of(topic: Topic) -> list[str]:
    return [fold(name) for name in (topic.slug, topic.title, *topic.aliases)]


TOPIC = ParamType(
    "TOPIC", _read, _complete, "A topic is named by its slug; topic lists them.", write=str
)


MOST = MOST_CURVES  # the list is plotted
_COMMA = ","
_LONGEST_NAME = 4  # words of one topic that are looked for together
_EXPECTED_SEVERAL = f"Topics are named by their slugs, {MOST} at most; topic lists them."


async def _read_several(text: str, context: Context) -> tuple[str, ...]:
    """Return the topics in order, each once."""
    parts = [part for item in text.split(_COMMA) for part in _parts(item.split())]
    for number, (run, topic) in enumerate(parts):
        if topic is None:
            before, after = _topics(parts[:number]), _topics(parts[number + 1 :])
            raise await _unknown(run, before, after, context)
    topics = _topics(parts)
    if not topics:
        raise ArgumentError("Nothing is named.", _EXPECTED_SEVERAL)
    if len(topics) > MOST:
        first = Option(_COMMA.join(topics[:MOST]), f"The first {MOST}")
        raise ArgumentError(f"That is {count(len(topics), 'topic')}.", _EXPECTED_SEVERAL, (first,))
    return tuple(topics)


_Part = tuple[str, str | None]


def _parts(typed: Sequence[str]) -> Iterator[_Part]:
    """Yield words with the topic that they name together, the longest name first."""
    start = 0
    while start < len(typed):
        lengths = range(min(_LONGEST_NAME, len(typed) - start), 0, -1)
        runs = (" ".join(typed[start : start + length]) for length in lengths)
        named = next(((run, topic) for run in runs if (topic := topic_named(run))), None)
        part = named or (typed[start], None)
        yield part
        start += len(part[0].split())


def _topics(parts: Sequence[_Part]) -> list[str]:
    return list(dict.fromkeys(topic for _, topic in parts if topic))


async def _unknown(
    run: str, before: Sequence[str], after: Sequence[str], context: Context
) -> ArgumentError:
    """Return what to say of words that name no topic; what may have been meant are whole lists."""
    try:
        await TOPIC.read(run, context)
    except ArgumentError as error:
        meant = [[option.value] for option in error.nearest] or [[]]
        lists = (_COMMA.join(_first([*before, *each, *after])) for each in meant)
        near = tuple(Option(each) for each in lists if each)
        return ArgumentError(error.sentence, error.remedy, near, error.suggestions)
    raise AssertionError(f"{run} names a topic")


def _first(topics: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(topics))[:MOST]


async def _complete_several(beginning: str, context: Context) -> list[Option]:
    """Complete the last topic with topics that the list does not have yet."""
    before, last = _parted(beginning)
    try:
        kept = await _read_several(before, context) if before else ()
    except ArgumentError:
        return []
    if len(kept) == MOST:
        return []
    return [
        Option(_COMMA.join([*kept, option.value]), option.label)
        for option in await TOPIC.complete(last, context)
        if option.value not in kept
    ]


def _parted(beginning: str) -> tuple[str, str]:
    """Return the complete topics, and the text behind the last comma or blank."""
    before, comma, last = beginning.rpartition(_COMMA)
    whole, _, begun = last.rpartition(" ")
    return f"{before}{comma}{whole}".strip(f"{_COMMA} "), begun


TOPIC_LIST = ParamType(
    "TOPIC…", _read_several, _complete_several, _EXPECTED_SEVERAL, write=_COMMA.join
)
