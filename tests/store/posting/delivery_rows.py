"""Deliveries for tests: owed and taken, and what became of them past the steps that lead there."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

from sqlalchemy import insert, update
from sqlmodel import col

from store.database import Database, Session
from store.errors import LeaseLost
from store.posting import claim, queue
from store.posting.claim import ClaimedDelivery, DeliveryClaim
from store.posting.editions_to_post import newest_editions
from store.posting.queue import ReadyDelivery, enqueue
from store.posting.subscriptions import add_subscription
from store.posting.transitions import Transition, record_transitions
from store.records import Channel, DeliveryState, Subscription, Workspace
from store.tables.posting import DeliveryPartRow, DeliveryRow
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in

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


async def taken(
    database: Database, found: Sequence[ReadyDelivery], owner: str = "one", most: int = 9
) -> list[ClaimedDelivery]:
    """Claim what was found for a process."""
    return await database.write_locking_rows(claim.claim_deliveries, found, owner, most)


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


WEEK = timedelta(weeks=1)


async def comes(database: Database, week: int = 0) -> None:
    """Import the edition of a week."""
    draft = edition(entry(1, f"Paper of week {week}"), first_day=MONDAY + week * WEEK)
    await database.write(take_in, draft)


def stocked(
    session: Session, *places: tuple[str, str], ready: timedelta = timedelta()
) -> list[int]:
    """Give an order to each channel, by workspace and channel, and owe it the newest edition.

    It is ready so long after it is due.
    """
    orders = [
        add_subscription(session, replace(ORDER, channel=Channel(Workspace("test", team), name)))
        for team, name in places
    ]
    again(session, *orders, ready=ready)
    return orders


def again(session: Session, *orders: int, ready: timedelta = timedelta()) -> None:
    """Owe orders the newest edition."""
    [last] = newest_editions(session, (DUE + 9 * WEEK).date()).values()
    enqueue(session, orders, last.id, DUE, DUE + ready)
