"""Claims deliveries: many at once, each for one process."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Integer,
    RowMapping,
    and_,
    bindparam,
    case,
    func,
    select,
    tuple_,
    update,
)
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from store.library import editions
from store.posting.deliveries import CHANNEL_ID, delivery_record, read_parts, select_deliveries
from store.posting.editions_to_post import read_editions
from store.posting.queue import POSSIBLY_POSTED, ReadyDelivery, skipped
from store.posting.subscriptions import select_subscriptions, subscription_record
from store.readers import votes
from store.readers.votes import ShownEdition
from store.records import Delivery, DeliveryState, Edition, Subscription
from store.tables.library import EditionRow
from store.tables.posting import DeliveryRow, SubscriptionRow
from store.tables.workspaces import ChannelRow

# The fields of a subscription that shape a post; a delivery keeps them as they were when it began.
SHAPE_FIELDS = ("layout", "size", "topics", "not_topics")

CANCELLED = "The subscription was cancelled."
_OVERTAKEN = "A newer edition came before it was sent."
_AHEAD = "Its week lies ahead."
# After so long a due time is followed by the next.
_BETWEEN_POSTS = timedelta(weeks=1)
# A delivery that is claimed in one of these states is laid out anew, with the votes of now.
_LAID_OUT_ANEW = (DeliveryState.PENDING, DeliveryState.SENT)


@dataclass(frozen=True, slots=True)
class DeliveryClaim:
    """The claim of a process on a delivery, with its fencing token."""

    id: int
    owner: str
    fencing_token: int


@dataclass(frozen=True, slots=True)
class ClaimedEdition:
    """The edition of a claimed delivery, and all that its post depends on.

    `content_at` is when the content of the post last changed, `changed_at` when the edition did.
    `votes` are the votes of the workspace by ref, without zeros; `votes_changed` tells that they
    were others when the delivery began.
    """

    subscription: Subscription
    edition: Edition
    content_at: datetime | None
    changed_at: datetime
    votes: Mapping[str, int] = field(default_factory=dict)
    votes_changed: bool = False

    @property
    def is_unchanged(self) -> bool:
        """True if the edition and its votes are as they were when the delivery began."""
        return self.content_at == self.changed_at and not self.votes_changed


@dataclass(frozen=True, slots=True)
class ClaimedDelivery:
    """A claimed delivery; `of_edition` is `None` if it posts no edition.

    A personal digest has a `subscription` all the same, as it was when the delivery began.
    """

    claim: DeliveryClaim
    delivery: Delivery
    subscription: Subscription | None
    of_edition: ClaimedEdition | None
    enqueued_at: datetime
    send_anyway: bool

    @property
    def post(self) -> ClaimedEdition:
        """The edition to post, and all that its post depends on.

        Raises:
            LookupError: if the delivery is of no edition.
        """
        if self.of_edition is None:
            raise LookupError(self.claim.id)
        return self.of_edition

    @property
    def is_correction(self) -> bool:
        """True if all of it was sent, so that only changes are left to post."""
        return self.delivery.state is DeliveryState.SENT


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an attempt: the new state of the delivery, and of the `part` at hand.

    `ready_at` is when to go on, `None` where there is nothing left to do. A delivery that
    `stays_claimed` goes on when its owner decides so, or its lease has run out. One that does not
    count as an attempt (`counts`), because it was postponed, keeps the error of the last one.
    """

    state: DeliveryState
    part: DeliveryState = DeliveryState.PENDING
    ready_at: datetime | None = None
    error: str | None = None
    stays_claimed: bool = False
    counts: bool = True


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A locked delivery: its row with that of its edition, and its subscription, if any, as it is.

    One that has begun keeps the shape that it began with.
    """

    row: RowMapping
    delivery: Delivery
    subscription: Subscription | None


def claim_deliveries(
    session: Session, candidates: Sequence[ReadyDelivery], owner: str, most: int
) -> list[ClaimedDelivery]:
    """Claim deliveries, in order, but for those that another process claimed meanwhile.

    A channel is worked on by one process at a time: of several for a channel the first is claimed,
    and none while another is claimed. A candidate that is claimed already is taken over. A delivery
    that is no longer wanted, because its subscription was cancelled, a newer edition of the source
    was sent or its week lies ahead, is skipped, unless a part of it was sent; it counts among the
    `most`.

    Args:
        session: a session of `Database.write_locking_rows`.
        candidates: deliveries that were ready, or claimed.
        owner: the process that claims them.
        most: how many to claim.
    """
    ids = _lock(session, candidates, most)
    # Only now, so that all that was imported and sent before the lock is seen.
    found = _read(session, ids)
    reasons = _reasons_to_skip(session, found)
    for delivery, reason in reasons.items():
        skip = update(DeliveryRow).where(col(DeliveryRow.id) == delivery)
        session.connection().execute(skip.values(skipped(reason)))
    wanted = [each for each in found if each.delivery.id not in reasons]
    if not wanted:
        return []
    connection = session.connection()
    connection.execute(_CLAIM, {"ids": [each.delivery.id for each in wanted], "claimer": owner})
    return _claimed(session, wanted, owner, {ready.id: ready.workspace for ready in candidates})


def _claimed(
    session: Session, wanted: Sequence[_Candidate], owner: str, workspaces: Mapping[int, int]
) -> list[ClaimedDelivery]:
    """Add editions and votes to deliveries that were claimed."""
    ids = {each.row["edition_id"] for each in wanted} - {None}
    editions = read_editions(session, ids)
    shown = {
        each.delivery.id: ShownEdition(
            workspaces[each.delivery.id], editions[each.row["edition_id"]]
        )
        for each in wanted
        if each.row["edition_id"] in editions
    }
    counts = votes.of_editions(session, shown)

    def of_edition(each: _Candidate) -> ClaimedEdition | None:
        if each.subscription is None or each.row["edition_id"] is None:
            return None
        return ClaimedEdition(
            subscription=each.subscription,
            edition=editions[each.row["edition_id"]],
            content_at=each.row["content_at"],
            changed_at=each.row["changed_at"],
            votes=counts.get(each.delivery.id, {}),
            votes_changed=each.row["votes_changed"] and each.delivery.state not in _LAID_OUT_ANEW,
        )

    return [
        ClaimedDelivery(
            claim=DeliveryClaim(each.delivery.id, owner, each.row["fencing_token"] + 1),
            delivery=each.delivery,
            subscription=each.subscription,
            of_edition=of_edition(each),
            enqueued_at=each.row["enqueued_at"],
            send_anyway=each.row["send_anyway"],
        )
        for each in wanted
    ]


def _lock(session: Session, candidates: Sequence[ReadyDelivery], most: int) -> list[int]:
    """Lock the first candidate of each channel, with the channel; return those still as found.

    The lock of a channel ends with the transaction of its process, whose claims are then seen by
    the next statement. On SQLite a transaction has the whole file.
    """
    first: dict[int, ReadyDelivery] = {}
    for ready in candidates:
        first.setdefault(ready.channel, ready)
    known = {ready.id: ready for ready in first.values()}
    tokens = [(ready.id, ready.fencing_token) for ready in known.values()]
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        order = {"order": list(known), "most": most}
        locked = set(connection.scalars(_LOCK_IN_ORDER, {"tokens": tokens, **order}))
    else:
        locked = set(connection.scalars(_LOCK, {"tokens": tokens}))
    claimed = _claimed_in(session, [known[each].channel for each in locked])
    # A channel whose claimed delivery is no candidate is worked on by another process.
    taken = {channel for channel, ids in claimed.items() if not ids & known.keys()}
    return [each for each in known if each in locked and known[each].channel not in taken][:most]


def _claimed_in(session: Session, channels: Collection[int]) -> dict[int, set[int]]:
    """Return the claimed deliveries of some channels, by channel."""
    claimed: dict[int, set[int]] = {}
    for channel, delivery in session.connection().execute(_CLAIMED_IN, {"channels": [*channels]}):
        claimed.setdefault(channel, set()).add(delivery)
    return claimed


def _read(session: Session, ids: Sequence[int]) -> list[_Candidate]:
    """Return deliveries with their subscriptions, in the order of the ids."""
    connection = session.connection()
    rows = {row["id"]: row for row in connection.execute(_CLAIMABLE, {"ids": ids}).mappings()}
    wanted = [row["subscription_id"] for row in rows.values() if row["subscription_id"]]
    found = connection.execute(_SUBSCRIPTIONS, {"ids": wanted}).mappings()
    subscriptions = {row["id"]: subscription_record(row) for row in found}
    # A pending delivery has no parts yet.
    begun = [each for each in rows if rows[each]["state"] is not DeliveryState.PENDING]
    parts = read_parts(session, begun) if begun else {}
    return [
        _Candidate(
            row,
            delivery_record(row, parts.get(each, ())),
            _as_begun(subscriptions.get(row["subscription_id"]), row),
        )
        for each in ids
        if (row := rows.get(each))
    ]


def _as_begun(subscription: Subscription | None, row: RowMapping) -> Subscription | None:
    """Return a subscription in the shape that it had when the delivery began."""
    if subscription is None or row["layout"] is None:
        return subscription
    return replace(subscription, **{name: row[name] for name in SHAPE_FIELDS})


def _reasons_to_skip(session: Session, found: Sequence[_Candidate]) -> dict[int, str]:
    """Return why deliveries are no longer wanted, of those that were surely not posted."""
    unsent = {
        each.delivery.id: each.subscription
        for each in found
        if each.delivery.state is not DeliveryState.SENT
        and not any(part.state in POSSIBLY_POSTED for part in each.delivery.parts)
    }
    if not unsent:
        return {}
    newer = session.connection().execute(_OVERTAKEN_AMONG, {"ids": list(unsent)})
    # One that lay ahead when it was owed was posted by a program before, and overtakes nothing.
    overtaken = [row.id for row in newer if row.last_day <= editions.latest_end(row.due_at.date())]
    # A program before enqueued them.
    ahead = [each.delivery.id for each in found if each.delivery.id in unsent and _is_ahead(each)]
    return (
        dict.fromkeys(ahead, _AHEAD)
        | dict.fromkeys(overtaken, _OVERTAKEN)
        | {
            each: CANCELLED
            for each, subscription in unsent.items()
            if subscription is not None and subscription.cancelled_at is not None
        }
    )


def _is_ahead(candidate: _Candidate) -> bool:
    """Tell whether an edition lay ahead on the last day on which it could be owed."""
    delivery, subscription = candidate.delivery, candidate.subscription
    patience = subscription.patience if subscription else timedelta()
    owed = delivery.due_at + max(patience, _BETWEEN_POSTS)
    last_day = delivery.last_day
    return last_day is not None and last_day > editions.latest_end(owed.date())


# The statements are built once: to build one takes as long as to run it.
_IDS: ColumnElement[Any] = bindparam("ids", expanding=True)
_LOCK = (
    select(col(DeliveryRow.id))
    .outerjoin(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id))
    .join(ChannelRow, col(ChannelRow.id) == CHANNEL_ID)
    .where(
        tuple_(col(DeliveryRow.id), col(DeliveryRow.fencing_token)).in_(
            bindparam("tokens", expanding=True)
        )
    )
    .with_for_update(key_share=True, skip_locked=True, of=(DeliveryRow, ChannelRow))
)
_LOCK_IN_ORDER = _LOCK.order_by(
    func.array_position(bindparam("order", type_=ARRAY(Integer)), col(DeliveryRow.id))
).limit(bindparam("most", type_=Integer))
_CLAIMED_IN = (
    select(CHANNEL_ID, col(DeliveryRow.id))
    .outerjoin(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id))
    .where(col(DeliveryRow.owner).is_not(None))
    .where(CHANNEL_ID.in_(bindparam("channels", expanding=True)))
)
_CLAIMABLE = (
    select_deliveries()
    .where(col(DeliveryRow.id).in_(_IDS))
    .where(col(DeliveryRow.owner).is_not(None) | col(DeliveryRow.ready_at).is_not(None))
)
_SUBSCRIPTIONS = select_subscriptions().where(col(SubscriptionRow.id).in_(_IDS))
_IS_SENT = col(DeliveryRow.state) == DeliveryState.SENT
_CLAIM = (
    update(DeliveryRow)
    .where(col(DeliveryRow.id).in_(_IDS))
    .values(
        owner=bindparam("claimer"),
        fencing_token=col(DeliveryRow.fencing_token) + 1,
        state=case((_IS_SENT, col(DeliveryRow.state)), else_=DeliveryState.CLAIMED),
        # A correction is no attempt.
        attempts=col(DeliveryRow.attempts) + case((_IS_SENT, 0), else_=1),
        votes_changed=and_(
            col(DeliveryRow.votes_changed), col(DeliveryRow.state).not_in(_LAID_OUT_ANEW)
        ),
    )
)
_NEWER, _SENT = aliased(EditionRow), aliased(DeliveryRow)
# Deliveries whose subscription got a newer edition of the source, each with when that was due.
_OVERTAKEN_AMONG = (
    select(col(DeliveryRow.id), col(_NEWER.last_day), col(_SENT.due_at))
    .join(EditionRow, col(EditionRow.id) == col(DeliveryRow.edition_id))
    .join(_SENT, col(_SENT.subscription_id) == col(DeliveryRow.subscription_id))
    .join(_NEWER, col(_NEWER.id) == col(_SENT.edition_id))
    .where(
        col(DeliveryRow.id).in_(_IDS),
        col(_NEWER.source) == col(EditionRow.source),
        col(_NEWER.last_day) > col(EditionRow.last_day),
        # Dead and skipped deliveries of newer editions don't count; all others do.
        col(_SENT.state).not_in((DeliveryState.DEAD, DeliveryState.SKIPPED)),
    )
)
