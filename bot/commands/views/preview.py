"""The preview of a subscription: what it would post, and why not the rest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from bot.posting.digest import Reason, Verdict, apply_filters, selected_entries
from bot.posting.digest.filters import describe_filters
from bot.posting.digest.paper_list import numbered_title, without_line
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
from bot.replies.paper_actions import NO_VOTES
from bot.replies.papers import paper_line
from bot.replies.wording import ago, count, day, edition_name
from store.records import Delivery, DeliveryState, Edition, Layout, Subscription

WEEKS_TRIED = 8
_FIRST_FEW = 3
_OLD_DAYS = 8  # after its last day; by then a weekly source has its next edition
_REVIVED = (DeliveryState.DEAD, DeliveryState.SKIPPED)  # what posting now posts all the same


@dataclass(frozen=True, slots=True)
class Outlook:
    """The newest edition of a source, and its delivery to the subscription if there is one."""

    source: str
    edition: Edition | None = None
    delivery: Delivery | None = None


def short_preview(
    subscription: Subscription, edition: Edition, today: date, votes: Mapping[str, int] = NO_VOTES
) -> tuple[Block, ...]:
    """Say how many papers of an edition a subscription would post, and list the first ones."""
    verdicts = apply_filters(edition, subscription)
    lines = tuple(
        paper_line(verdict.entry, votes) for verdict in verdicts if verdict.reason is None
    )
    first = PaperList(tuple(map(without_line, lines[:_FIRST_FEW])))
    words = _would_post(edition, subscription, verdicts, today)
    if not lines:
        return (Text(words),)
    return Text(f"{words} The first of them:" if len(lines) > _FIRST_FEW else words), first


def preview_reply(  # noqa: PLR0913 - each is a part of the answer
    subscription: Subscription,
    outlooks: Sequence[Outlook],
    past: Sequence[Edition],
    today: date,
    change: str,
    *,
    votes: Mapping[str, int] = NO_VOTES,
) -> Reply:
    """Show what a subscription would post of each source now, and why not the rest.

    Args:
        subscription: the subscription.
        outlooks: the newest edition of each of its sources.
        past: the editions of these sources in the last eight weeks, newest first.
        today: the user's date.
        change: the command string that changes the subscription.
        votes: the votes of the newest papers, by ref.
    """
    blocks: list[Block] = [Title(f"Preview of subscription {subscription.id}")]
    if not outlooks:
        blocks.append(Notice(Level.INFO, "None of its sources has anything to post yet."))
    for outlook in outlooks:
        blocks += _outlook(outlook, subscription, today, votes)
    blocks += _tried(past, subscription)
    buttons = [Button("Change", change, form=True)]
    if any(_may_post(outlook, subscription) for outlook in outlooks):
        buttons.insert(0, Button("Post it now", f"deliver {subscription.id}"))
    return Reply((*blocks, Actions(tuple(buttons))), command=f"preview {subscription.id}")


def backtest(editions: Sequence[Edition], subscription: Subscription) -> tuple[int, int]:
    """Return how many papers of editions a subscription would have posted, and of how many."""
    return (
        sum(len(selected_entries(edition, subscription)) for edition in editions),
        sum(len(edition.entries) for edition in editions),
    )


def in_layout(subscription: Subscription, papers: int) -> str:
    """Describe a post of so many papers: `as thread: a card and 10 replies …`."""
    match subscription.layout:
        case Layout.COMPACT:
            return "as compact: one message with a line on each"
        case Layout.FULL:
            return "as full: summaries and highlights, over as many messages as they need"
        case Layout.THREAD:
            return f"as thread: a card and {count(papers, 'reply')} in its thread"


def why_not(verdict: Verdict, subscription: Subscription) -> str:
    """Say why a subscription does not post a paper."""
    decided = ", ".join(verdict.topics)
    match verdict.reason:
        case Reason.UNWANTED:
            return f"{decided} {'is' if len(verdict.topics) == 1 else 'are'} unwanted"
        case Reason.NOT_WANTED:
            return _topics_of(verdict)
        case Reason.BEYOND:
            return f"beyond the size of {subscription.size}"
        case None:
            return "posted"


def _topics_of(verdict: Verdict) -> str:
    topics = verdict.entry.topics
    if not topics:
        return "it has no topic"
    return f"its {'topic is' if len(topics) == 1 else 'topics are'} {', '.join(topics)}"


def _would_post(
    edition: Edition, subscription: Subscription, verdicts: Sequence[Verdict], today: date
) -> str:
    posted = sum(verdict.reason is None for verdict in verdicts)
    name = edition_name(edition)
    if not posted:
        return f"Would post nothing of {name}{_age(edition, today)}: the filters keep no paper."
    papers = _share(posted, len(verdicts))
    return (
        f"Would post {papers} of {name}{_age(edition, today)}, {in_layout(subscription, posted)}."
    )


def _as_it_is(subscription: Subscription, verdicts: Sequence[Verdict]) -> str:
    posted = sum(verdict.reason is None for verdict in verdicts)
    if not posted:
        return "As the subscription is now, its filters keep no paper of that."
    papers = _share(posted, len(verdicts))
    return f"As the subscription is now, that is {papers}, {in_layout(subscription, posted)}."


def _wanted(subscription: Subscription) -> str:
    return f" (wanted: {', '.join(subscription.topics)})" if subscription.topics else ""


def _share(posted: int, of: int) -> str:
    if posted < of:
        return f"{posted} of {count(of, 'paper')}"
    return "the one paper" if of == 1 else f"all {count(of, 'paper')}"


def _age(edition: Edition, today: date) -> str:
    if (today - edition.last_day).days <= _OLD_DAYS:
        return ""
    return f" ({ago(edition.last_day, today).removesuffix(' ago')} old)"


def _outlook(
    outlook: Outlook, subscription: Subscription, today: date, votes: Mapping[str, int]
) -> Iterator[Block]:
    if outlook.edition is None:
        yield Text(f"{outlook.source} has no edition to post yet.")
        return
    verdicts = apply_filters(outlook.edition, subscription)
    if outlook.delivery:
        yield _became(outlook.delivery, subscription)
    if outlook.delivery and outlook.delivery.state not in _REVIVED:
        yield Text(_as_it_is(subscription, verdicts))
    else:
        yield Text(_would_post(outlook.edition, subscription, verdicts, today))
    lines = tuple(
        paper_line(verdict.entry, votes) for verdict in verdicts if verdict.reason is None
    )
    if lines:
        yield PaperList(lines)
    dropped = [verdict for verdict in verdicts if verdict.reason is not None]
    if dropped:
        yield Text(f"Not posted{_wanted(subscription)}:")
        yield Fields(
            tuple((numbered_title(paper_line(v.entry)), why_not(v, subscription)) for v in dropped)
        )


def _became(delivery: Delivery, subscription: Subscription) -> Notice:
    what = edition_label(delivery)
    match delivery.state:
        case DeliveryState.SENT:
            on = (
                delivery.sent_at and delivery.sent_at.astimezone(ZoneInfo(subscription.zone)).date()
            )
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


def _may_post(outlook: Outlook, subscription: Subscription) -> bool:
    if outlook.edition is None or not selected_entries(outlook.edition, subscription):
        return False
    return outlook.delivery is None or outlook.delivery.state in _REVIVED


def _tried(past: Sequence[Edition], subscription: Subscription) -> Iterator[Block]:
    over = f"Over the last {WEEKS_TRIED} weeks"
    if not past:
        yield Text(f"{over} nothing came to try it on.")
        return
    posted, papers = backtest(past, subscription)
    if posted == papers and not describe_filters(subscription):
        yield Text(f"{over} it would have posted all {count(papers, 'paper')}: it has no filters.")
        return
    keeps = "these filters keep" if describe_filters(subscription) else "its size keeps"
    yield Text(f"{over} {keeps} {posted} of {count(papers, 'paper')}.")
    yield Fields(tuple((edition_name(each), _of(each, subscription)) for each in past))


def _of(edition: Edition, subscription: Subscription) -> str:
    return f"{len(selected_entries(edition, subscription))} of {len(edition.entries)}"
