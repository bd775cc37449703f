"""What a standing order would post, and why not the rest, as Replies."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from bot.posting.digest import Reason, Verdict, judged, kept
from bot.posting.digest.head import filters
from bot.posting.digest.listing import titled, without_line
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Notice,
    PaperList,
    Reply,
    Text,
    Title,
)
from bot.replies.deliveries import edition_label
from bot.replies.papers import paper_line
from bot.replies.wording import ago, count, day, edition_name
from store.records import Delivery, DeliveryState, Edition, Layout, Subscription

WEEKS_TRIED = 8
_FIRST_FEW = 3
_OLD_DAYS = 8  # after its last day; by then a weekly source has its next edition
_REVIVED = (DeliveryState.DEAD, DeliveryState.SKIPPED)  # what posting now posts all the same


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a wanted source has for an order: its newest edition, and what became of that here."""

    source: str
    edition: Edition | None = None
    delivery: Delivery | None = None


def short_preview(order: Subscription, edition: Edition, today: date) -> tuple[Block, ...]:
    """Say how many papers of an edition an order would post, and list the first of them."""
    verdicts = judged(edition, order)
    lines = tuple(paper_line(verdict.entry) for verdict in verdicts if verdict.reason is None)
    first = PaperList(tuple(map(without_line, lines[:_FIRST_FEW])))
    words = _would_post(edition, order, verdicts, today)
    if not lines:
        return (Text(words),)
    return Text(f"{words} The first of them:" if len(lines) > _FIRST_FEW else words), first


def preview_reply(
    order: Subscription,
    outlooks: Sequence[Outlook],
    past: Sequence[Edition],
    today: date,
    change: str,
) -> Reply:
    """Show the asker what an order would post of each source now, and why not the rest.

    Args:
        order: the order.
        outlooks: what each source that it follows has.
        past: what these sources had in the last eight weeks, newest first.
        today: the asker's date.
        change: the command that changes the order, with its arguments.
    """
    blocks: list[Block] = [Title(f"Preview of subscription {order.id}")]
    if not outlooks:
        blocks.append(Notice(Level.INFO, "None of its sources has anything to post yet."))
    for outlook in outlooks:
        blocks += _outlook(outlook, order, today)
    blocks += _tried(past, order)
    buttons = [Button("Change", change, form=True)]
    if any(_may_post(outlook, order) for outlook in outlooks):
        buttons.insert(0, Button("Post it now", f"deliver {order.id}"))
    return Reply((*blocks, Actions(tuple(buttons))), command=f"preview {order.id}")


def backtest(editions: Sequence[Edition], order: Subscription) -> tuple[int, int]:
    """Return how many papers of some editions an order would have posted, and of how many."""
    return (
        sum(len(kept(edition, order)) for edition in editions),
        sum(len(edition.entries) for edition in editions),
    )


def in_layout(order: Subscription, papers: int) -> str:
    """Say what a post of so many papers looks like: `as thread: a card and 10 replies …`."""
    match order.layout:
        case Layout.COMPACT:
            return "as compact: one message with a line on each"
        case Layout.FULL:
            return "as full: summaries and highlights, over as many messages as they need"
        case Layout.THREAD:
            return f"as thread: a card and {count(papers, 'reply')} in its thread"


def why_not(verdict: Verdict, order: Subscription) -> str:
    """Say why an order does not post a paper."""
    decided = ", ".join(verdict.topics)
    match verdict.reason:
        case Reason.UNWANTED:
            return f"{decided} {'is' if len(verdict.topics) == 1 else 'are'} unwanted"
        case Reason.NOT_WANTED:
            return _topics_of(verdict)
        case Reason.BEYOND:
            return f"beyond the size of {order.size}"
        case None:
            return "posted"


def _topics_of(verdict: Verdict) -> str:
    topics = verdict.entry.topics
    if not topics:
        return "it has no topic"
    return f"its {'topic is' if len(topics) == 1 else 'topics are'} {', '.join(topics)}"


def _would_post(
    edition: Edition, order: Subscription, verdicts: Sequence[Verdict], today: date
) -> str:
    posted = sum(verdict.reason is None for verdict in verdicts)
    name = edition_name(edition)
    if not posted:
        return f"Would post nothing of {name}{_age(edition, today)}: the filters keep no paper."
    papers = _share(posted, len(verdicts))
    return f"Would post {papers} of {name}{_age(edition, today)}, {in_layout(order, posted)}."


def _as_it_is(order: Subscription, verdicts: Sequence[Verdict]) -> str:
    posted = sum(verdict.reason is None for verdict in verdicts)
    if not posted:
        return "As the subscription is now, its filters keep no paper of that."
    papers = _share(posted, len(verdicts))
    return f"As the subscription is now, that is {papers}, {in_layout(order, posted)}."


def _wanted(order: Subscription) -> str:
    return f" (wanted: {', '.join(order.topics)})" if order.topics else ""


def _share(posted: int, of: int) -> str:
    if posted < of:
        return f"{posted} of {count(of, 'paper')}"
    return "the one paper" if of == 1 else f"all {count(of, 'paper')}"


def _age(edition: Edition, today: date) -> str:
    if (today - edition.last_day).days <= _OLD_DAYS:
        return ""
    return f" ({ago(edition.last_day, today).removesuffix(' ago')} old)"


def _outlook(outlook: Outlook, order: Subscription, today: date) -> Iterator[Block]:
    if outlook.edition is None:
        yield Text(f"{outlook.source} has no edition to post yet.")
        return
    verdicts = judged(outlook.edition, order)
    if outlook.delivery:
        yield _became(outlook.delivery, order)
    if outlook.delivery and outlook.delivery.state not in _REVIVED:
        yield Text(_as_it_is(order, verdicts))
    else:
        yield Text(_would_post(outlook.edition, order, verdicts, today))
    lines = tuple(paper_line(verdict.entry) for verdict in verdicts if verdict.reason is None)
    if lines:
        yield PaperList(lines)
    dropped = [verdict for verdict in verdicts if verdict.reason is not None]
    if dropped:
        yield Text(f"Not posted{_wanted(order)}:")
        yield Fields(tuple((titled(paper_line(v.entry)), why_not(v, order)) for v in dropped))


def _became(delivery: Delivery, order: Subscription) -> Notice:
    what = edition_label(delivery)
    match delivery.state:
        case DeliveryState.SENT:
            on = delivery.sent_at and delivery.sent_at.astimezone(ZoneInfo(order.zone)).date()
            urls = (part.url for part in delivery.parts if part.url)
            when = f" on {day(on)}" if on else ""
            return Notice(Level.INFO, f"{what} was posted already{when}.", next(urls, ""))
        case DeliveryState.UNKNOWN:
            return Notice(Level.WARNING, f"{what} was sent, and nobody knows whether it arrived.")
        case DeliveryState.DEAD:
            return Notice(Level.WARNING, f"{what} could not be posted.", delivery.error or "")
        case DeliveryState.SKIPPED:
            return Notice(Level.INFO, f"{what} was skipped.", delivery.error or "")
        case _:
            return Notice(Level.INFO, f"{what} is being posted.")


def _may_post(outlook: Outlook, order: Subscription) -> bool:
    if outlook.edition is None or not kept(outlook.edition, order):
        return False
    return outlook.delivery is None or outlook.delivery.state in _REVIVED


def _tried(past: Sequence[Edition], order: Subscription) -> Iterator[Block]:
    over = f"Over the last {WEEKS_TRIED} weeks"
    if not past:
        yield Text(f"{over} nothing came to try it on.")
        return
    posted, papers = backtest(past, order)
    if posted == papers and not filters(order):
        yield Text(f"{over} it would have posted all {count(papers, 'paper')}: it has no filters.")
        return
    keeps = "these filters keep" if filters(order) else "its size keeps"
    yield Text(f"{over} {keeps} {posted} of {count(papers, 'paper')}.")
    yield Fields(tuple((edition_name(each), _of(each, order)) for each in past))


def _of(edition: Edition, order: Subscription) -> str:
    return f"{len(kept(edition, order))} of {len(edition.entries)}"
