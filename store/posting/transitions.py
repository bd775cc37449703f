"""Transitions of claimed deliveries, many recorded in one transaction.

A transition belongs to one delivery and names the fencing token that its process knows. Those of
different deliveries share a commit; one that comes too late (`LeaseLost`) leaves the others as
they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, exists, func, insert, or_, select, update
from sqlmodel import Session, col

from store.database.types import Instant
from store.errors import LeaseLost
from store.posting.claim import SHAPE_FIELDS, ClaimedDelivery, DeliveryClaim, Outcome
from store.posting.notices import refuse_subscription
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
    # In one order, so that two who lock some of the same never wait for each other. No key
    # changes, so rows that refer to these may be added meanwhile.
    query = (
        select(col(DeliveryRow.id), col(DeliveryRow.owner), col(DeliveryRow.fencing_token))
        .where(col(DeliveryRow.id).in_(ids))
        .order_by(col(DeliveryRow.id))
        .with_for_update(key_share=True)
    )
    rows = session.connection().execute(query)
    return {row.id: (row.owner, row.fencing_token) for row in rows}


def _update(session: Session, ids: Sequence[int], **values: Any) -> None:  # noqa: ANN401 - columns
    """Update locked deliveries, and count their fencing tokens up."""
    if ids:
        session.connection().execute(
            update(DeliveryRow)
            .where(col(DeliveryRow.id).in_(ids))
            .values(fencing_token=col(DeliveryRow.fencing_token) + 1, **values)
        )


def _update_parts(session: Session, rows: Sequence[dict[str, Any]], **values: Any) -> None:  # noqa: ANN401 - the same
    """Update parts, each row naming its part as `of_delivery` and `of_number`."""
    if rows:
        statement = update(DeliveryPartRow).where(
            col(DeliveryPartRow.delivery_id) == bindparam("of_delivery"),
            col(DeliveryPartRow.number) == bindparam("of_number"),
        )
        session.connection().execute(statement.values(**values), rows)


def _record_begun(session: Session, begun: Sequence[PartBegun]) -> None:
    """Record parts as about to be sent; a user's wish to send a delivery anyway is then served."""
    sending: dict[str, Any] = {"state": DeliveryState.SENDING, "send_anyway": False}
    # Nearly all of a batch have the same shape.
    planned: dict[tuple[Any, ...], list[PartBegun]] = {}
    for each in (each for each in begun if each.planned):
        subscription = each.delivery.subscription
        shape = each.delivery.changed_at, *(getattr(subscription, name) for name in SHAPE_FIELDS)
        planned.setdefault(shape, []).append(each)
    for shape, group in planned.items():
        values = dict(zip(("content_at", *SHAPE_FIELDS), shape, strict=True))
        _update(session, [each.claim.id for each in group], **sending, **values)
    if parts := [_part_row(each, part) for each in begun for part in each.planned]:
        session.connection().execute(insert(DeliveryPartRow), parts)
    known = [each for each in begun if not each.planned]
    _update(session, [each.claim.id for each in known], **sending)
    _update_parts(
        session,
        [{"of_delivery": each.claim.id, "of_number": each.number, "at": each.at} for each in known],
        state=DeliveryState.SENDING,
        began_at=func.coalesce(col(DeliveryPartRow.began_at), bindparam("at", type_=Instant())),
    )


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
    _update_parts(
        session,
        [
            {
                "of_delivery": each.claim.id,
                "of_number": each.part.number,
                "digest": each.part.digest,
                "place": each.part.place,
                "message": each.part.message,
                "url": each.part.url,
            }
            for each in sent
        ],
        state=DeliveryState.SENT,
    )
    connection = session.connection()
    unsent = select(col(DeliveryPartRow.delivery_id)).where(
        col(DeliveryPartRow.delivery_id).in_([each.claim.id for each in sent]),
        col(DeliveryPartRow.state) != DeliveryState.SENT,
    )
    unfinished = set(connection.scalars(unsent))
    _update(session, list(unfinished))
    finished = [
        {"of_id": each.claim.id, "sent_at": each.at}
        for each in sent
        if each.claim.id not in unfinished
    ]
    if finished:
        is_outdated = or_(
            col(DeliveryRow.votes_changed), _edition_changed(col(DeliveryRow.content_at))
        )
        connection.execute(
            update(DeliveryRow)
            .where(col(DeliveryRow.id) == bindparam("of_id"))
            .values(
                state=DeliveryState.SENT,
                error=None,
                send_anyway=False,
                owner=None,
                fencing_token=col(DeliveryRow.fencing_token) + 1,
                ready_at=case((is_outdated, col(DeliveryRow.enqueued_at))),
            ),
            finished,
        )


def _edition_changed(since: Any) -> ColumnElement[bool]:  # noqa: ANN401 - an instant or a column
    """Return the condition that the edition of a delivery has another instant of change."""
    return (
        exists()
        .where(
            col(EditionRow.id) == col(DeliveryRow.edition_id), col(EditionRow.changed_at) != since
        )
        .correlate(DeliveryRow)
    )


def _record_edited(session: Session, edited: PartEdited) -> None:
    _update(session, [edited.claim.id])
    _update_parts(
        session,
        [
            {
                "of_delivery": edited.claim.id,
                "of_number": edited.part.number,
                "digest": edited.part.digest,
                "message": edited.part.message,
            }
        ],
    )


def _record_settled(session: Session, settled: AttemptSettled) -> None:
    """Record the end of an attempt, and of the subscription where it was refused."""
    outcome, delivery = settled.outcome, settled.claim.id
    _update(
        session,
        [delivery],
        state=outcome.state,
        error=outcome.error if outcome.counts else col(DeliveryRow.error),
        owner=settled.claim.owner if outcome.stays_claimed else None,
        ready_at=outcome.ready_at,
        attempts=col(DeliveryRow.attempts) - int(not outcome.counts),
    )
    if settled.number is not None:
        part = {"of_delivery": delivery, "of_number": settled.number, "state": outcome.part}
        _update_parts(session, [part])
    if settled.refusal is not None:
        query = select(col(DeliveryRow.subscription_id)).where(col(DeliveryRow.id) == delivery)
        subscription = session.connection().scalars(query).one()
        refuse_subscription(session, subscription, settled.refusal, settled.key, settled.now)


def _record_corrected(session: Session, corrected: DeliveryCorrected) -> None:
    """Release a delivery; where its edition or votes changed meanwhile, it is enqueued again."""
    again = case(
        (_edition_changed(corrected.content_at), col(DeliveryRow.enqueued_at)),
        # The vote set when.
        (col(DeliveryRow.votes_changed), col(DeliveryRow.ready_at)),
    )
    _update(
        session, [corrected.claim.id], content_at=corrected.content_at, owner=None, ready_at=again
    )
