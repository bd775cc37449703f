"""Standing orders that can no longer be carried out, and their owners, who are told once."""

from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session

from store.notices import add_notice
from store.queue import drop_unsent
from store.records import Refusal, SubscriptionState
from store.schema import TABLES

_SUBSCRIPTION = TABLES["subscription"]


def refuse(
    session: Session, subscription_id: int, refusal: Refusal, key: str, now: datetime
) -> bool:
    """End an order until somebody resumes it, and note that its owner is to be told.

    Args:
        session: where it is stored.
        subscription_id: which order.
        refusal: why.
        key: the key of the notice.
        now: from when the owner may be told, by a clock that no setting moves.

    Returns:
        whether it was still carried out until now.
    """
    statement = update(_SUBSCRIPTION).where(
        _SUBSCRIPTION.c.id == subscription_id,
        _SUBSCRIPTION.c.state != SubscriptionState.REFUSED,
        _SUBSCRIPTION.c.ended_at.is_(None),
    )
    refused = session.connection().execute(
        statement.values(
            state=SubscriptionState.REFUSED,
            refusal=refusal.sentence,
            remedy=refusal.remedy,
            refusal_code=refusal.code,
            next_due_at=None,
            open_due_at=None,
            open_until=None,
            paused_until=None,
        )
    )
    if refused.rowcount == 0:
        return False
    drop_unsent(session, subscription_id, refusal.sentence)
    add_notice(session, subscription_id, refusal, key, now)
    return True
