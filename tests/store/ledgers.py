"""What became of deliveries, written past the steps that lead there."""

from typing import Any

from sqlalchemy import insert, update

from store.database import Session
from store.records import DeliveryState
from store.schema import TABLES

_DELIVERY, _PART = TABLES["delivery"], TABLES["delivery_part"]


def became(  # noqa: PLR0913 - what may have become of one
    session: Session,
    delivery_id: int,
    state: DeliveryState,
    *,
    url: str | None = None,
    error: str | None = None,
    attempts: int = 1,
) -> None:
    """Have a delivery in a state, posted at its due time where it was; with a `url` in one part."""
    connection = session.connection()
    values: dict[str, Any] = {
        "state": state,
        "error": error,
        "attempts": attempts,
        "ready_at": None,
    }
    if state is DeliveryState.SENT:
        values["sent_at"] = _DELIVERY.c.due_at
    connection.execute(update(_DELIVERY).where(_DELIVERY.c.id == delivery_id).values(**values))
    if url is not None:
        part = {
            "delivery_id": delivery_id,
            "number": 1,
            "key": f"d{delivery_id}-1",
            "refs": (),
            "state": state,
            "url": url,
        }
        connection.execute(insert(_PART).values(**part))
