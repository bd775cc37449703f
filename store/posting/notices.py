"""What owners of subscriptions are to be told in private, until they were told."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select, update
from sqlmodel import Session, col

from store.posting.queue import drop_unsent
from store.posting.subscriptions import joined, subscription_of
from store.records import Refusal, Subscription, SubscriptionState
from store.tables.posting import NoticeRow, SubscriptionRow
from store.tables.workspaces import WorkspaceRow

_LONGEST_WAIT = timedelta(hours=12)
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class OwnersNotice:
    """What the owner of a standing order is to be told; `began_at` since when that is tried."""

    id: int
    order: Subscription
    key: str
    refusal: Refusal
    attempts: int
    began_at: datetime | None


def add_notice(
    session: Session, subscription_id: int, refusal: Refusal, key: str, now: datetime
) -> None:
    """Note that the owner of a subscription is to be told of a refusal."""
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
) -> list[OwnersNotice]:
    """Return the first of the notices whose time has come, the oldest first.

    Args:
        session: where they are stored.
        now: the time, by a clock that no setting moves.
        platforms: where their owners are; `None` for anywhere.
    """
    # What is new is due, also where it was noted by a clock that was ahead for a moment.
    is_new, ahead = col(NoticeRow.attempts) == 0, col(NoticeRow.ready_at) > now + _LONGEST_WAIT
    come = is_new | (col(NoticeRow.ready_at) <= now) | ahead
    which = (
        select(NoticeRow)
        .where(come)
        .order_by(col(NoticeRow.ready_at), col(NoticeRow.id))
        .limit(_AT_ONCE)
    )
    if platforms is not None:
        there = joined().with_only_columns(col(SubscriptionRow.id))
        of_theirs = there.where(col(WorkspaceRow.platform).in_(platforms))
        which = which.where(col(NoticeRow.subscription_id).in_(of_theirs))
    rows = session.connection().execute(which).all()
    query = joined().where(col(SubscriptionRow.id).in_([row.subscription_id for row in rows]))
    orders = {
        row["id"]: subscription_of(row) for row in session.connection().execute(query).mappings()
    }
    return [
        OwnersNotice(
            id=row.id,
            order=orders[row.subscription_id],
            key=row.key,
            refusal=Refusal(row.sentence, row.remedy),
            attempts=row.attempts,
            began_at=row.began_at,
        )
        for row in rows
    ]


def begin_notice(session: Session, notice: OwnersNotice, now: datetime, again: datetime) -> bool:
    """Note that a notice is about to be sent, and when to look again where nothing is heard.

    Returns:
        whether nobody else began it meanwhile.
    """
    begun = session.connection().execute(
        update(NoticeRow)
        .where(col(NoticeRow.id) == notice.id, col(NoticeRow.attempts) == notice.attempts)
        .values(attempts=notice.attempts + 1, began_at=notice.began_at or now, ready_at=again)
    )
    return begun.rowcount == 1


def wait_notice(session: Session, notice_id: int, until: datetime) -> None:
    """Note when a notice that was not taken is to be sent again."""
    session.connection().execute(
        update(NoticeRow).where(col(NoticeRow.id) == notice_id).values(ready_at=until)
    )


def end_notice(session: Session, notice_id: int) -> None:
    """Forget a notice that was told, or that can't be."""
    session.connection().execute(delete(NoticeRow).where(col(NoticeRow.id) == notice_id))


def drop_notices(session: Session, subscription_id: int) -> None:
    """Forget what the owner of a subscription was still to be told: it is so no more."""
    session.connection().execute(
        delete(NoticeRow).where(col(NoticeRow.subscription_id) == subscription_id)
    )


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
    statement = update(SubscriptionRow).where(
        col(SubscriptionRow.id) == subscription_id,
        col(SubscriptionRow.state) != SubscriptionState.REFUSED,
        col(SubscriptionRow.cancelled_at).is_(None),
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
