"""What is read of deliveries that are being taken, all of them at once, and which are wanted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlmodel import Session

from store.alike import Alike
from store.among import among
from store.deliveries import delivery_record, parts_of
from store.due import Kept, Owed, owed
from store.prepared import Prepared
from store.queue import BEGUN
from store.records import Delivery, DeliveryState, Subscription
from store.schema import TABLES
from store.subscriptions import joined, subscription_of

_SUBSCRIPTION = TABLES["subscription"]
_DELIVERY, _EDITION = TABLES["delivery"], TABLES["edition"]

# What of an order shapes a post.
ORDERED = ("layout", "size", "topics", "not_topics")
# What is read of a delivery, and of its edition.
_READ = (
    "id", "subscription_id", "edition_id", "state", "attempts", "due_at", "enqueued_at", "ready_at",
    "sent_at", "beat", "insist", "recount", "content_at", "error", *ORDERED,
)  # fmt: skip
TAKEN_BACK = "The subscription was taken back."
OVERTAKEN = "A newer edition came before it was sent."


@dataclass(frozen=True, slots=True)
class Found:
    """A delivery that is locked, with its row, its edition and the order as it is now."""

    row: Mapping[Any, Any]
    delivery: Delivery
    order: Subscription
    owed: Owed


def read(session: Session, ids: Sequence[int], known: Kept) -> list[Found]:
    """Return deliveries with their orders, in order; `known` is what is known of editions."""
    if not ids:
        return []
    rows: dict[int, dict[str, Any]] = {}
    orders = {}
    for facts in _FOUND.rows(session.connection(), {"ids": ids}):
        row = dict(zip(_READ, facts, strict=False))
        rows[row["id"]] = row
        orders[row["id"]] = subscription_of(dict(zip(_ORDER, facts[len(_READ) :], strict=True)))
    editions = owed(session, (row["edition_id"] for row in rows.values()), known)
    # Of what is pending nothing was planned yet.
    begun = [each for each in rows if rows[each]["state"] is not DeliveryState.PENDING]
    parts = parts_of(session, begun) if begun else {}
    return [
        Found(
            row,
            delivery_record({**row, **editions[row["edition_id"]].days}, parts.get(each, ())),
            _as_begun(orders[each], row),
            editions[row["edition_id"]],
        )
        for each in ids
        if each in rows and (row := rows[each])
    ]


def _as_begun(order: Subscription, row: Mapping[Any, Any]) -> Subscription:
    """Return an order as it was when the delivery was begun, as far as that shapes the post."""
    if row["layout"] is None:
        return order
    return replace(order, **{name: row[name] for name in ORDERED})


def unwanted(session: Session, found: Sequence[Found]) -> dict[int, str]:
    """Return why deliveries are no longer wanted, of those of which nothing may stand."""
    unsent = [
        each
        for each in found
        if each.delivery.state is not DeliveryState.SENT
        and not any(part.state in BEGUN for part in each.delivery.parts)
    ]
    over = {each.delivery.id: OVERTAKEN for each in _overtaken(session, unsent)}
    back = {each.delivery.id: TAKEN_BACK for each in unsent if each.order.ended_at is not None}
    return over | back


def _overtaken(session: Session, found: Sequence[Found]) -> list[Found]:
    """Return those of whose source a newer edition was delivered to the same order."""
    old = [each for each in found if each.owed.newer]
    if not old:  # as nearly always: what is owed is the newest
        return []
    asked = {
        "orders": [each.delivery.subscription_id for each in old],
        "editions": [*set().union(*(each.owed.newer for each in old))],
    }
    made: dict[int, set[int]] = {}
    for order, edition in _MADE.rows(session.connection(), asked):
        made.setdefault(order, set()).add(edition)
    return [
        each for each in old if each.owed.newer & made.get(each.delivery.subscription_id, set())
    ]


_ORDERS = joined()
_ORDER = tuple(column.name for column in _ORDERS.selected_columns)
# What of a delivery, and then its order.
_FOUND = Alike(
    _ORDERS.join(_DELIVERY, _DELIVERY.c.subscription_id == _SUBSCRIPTION.c.id)
    .with_only_columns(*(_DELIVERY.c[name] for name in _READ), *_ORDERS.selected_columns)
    .where(among(_DELIVERY.c.id, "ids"))
    .where(_DELIVERY.c.owner.is_not(None) | _DELIVERY.c.ready_at.is_not(None))
)
_MADE = Prepared(
    select(_DELIVERY.c.subscription_id, _DELIVERY.c.edition_id).where(
        among(_DELIVERY.c.subscription_id, "orders"),
        among(_DELIVERY.c.edition_id, "editions"),
        # All other states count as delivered: an older edition of the source is not sent after one.
        _DELIVERY.c.state != DeliveryState.DEAD,
        _DELIVERY.c.state != DeliveryState.SKIPPED,
    )
)
