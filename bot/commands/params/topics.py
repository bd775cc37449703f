"""Topics, named by their slug or another name that the topic file gives them."""

import re
from difflib import get_close_matches
from functools import cache

from bot.commands.types import Context, ParamType
from bot.domain.topics import Topic, all_topics
from bot.errors import ArgumentError, Option, Suggestion
from bot.replies.plain_text import quoted
from bot.replies.wording import count
from store.library import statistics
from store.text import fold

_OFFERED = 4
_LONGEST_ASKED = 40  # characters, so that they fit on a button
# A search takes other signs as its own: a name before a colon, a minus before a word, quotes.
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
        # Only what has papers is worth a button.
        stored = await context.content.read(statistics.topic_frequencies)
        near = tuple(option for option in error.nearest if option.value in stored)
        raise ArgumentError(error.sentence, error.remedy, near, _search_for(text)) from None


def _search_for(text: str) -> tuple[Suggestion, ...]:
    """Offer the search for words that name no topic, unless they are a text or no mere words."""
    asked = " ".join(text.split())
    if len(asked) > _LONGEST_ASKED or not _MERE_WORDS.fullmatch(asked):
        return ()
    return (Suggestion(f"Search for {asked}", f"search {asked}"),)


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Offer the topics that papers have: those whose slug begins so first, the frequent first."""
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
    """Return topics with a name that holds what was typed, then those with one spelt alike."""
    holding = [names[n] for n in sorted(names, key=lambda n: n.find(typed)) if typed and typed in n]
    alike = [names[name] for name in get_close_matches(typed, names, n=_OFFERED, cutoff=0.6)]
    return list(dict.fromkeys(holding + alike))[:_OFFERED]


@cache
def _names() -> dict[str, str]:
    return {name: topic.slug for topic in all_topics() for name in _names_of(topic)}


def _names_of(topic: Topic) -> list[str]:
    return [fold(name) for name in (topic.slug, topic.title, *topic.aliases)]


TOPIC = ParamType("TOPIC", _read, _complete, "A topic is named by its slug; topic lists them.")
