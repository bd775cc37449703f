"""Subscriptions and deliveries in words: schedule, state, outcome and problems. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.domain.schedule import WEEKDAYS
from bot.replies.blocks import Button, Level, Notice
from bot.replies.wording import count, day, days, duration, moment
from store.posting.deliveries import told_of
from store.records import Delivery, DeliveryKind, DeliveryState, Subscription, SubscriptionState

_IN_PROGRESS = frozenset({DeliveryState.PENDING, DeliveryState.CLAIMED, DeliveryState.SENDING})
_OUTCOMES = {
    DeliveryState.RETRY: "not posted yet, tried {tried}",
    DeliveryState.UNKNOWN: "unknown: nobody can tell whether it was posted",
    DeliveryState.DEAD: "could not be posted",
    DeliveryState.SKIPPED: "not posted",
}


@dataclass(frozen=True, slots=True)
class SubscriptionStatus:
    """A subscription and its deliveries by id."""

    subscription: Subscription
    deliveries: tuple[Delivery, ...]

    @property
    def last(self) -> Delivery | None:
        """The last delivery, in any state."""
        return max(self.deliveries, key=lambda each: (each.due_at, each.id), default=None)

    @property
    def last_sent(self) -> Delivery | None:
        """The last delivery that was posted."""
        sent = [delivery for delivery in self.deliveries if delivery.sent_at]
        return max(sent, key=lambda each: (each.sent_at, each.id), default=None)


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a subscription, and the buttons that help."""

    notice: Notice
    buttons: tuple[Button, ...] = ()


# What a place is called to somebody who is not in it.
UNNAMED = "a channel that you are not in"


def channel_name(subscription: Subscription) -> str:
    """Return the label of a subscription's channel, or its id if the name is unknown."""
    name = subscription.facts.name
    return channel_label(name) if name else subscription.channel.external_id


def channel_label(name: str) -> str:
    """Return `#papers`; names of several words (threads, direct messages) have no sign."""
    return name if " " in name else f"#{name}"


def content_text(subscription: Subscription) -> str:
    """Describe what a subscription posts: `dair · topics agents, rag · without vision · …`."""
    sources = _sources(subscription)
    parts = [f"what you have not seen of {sources}" if subscription.personal else sources]
    if topics := subscription.topics:
        parts.append(f"{'topic' if len(topics) == 1 else 'topics'} {', '.join(topics)}")
    if subscription.not_topics:
        parts.append(f"without {', '.join(subscription.not_topics)}")
    parts.append(f"at most {count(subscription.size, 'paper')}")
    return " · ".join(parts if subscription.personal else [*parts, subscription.layout.value])


def short_label(subscription: Subscription) -> str:
    """Return a label short enough for a button: `Monday 09:00, dair, agents`."""
    day = WEEKDAYS[subscription.weekday].capitalize()
    parts = [f"{day} {subscription.local_time:%H:%M}", _sources(subscription)]
    parts += [*subscription.topics, *(f"not {topic}" for topic in subscription.not_topics)]
    if subscription.state is not SubscriptionState.ACTIVE:
        parts.append(subscription.state.value)
    return ", ".join(parts)


def _sources(subscription: Subscription) -> str:
    return "all sources" if subscription.sources == ("all",) else ", ".join(subscription.sources)


def state_text(subscription: Subscription) -> str:
    """Return the state of a subscription in words."""
    if subscription.cancelled_at is not None:
        return "cancelled"
    if subscription.state is SubscriptionState.PAUSED:
        return f"paused {pause_text(subscription)}"
    return subscription.state.value


def pause_text(subscription: Subscription) -> str:
    """Say how long a pause lasts."""
    if subscription.paused_until is None:
        return "until it is resumed"
    return f"until {moment(subscription.paused_until, subscription.zone)}"


def waiting_text(subscription: Subscription) -> str | None:
    """Return the due time that still waits for an edition and until when, or `None`."""
    due, zone = subscription.open_due_at, subscription.zone
    if due is None or subscription.state is not SubscriptionState.ACTIVE:
        return None
    last = moment(due + subscription.patience, zone)
    return f"waiting for what was due {moment(due, zone)}, until {last}"


def delivery_label(delivery: Delivery) -> str:
    """Name what a delivery posts: `dair, Jan 5-11, 2026`, `the digest of Jan 12, 2026`."""
    if delivery.first_day is None or delivery.last_day is None:
        is_alert = delivery.kind is DeliveryKind.ALERT
        return f"the {'alert' if is_alert else 'digest'} of {day(delivery.due_at.date())}"
    return f"{delivery.source}, {days(delivery.first_day, delivery.last_day)}"


def outcome_text(delivery: Delivery, zone: str) -> str:
    """Say when and where a delivery was posted, or why it was not."""
    next_try = moment(delivery.waits_until, zone) if delivery.waits_until else ""
    if delivery.state in _IN_PROGRESS or is_requeued(delivery):
        return f"waiting for its turn until {next_try}" if next_try else "being posted"
    if delivery.state is DeliveryState.SENT:
        when = moment(delivery.sent_at, zone) if delivery.sent_at else ""
        return " · ".join(filter(None, [f"posted {when}".strip(), post_url(delivery)]))
    tried = count(delivery.attempts, "time") + (f", next {next_try}" if next_try else "")
    outcome = _OUTCOMES[delivery.state].format(tried=tried)
    return f"{outcome}: {delivery.error}" if delivery.error else f"{outcome}."


def is_requeued(delivery: Delivery) -> bool:
    """Tell whether a delivery waits for another try without an error."""
    return delivery.state is DeliveryState.RETRY and delivery.error is None


def post_url(delivery: Delivery) -> str | None:
    """Return the address of a post's first message, or `None` if the platform gave none."""
    return next((part.url for part in delivery.parts if part.url), None)


def problems_of(status: SubscriptionStatus) -> Iterator[Problem]:
    """Yield the problems of a subscription, the worst first."""
    subscription = status.subscription
    if subscription.refusal is not None and subscription.state is SubscriptionState.REFUSED:
        refusal = subscription.refusal
        notice = Notice(Level.ERROR, refusal.sentence, refusal.remedy)
        yield Problem(notice, (Button("Resume", f"resume {subscription.id}"),))
    for delivery in _newest_or_unknown(status.deliveries):
        yield from _delivery_problem(subscription, delivery)
    missed, last = subscription.missed_at, status.last
    if missed is not None and (last is None or last.due_at <= missed):
        patience = subscription.patience
        within = f" within {duration(patience)}" if patience else ""
        sentence = f"Nothing came for {moment(missed, subscription.zone)}{within}."
        remedy = "What comes later is posted when the next post is due."
        yield Problem(Notice(Level.WARNING, sentence, remedy))


def _delivery_problem(subscription: Subscription, delivery: Delivery) -> Iterator[Problem]:
    edition = delivery_label(delivery)
    sentence = f"{edition}: {outcome_text(delivery, subscription.zone)}"
    if delivery.state is DeliveryState.UNKNOWN:
        sentence = f"Unknown: nobody can tell whether {edition} was posted."
        remedy = "Look in the channel; where it is missing, post it again."
        again = Button("Post again", f"deliver {subscription.id} again:{delivery.id}")
        yield Problem(Notice(Level.WARNING, sentence, remedy), (again,))
    elif delivery.state is DeliveryState.DEAD:
        notice = Notice(Level.ERROR, sentence, "Once that is put right, post it now.")
        yield Problem(notice, (Button("Post it now", f"deliver {subscription.id}"),))
    elif delivery.state is DeliveryState.RETRY and not is_requeued(delivery):
        yield Problem(Notice(Level.WARNING, sentence, "It is tried again by itself."))


def _newest_or_unknown(deliveries: Sequence[Delivery]) -> list[Delivery]:
    """Return all unknown deliveries, then the newest edition's of each source."""
    by_last_day = sorted(deliveries, key=told_of)
    newest = {delivery.source: delivery for delivery in by_last_day}
    unknown = [each for each in deliveries if each.state is DeliveryState.UNKNOWN]
    return list({each.id: each for each in (*unknown, *newest.values())}.values())
