"""Overviews as Replies: the topics, the sources, the state of everything."""

from collections.abc import Mapping, Sequence
from datetime import date

from bot.replies import Actions, Block, Button, Fields, Level, Moments, Notice, Reply, Text, Title
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
    pairs = tuple((each.source.slug, _state_line(each, today)) for each in states)
    buttons = tuple(
        Button(f"Newest of {each.source.slug}", f"latest from:{each.source.slug}")
        for each in states[:_OFFERED]
    )
    return Reply((Title("Sources"), Fields(pairs), Actions(buttons)))


def status_reply(
    states: Sequence[SourceState], papers: int, imported: Moments | None, today: date
) -> Reply:
    """Say what is stored, since when and how fresh it is, and what is posted."""
    editions = sum(each.editions for each in states)
    blocks: list[Block] = [
        Title("Status"),
        Text(f"{count(editions, 'edition')} with {count(papers, 'paper')} are stored."),
    ]
    if states:
        blocks.append(Fields(tuple((s.source.slug, _state_line(s, today)) for s in states)))
    if imported:
        blocks.append(imported)
    blocks.append(Notice(Level.INFO, "No channel gets posts yet."))
    return Reply(tuple(blocks))


def _state_line(state: SourceState, today: date) -> str:
    return (
        f"{state.source.title} · newest to {day(state.last_day)}"
        f" ({ago(state.last_day, today)}) · {count(state.editions, 'edition')}"
        f" with {count(state.entries, 'entry')}"
    )
