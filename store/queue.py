"""What waits to be delivered: put there, found when its time has come, and put there once more."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, exists, insert, select, update
from sqlmodel import Session

from store.deliveries import found
from store.due import newest, wanted
from store.records import Delivery, DeliveryState, Subscription
from store.schema import TABLES

_SUBSCRIPTION, _CHANNEL = TABLES["subscription"], TABLES["channel"]
_WORKSPACE = TABLES["workspace"]
_DELIVERY, _PART, _EDITION = TABLES["delivery"], TABLES["delivery_part"], TABLES["edition"]

UNSENT = (DeliveryState.PENDING, DeliveryState.RETRY)
# A part in one of these may stand in its channel.
BEGUN = (DeliveryState.SENT, DeliveryState.SENDING, DeliveryState.UNKNOWN)
_OVER = (DeliveryState.DEAD, DeliveryState.SKIPPED)
# No wait is longer; a later instant was reckoned while the clock was wrong.
LONGEST_WAIT = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Ready:
    """A delivery that may be worked on, and where it goes."""

    id: int
    beat: int
    platform: str
    workspace: str
    channel: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody asked to be delivered now, and whether it was put into the queue for that."""

    delivery: Delivery
    is_new: bool


def enqueue(
    session: Session, subscription_id: int, edition_id: int, due_at: datetime, now: datetime
) -> int | None:
    """Note that an edition is owed; return the delivery's id, `None` where it was noted before."""
    connection = session.connection()
    same = (
        _DELIVERY.c.subscription_id == subscription_id,
        _DELIVERY.c.edition_id == edition_id,
    )
    if connection.scalar(select(_DELIVERY.c.id).where(*same)) is not None:
        return None
    values = {
        "subscription_id": subscription_id,
        "edition_id": edition_id,
        "state": DeliveryState.PENDING,
        "attempts": 0,
        "due_at": due_at,
        "enqueued_at": now,
        "ready_at": now,
        "beat": 0,
        "insist": False,
    }
    added = connection.execute(insert(_DELIVERY).values(**values).returning(_DELIVERY.c.id))
    return int(added.scalar_one())


def list_ready(session: Session, platforms: Sequence[str], now: datetime, most: int) -> list[Ready]:
    """Return deliveries on some platforms that nobody holds and whose time has come, in order."""
    come = (_DELIVERY.c.ready_at <= now) | (_DELIVERY.c.ready_at > now + LONGEST_WAIT)
    query = _placed(_DELIVERY.c.owner.is_(None), come, _WORKSPACE.c.platform.in_(platforms))
    rows = session.connection().execute(query.limit(most))
    return [Ready(row.id, row.beat, row.platform, row.workspace, row.channel) for row in rows]


def next_ready_at(session: Session, platforms: Sequence[str]) -> datetime | None:
    """Return when the next delivery on some platforms is ready that nobody holds, if any is."""
    query = _placed(
        _DELIVERY.c.owner.is_(None),
        _DELIVERY.c.ready_at.is_not(None),
        _WORKSPACE.c.platform.in_(platforms),
    )
    first = session.connection().execute(query.limit(1)).one_or_none()
    return first.ready_at if first else None


def list_held(session: Session, platforms: Sequence[str]) -> list[tuple[Ready, str]]:
    """Return the deliveries on some platforms that are held, each with its holder."""
    query = _placed(_DELIVERY.c.owner.is_not(None), _WORKSPACE.c.platform.in_(platforms))
    return [
        (Ready(row.id, row.beat, row.platform, row.workspace, row.channel), row.owner)
        for row in session.connection().execute(query)
    ]


def outdated(session: Session) -> list[int]:
    """Return the deliveries whose edition changed since they were sent."""
    query = (
        select(_DELIVERY.c.id)
        .join(_EDITION, _EDITION.c.id == _DELIVERY.c.edition_id)
        .where(_DELIVERY.c.state == DeliveryState.SENT, _DELIVERY.c.ready_at.is_(None))
        .where(_DELIVERY.c.owner.is_(None), _EDITION.c.changed_at != _DELIVERY.c.content_at)
    )
    return list(session.connection().scalars(query))


def correct(session: Session, ids: Iterable[int], now: datetime) -> None:
    """Have deliveries that were sent looked through for what changed since."""
    statement = update(_DELIVERY).where(
        _DELIVERY.c.id.in_(list(ids)),
        _DELIVERY.c.state == DeliveryState.SENT,
        _DELIVERY.c.owner.is_(None),
    )
    session.connection().execute(statement.values(ready_at=now))


def drop_unsent(session: Session, subscription_id: int, why: str) -> None:
    """Skip what a subscription is owed and nothing was sent of."""
    some = exists().where(_PART.c.delivery_id == _DELIVERY.c.id, _PART.c.state.in_(BEGUN))
    statement = update(_DELIVERY).where(
        _DELIVERY.c.subscription_id == subscription_id,
        _DELIVERY.c.state.in_(UNSENT),
        _DELIVERY.c.owner.is_(None),
        ~some,
    )
    session.connection().execute(
        statement.values(state=DeliveryState.SKIPPED, error=why, ready_at=None)
    )


def retry(session: Session, delivery_id: int, now: datetime) -> bool:
    """Have a delivery sent that is dead, skipped or unknown; return whether it was.

    Of an unknown one somebody has decided that it is to be sent though it may have arrived.

    Raises:
        LookupError: if there is no such delivery.
    """
    query = select(_DELIVERY.c.state).where(_DELIVERY.c.id == delivery_id)
    state = session.connection().scalar(query)
    if state is None:
        raise LookupError(delivery_id)
    if state not in {DeliveryState.DEAD, DeliveryState.SKIPPED, DeliveryState.UNKNOWN}:
        return False
    values = {
        "state": DeliveryState.RETRY,
        "insist": state is DeliveryState.UNKNOWN,
        "error": None,
        "owner": None,
        "enqueued_at": now,
        "ready_at": now,
        "beat": _DELIVERY.c.beat + 1,
    }
    session.connection().execute(
        update(_DELIVERY).where(_DELIVERY.c.id == delivery_id).values(**values)
    )
    return True


def revive(session: Session, order: Subscription, today: date, now: datetime) -> list[int]:
    """Have what is dead or skipped of the newest editions sent after all; return the deliveries."""
    owed = [each.id for each in wanted(order.sources, newest(session, today))]
    which = (
        (_DELIVERY.c.subscription_id == order.id)
        & _DELIVERY.c.edition_id.in_(owed)
        & _DELIVERY.c.state.in_(_OVER)
    )
    ids = list(session.connection().scalars(select(_DELIVERY.c.id).where(which)))
    return [each for each in ids if retry(session, each, now)]


def deliver_now(
    session: Session, order: Subscription, due_at: datetime, now: datetime
) -> list[Asked]:
    """Owe an order the newest edition of each source that it follows.

    What is dead or skipped of them is sent after all; the rest is left as it is.

    Args:
        session: where it is stored.
        order: the standing order, with its id.
        due_at: the time, by the clock that a setting may move.
        now: the same, by one that nothing moves.
    """
    asked = []
    for each in wanted(order.sources, newest(session, due_at.date())):
        added = enqueue(session, order.id or 0, each.id, due_at, now)
        [delivery] = found(
            session,
            (_DELIVERY.c.subscription_id == order.id) & (_DELIVERY.c.edition_id == each.id),
        )
        revived = delivery.state in _OVER and retry(session, delivery.id, now)
        asked.append(Asked(delivery, added is not None or revived))
    return asked


def _placed(*which: ColumnElement[bool]) -> Any:  # noqa: ANN401 - a query of these columns
    return (
        select(
            _DELIVERY.c.id,
            _DELIVERY.c.beat,
            _DELIVERY.c.owner,
            _DELIVERY.c.ready_at,
            _WORKSPACE.c.platform,
            _WORKSPACE.c.external_id.label("workspace"),
            _CHANNEL.c.external_id.label("channel"),
        )
        .join(_SUBSCRIPTION, _SUBSCRIPTION.c.id == _DELIVERY.c.subscription_id)
        .join(_CHANNEL, _CHANNEL.c.id == _SUBSCRIPTION.c.channel_id)
        .join(_WORKSPACE, _WORKSPACE.c.id == _CHANNEL.c.workspace_id)
        .where(*which)
        .order_by(_DELIVERY.c.ready_at, _DELIVERY.c.id)
    )
