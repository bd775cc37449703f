"""Deliveries that are of no edition: personal digests, and what alerts found."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from store.database.statements import Query, execute_each, insert_for, insert_new
from store.library import mentions
from store.posting.queue import new_delivery
from store.records import DeliveryState, Part
from store.tables.posting import DeliveryPartRow, DeliveryRow, SubscriptionRow
from store.tables.readers import PersonRow, SeenPaperRow
from store.tables.workspaces import ChannelRow


def enqueue_digest(
    session: Session, subscriptions: Sequence[int], due_at: datetime, now: datetime
) -> int:
    """Enqueue the personal digests of some subscriptions; return how many are new.

    There is one for each subscription and due time.
    """
    new = insert_for(session, DeliveryRow).on_conflict_do_nothing()
    columns = new_delivery(due_at, now)
    rows = [{"subscription_id": each, **columns} for each in dict.fromkeys(subscriptions)]
    options = {"preserve_rowcount": True}
    return session.connection().execute(new.values(rows), execution_options=options).rowcount


def enqueue_alerts(session: Session, channel: int, due_at: datetime, now: datetime) -> int:
    """Enqueue a delivery that tells a channel, by its database id, what alerts found; return it."""
    new = insert_for(session, DeliveryRow).values(channel_id=channel, **new_delivery(due_at, now))
    return int(session.connection().execute(new.returning(col(DeliveryRow.id))).scalar_one())


def refs_perhaps_shown(
    session: Session, subscription: int | None, besides: int | None
) -> frozenset[str]:
    """Return the refs in digests of a subscription, of which nobody knows whether they arrived.

    `besides` is a delivery that is left out. Papers of digests that arrived are seen.
    """
    states = (DeliveryState.SENDING, DeliveryState.UNKNOWN)
    query: Query = (
        select(col(DeliveryPartRow.refs))
        .join(DeliveryRow, col(DeliveryRow.id) == col(DeliveryPartRow.delivery_id))
        .where(
            col(DeliveryRow.subscription_id) == subscription,
            col(DeliveryRow.edition_id).is_(None),
            col(DeliveryRow.id) != (besides or 0),
            col(DeliveryPartRow.state).in_(states),
        )
    )
    return frozenset(ref for refs in session.connection().scalars(query) for ref in refs)


def note_shown(session: Session, sent: Iterable[tuple[int, Part, datetime]]) -> None:
    """Record that the owners of digests have seen the papers of parts that were sent.

    Each is the id of a delivery, a part of it and the time; those of no digest are left out.
    """
    parts = {delivery: (part, at) for delivery, part, at in sent}
    query: Query = (
        select(col(DeliveryRow.id), col(PersonRow.id).label("person"))
        .join(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id))
        .join(ChannelRow, col(ChannelRow.id) == col(SubscriptionRow.channel_id))
        .join(PersonRow, col(PersonRow.workspace_id) == col(ChannelRow.workspace_id))
        .where(col(PersonRow.external_id) == col(SubscriptionRow.owner))
        .where(col(DeliveryRow.id).in_(list(parts)), col(DeliveryRow.edition_id).is_(None))
    )
    rows = []
    for row in session.connection().execute(query).all():
        part, at = parts[row.id]
        papers = filter(None, (mentions.find_paper(session, ref) for ref in part.refs))
        rows += [
            {
                "person_id": row.person,
                "paper_id": paper,
                "entry_id": entry,
                "seen_at": at,
                "delivery_id": row.id,
            }
            for paper, entry in papers
        ]
    execute_each(session.connection(), insert_new(session, SeenPaperRow), rows)
