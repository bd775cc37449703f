"""Deliveries for tests: owed and taken, and what became of them past the steps that lead there."""

from datetime import UTC, datetime, time
from typing import Any

from sqlalchemy import insert, update
from sqlmodel import col

from store.database import Session
from store.errors import LeaseLost
from store.posting import claim, queue
from store.posting.claim import ClaimedDelivery, DeliveryClaim
from store.posting.queue import ReadyDelivery
from store.posting.transitions import Transition, record_transitions
from store.records import Channel, DeliveryState, Subscription, Workspace
from store.tables.posting import DeliveryPartRow, DeliveryRow

DUE = datetime(2026, 1, 12, 9, tzinfo=UTC)
ORDER = Subscription(
    channel=Channel(Workspace("test", "T1"), "C1"),
    weekday=0,
    local_time=time(9),
    zone="UTC",
    next_due_at=DUE,
    sources=("dair",),
    owner="U1",
)


def ready(
    session: Session, *platforms: str, at: datetime = DUE, most: int = 100
) -> list[ReadyDelivery]:
    """Return what is ready on some platforms, on `test` where none is given."""
    return queue.find_ready(session, platforms or ("test",), at, most).ready


def claimed(session: Session, candidate: ReadyDelivery, owner: str = "here") -> ClaimedDelivery:
    """Take a delivery, which nobody else does."""
    [work] = claim.claim_deliveries(session, [candidate], owner, 1)
    return work


def noted(session: Session, step: Transition) -> DeliveryClaim:
    """Note a step of a delivery.

    Raises:
        LeaseLost: where somebody else holds it.
    """
    [held] = record_transitions(session, [step])
    if isinstance(held, LeaseLost):
        raise held
    return held


def became(  # noqa: PLR0913 - what may have become of one
    session: Session,
    delivery_id: int,
    state: DeliveryState,
    *,
    url: str | None = None,
    error: str | None = None,
    attempts: int = 1,
    waits_until: datetime | None = None,
) -> None:
    """Have a delivery in a state, posted at its due time where it was; with a `url` in one part."""
    connection = session.connection()
    values: dict[str, Any] = {
        "state": state,
        "error": error,
        "attempts": attempts,
        "ready_at": waits_until,
    }
    if state is DeliveryState.SENT:
        values["sent_at"] = col(DeliveryRow.due_at)
    connection.execute(
        update(DeliveryRow).where(col(DeliveryRow.id) == delivery_id).values(**values)
    )
    if url is not None:
        part = {
            "delivery_id": delivery_id,
            "number": 1,
            "key": f"d{delivery_id}-1",
            "refs": (),
            "state": state,
            "url": url,
        }
        connection.execute(insert(DeliveryPartRow).values(**part))
