"""Several topics, as words one after the other or parted by commas: `agents tool use`."""

from collections.abc import Iterator, Sequence

from bot.commands.params.topics import TOPIC, topic_named
from bot.commands.types import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.plots.plot import MOST_CURVES
from bot.replies.wording import count

MOST = MOST_CURVES  # a list of topics is there to be plotted
_COMMA = ","
_LONGEST_NAME = 4  # words of one topic that are looked for together
_EXPECTED = f"Topics are named by their slugs, {MOST} at most; topic lists them."


async def _read(text: str, context: Context) -> tuple[str, ...]:
    """Return the topics in their order, without doubles."""
    parts = [part for item in text.split(_COMMA) for part in _parts(item.split())]
    for number, (words, topic) in enumerate(parts):
        if topic is None:
            before, after = _topics(parts[:number]), _topics(parts[number + 1 :])
            raise await _unknown(words, before, after, context)
    topics = _topics(parts)
    if not topics:
        raise ArgumentError("Nothing is named.", _EXPECTED)
    if len(topics) > MOST:
        first = Option(_COMMA.join(topics[:MOST]), f"The first {MOST}")
        raise ArgumentError(f"That is {count(len(topics), 'topic')}.", _EXPECTED, (first,))
    return tuple(topics)


_Part = tuple[str, str | None]


def _parts(words: Sequence[str]) -> Iterator[_Part]:
    """Yield words with the topic that they name together, the longest name first."""
    start = 0
    while start < len(words):
        lengths = range(min(_LONGEST_NAME, len(words) - start), 0, -1)
        runs = (" ".join(words[start : start + length]) for length in lengths)
        named = next(((run, topic) for run in runs if (topic := topic_named(run))), None)
        part = named or (words[start], None)
        yield part
        start += len(part[0].split())


def _topics(parts: Sequence[_Part]) -> list[str]:
    return list(dict.fromkeys(topic for _, topic in parts if topic))


async def _unknown(
    words: str, before: Sequence[str], after: Sequence[str], context: Context
) -> ArgumentError:
    """Return what to say of words that name no topic; what may have been meant are whole lists."""
    try:
        await TOPIC.read(words, context)
    except ArgumentError as error:
        meant = [[option.value] for option in error.nearest] or [[]]
        lists = (_COMMA.join(_first([*before, *each, *after])) for each in meant)
        near = tuple(Option(each) for each in lists if each)
        return ArgumentError(error.sentence, error.remedy, near, error.suggestions)
    raise AssertionError(f"{words} name a topic")


def _first(topics: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(topics))[:MOST]


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Complete the last topic and keep those before it, none of which is offered again."""
    before, last = _parted(beginning)
    try:
        kept = await _read(before, context) if before else ()
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
    """Return the topics that stand, and what is begun behind the last comma or blank."""
    before, comma, last = beginning.rpartition(_COMMA)
    words, _, begun = last.rpartition(" ")
    return f"{before}{comma}{words}".strip(f"{_COMMA} "), begun


TOPIC_LIST = ParamType("TOPIC…", _read, _complete, _EXPECTED)
