"""The filters of a subscription, which select the papers of an edition. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from store.records import Edition, Entry, Subscription


class Reason(StrEnum):
    """A reason not to post a paper."""

    UNWANTED = "unwanted"
    NOT_WANTED = "not-wanted"
    BEYOND = "beyond"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The filters' verdict on a paper, which is posted unless there is a `reason` against it.

    `topics` are those of the subscription that decided: the unwanted ones that the paper has, or
    the wanted ones, of which it has none.
    """

    entry: Entry
    reason: Reason | None = None
    topics: tuple[str, ...] = ()


def apply_filters(edition: Edition, subscription: Subscription) -> tuple[Verdict, ...]:
    """Return a verdict on each entry, in order; the first that pass fill the post's size."""
    verdicts: list[Verdict] = []
    room = subscription.size
    for entry in edition.entries:
        verdict = _by_topics(entry, subscription)
        if verdict.reason is None and not room:
            verdict = Verdict(entry, Reason.BEYOND)
        room -= verdict.reason is None
        verdicts.append(verdict)
    return tuple(verdicts)


def selected_entries(edition: Edition, subscription: Subscription) -> tuple[Entry, ...]:
    """Return the entries that are posted, in the edition's order."""
    verdicts = apply_filters(edition, subscription)
    return tuple(verdict.entry for verdict in verdicts if verdict.reason is None)


def _by_topics(entry: Entry, subscription: Subscription) -> Verdict:
    unwanted = tuple(topic for topic in subscription.not_topics if topic in entry.topics)
    if unwanted:
        return Verdict(entry, Reason.UNWANTED, unwanted)
    if subscription.topics and not set(subscription.topics) & set(entry.topics):
        return Verdict(entry, Reason.NOT_WANTED, subscription.topics)
    return Verdict(entry)
