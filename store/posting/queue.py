"""The queries that find what waits to be delivered, made once: they are asked all the time."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Integer, and_, bindparam, exists, func, or_, select, update
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from store.database.statements import among
from store.database.types import Instant
from store.posting.deliveries import found
from store.posting.due_subscriptions import owe
from store.posting.editions_to_post import newest, wanted
from store.records import Delivery, DeliveryState, Subscription
from store.tables.library import EditionRow
from store.tables.posting import DeliveryPartRow, DeliveryRow, SubscriptionRow
from store.tables.workspaces import ChannelRow, WorkspaceRow
from store.workspaces.workspaces import LONGEST_REST

# A prime, so that each spin but 0 is another order; two below it make a number of four bytes.
SPINS = 32_749


def _placed(*also: ColumnElement[Any] | Mapped[Any]) -> Any:  # noqa: ANN401 - a query of these columns
    """Return the query of deliveries and where they go.

    To add nothing, here and to the platform, keeps SQLite from going through all channels to the
    deliveries of each, which it takes for as quick: https://www.sqlite.org/optoverview.html#uplus
    """
    return (
        select(
            col(DeliveryRow.id),
            col(DeliveryRow.fencing_token),
            col(WorkspaceRow.platform),
            col(WorkspaceRow.id).label("workspace"),
            col(ChannelRow.id).label("channel"),
            *also,
        )
        .join(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id) + 0)
        .join(ChannelRow, col(ChannelRow.id) == col(SubscriptionRow.channel_id) + 0)
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id) + 0)
        .where(col(WorkspaceRow.platform).concat("").in_(bindparam("platforms", expanding=True)))
    )


def _ready_in_turn() -> Any:  # noqa: ANN401 - the same
    """Return the query of what may be taken: the first of each workspace, then the second of each.

    Among as many of each, workspaces come in an order that is another one with each spin. It knows
    nothing of several for one channel: that would take as long again.
    """
    turn = func.row_number().over(
        partition_by=col(WorkspaceRow.id), order_by=(col(DeliveryRow.ready_at), col(DeliveryRow.id))
    )
    spun = (col(WorkspaceRow.id) % SPINS) * bindparam("spin", type_=Integer()) % SPINS
    come = (col(DeliveryRow.ready_at) <= _NOW) | (col(DeliveryRow.ready_at) > _LATEST)
    return (
        _placed()
        .where(_FREE, _IN_REACH, come)
        .where(~among(col(ChannelRow.id), "busy"))
        .order_by(turn, spun, col(DeliveryRow.ready_at), col(DeliveryRow.id))
        .limit(bindparam("most"))
    )


_NOW, _LATEST = bindparam("now", type_=Instant()), bindparam("latest", type_=Instant())
# As the index says it of which deliveries it is.
_FREE = col(DeliveryRow.owner).is_(None) & col(DeliveryRow.ready_at).is_not(None)
_IN_REACH = col(WorkspaceRow.left_at).is_(None) & ~among(col(WorkspaceRow.id), "full")
_BY_TIME = (
    _placed().with_only_columns(col(DeliveryRow.ready_at)).order_by(col(DeliveryRow.ready_at))
)

IN_TURN = _ready_in_turn()
# In no order, for whose sake SQLite would go through all deliveries.
HELD = _placed(col(DeliveryRow.owner)).where(col(DeliveryRow.owner).is_not(None))
NEXT = _BY_TIME.where(_FREE, col(WorkspaceRow.left_at).is_(None)).limit(1)
FOLLOWING = _BY_TIME.where(
    _FREE, _IN_REACH, col(DeliveryRow.ready_at) > _NOW, col(DeliveryRow.ready_at) <= _LATEST
).limit(1)
RESTING = select(col(WorkspaceRow.id), col(WorkspaceRow.cooldown_until)).where(
    col(WorkspaceRow.cooldown_until) > _NOW, col(WorkspaceRow.cooldown_until) <= _LATEST
)


_UNSENT = (DeliveryState.PENDING, DeliveryState.RETRY, DeliveryState.CLAIMED)
# A part in one of these may stand in its channel.
BEGUN = (DeliveryState.SENT, DeliveryState.SENDING, DeliveryState.UNKNOWN)
_OVER = (DeliveryState.DEAD, DeliveryState.SKIPPED)
# No wait is longer; a later instant was reckoned while the clock was wrong.
LONGEST_WAIT = LONGEST_REST
# A channel is owed so many posts at once, as a rule; where it is more, so many looks are taken.
_A_CHANNEL = 3
_LOOKS = 3


@dataclass(frozen=True, slots=True)
class Ready:
    """A delivery that may be worked on, and where it goes, by ids of the database."""

    id: int
    fencing_token: int
    platform: str
    workspace: int
    channel: int


@dataclass(frozen=True, slots=True)
class Queue:
    """What there is to do: deliveries that nobody holds, in order, and those that are held.

    Each of those comes with its holder. `next_at` is when to look again because the next of the
    others is ready then, or a workspace has rested.
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
) -> bool:
    """Note that an edition is owed, as `enqueuing.owe`; return whether it was not before."""
    return owe(session, [subscription_id], edition_id, due_at, now) == 1


def look(  # noqa: PLR0913 - what is left out comes beside what is looked for
    session: Session,
    platforms: Sequence[str],
    now: datetime,
    most: int,
    *,
    busy: Collection[int] = (),
    full: Collection[int] = (),
    closed: Collection[str] = (),
    spin: int = 0,
) -> Queue:
    """Return what there is to do on some platforms.

    Ready is what nobody holds and whose time has come: one delivery a channel, and none where one
    is held. The first of each workspace come first, then the second of each, so that many for one
    keep none of the others waiting; of more workspaces than are returned, other ones with each
    `spin`. What goes to a workspace that the bot left waits for its
    return, and what goes to one that rests until it has rested.

    Args:
        session: where they are stored.
        platforms: where they go.
        now: the time, by a clock that no setting moves.
        most: how many to return.
        busy: channels to leave out.
        full: workspaces to leave out.
        closed: those of the platforms of which only what is held is wanted.
        spin: any number, in whose order workspaces take turns; with 0 the longest owed is first.
    """
    connection = session.connection()
    rests = {row.id: row.cooldown_until for row in connection.execute(RESTING, _around(now))}
    held = list_held(session, platforms)
    asked = {
        **_around(now),
        "platforms": [each for each in platforms if each not in closed],
        "spin": spin % SPINS,
        "busy": [*{*busy, *(ready.channel for ready, _ in held)}],
        "full": [*{*full, *rests}],
    }
    ready = _in_turn(session, asked, most)
    asked |= {"full": list(rests), "platforms": list(platforms)}
    following = connection.execute(FOLLOWING, asked).scalar()
    return Queue(ready, held, min((at for at in (following, *rests.values()) if at), default=None))


def next_ready_at(session: Session, platforms: Sequence[str]) -> datetime | None:
    """Return when the next delivery is ready that nobody holds, which may be past."""
    asked = {"platforms": list(platforms)}
    at: datetime | None = session.connection().execute(NEXT, asked).scalar()
    return at


def list_held(session: Session, platforms: Sequence[str]) -> list[tuple[Ready, str]]:
    """Return the deliveries on some platforms that are held, each with its holder."""
    rows = session.connection().execute(HELD, {"platforms": list(platforms)})
    return sorted(((_ready(row), row.owner) for row in rows), key=lambda one: one[0].id)


def find_claimable(
    session: Session, platforms: Sequence[str], delivery_id: int, now: datetime
) -> tuple[Ready, str | None] | None:
    """Return a delivery that is ready or claimed, with the process that has claimed it."""
    ready = (
        (col(DeliveryRow.ready_at) <= _NOW) | (col(DeliveryRow.ready_at) > _LATEST),
        col(WorkspaceRow.left_at).is_(None),
        or_(
            col(WorkspaceRow.cooldown_until).is_(None),
            col(WorkspaceRow.cooldown_until) <= _NOW,
            col(WorkspaceRow.cooldown_until) > _LATEST,
        ),
    )
    query = _placed(col(DeliveryRow.owner)).where(
        col(DeliveryRow.id) == delivery_id, col(DeliveryRow.owner).is_not(None) | and_(*ready)
    )
    row = session.connection().execute(query, {**_around(now), "platforms": platforms}).first()
    return None if row is None else (_ready(row), row.owner)


def put_off(session: Session, ready: Ready, until: datetime, why: str) -> None:
    """Have a delivery that could not even be taken wait, unless somebody else took it."""
    values = {
        "owner": None,
        "ready_at": until,
        "error": why,
        "fencing_token": ready.fencing_token + 1,
    }
    session.connection().execute(
        update(DeliveryRow)
        .where(
            col(DeliveryRow.id) == ready.id, col(DeliveryRow.fencing_token) == ready.fencing_token
        )
        .values(**values)
    )


def list_outdated(session: Session) -> list[int]:
    """Return, by id, the deliveries whose edition changed since they were sent."""
    # Both ends are read off an index, so that editions whose deliveries are as they are now, which
    # is nearly all of them, cost the same however many deliveries they have.
    ends = [
        select(end(col(DeliveryRow.content_at)))
        .where(col(DeliveryRow.edition_id) == col(EditionRow.id))
        .scalar_subquery()
        for end in (func.min, func.max)
    ]
    changed = select(col(EditionRow.id)).where(
        or_(*(end != col(EditionRow.changed_at) for end in ends))
    )
    connection = session.connection()
    if not (editions := connection.scalars(changed).all()):
        return []
    query = select(col(DeliveryRow.id)).where(
        col(DeliveryRow.edition_id).in_(editions), _is_outdated()
    )
    return list(connection.scalars(query.order_by(col(DeliveryRow.id))))


def correct(session: Session, ids: Collection[int], now: datetime) -> int:
    """Have those of some deliveries looked through whose edition changed; return how many.

    One that another process put there meanwhile, or that was corrected since, is left as it is:
    Postgres looks at a row again that changed while it was waited for, and so under
    `Database.write_rows` none is put there twice.
    https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED
    """
    statement = update(DeliveryRow).where(col(DeliveryRow.id).in_(ids), _is_outdated())
    # From now on is how long that is tried.
    return session.connection().execute(statement.values(enqueued_at=now, ready_at=now)).rowcount


def drop_unsent(session: Session, subscription_id: int, why: str) -> None:
    """Skip what a subscription is owed and nothing was sent of, whoever holds it.

    The holder finds that out before it sends anything.
    """
    some = exists().where(
        col(DeliveryPartRow.delivery_id) == col(DeliveryRow.id),
        col(DeliveryPartRow.state).in_(BEGUN),
    )
    statement = update(DeliveryRow).where(
        col(DeliveryRow.subscription_id) == subscription_id,
        col(DeliveryRow.state).in_(_UNSENT),
        ~some,
    )
    values = {"state": DeliveryState.SKIPPED, "error": why, "owner": None, "ready_at": None}
    session.connection().execute(
        statement.values(**values, fencing_token=col(DeliveryRow.fencing_token) + 1)
    )


def retry(session: Session, delivery_id: int, now: datetime) -> bool:
    """Have a delivery sent that is dead, skipped or unknown; return whether it was.

    Of an unknown one somebody has decided that it is to be sent though it may have arrived.

    Raises:
        LookupError: if there is no such delivery.
    """
    query = select(col(DeliveryRow.state)).where(col(DeliveryRow.id) == delivery_id)
    state = session.connection().scalar(query)
    if state is None:
        raise LookupError(delivery_id)
    if state not in {DeliveryState.DEAD, DeliveryState.SKIPPED, DeliveryState.UNKNOWN}:
        return False
    values = {
        "state": DeliveryState.RETRY,
        "send_anyway": state is DeliveryState.UNKNOWN,
        "error": None,
        "owner": None,
        "enqueued_at": now,
        "ready_at": now,
        "fencing_token": col(DeliveryRow.fencing_token) + 1,
    }
    session.connection().execute(
        update(DeliveryRow).where(col(DeliveryRow.id) == delivery_id).values(**values)
    )
    return True


def revive(session: Session, order: Subscription, today: date, now: datetime) -> list[int]:
    """Have what is dead or skipped of the newest editions sent after all; return the deliveries."""
    owed = [each.id for each in wanted(order.sources, newest(session, today))]
    which = (
        (col(DeliveryRow.subscription_id) == order.id)
        & col(DeliveryRow.edition_id).in_(owed)
        & col(DeliveryRow.state).in_(_OVER)
    )
    ids = list(session.connection().scalars(select(col(DeliveryRow.id)).where(which)))
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
            (col(DeliveryRow.subscription_id) == order.id)
            & (col(DeliveryRow.edition_id) == each.id),
        )
        revived = delivery.state in _OVER and retry(session, delivery.id, now)
        asked.append(Asked(delivery, added or revived))
    return asked


def _is_outdated() -> ColumnElement[bool]:
    changed = exists().where(
        col(EditionRow.id) == col(DeliveryRow.edition_id),
        col(EditionRow.changed_at) != col(DeliveryRow.content_at),
    )
    idle = col(DeliveryRow.owner).is_(None) & col(DeliveryRow.ready_at).is_(None)
    return (col(DeliveryRow.state) == DeliveryState.SENT) & idle & changed


def _ready(row: Any) -> Ready:  # noqa: ANN401 - a row of `_placed`
    return Ready(row.id, row.fencing_token, row.platform, row.workspace, row.channel)


def _in_turn(session: Session, asked: dict[str, Any], most: int) -> list[Ready]:
    """Return what may be taken, in order, of each channel the first."""
    first: dict[int, Ready] = {}
    for _ in range(_LOOKS):
        asked["most"] = _A_CHANNEL * most
        found = [_ready(row) for row in session.connection().execute(IN_TURN, asked)]
        for ready in found:
            first.setdefault(ready.channel, ready)
        if len(first) >= most or len(found) < _A_CHANNEL * most:
            break
        # Many for one channel stand before the others.
        asked["busy"] = [*asked["busy"], *first]
    return list(first.values())[:most]


def _around(now: datetime) -> dict[str, Any]:
    """Return the time, and what is too far ahead to be believed."""
    return {"now": now, "latest": now + LONGEST_WAIT}
