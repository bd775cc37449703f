"""The ledger: deliveries from being owed to being sent, one transaction a step.

    pending ─ claim ─ claimed ─ begin ─ sending ─ sent
                 │                        ├─ retry, and claimed again when it is ready
                 └─ skipped               ├─ unknown, where nobody can tell whether it arrived
                                          └─ dead, where it can't be sent

What is about to be sent is noted before. Whoever works on a delivery holds it under a beat, which
every step counts up; a step on an older beat changes nothing and raises `LeaseLost`. How long a
beat has stood is measured by whoever wants to take over, with a clock of its own that only goes
forward, so that no change of the machine's time makes a living holder look dead.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select, update
from sqlmodel import Session

from store import due
from store.deliveries import found
from store.errors import LeaseLost
from store.queue import BEGUN, Ready, correct_one
from store.records import Delivery, DeliveryState, Edition, Part, Subscription
from store.schema import TABLES
from store.subscriptions import joined, subscription_of

_SUBSCRIPTION, _CHANNEL = TABLES["subscription"], TABLES["channel"]
_WORKSPACE = TABLES["workspace"]
_DELIVERY, _PART, _EDITION = TABLES["delivery"], TABLES["delivery_part"], TABLES["edition"]

# States that count as delivered: a source's older edition is not sent after one of these.
_DELIVERED = tuple(set(DeliveryState) - {DeliveryState.DEAD, DeliveryState.SKIPPED})


@dataclass(frozen=True, slots=True)
class Held:
    """A delivery in the hands of a process, as of a beat."""

    id: int
    owner: str
    beat: int


@dataclass(frozen=True, slots=True)
class Work:
    """All that is needed to carry out a delivery, or to correct what it posted.

    `content_at` is when what is posted was last changed, `changed_at` when the edition was.
    """

    held: Held
    delivery: Delivery
    order: Subscription
    edition: Edition
    enqueued_at: datetime
    content_at: datetime | None
    changed_at: datetime
    insist: bool

    @property
    def is_correction(self) -> bool:
        """Whether all of it was sent, so that only what changed since is to be put right."""
        return self.delivery.state is DeliveryState.SENT


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an attempt.

    `state` is the delivery's, `part` that of the part at hand. `ready_at` is when to go on, `None`
    where that is over. What is `kept` in hand goes on when its lease has run out, by no wall clock.
    """

    state: DeliveryState
    part: DeliveryState = DeliveryState.PENDING
    ready_at: datetime | None = None
    error: str | None = None
    kept: bool = False


def claim(session: Session, ready: Ready, owner: str) -> Work | None:
    """Take a delivery to work on it; `None` where somebody else did, or nothing is to be done.

    What is no longer wanted, because its order was taken back or a newer edition of the source
    came, is skipped here, unless some of it was sent.
    """
    connection = session.connection()
    row = connection.execute(_at_beat(ready)).mappings().one_or_none()
    if row is None:
        return None
    order = _as_begun(_order(session, row["subscription_id"]), row)
    [delivery] = found(session, _DELIVERY.c.id == ready.id)
    if why := _unwanted(session, row, order, delivery):
        _write(session, row["id"], state=DeliveryState.SKIPPED, error=why, **_FREE)
        return None
    correcting = row["state"] == DeliveryState.SENT
    state = DeliveryState.SENT if correcting else DeliveryState.CLAIMED
    attempts = row["attempts"] + (not correcting)
    held = Held(ready.id, owner, row["beat"] + 1)
    _write(session, ready.id, owner=owner, beat=held.beat, state=state, attempts=attempts)
    changed_at = connection.scalar(
        select(_EDITION.c.changed_at).where(_EDITION.c.id == row["edition_id"])
    )
    return Work(
        held=held,
        delivery=delivery,
        order=order,
        edition=due.edition(session, row["edition_id"]),
        enqueued_at=row["enqueued_at"],
        content_at=row["content_at"],
        changed_at=changed_at or row["enqueued_at"],
        insist=row["insist"],
    )


def plan(session: Session, held: Held, parts: Iterable[Part], work: Work) -> Held:
    """Note the messages that a delivery is sent as, and by what order, before any of them is.

    Raises:
        LeaseLost: where somebody else holds it now.
    """
    ordered = {field: getattr(work.order, field) for field in _ORDERED}
    held = _step(session, held, content_at=work.changed_at, **ordered)
    connection = session.connection()
    connection.execute(delete(_PART).where(_PART.c.delivery_id == held.id))
    rows = [
        {
            "delivery_id": held.id,
            "number": part.number,
            "key": part.key,
            "refs": part.refs,
            "state": DeliveryState.PENDING,
        }
        for part in parts
    ]
    connection.execute(insert(_PART), rows)
    return held


def begin(session: Session, held: Held, number: int, now: datetime) -> Held:
    """Note that a part is about to be sent; whoever insisted on that is served by it.

    Raises:
        LeaseLost: where somebody else holds it now.
    """
    held = _step(session, held, state=DeliveryState.SENDING, insist=False)
    part = _part(held, number)
    session.connection().execute(
        update(_PART).where(*part, _PART.c.began_at.is_(None)).values(began_at=now)
    )
    session.connection().execute(update(_PART).where(*part).values(state=DeliveryState.SENDING))
    return held


def sent(session: Session, held: Held, part: Part, at: datetime) -> Held:
    """Note that a part stands where it says; with the last one the delivery is sent.

    Where its edition changed meanwhile, it is to be corrected at once.

    Raises:
        LeaseLost: where somebody else holds it now.
    """
    connection = session.connection()
    held = _step(session, held)
    connection.execute(
        update(_PART)
        .where(*_part(held, part.number))
        .values(
            state=DeliveryState.SENT,
            digest=part.digest,
            place=part.place,
            message=part.message,
            url=part.url,
        )
    )
    left = select(_PART.c.number).where(
        _PART.c.delivery_id == held.id, _PART.c.state != DeliveryState.SENT
    )
    if connection.scalar(left.limit(1)) is None:
        done = {"state": DeliveryState.SENT, "sent_at": at, "error": None, "insist": False}
        _write(session, held.id, **done, **_FREE)
        correct_one(session, held.id)
    return held


def settle(session: Session, held: Held, number: int | None, outcome: Outcome) -> None:
    """Note what became of an attempt at a part, or of the whole, and let go of the delivery.

    Raises:
        LeaseLost: where somebody else holds it now.
    """
    _step(
        session,
        held,
        state=outcome.state,
        error=outcome.error,
        owner=held.owner if outcome.kept else None,
        ready_at=outcome.ready_at,
    )
    if number is not None:
        session.connection().execute(
            update(_PART).where(*_part(held, number)).values(state=outcome.part)
        )


def edited(session: Session, held: Held, part: Part) -> Held:
    """Note what a part says since it was edited; one that is gone has no message any more.

    Raises:
        LeaseLost: where somebody else holds it now.
    """
    held = _step(session, held)
    session.connection().execute(
        update(_PART)
        .where(*_part(held, part.number))
        .values(digest=part.digest, message=part.message)
    )
    return held


def corrected(session: Session, held: Held, content_at: datetime) -> None:
    """Note that all parts say what the edition said at an instant.

    Raises:
        LeaseLost: where somebody else holds it now.
    """
    _step(session, held, content_at=content_at, **_FREE)


def _unwanted(
    session: Session,
    row: Any,  # noqa: ANN401 - a row of the table
    order: Subscription,
    delivery: Delivery,
) -> str | None:
    if delivery.state is DeliveryState.SENT or any(p.state in BEGUN for p in delivery.parts):
        return None
    if order.ended_at is not None:
        return "The subscription was taken back."
    newer = (
        select(_DELIVERY.c.id)
        .join(_EDITION, _EDITION.c.id == _DELIVERY.c.edition_id)
        .where(_DELIVERY.c.subscription_id == row["subscription_id"])
        .where(_DELIVERY.c.state.in_(_DELIVERED), _EDITION.c.source == delivery.source)
        .where(_EDITION.c.last_day > delivery.last_day)
    )
    overtaken = session.connection().scalar(newer.limit(1)) is not None
    return "A newer edition came before it was sent." if overtaken else None


def _at_beat(ready: Ready) -> Any:  # noqa: ANN401 - the same
    return (
        select(_DELIVERY)
        .where(_DELIVERY.c.id == ready.id, _DELIVERY.c.beat == ready.beat)
        .where(_DELIVERY.c.owner.is_not(None) | _DELIVERY.c.ready_at.is_not(None))
    )


def _as_begun(order: Subscription, row: Any) -> Subscription:  # noqa: ANN401 - a row of the table
    """Return an order as it was when the delivery was begun, as far as that shapes the post."""
    if row["layout"] is None:
        return order
    return replace(order, **{field: row[field] for field in _ORDERED})


def _order(session: Session, subscription_id: int) -> Subscription:
    query = joined().where(_SUBSCRIPTION.c.id == subscription_id)
    return subscription_of(session.connection().execute(query).mappings().one())


# What of an order shapes a post.
_ORDERED = ("layout", "size", "topics", "not_topics")
_FREE: dict[str, Any] = {"owner": None, "ready_at": None}


def _write(session: Session, delivery_id: int, **values: Any) -> None:  # noqa: ANN401 - columns
    changed = {"beat": _DELIVERY.c.beat + 1, **values}
    session.connection().execute(
        update(_DELIVERY).where(_DELIVERY.c.id == delivery_id).values(**changed)
    )


def _step(session: Session, held: Held, **values: Any) -> Held:  # noqa: ANN401 - the same
    """Go one beat on with what is held, and write these columns."""
    following = Held(held.id, held.owner, held.beat + 1)
    stepped = session.connection().execute(
        update(_DELIVERY)
        .where(_DELIVERY.c.id == held.id, _DELIVERY.c.owner == held.owner)
        .where(_DELIVERY.c.beat == held.beat)
        .values(beat=following.beat, **values)
    )
    if stepped.rowcount != 1:
        raise LeaseLost(held.id)
    return following


def _part(held: Held, number: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return _PART.c.delivery_id == held.id, _PART.c.number == number
