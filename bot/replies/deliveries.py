"""How standing orders stand, in words: what they post and when, and what became of it. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.domain.schedule import WEEKDAYS
from bot.replies.blocks import Button, Level, Notice
from bot.replies.wording import count, days, duration, moment
from store.records import Delivery, DeliveryState, Subscription, SubscriptionState

_UNDER_WAY = frozenset({DeliveryState.PENDING, DeliveryState.CLAIMED, DeliveryState.SENDING})


@dataclass(frozen=True, slots=True)
class SubscriptionStatus:
    """A standing order, its deliveries by id, and the line that its form opens with."""

    order: Subscription
    deliveries: tuple[Delivery, ...]
    change: str = ""

    @property
    def last(self) -> Delivery | None:
        """The last delivery, whatever became of it."""
        return max(self.deliveries, key=lambda each: (each.due_at, each.id), default=None)

    @property
    def last_sent(self) -> Delivery | None:
        """The last delivery that was posted."""
        sent = [each for each in self.deliveries if each.sent_at]
        return max(sent, key=lambda each: (each.sent_at, each.id), default=None)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about an order that somebody should know of, and the buttons that help."""

    notice: Notice
    buttons: tuple[Button, ...] = ()


def statuses_of(
    orders: Sequence[Subscription],
    deliveries: Sequence[Delivery],
    change: Callable[[Subscription], str] = lambda _order: "",
    *,
    ahead: timedelta = timedelta(),
) -> list[SubscriptionStatus]:
    """Put orders together with their deliveries; `change` returns the line of an order's form.

    `ahead` is how far the clock of people is ahead of the one by which deliveries wait.
    """
    made: dict[int | None, list[Delivery]] = {}
    for each in deliveries:
        pause_text = each.waits_until and each.waits_until + ahead
        made.setdefault(each.subscription_id, []).append(replace(each, waits_until=pause_text))
    return [SubscriptionStatus(each, tuple(made.get(each.id, ())), change(each)) for each in orders]


def channel_name(order: Subscription) -> str:
    """Name the channel of an order, by its id where no name is known."""
    return channel_label(order.facts.name) if order.facts.name else order.channel.external_id


def channel_label(name: str) -> str:
    """Return a channel's name with its sign: `#papers`; one of several words has none.

    Such are the names of threads, and what direct messages are called.
    """
    return name if " " in name else f"#{name}"


def content_text(order: Subscription) -> str:
    """Word what an order posts: `dair · topics agents, rag · without vision · …`."""
    parts = [_sources(order)]
    if order.topics:
        parts.append(f"{'topic' if len(order.topics) == 1 else 'topics'} {', '.join(order.topics)}")
    if order.not_topics:
        parts.append(f"without {', '.join(order.not_topics)}")
    return " · ".join([*parts, f"at most {count(order.size, 'paper')}", order.layout.value])


def _sources(order: Subscription) -> str:
    return ", ".join(order.sources) if order.sources != ("all",) else "all sources"


def short_label(order: Subscription) -> str:
    """Tell an order from others in as few words as a button has: `Monday 09:00, dair, agents`."""
    parts = [f"{WEEKDAYS[order.weekday].capitalize()} {order.local_time:%H:%M}", _sources(order)]
    parts += [*order.topics, *(f"not {topic}" for topic in order.not_topics)]
    paused = [] if order.state is SubscriptionState.ACTIVE else [order.state.value]
    return ", ".join([*parts, *paused])


def state_text(order: Subscription) -> str:
    """Word the state of an order."""
    if order.cancelled_at is not None:
        return "taken back"
    if order.state is SubscriptionState.PAUSED:
        return f"paused {pause_text(order)}"
    return order.state.value


def pause_text(order: Subscription) -> str:
    """Word how long a pause lasts."""
    if order.paused_until is None:
        return "until somebody resumes it"
    return f"until {moment(order.paused_until, order.zone)}"


def edition_label(delivery: Delivery) -> str:
    """Name the edition of a delivery: `dair, Jan 5-11, 2026`."""
    return f"{delivery.source}, {days(delivery.first_day, delivery.last_day)}"


def outcome_text(delivery: Delivery, zone: str) -> str:
    """Word what became of a delivery: when and where it was posted, or why not."""
    next_try = moment(delivery.waits_until, zone) if delivery.waits_until else ""
    if delivery.state in _UNDER_WAY or is_requeued(delivery):
        return f"waiting for its turn until {next_try}" if next_try else "being posted"
    if delivery.state is DeliveryState.SENT:
        when = moment(delivery.sent_at, zone) if delivery.sent_at else ""
        return " · ".join(filter(None, [f"posted {when}".strip(), post_url(delivery)]))
    tried = count(delivery.attempts, "time") + (f", next {next_try}" if next_try else "")
    said = _OUTCOMES[delivery.state].format(tried=tried)
    return f"{said}: {delivery.error}" if delivery.error else f"{said}."


_OUTCOMES = {
    DeliveryState.RETRY: "not posted yet, tried {tried}",
    DeliveryState.UNKNOWN: "unknown: nobody can tell whether it was posted",
    DeliveryState.DEAD: "could not be posted",
    DeliveryState.SKIPPED: "not posted",
}


def is_requeued(delivery: Delivery) -> bool:
    """Tell whether a delivery is to be tried once more and nothing speaks against it."""
    return delivery.state is DeliveryState.RETRY and delivery.error is None


def post_url(delivery: Delivery) -> str | None:
    """Return where a post begins, `None` where its platform told none."""
    return next((part.url for part in delivery.parts if part.url), None)


def problems_of(standing: SubscriptionStatus) -> Iterator[Problem]:
    """Yield what is wrong with an order, the worst first."""
    order = standing.order
    if order.refusal is not None and order.state is SubscriptionState.REFUSED:
        notice = Notice(Level.ERROR, order.refusal.sentence, order.refusal.remedy)
        yield Problem(notice, (Button("Resume", f"resume {order.id}"),))
    for delivery in _newest_of_each(standing.deliveries):
        if delivery.state is DeliveryState.UNKNOWN:
            yield _unknown(order, delivery)
        elif delivery.state is DeliveryState.DEAD:
            yield _dead(order, delivery)
        elif delivery.state is DeliveryState.RETRY and not is_requeued(delivery):
            said = f"{edition_label(delivery)}: {outcome_text(delivery, order.zone)}"
            yield Problem(Notice(Level.WARNING, said, "It is tried again by itself."))
    if missed := _missed(standing):
        yield Problem(
            Notice(Level.WARNING, missed, "What comes later is posted when the next post is due.")
        )


def waiting_text(order: Subscription) -> str | None:
    """Say what due time an order still waits for an edition for, `None` where there is none."""
    if order.open_due_at is None or order.state is not SubscriptionState.ACTIVE:
        return None
    last = moment(order.open_due_at + order.patience, order.zone)
    return f"waiting for what was due {moment(order.open_due_at, order.zone)}, until {last}"


def _unknown(order: Subscription, delivery: Delivery) -> Problem:
    notice = Notice(
        Level.WARNING,
        f"Unknown: nobody can tell whether {edition_label(delivery)} was posted.",
        "Look in the channel; where it is missing, post it again.",
    )
    again = f"deliver {order.id} again:{delivery.id}"
    return Problem(notice, (Button("Post again", again),))


def _dead(order: Subscription, delivery: Delivery) -> Problem:
    said = f"{edition_label(delivery)}: {outcome_text(delivery, order.zone)}"
    notice = Notice(Level.ERROR, said, "Once that is put right, post it now.")
    return Problem(notice, (Button("Post it now", f"deliver {order.id}"),))


def _missed(standing: SubscriptionStatus) -> str | None:
    """Say that nothing came for a due time, unless something was posted for a later one."""
    order, last = standing.order, standing.last
    if order.missed_at is None or (last is not None and last.due_at > order.missed_at):
        return None
    when = moment(order.missed_at, order.zone)
    within = f" within {duration(order.patience)}" if order.patience else ""
    return f"Nothing came for {when}{within}."


def _newest_of_each(deliveries: Sequence[Delivery]) -> list[Delivery]:
    """Return the delivery of the newest edition of each source, and all that nobody knows of."""
    newest: dict[str, Delivery] = {}
    for each in sorted(deliveries, key=lambda each: each.last_day):
        newest[each.source] = each
    unknown = [each for each in deliveries if each.state is DeliveryState.UNKNOWN]
    return list({each.id: each for each in (*unknown, *newest.values())}.values())
