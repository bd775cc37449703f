"""Overviews as Replies: the topics and the sources."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from bot.replies import Actions, Block, Button, Fields, Level, Notice, Reply, Title
from bot.wording import ago, count, day
from store.editions import SourceState
from store.followed import Followed
from store.records import Source
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


def sources_reply(states: Sequence[SourceState], known: Sequence[Followed], today: date) -> Reply:
    """List what is stored and followed, how fresh it is, and what can't be fetched."""
    by_slug = {each.source.slug: each for each in known}
    stored = [(each.source.slug, state_line(each, today)) for each in states]
    awaited = by_slug.keys() - {slug for slug, _ in stored}
    pairs = [
        *((slug, line + _unless_fetched(by_slug.get(slug))) for slug, line in stored),
        *((slug, _awaited_line(by_slug[slug])) for slug in sorted(awaited)),
    ]
    buttons = tuple(
        Button(f"Newest of {each.source.slug}", f"latest from:{each.source.slug}")
        for each in states[:_OFFERED]
    )
    offered: tuple[Block, ...] = (Actions(buttons),) if buttons else ()
    notices = failing_notices(known, today)
    return Reply((Title("Sources"), Fields(tuple(pairs)), *notices, *offered))


def failing_notices(known: Sequence[Followed], today: date) -> Iterator[Notice]:
    """Say of each source that is fetched and fails since when, and why."""
    for each in known:
        since = min((a.failing_since for a in each.failing if a.failing_since), default=None)
        if each.enabled and since:
            began = since.date()
            part = "" if len(each.failing) == len(each.addresses) else " in part"
            sentence = (
                f"{each.source.slug} has failed{part} since {day(began)} ({ago(began, today)})."
            )
            yield Notice(Level.WARNING, sentence, _reasons(each))


def _reasons(source: Followed) -> str:
    """Say why addresses of a source fail, and that what there is stays."""
    reasons = dict.fromkeys(each.error for each in source.failing if each.error)
    stays = any(each.fetched_at for each in source.addresses)
    return " ".join([*reasons, *(["What was fetched before stays."] if stays else [])])


def _unless_fetched(source: Followed | None) -> str:
    return " · not fetched" if source and not source.enabled else ""


def _awaited_line(source: Followed) -> str:
    what = "nothing fetched yet" if source.enabled else "not fetched, an operator can enable it"
    return f"{_title(source.source)}{what}"


def state_line(state: SourceState, today: date) -> str:
    """Word what is stored of a source, and how fresh it is."""
    return (
        f"{_title(state.source)}newest to {day(state.last_day)}"
        f" ({ago(state.last_day, today)}) · {count(state.editions, 'edition')}"
        f" with {count(state.entries, 'entry')}"
    )


def _title(source: Source) -> str:
    """Return what begins a line beside a source's slug, where its title says more than that."""
    return f"{source.title} · " if source.title != source.slug else ""
