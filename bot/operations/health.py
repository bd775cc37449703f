"""The health of the parts of a running bot, and the findings of `broadsheet doctor`."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.schedule import is_zone
from bot.domain.zones import without_summer_time, zones_instead
from bot.replies.wording import workspace_noun
from store.errors import BroadsheetError
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

_log = logging.getLogger(__name__)

# A part that takes longer to answer is not well.
PATIENCE_SECONDS = 2.0
_MOST_NAMED = 5


class State(StrEnum):
    """The state of a part."""

    OK = "ok"
    STANDBY = "standby"
    STARTING = "starting"
    FAILING = "failing"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Condition:
    """The state of a part, with a sentence if that says more."""

    state: State
    sentence: str = ""

    @property
    def healthy(self) -> bool:
        """The part needs no attention."""
        return self.state in {State.OK, State.STANDBY, State.OFF}


Check = Callable[[], Awaitable[Condition]]
Parts = Mapping[str, Check]
"""The checks by name, in the order of the report."""


async def conditions(parts: Parts, patience: float = PATIENCE_SECONDS) -> dict[str, Condition]:
    """Check all parts at once; one that takes longer than `patience` is failing."""
    found = await asyncio.gather(*(_condition(name, parts[name], patience) for name in parts))
    return dict(zip(parts, found, strict=True))


async def _condition(name: str, check: Check, patience: float) -> Condition:
    try:
        async with asyncio.timeout(patience):
            return await check()
    except TimeoutError:
        return Condition(State.FAILING, "It did not answer.")
    except BroadsheetError as error:
        return Condition(State.FAILING, error.sentence)
    except Exception as error:  # noqa: BLE001 - one part's fault must not hide the others
        _log.warning("check_failed", exc_info=True, extra={"part": name})
        return Condition(State.FAILING, f"It can't be told ({type(error).__name__}).")


def unforeseen(error: Exception) -> str:
    """Return the sentence for an unhandled error."""
    return f"Something unforeseen went wrong ({type(error).__name__})."


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
