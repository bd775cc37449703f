"""Steps of deliveries, many of them noted in one transaction.

A step is of one delivery that a process holds, on the fencing_token that it knows. Steps of
different deliveries are noted together, so that many share one commit; one that comes too late
(`LeaseLost`) leaves the others as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, case, select, update
from sqlmodel import Session, col

from store.database.statements import OfRows, Prepared, among
from store.errors import LeaseLost
from store.posting.claim import ORDERED, Held, Outcome, Work
from store.posting.notices import refuse
from store.records import DeliveryState, Part, Refusal
from store.tables.library import EditionRow
from store.tables.posting import DeliveryPartRow, DeliveryRow


@dataclass(frozen=True, slots=True)
class Begin:
    """A part is about to be sent, at an instant as the platform tells it.

    `planned` are all the messages of the delivery where none was noted before: they are noted with
    the first of them, and with what of the order shaped them.
    """

    held: Held
    number: int
    at: datetime
    work: Work
    planned: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Sent:
    """A part stands where it says; with the last one the delivery is sent."""

    held: Held
    part: Part
    at: datetime


@dataclass(frozen=True, slots=True)
class Settle:
    """What became of an attempt at a part, or of the whole; the delivery is let go of.

    `refusal` ends its order, whose owner is told under `key`.
    """

    held: Held
    number: int | None
    outcome: Outcome
    now: datetime
    refusal: Refusal | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Edited:
    """What a part says since it was edited; one that is gone has no message any more."""

    held: Held
    part: Part


@dataclass(frozen=True, slots=True)
class Corrected:
    """All parts say what the edition said at an instant."""

    held: Held
    content_at: datetime


Step = Begin | Sent | Settle | Edited | Corrected


def note(session: Session, steps: Sequence[Step]) -> list[Held | LeaseLost]:
    """Note steps, each of another delivery; return how each delivery is held now, in order.

    Where somebody else holds one by now it is the error, and nothing of that step is noted. The
    session's transaction is one of `Database.write_rows` or `Database.write_through`.
    """
    held = _locked(session, [step.held.id for step in steps])
    noted = [
        step
        for step in steps
        if held.get(step.held.id) == (step.held.owner, step.held.fencing_token)
    ]
    _begin(session, [step for step in noted if isinstance(step, Begin)])
    _sent(session, [step for step in noted if isinstance(step, Sent)])
    for step in noted:
        if isinstance(step, Settle):
            _settle(session, step)
        elif isinstance(step, Edited):
            _edit(session, step)
        elif isinstance(step, Corrected):
            _corrected(session, step)
    done = {step.held.id for step in noted}
    return [
        _following(step.held) if step.held.id in done else LeaseLost(step.held.id) for step in steps
    ]


def _locked(session: Session, ids: Sequence[int]) -> dict[int, tuple[str | None, int]]:
    """Lock deliveries until the transaction ends; return their owners and fencing tokens."""
    rows = _LOCK.rows(session.connection(), {"ids": list(ids)})
    return {each: (owner, fencing_token) for each, owner, fencing_token in rows}


def _following(held: Held) -> Held:
    return Held(held.id, held.owner, held.fencing_token + 1)


def _begin(session: Session, steps: Sequence[Begin]) -> None:
    """Note parts as about to be sent; whoever insisted on that is served by it."""
    connection = session.connection()
    planned = [step for step in steps if step.planned]
    for shape, ids in _by_shape(planned).items():
        _SHAPED.run(connection, dict(zip(_SHAPE, shape, strict=True)) | {"ids": ids})
    known = [step for step in steps if not step.planned]
    if parts := [_part(step, part) for step in planned for part in step.planned]:
        _PLAN.run(connection, parts)
    if known:
        _BEGUN.run(connection, {"ids": [step.held.id for step in known]})
        _BEGIN.run(connection, ((step.held.id, step.number, step.at) for step in known))


def _by_shape(steps: Sequence[Begin]) -> dict[tuple[Any, ...], list[int]]:
    """Group what is planned by what shaped it: nearly all of a batch is shaped alike."""
    shapes: dict[tuple[Any, ...], list[int]] = {}
    for step in steps:
        shape = step.work.changed_at, *(getattr(step.work.order, field) for field in ORDERED)
        shapes.setdefault(shape, []).append(step.held.id)
    return shapes


def _part(step: Begin, part: Part) -> tuple[Any, ...]:
    """Return the row of a part that was not noted before."""
    begun = part.number == step.number
    state = DeliveryState.SENDING if begun else DeliveryState.PENDING
    return step.held.id, part.number, part.key, part.refs, state, step.at if begun else None


def _sent(session: Session, steps: Sequence[Sent]) -> None:
    """Note where parts stand; deliveries with no other are sent.

    Where the edition of one changed meanwhile, or its votes, it is to be corrected at once.
    """
    if not steps:
        return
    connection = session.connection()
    _STANDS.run(connection, (_standing(step.held.id, step.part) for step in steps))
    done = {row[0] for row in _DONE.rows(connection, ((step.held.id, step.at) for step in steps))}
    if left := [step.held.id for step in steps if step.held.id not in done]:
        _ON.run(connection, {"ids": left})


def _standing(delivery: int, part: Part) -> tuple[Any, ...]:
    return delivery, part.number, part.digest, part.place, part.message, part.url


def _settle(session: Session, step: Settle) -> None:
    """Note what became of an attempt, with the end of its order where it is that."""
    outcome = step.outcome
    _write(
        session,
        step.held.id,
        state=outcome.state,
        error=outcome.error if outcome.tried else col(DeliveryRow.error),
        owner=step.held.owner if outcome.kept else None,
        ready_at=outcome.ready_at,
        attempts=col(DeliveryRow.attempts) - int(not outcome.tried),
    )
    connection = session.connection()
    if step.number is not None:
        part = (
            col(DeliveryPartRow.delivery_id) == step.held.id,
            col(DeliveryPartRow.number) == step.number,
        )
        connection.execute(update(DeliveryPartRow).where(*part).values(state=outcome.part))
    if step.refusal is not None:
        order = select(col(DeliveryRow.subscription_id)).where(col(DeliveryRow.id) == step.held.id)
        refuse(session, connection.scalars(order).one(), step.refusal, step.key, step.now)


def _edit(session: Session, step: Edited) -> None:
    _write(session, step.held.id)
    part = (
        col(DeliveryPartRow.delivery_id) == step.held.id,
        col(DeliveryPartRow.number) == step.part.number,
    )
    said = {"digest": step.part.digest, "message": step.part.message}
    session.connection().execute(update(DeliveryPartRow).where(*part).values(**said))


def _corrected(session: Session, step: Corrected) -> None:
    """Let go of a delivery; where its edition or votes changed meanwhile, it is corrected anew."""
    changed = (
        col(EditionRow.id) == col(DeliveryRow.edition_id),
        col(EditionRow.changed_at) != step.content_at,
    )
    at_once = select(col(EditionRow.id)).where(*changed).correlate(DeliveryRow).exists()
    # A vote said when.
    again = case(
        (at_once, col(DeliveryRow.enqueued_at)),
        (col(DeliveryRow.votes_changed), col(DeliveryRow.ready_at)),
    )
    _write(session, step.held.id, content_at=step.content_at, owner=None, ready_at=again)


def _write(session: Session, delivery: int, **values: Any) -> None:  # noqa: ANN401 - columns
    """Go one fencing_token on with a delivery that is locked, and write these columns."""
    session.connection().execute(_STEP.values(**values), {"ids": [delivery]})


# In one order, so that two who lock some of the same never wait for each other. No key changes,
# and so rows may be added meanwhile that name these.
_LOCK = Prepared(
    select(col(DeliveryRow.id), col(DeliveryRow.owner), col(DeliveryRow.fencing_token))
    .where(among(col(DeliveryRow.id), "ids"))
    .order_by(col(DeliveryRow.id))
    .with_for_update(key_share=True)
)
_STEP = (
    update(DeliveryRow)
    .where(among(col(DeliveryRow.id), "ids"))
    .values(fencing_token=col(DeliveryRow.fencing_token) + 1)
)
_ON = Prepared(_STEP)
_SENDING = _STEP.values(state=DeliveryState.SENDING, send_anyway=False)
_BEGUN = Prepared(_SENDING)
_SHAPE = ("content", *(f"as_{name}" for name in ORDERED))
_SHAPED = Prepared(
    _SENDING.values(
        content_at=bindparam("content"), **{name: bindparam(f"as_{name}") for name in ORDERED}
    )
)
_PLAN = OfRows(
    "INSERT INTO delivery_part (delivery_id, number, key, refs, state, began_at)"
    " SELECT id, number, key, refs, state, began_at FROM {given}",
    id="integer",
    number="integer",
    key="text",
    refs="json",
    state="text",
    began_at="timestamptz",
)
_BEGIN = OfRows(
    "UPDATE delivery_part SET state = 'sending',"
    " began_at = COALESCE(delivery_part.began_at, given.at) FROM {given}"
    " WHERE delivery_part.delivery_id = given.id AND delivery_part.number = given.number",
    id="integer",
    number="integer",
    at="timestamptz",
)
_STANDS = OfRows(
    "UPDATE delivery_part SET state = 'sent', digest = given.digest, place = given.place,"
    " message = given.message, url = given.url FROM {given}"
    " WHERE delivery_part.delivery_id = given.id AND delivery_part.number = given.number",
    id="integer",
    number="integer",
    digest="text",
    place="text",
    message="text",
    url="text",
)
# Where the edition or its votes changed while it was being sent, what stands is looked through.
_DONE = OfRows(
    "UPDATE delivery SET state = 'sent', sent_at = given.at, error = NULL, send_anyway = false,"
    " owner = NULL, fencing_token = delivery.fencing_token + 1,"
    " ready_at = (SELECT delivery.enqueued_at FROM edition"
    " WHERE edition.id = delivery.edition_id"
    " AND (edition.changed_at <> delivery.content_at OR delivery.votes_changed))"
    " FROM {given} WHERE delivery.id = given.id AND NOT EXISTS (SELECT 1 FROM delivery_part"
    " WHERE delivery_part.delivery_id = delivery.id AND delivery_part.state <> 'sent')"
    " RETURNING delivery.id",
    id="integer",
    at="timestamptz",
)
