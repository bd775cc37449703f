"""Overviews as Replies: the topics and the sources."""

from collections.abc import Mapping, Sequence
from datetime import date

from bot.replies import Actions, Button, Fields, Reply, Title
from bot.wording import ago, count, day
from store.editions import SourceState
from store.topics import TopicCount

_OFFERED = 6


def topics_reply(counts: Sequence[TopicCount], summaries: Mapping[str, str]) -> Reply:
    """List the topics with their counts, the most frequent first, and offer these."""
    pairs = tuple(
        (f"{each.topic} · {count(each.papers, 'paper')}", summaries.get(each.topic, ""))
        for each in counts
    )
    buttons = tuple(Button(each.topic, f"topic {each.topic}") for each in counts[:_OFFERED])
    return Reply((Title("Topics"), Fields(pairs), Actions(buttons)))


def sources_reply(states: Sequence[SourceState], today: date) -> Reply:
    """List what is followed and how fresh it is."""
    pairs = tuple((each.source.slug, state_line(each, today)) for each in states)
    buttons = tuple(
        Button(f"Newest of {each.source.slug}", f"latest from:{each.source.slug}")
        for each in states[:_OFFERED]
    )
    return Reply((Title("Sources"), Fields(pairs), Actions(buttons)))


def state_line(state: SourceState, today: date) -> str:
    """Word what is stored of a source, and how fresh it is."""
    return (
        f"{state.source.title} · newest to {day(state.last_day)}"
        f" ({ago(state.last_day, today)}) · {count(state.editions, 'edition')}"
        f" with {count(state.entries, 'entry')}"
    )
