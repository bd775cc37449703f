"""Overviews as Replies: the topics and the sources."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from bot.domain.addresses import replace_command, without_keys
from bot.replies.blocks import Actions, Block, Button, Fields, Level, Notice, Reply, Title
from bot.replies.wording import ago, count, day
from store.library.editions import SourceState
from store.library.topics import TopicCount
from store.records import Source
from store.sources import Followed

_OFFERED = 6


def topics_reply(counts: Sequence[TopicCount], summaries: Mapping[str, str]) -> Reply:
    """List the topics with their counts, the most frequent first, and offer these."""
    pairs = tuple(
        (f"{each.topic} · {count(each.papers, 'paper')}", summaries.get(each.topic, ""))
        for each in counts
    )
    buttons = tuple(Button(each.topic, f"topic {each.topic}") for each in counts[:_OFFERED])
    return Reply((Title("Topics"), Fields(pairs), Actions(buttons)))


def sources_reply(
    states: Sequence[SourceState], known: Sequence[Followed], today: date, *, reasons: bool = False
) -> Reply:
    """List what is stored and followed, how fresh it is, and what can't be fetched.

    `reasons` as for `failing_notices`.
    """
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
    notices = (
        *failing_notices(known, today, reasons=reasons),
        *refused_notices(known, reasons=reasons),
    )
    return Reply((Title("Sources"), Fields(tuple(pairs)), *notices, *offered))


def failing_notices(known: Sequence[Followed], today: date, *, reasons: bool) -> Iterator[Notice]:
    """Say of each source that is fetched and fails since when, and with `reasons` why.

    Reasons are for operators: they may name hosts and paths that are nobody else's business.
    """
    for each in known:
        since = min((a.failing_since for a in each.failing if a.failing_since), default=None)
        if each.enabled and since:
            began = since.date()
            part = "" if len(each.failing) == len(each.addresses) else " in part"
            sentence = (
                f"{each.source.slug} has failed{part} since {day(began)} ({ago(began, today)})."
            )
            why = _reasons(each) if reasons else []
            stays = any(address.fetched_at for address in each.addresses)
            calming = ["What was fetched before stays."] if stays else []
            yield Notice(Level.WARNING, sentence, " ".join([*why, *calming]))


def refused_notices(known: Sequence[Followed], *, reasons: bool) -> Iterator[Notice]:
    """Say which weeks were left as they are stored, and with `reasons` what replaces them.

    The command holds an address, which is for operators.
    """
    for each in known:
        for address in each.addresses:
            if each.enabled and address.left:
                command = without_keys(replace_command(each.source.slug, address))
                how = f"To replace what is stored: {command}" if reasons else ""
                yield Notice(Level.WARNING, f"{each.source.slug}: {address.left}", how)


def _reasons(source: Followed) -> list[str]:
    """Return why addresses of a source fail, each reason once."""
    return list(dict.fromkeys(each.error for each in source.failing if each.error))


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
