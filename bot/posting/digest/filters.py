"""Which papers of an edition a standing order wants, and why not the others. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from store.records import Edition, Entry, Subscription


class Reason(StrEnum):
    """Why a paper is not posted."""

    UNWANTED = "unwanted"
    NOT_WANTED = "not-wanted"
    BEYOND = "beyond"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a paper is posted, which it is without a `reason` against it.

    `topics` are those of the order that decided: the unwanted ones that the paper has, or the
    wanted ones, of which it has none.
    """

    entry: Entry
    reason: Reason | None = None
    topics: tuple[str, ...] = ()


def judged(edition: Edition, order: Subscription) -> tuple[Verdict, ...]:
    """Judge each entry of an edition, in its order; the first that pass fill the order's size."""
    found: list[Verdict] = []
    room = order.size
    for entry in edition.entries:
        verdict = _by_topics(entry, order)
        if verdict.reason is None and not room:
            verdict = Verdict(entry, Reason.BEYOND)
        room -= verdict.reason is None
        found.append(verdict)
    return tuple(found)


def kept(edition: Edition, order: Subscription) -> tuple[Entry, ...]:
    """Return the entries that are posted, in the edition's order."""
    return tuple(verdict.entry for verdict in judged(edition, order) if verdict.reason is None)


def _by_topics(entry: Entry, order: Subscription) -> Verdict:
    unwanted = tuple(topic for topic in order.not_topics if topic in entry.topics)
    if unwanted:
        return Verdict(entry, Reason.UNWANTED, unwanted)
    if order.topics and not set(order.topics) & set(entry.topics):
        return Verdict(entry, Reason.NOT_WANTED, order.topics)
    return Verdict(entry)
