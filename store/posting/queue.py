"""The queue of deliveries: those that are ready, those that are claimed, and how they get in."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, exists, func, literal, or_, select, update
from sqlmodel import Session, col

from store.database.statements import Query, in_list, insert_for
from store.database.types import Instant, choice
from store.posting.deliveries import CHANNEL_ID, find_deliveries
from store.posting.editions_to_post import followed_editions, newest_editions
from store.records import Delivery, DeliveryState, Subscription
from store.tables.library import EditionRow
from store.tables.posting import DeliveryPartRow, DeliveryRow, SubscriptionRow
from store.tables.workspaces import ChannelRow, WorkspaceRow
from store.workspaces.workspaces import LONGEST_COOLDOWN

# A part in one of these states may have been posted.
POSSIBLY_POSTED = (DeliveryState.SENT, DeliveryState.SENDING, DeliveryState.UNKNOWN)
# No wait is longer; a later instant was computed while the clock was wrong.
LONGEST_WAIT = LONGEST_COOLDOWN

_UNSENT = (DeliveryState.PENDING, DeliveryState.RETRY, DeliveryState.CLAIMED)
_ENDED = (DeliveryState.DEAD, DeliveryState.SKIPPED)
# A channel rarely has more deliveries ready at once; where it has, the query is repeated.
_PER_CHANNEL = 3
_MOST_QUERIES = 3
# A prime, so that each rotation but 0 is another order; the product of two fits in four bytes.
_ROTATIONS = 32_749


@dataclass(frozen=True, slots=True)
class ReadyDelivery:
    """A delivery that may be claimed, and where it goes, by ids of the database."""

    id: int
    fencing_token: int
    platform: str
    workspace: int
    channel: int


@dataclass(frozen=True, slots=True)
class Queue:
    """The deliveries that are ready, in order, and those that are claimed, each with its owner.

    `next_at` is when the next delivery gets ready, or a cooldown ends.
    """

    ready: list[ReadyDelivery]
    claimed: list[tuple[ReadyDelivery, str]]
    next_at: datetime | None


@dataclass(frozen=True, slots=True)
class RequestedDelivery:
    """A delivery that a user asked for now, and whether the request put it into the queue."""

    delivery: Delivery
    is_new: bool


def find_ready(  # noqa: PLR0913 - what is left out comes beside what is looked for
    session: Session,
    platforms: Sequence[str],
    now: datetime,
    most: int,
    *,
    busy: Collection[int] = (),
    full: Collection[int] = (),
    closed: Collection[str] = (),
    rotation: int = 0,
) -> Queue:
    """Return the deliveries of some platforms that are ready, and those that are claimed.

    A channel has one ready delivery at most, and none while one of its deliveries is claimed. The
    first of each workspace come first, then the second of each, so that many for one workspace
    keep no other waiting. Left out are workspaces that the bot left, or that are in a cooldown.

    Args:
        session: a session.
        platforms: the platforms.
        now: the time, by the system clock.
        most: how many ready deliveries to return.
        busy: channels to leave out.
        full: workspaces to leave out.
        closed: platforms of which only claimed deliveries are returned.
        rotation: any number; each gives another order of the workspaces. With 0 the workspace that
            has waited longest is first.
    """
    connection, latest = session.connection(), now + LONGEST_WAIT
    ends = select(col(WorkspaceRow.id), col(WorkspaceRow.cooldown_until)).where(
        col(WorkspaceRow.cooldown_until) > now, col(WorkspaceRow.cooldown_until) <= latest
    )
    cooldowns = {row.id: row.cooldown_until for row in connection.execute(ends)}
    claimed = list_claimed(session, platforms)
    ready = _first_of_channels(
        session,
        _ready_deliveries([each for each in platforms if each not in closed], now, rotation).where(
            col(WorkspaceRow.id).not_in({*full, *cooldowns})
        ),
        {*busy, *(delivery.channel for delivery, _ in claimed)},
        most,
    )
    following = connection.scalar(
        _with_places(platforms)
        .with_only_columns(col(DeliveryRow.ready_at))
        .where(_UNCLAIMED, col(WorkspaceRow.left_at).is_(None))
        .where(col(DeliveryRow.ready_at) > now, col(DeliveryRow.ready_at) <= latest)
        .where(col(WorkspaceRow.id).not_in(list(cooldowns)))
        .order_by(col(DeliveryRow.ready_at))
        .limit(1)
    )
    wakes = [at for at in (following, *cooldowns.values()) if at]
    return Queue(ready, claimed, min(wakes, default=None))


def list_claimed(session: Session, platforms: Sequence[str]) -> list[tuple[ReadyDelivery, str]]:
    """Return the claimed deliveries of some platforms by id, each with its owner."""
    # Sorted here: for the sake of an order SQLite would read all deliveries.
    query = _with_places(platforms).add_columns(col(DeliveryRow.owner))
    rows = session.connection().execute(query.where(col(DeliveryRow.owner).is_not(None)))
    return sorted(((_ready(row), row.owner) for row in rows), key=lambda pair: pair[0].id)


def count_waiting(session: Session) -> dict[str, int]:
    """Return by platform how many deliveries are still to be sent."""
    query = (
        select(col(WorkspaceRow.platform), func.count().label("waiting"))
        .select_from(DeliveryRow)
        .outerjoin(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id))
        .join(ChannelRow, col(ChannelRow.id) == CHANNEL_ID)
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id))
        .where(col(DeliveryRow.ready_at).is_not(None) | col(DeliveryRow.owner).is_not(None))
        .where(col(DeliveryRow.state) != DeliveryState.SENT)
        .group_by(col(WorkspaceRow.platform))
    )
    return {row.platform: row.waiting for row in session.connection().execute(query)}


def enqueue(
    session: Session,
    subscriptions: Sequence[int],
    edition_id: int,
    due_at: datetime,
    now: datetime,
) -> int:
    """Enqueue an edition for some subscriptions; return how many deliveries were not there before.

    A dead delivery is enqueued anew, for the new due time.
    """
    columns: dict[str, Any] = {
        "subscription_id": col(SubscriptionRow.id),
        "edition_id": literal(edition_id),
        **new_delivery(due_at, now),
    }
    wanted = select(*columns.values()).where(in_list(col(SubscriptionRow.id), subscriptions))
    # One statement, so that of two at the same moment the database lets one wait for the other.
    new = insert_for(session, DeliveryRow).from_select([*columns], wanted)
    renewed = {name: new.excluded[name] for name in ("due_at", "enqueued_at", "ready_at")}
    statement = new.on_conflict_do_update(
        index_elements=["subscription_id", "edition_id"],
        set_=renewed
        | {
            "state": DeliveryState.RETRY,
            "fencing_token": col(DeliveryRow.fencing_token) + 1,
            "send_anyway": False,
            "owner": None,
            "error": None,
        },
        where=col(DeliveryRow.state) == DeliveryState.DEAD,
    )
    options = {"preserve_rowcount": True}  # of an INSERT it is dropped otherwise
    return session.connection().execute(statement, execution_options=options).rowcount


def new_delivery(due_at: datetime, now: datetime) -> dict[str, ColumnElement[Any]]:
    """Return the columns of a new delivery but those that say what goes where."""
    return {
        "state": literal(DeliveryState.PENDING, choice(DeliveryState)),
        "attempts": literal(0),
        "due_at": literal(due_at, Instant()),
        "enqueued_at": literal(now, Instant()),
        "ready_at": literal(now, Instant()),
        "fencing_token": literal(0),
        "send_anyway": literal(value=False),
    }


def enqueue_newest(
    session: Session, subscription: Subscription, due_at: datetime, now: datetime
) -> list[RequestedDelivery]:
    """Enqueue the newest edition of each source of a subscription.

    Dead and skipped deliveries of these editions are sent after all; others stay as they are.

    Args:
        session: a session.
        subscription: a stored subscription.
        due_at: the time, by the clock that a setting may move.
        now: the time, by the system clock.
    """
    requested = []
    id_ = subscription.id or 0
    newest = newest_editions(session, due_at.date())
    for edition in followed_editions(subscription.sources, newest):
        added = enqueue(session, [id_], edition.id, due_at, now) == 1
        [delivery] = find_deliveries(
            session,
            (col(DeliveryRow.subscription_id) == id_) & (col(DeliveryRow.edition_id) == edition.id),
        )
        retried = delivery.state in _ENDED and retry(session, delivery.id, now)
        requested.append(RequestedDelivery(delivery, added or retried))
    return requested


def retry(session: Session, delivery_id: int, now: datetime) -> bool:
    """Enqueue a dead, skipped or unknown delivery again; return whether it was one of these.

    An unknown one is then sent although it may have arrived: a user has decided so.

    Raises:
        LookupError: if there is no such delivery.
    """
    query = select(col(DeliveryRow.state)).where(col(DeliveryRow.id) == delivery_id)
    state = session.connection().scalar(query)
    if state is None:
        raise LookupError(delivery_id)
    if state not in {DeliveryState.DEAD, DeliveryState.SKIPPED, DeliveryState.UNKNOWN}:
        return False
    session.connection().execute(
        update(DeliveryRow)
        .where(col(DeliveryRow.id) == delivery_id)
        .values(
            state=DeliveryState.RETRY,
            send_anyway=state is DeliveryState.UNKNOWN,
            error=None,
            owner=None,
            enqueued_at=now,
            ready_at=now,
            fencing_token=col(DeliveryRow.fencing_token) + 1,
        )
    )
    return True


def retry_newest(
    session: Session, subscription: Subscription, today: date, now: datetime
) -> list[int]:
    """Retry the dead and skipped deliveries of the newest editions; return their ids."""
    newest = followed_editions(subscription.sources, newest_editions(session, today))
    ended = (
        select(col(DeliveryRow.id))
        .where(col(DeliveryRow.subscription_id) == subscription.id)
        .where(col(DeliveryRow.edition_id).in_([edition.id for edition in newest]))
        .where(col(DeliveryRow.state).in_(_ENDED))
    )
    ids = session.connection().scalars(ended).all()
    return [delivery for delivery in ids if retry(session, delivery, now)]


def postpone(session: Session, ready: ReadyDelivery, until: datetime, error: str) -> None:
    """Let a delivery that can't even be claimed wait, unless another process claimed it."""
    session.connection().execute(
        update(DeliveryRow)
        .where(
            col(DeliveryRow.id) == ready.id, col(DeliveryRow.fencing_token) == ready.fencing_token
        )
        .values(owner=None, ready_at=until, error=error, fencing_token=ready.fencing_token + 1)
    )


def skip_unsent(session: Session, subscription_id: int, reason: str) -> None:
    """Skip the deliveries of a subscription of which no part may have been posted.

    The owner of a claimed one notices before it sends anything.
    """
    begun = exists().where(
        col(DeliveryPartRow.delivery_id) == col(DeliveryRow.id),
        col(DeliveryPartRow.state).in_(POSSIBLY_POSTED),
    )
    session.connection().execute(
        update(DeliveryRow)
        .where(
            col(DeliveryRow.subscription_id) == subscription_id,
            col(DeliveryRow.state).in_(_UNSENT),
            ~begun,
        )
        .values(skipped(reason))
    )


def skipped(reason: str) -> dict[str, Any]:
    """Return the values of a delivery that is skipped."""
    return {
        "state": DeliveryState.SKIPPED,
        "error": reason,
        "owner": None,
        "ready_at": None,
        "fencing_token": col(DeliveryRow.fencing_token) + 1,
    }


def list_outdated(session: Session) -> list[int]:
    """Return, by id, the sent deliveries whose edition changed since."""
    # Both ends are read off an index: an edition whose deliveries are all up to date, as nearly all
    # are, costs the same however many deliveries it has.
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


def enqueue_corrections(session: Session, ids: Collection[int], now: datetime) -> int:
    """Enqueue those of some deliveries that are outdated; return how many.

    One that another process enqueued or corrected meanwhile stays as it is: Postgres evaluates
    the condition again for a row that it waited for, so under `Database.write_locking_rows` none
    is enqueued twice.
    https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED
    """
    statement = update(DeliveryRow).where(col(DeliveryRow.id).in_(ids), _is_outdated())
    # The correction is tried for some time from now on.
    return session.connection().execute(statement.values(enqueued_at=now, ready_at=now)).rowcount


def _is_outdated() -> ColumnElement[bool]:
    changed = exists().where(
        col(EditionRow.id) == col(DeliveryRow.edition_id),
        col(EditionRow.changed_at) != col(DeliveryRow.content_at),
    )
    idle = col(DeliveryRow.owner).is_(None) & col(DeliveryRow.ready_at).is_(None)
    return (col(DeliveryRow.state) == DeliveryState.SENT) & idle & changed


# Written as the condition of the index.
_UNCLAIMED = col(DeliveryRow.owner).is_(None) & col(DeliveryRow.ready_at).is_not(None)


def _with_places(platforms: Collection[str]) -> Query:
    """Return the query of deliveries and where they go.

    Adding nothing to a column keeps SQLite from reading the deliveries of each channel in turn,
    which it takes for as quick: https://www.sqlite.org/optoverview.html#uplus
    """
    return (
        select(
            col(DeliveryRow.id),
            col(DeliveryRow.fencing_token),
            col(WorkspaceRow.platform),
            col(WorkspaceRow.id).label("workspace"),
            col(ChannelRow.id).label("channel"),
        )
        .outerjoin(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id) + 0)
        .join(ChannelRow, col(ChannelRow.id) == CHANNEL_ID + 0)
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id) + 0)
        .where(col(WorkspaceRow.platform).concat("").in_(platforms))
    )


def _ready_deliveries(platforms: Collection[str], now: datetime, rotation: int) -> Query:
    """Return the query of ready deliveries: the first of each workspace, then the second of each.

    It may return several of a channel: to leave these out would take as long again.
    """
    turn = func.row_number().over(
        partition_by=col(WorkspaceRow.id), order_by=(col(DeliveryRow.ready_at), col(DeliveryRow.id))
    )
    spun = (col(WorkspaceRow.id) % _ROTATIONS) * literal(rotation % _ROTATIONS) % _ROTATIONS
    is_ready = (col(DeliveryRow.ready_at) <= now) | (col(DeliveryRow.ready_at) > now + LONGEST_WAIT)
    return (
        _with_places(platforms)
        .where(_UNCLAIMED, col(WorkspaceRow.left_at).is_(None), is_ready)
        .order_by(turn, spun, col(DeliveryRow.ready_at), col(DeliveryRow.id))
    )


def _first_of_channels(
    session: Session, query: Query, busy: Collection[int], most: int
) -> list[ReadyDelivery]:
    """Return the first delivery of each channel, in order."""
    first: dict[int, ReadyDelivery] = {}
    for _ in range(_MOST_QUERIES):
        free = query.where(col(ChannelRow.id).not_in({*busy, *first})).limit(_PER_CHANNEL * most)
        rows = session.connection().execute(free).all()
        for row in rows:
            first.setdefault(row.channel, _ready(row))
        if len(first) >= most or len(rows) < _PER_CHANNEL * most:
            break
    return list(first.values())[:most]


def _ready(row: Any) -> ReadyDelivery:  # noqa: ANN401 - a row of `_with_places`
    return ReadyDelivery(row.id, row.fencing_token, row.platform, row.workspace, row.channel)
