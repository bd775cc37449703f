"""What would not work of orders and sources, as findings of `broadsheet doctor`. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from bot.domain.schedule import is_zone
from bot.operations.findings import Finding, Verdict
from store.posting.change_subscription import REMOVED
from store.records import Delivery, DeliveryState, Subscription, SubscriptionState
from store.sources import Followed

_ABOUT = "subscriptions"
_FAILED = (DeliveryState.UNKNOWN, DeliveryState.DEAD)


def order_findings(
    orders: Sequence[Subscription], deliveries: Iterable[Delivery]
) -> Iterator[Finding]:
    """Say how many orders stand, which can't be carried out, and what was not delivered last."""
    if not orders:
        return
    counts = Counter(order.state for order in orders)
    told = ", ".join(f"{counts[state]} {state}" for state in SubscriptionState if counts[state])
    yield Finding(_ABOUT, Verdict.WELL, f"{told}.")
    for order in orders:
        yield from _order_findings(order)
    yield from _delivery_findings({order.id for order in orders}, deliveries)


def source_findings(known: Iterable[Followed]) -> Iterator[Finding]:
    """Say which sources are fetched, and which of them can't be since when."""
    enabled = [each for each in known if each.enabled]
    if enabled:
        slugs = ", ".join(each.source.slug for each in enabled)
        yield Finding("sources", Verdict.WELL, f"{slugs}.")
    for each in enabled:
        for address in each.failing:
            since = f"{address.failing_since:%Y-%m-%d %H:%M} UTC"
            sentence = f"{each.source.slug} has failed since {since}: {address.error}"
            remedy = f"See {address.url}; broadsheet sync {each.source.slug} tries it again."
            # Somebody else's site is none of this machine's faults, and may be back any time.
            yield Finding("sources", Verdict.NOTE, sentence, remedy)


def _order_findings(order: Subscription) -> Iterator[Finding]:
    name = f"Subscription {order.id}"
    if not is_zone(order.zone):
        sentence = f"{name} is in the zone {order.zone}, which this machine does not know."
        yield Finding(_ABOUT, Verdict.PROBLEM, sentence, "Bring its time zone data up to date.")
    if order.refusal:
        # Whoever removed the bot wanted that; there is nothing for the operator to mend.
        verdict = Verdict.NOTE if order.refusal.code == REMOVED else Verdict.PROBLEM
        sentence = f"{name} is refused: {order.refusal.sentence}"
        yield Finding(_ABOUT, verdict, sentence, order.refusal.remedy)


def _delivery_findings(
    orders: set[int | None], deliveries: Iterable[Delivery]
) -> Iterator[Finding]:
    """Go by the last delivery of each order and source: what came after one makes up for it."""
    last = {
        (delivery.subscription_id, delivery.source): delivery
        for delivery in sorted(deliveries, key=lambda each: each.last_day)
        if delivery.subscription_id in orders
    }
    for state in _FAILED:
        ids = sorted(delivery.id for delivery in last.values() if delivery.state is state)
        if ids:
            sentence = f"{state.capitalize()}: {', '.join(map(str, ids))}."
            remedy = "broadsheet deliveries list --failed says why, deliveries retry ID sends one."
            yield Finding("deliveries", Verdict.NOTE, sentence, remedy)
