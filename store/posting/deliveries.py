"""Deliveries: which edition is owed to which subscription, and what became of it."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select, true
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from store.database.statements import among
from store.records import Delivery, DeliveryState, Part
from store.tables.library import EditionRow
from store.tables.posting import DeliveryPartRow, DeliveryRow

_SENT_LAST = col(DeliveryRow.sent_at).is_(None)
_FIELDS = (
    "id", "subscription_id", "source", "first_day", "last_day", "state", "attempts", "due_at",
    "sent_at", "error",
)  # fmt: skip
_WAITING = (DeliveryState.PENDING, DeliveryState.RETRY)
_PART_FIELDS = (
    "number", "key", "refs", "state", "digest", "place", "message", "url", "began_at",
)  # fmt: skip


def list_deliveries(session: Session) -> list[Delivery]:
    """Return all deliveries by id, with their parts."""
    return found(session, true())


def of_subscriptions(session: Session, ids: Iterable[int]) -> list[Delivery]:
    """Return the deliveries of some subscriptions by id, with their parts."""
    return found(session, col(DeliveryRow.subscription_id).in_(list(ids)))


def standing(session: Session, ids: Iterable[int], sent: int) -> list[Delivery]:
    """Return those deliveries of some subscriptions that tell how each stands, by id, with parts.

    They are the last one, the last `sent` that were sent, that of the newest edition of each
    source, and all of which nobody knows: as many however long a subscription has been there.
    """
    newest_first = (col(EditionRow.last_day).desc(), col(DeliveryRow.id).desc())
    ranked = (
        select(
            col(DeliveryRow.id),
            col(DeliveryRow.state),
            col(DeliveryRow.sent_at),
            _rank([col(DeliveryRow.due_at).desc(), col(DeliveryRow.id).desc()]).label("due"),
            _rank([_SENT_LAST, col(DeliveryRow.sent_at).desc(), col(DeliveryRow.id).desc()]).label(
                "sent"
            ),
            _rank(newest_first, col(EditionRow.source)).label("edition"),
        )
        .join(EditionRow, col(EditionRow.id) == col(DeliveryRow.edition_id))
        .where(col(DeliveryRow.subscription_id).in_(list(ids)))
        .subquery()
    )
    telling = select(ranked.c.id).where(
        (ranked.c.due == 1)
        | (ranked.c.edition == 1)
        | (ranked.c.state == DeliveryState.UNKNOWN)
        | (ranked.c.sent_at.is_not(None) & (ranked.c.sent <= sent))
    )
    return found(session, col(DeliveryRow.id).in_(telling))


def find_delivery(session: Session, delivery_id: int) -> Delivery | None:
    """Return a delivery by its id, with its parts, `None` where there is none."""
    return next(iter(found(session, col(DeliveryRow.id) == delivery_id)), None)


def found(session: Session, which: ColumnElement[bool]) -> list[Delivery]:
    """Return the deliveries that fulfil a condition, by id, with their parts."""
    query = (
        select(
            DeliveryRow, col(EditionRow.source), col(EditionRow.first_day), col(EditionRow.last_day)
        )
        .join(EditionRow, col(EditionRow.id) == col(DeliveryRow.edition_id))
        .where(which)
        .order_by(col(DeliveryRow.id))
    )
    rows = session.connection().execute(query).mappings().all()
    its_parts = (
        select(DeliveryPartRow)
        .join(DeliveryRow, col(DeliveryRow.id) == col(DeliveryPartRow.delivery_id))
        .where(which)
        .order_by(col(DeliveryPartRow.delivery_id), col(DeliveryPartRow.number))
    )
    parts = _grouped(session.connection().execute(its_parts))
    return [delivery_record(row, parts.get(row["id"], ())) for row in rows]


def delivery_record(row: Mapping[Any, Any], parts: Iterable[Part]) -> Delivery:
    """Build the record of a row of `delivery` with the source and the days of its edition."""
    facts = {field: row[field] for field in _FIELDS}
    return Delivery(parts=tuple(parts), waits_until=_waits_until(row), **facts)


def _waits_until(row: Mapping[Any, Any]) -> datetime | None:
    """Return when a delivery that waits is worked on next; one that is new to the queue is now."""
    ready_at: datetime | None = row["ready_at"]
    if row["state"] not in _WAITING or ready_at is None or ready_at <= row["enqueued_at"]:
        return None
    return ready_at


def _rank(
    order: Iterable[ColumnElement[Any]], *of: ColumnElement[Any] | Mapped[Any]
) -> ColumnElement[int]:
    """Return the place of a delivery among those of its subscription, from 1."""
    within = (col(DeliveryRow.subscription_id), *of)
    return func.row_number().over(partition_by=within, order_by=tuple(order))


def parts_of(session: Session, ids: Collection[int]) -> dict[int, list[Part]]:
    """Return the parts of deliveries, in order, by the ids of those that have any."""
    return _grouped(session.connection().execute(_PARTS, {"ids": list(ids)}).all())


def _grouped(rows: Iterable[Any]) -> dict[int, list[Part]]:
    parts: dict[int, list[Part]] = {}
    for row in rows:
        facts: dict[str, Any] = {field: getattr(row, field) for field in _PART_FIELDS}
        parts.setdefault(row.delivery_id, []).append(Part(**facts))
    return parts


_PARTS = (
    select(DeliveryPartRow)
    .where(among(col(DeliveryPartRow.delivery_id), "ids"))
    .order_by(col(DeliveryPartRow.delivery_id), col(DeliveryPartRow.number))
)
