"""Transitions of claimed deliveries, many recorded in one transaction.

A transition belongs to one delivery and names the fencing token that its process knows. Those of
different deliveries share a commit; one that comes too late (`LeaseLost`) leaves the others as
they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Insert,
    Update,
    bindparam,
    case,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from store.database.types import Instant
from store.errors import LeaseLost
from store.posting.claim import SHAPE_FIELDS, ClaimedDelivery, DeliveryClaim, Outcome
from store.posting.notices import refuse_subscription
from store.posting.personal_deliveries import note_shown
from store.readers import alerts
from store.records import DeliveryState, Part, Refusal
from store.tables.library import EditionRow
from store.tables.posting import DeliveryPartRow, DeliveryRow


@dataclass(frozen=True, slots=True)
class PartBegun:
    """A part is about to be sent, at an instant by the platform's clock.

    `planned` are all parts of the delivery, where none is stored yet: they are stored together with
    the fields of the subscription that shaped them.
    """

    claim: DeliveryClaim
    number: int
    at: datetime
    delivery: ClaimedDelivery
    planned: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class PartSent:
    """A part is posted at its place; with the last part the delivery is sent."""

    claim: DeliveryClaim
    part: Part
    at: datetime


@dataclass(frozen=True, slots=True)
class PartEdited:
    """A part was edited; one that is gone has no message any more."""

    claim: DeliveryClaim
    part: Part


@dataclass(frozen=True, slots=True)
class AttemptSettled:
    """An attempt ended, at a part or at the whole delivery.

    A `refusal` ends the subscription, whose owner gets a notice under `key`.
    """

    claim: DeliveryClaim
    number: int | None
    outcome: Outcome
    now: datetime
    refusal: Refusal | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class DeliveryCorrected:
    """All parts show the edition as it was at an instant."""

    claim: DeliveryClaim
    content_at: datetime


Transition = PartBegun | PartSent | PartEdited | AttemptSettled | DeliveryCorrected


def record_transitions(
    session: Session, transitions: Sequence[Transition]
) -> list[DeliveryClaim | LeaseLost]:
    """Record transitions, each of another delivery; return the claims as they are then, in order.

    Where another process has claimed a delivery, the error is returned and nothing is recorded of
    that one. The session is one of `Database.write_locking_rows` or `Database.write_durably`.
    """
    owners = _lock(session, [each.claim.id for each in transitions])
    valid = [
        each
        for each in transitions
        if owners.get(each.claim.id) == (each.claim.owner, each.claim.fencing_token)
    ]
    _record_begun(session, [each for each in valid if isinstance(each, PartBegun)])
    _record_sent(session, [each for each in valid if isinstance(each, PartSent)])
    for each in valid:
        if isinstance(each, PartEdited):
            _record_edited(session, each)
        elif isinstance(each, AttemptSettled):
            _record_settled(session, each)
        elif isinstance(each, DeliveryCorrected):
            _record_corrected(session, each)
    recorded = {each.claim.id for each in valid}
    return [
        DeliveryClaim(each.claim.id, each.claim.owner, each.claim.fencing_token + 1)
        if each.claim.id in recorded
        else LeaseLost(each.claim.id)
        for each in transitions
    ]


def _lock(session: Session, ids: Sequence[int]) -> dict[int, tuple[str | None, int]]:
    """Lock deliveries until the transaction ends; return their owners and fencing tokens."""
    rows = session.connection().execute(_LOCK, {"ids": ids})
    return {row.id: (row.owner, row.fencing_token) for row in rows}


def _execute(session: Session, statement: Update | Insert, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        session.connection().execute(statement, rows)


def _record_begun(session: Session, begun: Sequence[PartBegun]) -> None:
    """Record parts as about to be sent, with those that are planned along with them."""
    planned = [each for each in begun if each.planned]
    _execute(session, _BEGIN, [_delivery_row(each) for each in planned])
    parts = [_part_row(each, part) for each in planned for part in each.planned]
    _execute(session, insert(DeliveryPartRow), parts)
    known = [each for each in begun if not each.planned]
    _execute(session, _BEGIN, [{"of_id": each.claim.id} for each in known])
    _execute(
        session, _BEGIN_PART, [{**_key(each.claim, each.number), "at": each.at} for each in known]
    )


def _delivery_row(begun: PartBegun) -> dict[str, Any]:
    subscription, post = begun.delivery.subscription, begun.delivery.of_edition
    shape = {name: getattr(subscription, name, None) for name in SHAPE_FIELDS}
    return {"of_id": begun.claim.id, "content_at": post and post.changed_at, **shape}


def _part_row(begun: PartBegun, part: Part) -> dict[str, Any]:
    is_begun = part.number == begun.number
    return {
        "delivery_id": begun.claim.id,
        "number": part.number,
        "key": part.key,
        "refs": part.refs,
        "state": DeliveryState.SENDING if is_begun else DeliveryState.PENDING,
        "began_at": begun.at if is_begun else None,
    }


def _record_sent(session: Session, sent: Sequence[PartSent]) -> None:
    """Record where parts are posted; a delivery without unsent parts is sent.

    Where its edition or votes changed meanwhile, it is enqueued for a correction at once.
    """
    if not sent:
        return
    rows = [
        {
            **_key(each.claim, each.part.number),
            "state": DeliveryState.SENT,
            "digest": each.part.digest,
            "place": each.part.place,
            "message": each.part.message,
            "url": each.part.url,
        }
        for each in sent
    ]
    _execute(session, _UPDATE_PART, rows)
    note_shown(session, ((each.claim.id, each.part, each.at) for each in sent))
    ids = {"ids": [each.claim.id for each in sent]}
    unfinished = set(session.connection().scalars(_UNFINISHED, ids))
    _execute(session, _UPDATE, [{"of_id": delivery} for delivery in unfinished])
    finished = [each for each in sent if each.claim.id not in unfinished]
    rows = [{"of_id": each.claim.id, "sent_at": each.at} for each in finished]
    _execute(session, _FINISH, rows)


def _record_edited(session: Session, edited: PartEdited) -> None:
    _execute(session, _UPDATE, [{"of_id": edited.claim.id}])
    part = {"digest": edited.part.digest, "message": edited.part.message}
    _execute(session, _UPDATE_PART, [_key(edited.claim, edited.part.number) | part])


def _record_settled(session: Session, settled: AttemptSettled) -> None:
    """Record the end of an attempt, and of the subscription where it was refused."""
    outcome, delivery = settled.outcome, settled.claim.id
    values = {
        "of_id": delivery,
        "state": outcome.state,
        "owner": settled.claim.owner if outcome.stays_claimed else None,
        "ready_at": outcome.ready_at,
    }
    if outcome.counts:
        _execute(session, _UPDATE, [values | {"error": outcome.error}])
    else:
        _execute(session, _POSTPONE, [values])
    if settled.number is not None:
        part = _key(settled.claim, settled.number) | {"state": outcome.part}
        _execute(session, _UPDATE_PART, [part])
    if settled.refusal is not None:
        _refuse(session, settled, settled.refusal)


def _refuse(session: Session, settled: AttemptSettled, refusal: Refusal) -> None:
    """End the subscription of a delivery, or the alerts of its channel."""
    query = select(col(DeliveryRow.subscription_id), col(DeliveryRow.channel_id))
    this = query.where(col(DeliveryRow.id) == settled.claim.id)
    subscription, channel = session.connection().execute(this).one()
    if subscription is None and channel is not None:
        alerts.refuse(session, channel, refusal)
    elif subscription is not None:
        refuse_subscription(session, subscription, refusal, settled.key, settled.now)


def _record_corrected(session: Session, corrected: DeliveryCorrected) -> None:
    """Release a delivery; where its edition or votes changed meanwhile, it is enqueued again."""
    row = {"of_id": corrected.claim.id, "corrected_at": corrected.content_at}
    _execute(session, _CORRECT, [row])


def _key(claim: DeliveryClaim, number: int) -> dict[str, Any]:
    return {"of_delivery": claim.id, "of_number": number}


def _edition_changed(since: ColumnElement[Any] | Mapped[Any]) -> ColumnElement[bool]:
    """Return the condition that the edition of a delivery has another instant of change."""
    return (
        exists()
        .where(
            col(EditionRow.id) == col(DeliveryRow.edition_id), col(EditionRow.changed_at) != since
        )
        .correlate(DeliveryRow)
    )


# The statements are built once: to build one takes as long as to run it.
_IDS: ColumnElement[Any] = bindparam("ids", expanding=True)
# In one order, so that two processes that lock some of the same never wait for each other. No key
# changes, so rows that refer to these may be added meanwhile.
_LOCK = (
    select(col(DeliveryRow.id), col(DeliveryRow.owner), col(DeliveryRow.fencing_token))
    .where(col(DeliveryRow.id).in_(_IDS))
    .order_by(col(DeliveryRow.id))
    .with_for_update(key_share=True)
)
_UPDATE = (
    update(DeliveryRow)
    .where(col(DeliveryRow.id) == bindparam("of_id"))
    .values(fencing_token=col(DeliveryRow.fencing_token) + 1)
)
# A user's wish to send it anyway is served by this.
_BEGIN = _UPDATE.values(state=DeliveryState.SENDING, send_anyway=False)
_POSTPONE = _UPDATE.values(attempts=col(DeliveryRow.attempts) - 1)
_UPDATE_PART = update(DeliveryPartRow).where(
    col(DeliveryPartRow.delivery_id) == bindparam("of_delivery"),
    col(DeliveryPartRow.number) == bindparam("of_number"),
)
_BEGIN_PART = _UPDATE_PART.values(
    state=DeliveryState.SENDING,
    began_at=func.coalesce(col(DeliveryPartRow.began_at), bindparam("at", type_=Instant())),
)
_UNFINISHED = select(col(DeliveryPartRow.delivery_id)).where(
    col(DeliveryPartRow.delivery_id).in_(_IDS),
    col(DeliveryPartRow.state) != DeliveryState.SENT,
)
_FINISH = _UPDATE.values(
    state=DeliveryState.SENT,
    error=None,
    send_anyway=False,
    owner=None,
    ready_at=case(
        (
            col(DeliveryRow.votes_changed) | _edition_changed(col(DeliveryRow.content_at)),
            col(DeliveryRow.enqueued_at),
        )
    ),
)
_CORRECTED_AT = bindparam("corrected_at", type_=Instant())
_CORRECT = _UPDATE.values(
    content_at=_CORRECTED_AT,
    owner=None,
    ready_at=case(
        (_edition_changed(_CORRECTED_AT), col(DeliveryRow.enqueued_at)),
        # The vote set when.
        (col(DeliveryRow.votes_changed), col(DeliveryRow.ready_at)),
    ),
)
