"""What waits to be delivered: put there, found when its time has come, and put there once more."""

from collections.abc import Collection, Sequence
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

_UNSENT = (DeliveryState.PENDING, DeliveryState.RETRY, DeliveryState.CLAIMED)
# A part in one of these may stand in its channel.
BEGUN = (DeliveryState.SENT, DeliveryState.SENDING, DeliveryState.UNKNOWN)
_DEAD = (DeliveryState.DEAD,)
_OVER = (*_DEAD, DeliveryState.SKIPPED)
# No wait is longer; a later instant was reckoned while the clock was wrong.
LONGEST_WAIT = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Ready:
    """A delivery that may be worked on, and where it goes, by ids of the database."""

    id: int
    beat: int
    platform: str
    workspace: int
    channel: int


@dataclass(frozen=True, slots=True)
class Queue:
    """What there is to do: deliveries that nobody holds, in order, and those that are held.

    Each of those comes with its holder. `next_at` is when the next of the others is ready.
    """

    ready: list[Ready]
    held: list[tuple[Ready, str]]
    next_at: datetime | None


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody asked to be delivered now, and whether it was put into the queue for that."""

    delivery: Delivery
    is_new: bool


def enqueue(
    session: Session, subscription_id: int, edition_id: int, due_at: datetime, now: datetime
) -> int | None:
    """Note that an edition is owed; return the delivery's id, `None` where it was noted before.

    One that is dead is no longer delivered: it is owed anew, for the time that it is due now.
    """
    connection = session.connection()
    known = connection.execute(
        select(_DELIVERY.c.id, _DELIVERY.c.state).where(
            _DELIVERY.c.subscription_id == subscription_id, _DELIVERY.c.edition_id == edition_id
        )
    ).one_or_none()
    if known is not None:
        return _owed_anew(session, known.id, due_at, now) if known.state in _DEAD else None
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


def look(  # noqa: PLR0913 - what is left out comes beside what is looked for
    session: Session,
    platforms: Sequence[str],
    now: datetime,
    most: int,
    *,
    busy: Collection[int] = (),
    resting: Collection[int] = (),
) -> Queue:
    """Return what there is to do on some platforms; arguments are as of `list_ready`."""
    return Queue(
        list_ready(session, platforms, now, most, busy=busy, resting=resting),
        list_held(session, platforms),
        next_ready_at(session, platforms, now),
    )


def list_ready(  # noqa: PLR0913 - the same
    session: Session,
    platforms: Sequence[str],
    now: datetime,
    most: int,
    *,
    busy: Collection[int] = (),
    resting: Collection[int] = (),
) -> list[Ready]:
    """Return deliveries that nobody holds and whose time has come, in order.

    What goes to a workspace that the bot left waits for its return.

    Args:
        session: where they are stored.
        platforms: where they go.
        now: the time, by a clock that no setting moves.
        most: how many to return.
        busy: channels to leave out.
        resting: workspaces to leave out.
    """
    come = (_DELIVERY.c.ready_at <= now) | (_DELIVERY.c.ready_at > now + LONGEST_WAIT)
    query = _placed(_is_free(platforms), come)
    if busy:
        query = query.where(_CHANNEL.c.id.not_in(busy))
    if resting:
        query = query.where(_WORKSPACE.c.id.not_in(resting))
    return [_ready(row) for row in session.connection().execute(query.limit(most))]


def next_ready_at(
    session: Session, platforms: Sequence[str], after: datetime | None = None
) -> datetime | None:
    """Return when the next delivery is ready that nobody holds, where one is after an instant."""
    query = _placed(_is_free(platforms))
    if after is not None:
        query = query.where(_DELIVERY.c.ready_at > after)
    first = session.connection().execute(query.limit(1)).one_or_none()
    return first.ready_at if first else None


def list_held(session: Session, platforms: Sequence[str]) -> list[tuple[Ready, str]]:
    """Return the deliveries on some platforms that are held, each with its holder."""
    query = _placed(_DELIVERY.c.owner.is_not(None), _WORKSPACE.c.platform.in_(platforms))
    return [(_ready(row), row.owner) for row in session.connection().execute(query)]


def put_off(session: Session, ready: Ready, until: datetime, why: str) -> None:
    """Have a delivery that could not even be taken wait, unless somebody else took it."""
    values = {"owner": None, "ready_at": until, "error": why, "beat": ready.beat + 1}
    session.connection().execute(
        update(_DELIVERY)
        .where(_DELIVERY.c.id == ready.id, _DELIVERY.c.beat == ready.beat)
        .values(**values)
    )


def outdated(session: Session) -> bool:
    """Tell whether the edition of any delivery changed since that was sent."""
    query = select(_DELIVERY.c.id).where(_is_outdated())
    return session.connection().scalar(query.limit(1)) is not None


def correct(session: Session, now: datetime) -> int:
    """Have the deliveries whose edition changed since looked through; return how many."""
    statement = update(_DELIVERY).where(_is_outdated())
    # From now on is how long that is tried.
    return session.connection().execute(statement.values(enqueued_at=now, ready_at=now)).rowcount


def correct_one(session: Session, delivery_id: int) -> None:
    """Have a delivery looked through whose edition changed while it was being sent."""
    statement = update(_DELIVERY).where(_DELIVERY.c.id == delivery_id, _is_outdated())
    session.connection().execute(statement.values(ready_at=_DELIVERY.c.enqueued_at))


def drop_unsent(session: Session, subscription_id: int, why: str) -> None:
    """Skip what a subscription is owed and nothing was sent of, whoever holds it.

    The holder finds that out before it sends anything.
    """
    some = exists().where(_PART.c.delivery_id == _DELIVERY.c.id, _PART.c.state.in_(BEGUN))
    statement = update(_DELIVERY).where(
        _DELIVERY.c.subscription_id == subscription_id, _DELIVERY.c.state.in_(_UNSENT), ~some
    )
    values = {"state": DeliveryState.SKIPPED, "error": why, "owner": None, "ready_at": None}
    session.connection().execute(statement.values(**values, beat=_DELIVERY.c.beat + 1))


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


def _owed_anew(session: Session, delivery_id: int, due_at: datetime, now: datetime) -> int:
    retry(session, delivery_id, now)
    session.connection().execute(
        update(_DELIVERY).where(_DELIVERY.c.id == delivery_id).values(due_at=due_at)
    )
    return delivery_id


def _is_free(platforms: Sequence[str]) -> ColumnElement[bool]:
    here = _WORKSPACE.c.platform.in_(platforms) & _WORKSPACE.c.left_at.is_(None)
    return _DELIVERY.c.owner.is_(None) & _DELIVERY.c.ready_at.is_not(None) & here


def _is_outdated() -> ColumnElement[bool]:
    changed = exists().where(
        _EDITION.c.id == _DELIVERY.c.edition_id, _EDITION.c.changed_at != _DELIVERY.c.content_at
    )
    idle = _DELIVERY.c.owner.is_(None) & _DELIVERY.c.ready_at.is_(None)
    return (_DELIVERY.c.state == DeliveryState.SENT) & idle & changed


def _ready(row: Any) -> Ready:  # noqa: ANN401 - a row of `_placed`
    return Ready(row.id, row.beat, row.platform, row.workspace, row.channel)


def _placed(*which: ColumnElement[bool]) -> Any:  # noqa: ANN401 - a query of these columns
    return (
        select(
            _DELIVERY.c.id,
            _DELIVERY.c.beat,
            _DELIVERY.c.owner,
            _DELIVERY.c.ready_at,
            _WORKSPACE.c.platform,
            _WORKSPACE.c.id.label("workspace"),
            _CHANNEL.c.id.label("channel"),
        )
        .join(_SUBSCRIPTION, _SUBSCRIPTION.c.id == _DELIVERY.c.subscription_id)
        .join(_CHANNEL, _CHANNEL.c.id == _SUBSCRIPTION.c.channel_id)
        .join(_WORKSPACE, _WORKSPACE.c.id == _CHANNEL.c.workspace_id)
        .where(*which)
        .order_by(_DELIVERY.c.ready_at, _DELIVERY.c.id)
    )
