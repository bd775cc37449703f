"""The papers of a personal digest: unseen ones, best first for the owner of a subscription."""

from collections.abc import Collection
from datetime import datetime

from bot.library.profile import Pick, pick, profile
from store.database import Session
from store.library import related
from store.posting import personal_deliveries
from store.posting.editions_to_post import EVERY_SOURCE
from store.readers.history import history, unseen
from store.records import Entry, Person, Subscription


def personal_picks(
    session: Session,
    subscription: Subscription,
    now: datetime,
    *,
    delivery: int | None = None,
    planned: Collection[str] = (),
) -> tuple[Pick, ...]:
    """Return what the digest of a personal subscription shows now.

    Args:
        session: a session.
        subscription: a personal subscription; its filters and size hold.
        now: the time, by the clock of editions.
        delivery: the delivery that it is for; what others of the subscription may have shown is
            left out.
        planned: the refs that the delivery was planned with before, if it was: then only these.
    """
    owner = Person(subscription.channel.workspace, subscription.owner)
    sources = None if EVERY_SOURCE in subscription.sources else subscription.sources
    perhaps_shown = personal_deliveries.refs_perhaps_shown(session, subscription.id, delivery)
    candidates = [
        mention
        for mention in unseen(session, owner, sources, now.date())
        if _is_wanted(mention.entry, subscription)
        and mention.entry.ref not in perhaps_shown
        and (not planned or mention.entry.ref in planned)
    ]
    taste = profile(history(session, owner), now, related.weights(session))
    return pick(taste, candidates, subscription.size)


def _is_wanted(entry: Entry, subscription: Subscription) -> bool:
    topics = set(entry.topics)
    if topics & set(subscription.not_topics):
        return False
    return not subscription.topics or bool(topics & set(subscription.topics))
