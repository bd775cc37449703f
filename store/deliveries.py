"""Deliveries: which edition is owed to which subscription, and what became of it."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, select, true
from sqlmodel import Session

from store.records import Delivery, Part
from store.schema import TABLES

_DELIVERY, _PART, _EDITION = TABLES["delivery"], TABLES["delivery_part"], TABLES["edition"]
_PART_FIELDS = (
    "number", "key", "refs", "state", "digest", "place", "message", "url", "began_at",
)  # fmt: skip


def list_deliveries(session: Session) -> list[Delivery]:
    """Return all deliveries by id, with their parts."""
    return found(session, true())


def of_subscriptions(session: Session, ids: Iterable[int]) -> list[Delivery]:
    """Return the deliveries of some subscriptions by id, with their parts."""
    return found(session, _DELIVERY.c.subscription_id.in_(list(ids)))


def find_delivery(session: Session, delivery_id: int) -> Delivery | None:
    """Return a delivery by its id, with its parts, `None` where there is none."""
    return next(iter(found(session, _DELIVERY.c.id == delivery_id)), None)


def found(session: Session, which: ColumnElement[bool]) -> list[Delivery]:
    """Return the deliveries that fulfil a condition, by id, with their parts."""
    query = (
        select(_DELIVERY, _EDITION.c.source, _EDITION.c.first_day, _EDITION.c.last_day)
        .join(_EDITION, _EDITION.c.id == _DELIVERY.c.edition_id)
        .where(which)
        .order_by(_DELIVERY.c.id)
    )
    rows = session.connection().execute(query).all()
    parts = _parts(session, which)
    return [
        Delivery(
            id=row.id,
            subscription_id=row.subscription_id,
            source=row.source,
            first_day=row.first_day,
            last_day=row.last_day,
            state=row.state,
            attempts=row.attempts,
            due_at=row.due_at,
            sent_at=row.sent_at,
            error=row.error,
            parts=tuple(parts.get(row.id, ())),
        )
        for row in rows
    ]


def _parts(session: Session, which: ColumnElement[bool]) -> dict[int, list[Part]]:
    query = (
        select(_PART)
        .join(_DELIVERY, _DELIVERY.c.id == _PART.c.delivery_id)
        .where(which)
        .order_by(_PART.c.delivery_id, _PART.c.number)
    )
    parts: dict[int, list[Part]] = {}
    for row in session.connection().execute(query).mappings():
        facts: dict[str, Any] = {field: row[field] for field in _PART_FIELDS}
        parts.setdefault(row["delivery_id"], []).append(Part(**facts))
    return parts
