"""Private notices to the owners of subscriptions, until they are delivered."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select, update
from sqlmodel import Session, col

from store.posting.queue import skip_unsent
from store.posting.subscriptions import select_subscriptions, subscription_record
from store.records import Refusal, Subscription, SubscriptionState
from store.tables.posting import NoticeRow, SubscriptionRow
from store.tables.workspaces import WorkspaceRow

_LONGEST_WAIT = timedelta(hours=12)
_LIMIT = 100


@dataclass(frozen=True, slots=True)
class OwnerNotice:
    """A notice to the owner of a subscription; `began_at` is when it was first tried."""

    id: int
    subscription: Subscription
    key: str
    refusal: Refusal
    attempts: int
    began_at: datetime | None


def add_notice(
    session: Session, subscription_id: int, refusal: Refusal, key: str, now: datetime
) -> None:
    """Add a notice of a refusal to the owner of a subscription."""
    session.connection().execute(
        insert(NoticeRow).values(
            subscription_id=subscription_id,
            key=key,
            sentence=refusal.sentence,
            remedy=refusal.remedy,
            attempts=0,
            ready_at=now,
        )
    )


def list_notices(
    session: Session, now: datetime, platforms: Collection[str] | None = None
) -> list[OwnerNotice]:
    """Return the first of the notices that are ready, the oldest first.

    Args:
        session: a session.
        now: the time, by the system clock.
        platforms: the platforms of the owners, `None` for all.
    """
    # A new notice is ready, also where it was added by a clock that was ahead for a moment.
    is_ready = (
        (col(NoticeRow.attempts) == 0)
        | (col(NoticeRow.ready_at) <= now)
        | (col(NoticeRow.ready_at) > now + _LONGEST_WAIT)
    )
    subscriptions = select_subscriptions()
    query = select(NoticeRow).where(is_ready)
    if platforms is not None:
        there = subscriptions.where(col(WorkspaceRow.platform).in_(platforms))
        ids = there.with_only_columns(col(SubscriptionRow.id))
        query = query.where(col(NoticeRow.subscription_id).in_(ids))
    query = query.order_by(col(NoticeRow.ready_at), col(NoticeRow.id)).limit(_LIMIT)
    connection = session.connection()
    rows = connection.execute(query).all()
    of_rows = subscriptions.where(
        col(SubscriptionRow.id).in_([row.subscription_id for row in rows])
    )
    records = {
        row["id"]: subscription_record(row) for row in connection.execute(of_rows).mappings()
    }
    return [
        OwnerNotice(
            id=row.id,
            subscription=records[row.subscription_id],
            key=row.key,
            refusal=Refusal(row.sentence, row.remedy),
            attempts=row.attempts,
            began_at=row.began_at,
        )
        for row in rows
    ]


def begin_notice(session: Session, notice: OwnerNotice, now: datetime, again: datetime) -> bool:
    """Record that a notice is about to be sent, and when to look again where no answer comes.

    Returns:
        whether no other process began it meanwhile.
    """
    begun = session.connection().execute(
        update(NoticeRow)
        .where(col(NoticeRow.id) == notice.id, col(NoticeRow.attempts) == notice.attempts)
        .values(attempts=notice.attempts + 1, began_at=notice.began_at or now, ready_at=again)
    )
    return begun.rowcount == 1


def postpone_notice(session: Session, notice_id: int, until: datetime) -> None:
    """Set when a notice that was not accepted is to be sent again."""
    session.connection().execute(
        update(NoticeRow).where(col(NoticeRow.id) == notice_id).values(ready_at=until)
    )


def delete_notice(session: Session, notice_id: int) -> None:
    """Delete a notice that was sent, or that can't be."""
    session.connection().execute(delete(NoticeRow).where(col(NoticeRow.id) == notice_id))


def delete_notices_of(session: Session, subscription_id: int) -> None:
    """Delete the notices of a subscription: they are no longer true."""
    session.connection().execute(
        delete(NoticeRow).where(col(NoticeRow.subscription_id) == subscription_id)
    )


def refuse_subscription(
    session: Session, subscription_id: int, refusal: Refusal, key: str, now: datetime
) -> bool:
    """Refuse a subscription until a user resumes it, and add a notice to its owner.

    Args:
        session: a session.
        subscription_id: the subscription.
        refusal: the reason.
        key: the key of the notice.
        now: from when on the notice may be sent, by the system clock.

    Returns:
        whether it was not refused or cancelled before.
    """
    refused = session.connection().execute(
        update(SubscriptionRow)
        .where(
            col(SubscriptionRow.id) == subscription_id,
            col(SubscriptionRow.state) != SubscriptionState.REFUSED,
            col(SubscriptionRow.cancelled_at).is_(None),
        )
        .values(
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
    skip_unsent(session, subscription_id, refusal.sentence)
    add_notice(session, subscription_id, refusal, key, now)
    return True
