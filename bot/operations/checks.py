"""The findings of `broadsheet doctor`, and the checks of subscriptions and sources. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.schedule import is_zone
from store.posting.change_subscription import REMOVED
from store.records import Delivery, DeliveryState, Subscription, SubscriptionState
from store.sources import FollowedSource


class Verdict(StrEnum):
    """The result of a check; only a problem makes `doctor` fail."""

    WELL = "well"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about one thing: a sentence, and a remedy if it is not well."""

    about: str
    verdict: Verdict
    sentence: str
    remedy: str = ""


def subscription_findings(
    subscriptions: Sequence[Subscription], deliveries: Iterable[Delivery]
) -> Iterator[Finding]:
    """Count the subscriptions, and report refused ones and failed last deliveries."""
    if not subscriptions:
        return
    counts = Counter(subscription.state for subscription in subscriptions)
    words = ", ".join(f"{counts[state]} {state}" for state in SubscriptionState if counts[state])
    yield Finding("subscriptions", Verdict.WELL, f"{words}.")
    for subscription in subscriptions:
        yield from _subscription_findings(subscription)
    yield from _delivery_findings({each.id for each in subscriptions}, deliveries)


def source_findings(sources: Iterable[FollowedSource]) -> Iterator[Finding]:
    """Name the enabled sources, and report the addresses that fail."""
    enabled = [source for source in sources if source.enabled]
    if enabled:
        slugs = ", ".join(source.source.slug for source in enabled)
        yield Finding("sources", Verdict.WELL, f"{slugs}.")
    for source in enabled:
        for address in source.failing:
            slug, since = source.source.slug, f"{address.failing_since:%Y-%m-%d %H:%M} UTC"
            sentence = f"{slug} has failed since {since}: {address.error}"
            remedy = f"See {address.url}; broadsheet sync {slug} tries it again."
            # A failing site is no fault of this machine, and may be back any time.
            yield Finding("sources", Verdict.NOTE, sentence, remedy)


def _subscription_findings(subscription: Subscription) -> Iterator[Finding]:
    name, zone, refusal = f"Subscription {subscription.id}", subscription.zone, subscription.refusal
    if not is_zone(zone):
        sentence = f"{name} is in the zone {zone}, which this machine does not know."
        remedy = "Bring its time zone data up to date."
        yield Finding("subscriptions", Verdict.PROBLEM, sentence, remedy)
    if refusal:
        # People removed the bot on purpose; the operator has nothing to repair.
        verdict = Verdict.NOTE if refusal.code == REMOVED else Verdict.PROBLEM
        sentence = f"{name} is refused: {refusal.sentence}"
        yield Finding("subscriptions", verdict, sentence, refusal.remedy)


def _delivery_findings(
    subscriptions: set[int | None], deliveries: Iterable[Delivery]
) -> Iterator[Finding]:
    """Report the last delivery of each subscription and source if it failed."""
    last = {
        (delivery.subscription_id, delivery.source): delivery
        for delivery in sorted(deliveries, key=lambda delivery: delivery.last_day)
        if delivery.subscription_id in subscriptions
    }
    for state in (DeliveryState.UNKNOWN, DeliveryState.DEAD):
        ids = sorted(delivery.id for delivery in last.values() if delivery.state is state)
        if ids:
            sentence = f"{state.capitalize()}: {', '.join(map(str, ids))}."
            remedy = "broadsheet deliveries list --failed says why, deliveries retry ID sends one."
            yield Finding("deliveries", Verdict.NOTE, sentence, remedy)
