"""Deliveries with their parts: what goes to which channel, and what became of it."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, case, func, select, true
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from store.database.statements import Query, in_list
from store.library.editions import is_ahead, latest_end
from store.records import Channel, Delivery, DeliveryState, Part
from store.tables.library import EditionRow
from store.tables.posting import DeliveryPartRow, DeliveryRow, SubscriptionRow
from store.tables.workspaces import ChannelRow, WorkspaceRow
from store.workspaces.workspaces import CHANNEL_COLUMNS, channel_of, facts_of, is_channel

_FIELDS = (
    "id", "subscription_id", "source", "first_day", "last_day", "state", "attempts", "due_at",
    "sent_at", "error",
)  # fmt: skip
_PART_FIELDS = (
    "number", "key", "refs", "state", "digest", "place", "message", "url", "began_at",
)  # fmt: skip


def list_deliveries(session: Session) -> list[Delivery]:
    """Return all deliveries by id, with their parts."""
    return find_deliveries(session, true())


def of_subscriptions(session: Session, ids: Iterable[int]) -> list[Delivery]:
    """Return the deliveries of some subscriptions by id, with their parts."""
    return find_deliveries(session, col(DeliveryRow.subscription_id).in_(list(ids)))


def of_alerts(session: Session, channels: Iterable[Channel]) -> list[Delivery]:
    """Return the deliveries by id that tell some channels what their alerts found."""
    found: list[Delivery] = []
    for channel in dict.fromkeys(channels):
        there = (
            select(col(ChannelRow.id))
            .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id))
            .where(is_channel(channel))
        )
        found += find_deliveries(session, col(DeliveryRow.channel_id).in_(there))
    return found


def list_telling(session: Session, ids: Iterable[int], sent: int, day: date) -> list[Delivery]:
    """Return the deliveries that tell the status of subscriptions, by id, with their parts.

    Of each subscription these are the last delivery, the last `sent` that were sent, that of the
    edition of each source that is newest on a day (UTC), and all unknown ones.
    """
    by_id = col(DeliveryRow.id).desc()
    sent_at = col(DeliveryRow.sent_at)
    ranked = (
        select(
            col(DeliveryRow.id),
            col(DeliveryRow.state),
            sent_at,
            _rank([col(DeliveryRow.due_at).desc(), by_id]).label("due"),
            _rank([sent_at.is_(None), sent_at.desc(), by_id]).label("sent"),
            _rank(
                [case((is_ahead(day), 1), else_=0), col(EditionRow.last_day).desc(), by_id],
                col(EditionRow.source),
            ).label("edition"),
        )
        .outerjoin(EditionRow, col(EditionRow.id) == col(DeliveryRow.edition_id))
        .where(col(DeliveryRow.subscription_id).in_(list(ids)))
        .subquery()
    )
    telling = select(ranked.c.id).where(
        (ranked.c.due == 1)
        | (ranked.c.edition == 1)
        | (ranked.c.state == DeliveryState.UNKNOWN)
        | (ranked.c.sent_at.is_not(None) & (ranked.c.sent <= sent))
    )
    return find_deliveries(session, col(DeliveryRow.id).in_(telling))


def told_of(delivery: Delivery) -> date:
    """Return the day by which a delivery is newer than others: its edition's last one.

    Without an edition, and of one that lay ahead, which a program before posted, it is the day when
    it was due.
    """
    due = delivery.due_at.date()
    last_day = delivery.last_day
    return due if last_day is None or last_day > latest_end(due) else last_day


def find_delivery(session: Session, delivery_id: int) -> Delivery | None:
    """Return a delivery by its id, with its parts."""
    return next(iter(find_deliveries(session, col(DeliveryRow.id) == delivery_id)), None)


def find_deliveries(session: Session, condition: ColumnElement[bool]) -> list[Delivery]:
    """Return the deliveries that meet a condition, by id, with their parts."""
    query = select_deliveries().where(condition).order_by(col(DeliveryRow.id))
    rows = session.connection().execute(query).mappings().all()
    parts = read_parts(session, [row["id"] for row in rows])
    return [delivery_record(row, parts.get(row["id"], ())) for row in rows]


# The channel that a delivery goes to: the one of its subscription, if it has any.
CHANNEL_ID = func.coalesce(col(SubscriptionRow.channel_id), col(DeliveryRow.channel_id))


def select_deliveries() -> Query:
    """Return the query of all deliveries, each with its edition, if it is of one, and its channel.

    Nothing is added to ids but zero, which keeps SQLite from reading the deliveries of each channel
    in turn.
    """
    return (
        select(
            DeliveryRow,
            col(EditionRow.source),
            col(EditionRow.first_day),
            col(EditionRow.last_day),
            col(EditionRow.changed_at),
            *CHANNEL_COLUMNS,
        )
        .outerjoin(EditionRow, col(EditionRow.id) == col(DeliveryRow.edition_id))
        .outerjoin(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id) + 0)
        .join(ChannelRow, col(ChannelRow.id) == CHANNEL_ID + 0)
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id) + 0)
    )


def delivery_record(row: Mapping[Any, Any], parts: Iterable[Part]) -> Delivery:
    """Build the record of a row of `select_deliveries`."""
    return Delivery(
        channel=channel_of(row),
        facts=facts_of(row),
        parts=tuple(parts),
        waits_until=_waits_until(row),
        **{field: row[field] for field in _FIELDS},
    )


def read_parts(session: Session, ids: Collection[int]) -> dict[int, list[Part]]:
    """Return the parts of deliveries, in order, by the ids of those that have any."""
    query = (
        select(DeliveryPartRow)
        .where(in_list(col(DeliveryPartRow.delivery_id), ids))
        .order_by(col(DeliveryPartRow.delivery_id), col(DeliveryPartRow.number))
    )
    parts: dict[int, list[Part]] = {}
    for row in session.connection().execute(query):
        facts: dict[str, Any] = {field: getattr(row, field) for field in _PART_FIELDS}
        parts.setdefault(row.delivery_id, []).append(Part(**facts))
    return parts


def _waits_until(row: Mapping[Any, Any]) -> datetime | None:
    """Return when a waiting delivery is tried next, `None` where it is new in the queue."""
    ready_at: datetime | None = row["ready_at"]
    is_waiting = row["state"] in {DeliveryState.PENDING, DeliveryState.RETRY}
    if not is_waiting or ready_at is None or ready_at <= row["enqueued_at"]:
        return None
    return ready_at


def _rank(
    order: Iterable[ColumnElement[Any]], *within: ColumnElement[Any] | Mapped[Any]
) -> ColumnElement[int]:
    """Return the rank of a delivery among those of its subscription, from 1."""
    partition = (col(DeliveryRow.subscription_id), *within)
    return func.row_number().over(partition_by=partition, order_by=tuple(order))
