"""The ledger: which edition is owed to which subscription, and what became of it."""

from datetime import date, datetime

from sqlalchemy import insert, select
from sqlmodel import Session

from store.records import Delivery, DeliveryState
from store.schema import TABLES

_DELIVERY = TABLES["delivery"]
_EDITION = TABLES["edition"]


def owe(
    session: Session, subscription_id: int, source: str, first_day: date, due_at: datetime
) -> bool:
    """Note that an edition is owed to a subscription; return whether it was not noted before.

    Raises:
        LookupError: if there is no such edition.
    """
    connection = session.connection()
    same = (_EDITION.c.source == source, _EDITION.c.first_day == first_day)
    edition_id = connection.scalar(select(_EDITION.c.id).where(*same))
    if edition_id is None:
        raise LookupError(f"no edition of {source} starts on {first_day}")
    key = {"subscription_id": subscription_id, "edition_id": edition_id}
    known = select(_DELIVERY.c.id).where(*(_DELIVERY.c[name] == key[name] for name in key))
    if connection.scalar(known) is not None:
        return False
    values = {**key, "state": DeliveryState.PENDING, "attempts": 0, "due_at": due_at}
    connection.execute(insert(_DELIVERY).values(**values))
    return True


def list_deliveries(session: Session) -> list[Delivery]:
    """Return all deliveries by id."""
    query = (
        select(_DELIVERY, _EDITION.c.source, _EDITION.c.first_day)
        .join(_EDITION, _EDITION.c.id == _DELIVERY.c.edition_id)
        .order_by(_DELIVERY.c.id)
    )
    return [
        Delivery(
            id=row.id,
            subscription_id=row.subscription_id,
            source=row.source,
            first_day=row.first_day,
            state=row.state,
            attempts=row.attempts,
            due_at=row.due_at,
            sent_at=row.sent_at,
            error=row.error,
        )
        for row in session.connection().execute(query)
    ]
