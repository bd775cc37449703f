"""The checks of `broadsheet doctor`, as findings. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.schedule import is_zone
from bot.domain.zones import without_summer_time, zones_instead
from bot.replies.wording import count, workspace_noun
from store.posting.change_subscription import REMOVED
from store.posting.deliveries import told_of
from store.records import (
    Delivery,
    DeliveryState,
    Edition,
    Subscription,
    SubscriptionState,
    Workspace,
)
from store.sources import FollowedSource

_MOST_NAMED = 5


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


def ahead_findings(editions: Sequence[Edition]) -> Iterator[Finding]:
    """Name the editions that lie ahead, which programs before stored."""
    if editions:
        named = ", ".join(f"{each.source}:{each.first_day}" for each in editions[:_MOST_NAMED])
        more = len(editions) - _MOST_NAMED
        named += f" and {more} more" if more > 0 else ""
        sentence = f"Weeks that lie ahead are stored, never shown as newest or posted: {named}."
        remedy = "Correct the dates in their documents and import them again for the right weeks."
        yield Finding("store", Verdict.NOTE, sentence, remedy)


def zone_findings(zones: Mapping[Workspace, str]) -> Iterator[Finding]:
    """Name the workspaces whose zone knows no summer time; programs before took its name."""
    for workspace, zone in zones.items():
        if meant := zones_instead(zone):
            name = f"the {workspace_noun(workspace.platform)} {workspace.external_id}"
            sentence = f"Of the zone of {name}: {without_summer_time(zone)}"
            remedy = f"Where that is not meant, type there: /papers settings zone {meant[0]}"
            yield Finding(workspace.platform, Verdict.NOTE, sentence, remedy)


def _subscription_findings(subscription: Subscription) -> Iterator[Finding]:
    name, zone, refusal = f"Subscription {subscription.id}", subscription.zone, subscription.refusal
    if fixed := without_summer_time(zone):
        remedy = "Where that is not meant, /papers subscriptions in its channel offers others."
        yield Finding("subscriptions", Verdict.NOTE, f"{name}: {fixed}", remedy)
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
        for delivery in sorted(deliveries, key=lambda each: (told_of(each), each.id))
        if delivery.subscription_id in subscriptions
    }
    for state in (DeliveryState.UNKNOWN, DeliveryState.DEAD):
        ids = sorted(delivery.id for delivery in last.values() if delivery.state is state)
        if ids:
            sentence = f"{state.capitalize()}: {', '.join(map(str, ids))}."
            remedy = "broadsheet deliveries list --failed says why, deliveries retry ID sends one."
            yield Finding("deliveries", Verdict.NOTE, sentence, remedy)


# Channels of which each takes a request: Slack allows some 50 a minute.
# https://docs.slack.dev/apis/web-api/rate-limits
MOST_EXAMINED = 50


class PlatformFindings:
    """Makes the findings of one platform.

    Args:
        platform: its name in the settings.
    """

    def __init__(self, platform: str) -> None:
        self._platform = platform

    def well(self, sentence: str, remedy: str = "") -> Finding:
        """Return that something is as it has to be."""
        return Finding(self._platform, Verdict.WELL, sentence, remedy)

    def note(self, sentence: str, remedy: str = "") -> Finding:
        """Return something that may be intended."""
        return Finding(self._platform, Verdict.NOTE, sentence, remedy)

    def problem(self, sentence: str, remedy: str = "") -> Finding:
        """Return something that keeps the bot from its work."""
        return Finding(self._platform, Verdict.PROBLEM, sentence, remedy)

    def of_channels(
        self, examined: Iterable[Finding | str | None], total: int
    ) -> Iterator[Finding]:
        """Yield the findings on channels, and how many can be posted to.

        Args:
            examined: for at most `MOST_EXAMINED` channels `None` where one can be posted to, a
                finding on it, or the reason why it could not be examined.
            total: how many channels there are.
        """
        postable, reasons = 0, Counter[str]()
        for each in examined:
            if each is None:
                postable += 1
            elif isinstance(each, str):
                reasons[each] += 1
            else:
                yield each
        if postable:
            yield self.well(f"{count(postable, 'channel')} can be posted to.")
        for reason, number in reasons.items():
            yield self.note(f"{count(number, 'channel')} could not be examined: {reason}")
        if total > MOST_EXAMINED:
            channels = count(total, "channel")
            yield self.note(f"Of {channels} no more than {MOST_EXAMINED} were examined.")
