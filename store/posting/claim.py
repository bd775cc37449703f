"""What is read of deliveries that are being taken, all of them at once, and which are wanted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, case, select, text, update
from sqlmodel import Session, col

from store.database.statements import Alike, Prepared, among
from store.posting import editions_to_post
from store.posting.deliveries import delivery_record, parts_of
from store.posting.editions_to_post import Kept, Owed, owed
from store.posting.queue import BEGUN, Ready
from store.posting.subscriptions import joined, subscription_of
from store.readers import votes
from store.readers.votes import ShownEdition
from store.records import Delivery, DeliveryState, Edition, Subscription
from store.tables.posting import DeliveryRow, SubscriptionRow

# What of an order shapes a post.
ORDERED = ("layout", "size", "topics", "not_topics")
# What is read of a delivery, and of its edition.
_READ = (
    "id", "subscription_id", "edition_id", "state", "attempts", "due_at", "enqueued_at", "ready_at",
    "sent_at", "fencing_token", "send_anyway", "votes_changed", "content_at", "error", *ORDERED,
)  # fmt: skip
TAKEN_BACK = "The subscription was taken back."
OVERTAKEN = "A newer edition came before it was sent."


@dataclass(frozen=True, slots=True)
class Found:
    """A delivery that is locked, with its row, its edition and the order as it is now."""

    row: Mapping[Any, Any]
    delivery: Delivery
    order: Subscription
    owed: Owed


def read(session: Session, ids: Sequence[int], known: Kept) -> list[Found]:
    """Return deliveries with their orders, in order; `known` is what is known of editions."""
    if not ids:
        return []
    rows: dict[int, dict[str, Any]] = {}
    orders = {}
    for facts in _FOUND.rows(session.connection(), {"ids": ids}):
        row = dict(zip(_READ, facts, strict=False))
        rows[row["id"]] = row
        orders[row["id"]] = subscription_of(dict(zip(_ORDER, facts[len(_READ) :], strict=True)))
    editions = owed(session, (row["edition_id"] for row in rows.values()), known)
    # Of what is pending nothing was planned yet.
    begun = [each for each in rows if rows[each]["state"] is not DeliveryState.PENDING]
    parts = parts_of(session, begun) if begun else {}
    return [
        Found(
            row,
            delivery_record({**row, **editions[row["edition_id"]].days}, parts.get(each, ())),
            _as_begun(orders[each], row),
            editions[row["edition_id"]],
        )
        for each in ids
        if each in rows and (row := rows[each])
    ]


def _as_begun(order: Subscription, row: Mapping[Any, Any]) -> Subscription:
    """Return an order as it was when the delivery was begun, as far as that shapes the post."""
    if row["layout"] is None:
        return order
    return replace(order, **{name: row[name] for name in ORDERED})


def unwanted(session: Session, found: Sequence[Found]) -> dict[int, str]:
    """Return why deliveries are no longer wanted, of those of which nothing may stand."""
    unsent = [
        each
        for each in found
        if each.delivery.state is not DeliveryState.SENT
        and not any(part.state in BEGUN for part in each.delivery.parts)
    ]
    over = {each.delivery.id: OVERTAKEN for each in _overtaken(session, unsent)}
    back = {each.delivery.id: TAKEN_BACK for each in unsent if each.order.cancelled_at is not None}
    return over | back


def _overtaken(session: Session, found: Sequence[Found]) -> list[Found]:
    """Return those of whose source a newer edition was delivered to the same order."""
    old = [each for each in found if each.owed.newer]
    if not old:  # as nearly always: what is owed is the newest
        return []
    asked = {
        "orders": [each.delivery.subscription_id for each in old],
        "editions": [*set().union(*(each.owed.newer for each in old))],
    }
    made: dict[int, set[int]] = {}
    for order, edition in _MADE.rows(session.connection(), asked):
        made.setdefault(order, set()).add(edition)
    return [
        each for each in old if each.owed.newer & made.get(each.delivery.subscription_id, set())
    ]


_ORDERS = joined()
_ORDER = tuple(column.name for column in _ORDERS.selected_columns)
# What of a delivery, and then its order.
_FOUND = Alike(
    _ORDERS.join(DeliveryRow, col(DeliveryRow.subscription_id) == col(SubscriptionRow.id))
    .with_only_columns(*(getattr(DeliveryRow, name) for name in _READ), *_ORDERS.selected_columns)
    .where(among(col(DeliveryRow.id), "ids"))
    .where(col(DeliveryRow.owner).is_not(None) | col(DeliveryRow.ready_at).is_not(None))
)
_MADE = Prepared(
    select(col(DeliveryRow.subscription_id), col(DeliveryRow.edition_id)).where(
        among(col(DeliveryRow.subscription_id), "orders"),
        among(col(DeliveryRow.edition_id), "editions"),
        # All other states count as delivered: an older edition of the source is not sent after one.
        col(DeliveryRow.state) != DeliveryState.DEAD,
        col(DeliveryRow.state) != DeliveryState.SKIPPED,
    )
)


# Taken in one of these, all of a delivery is laid out anew.
_UNSAID = (DeliveryState.PENDING, DeliveryState.SENT)


@dataclass(frozen=True, slots=True)
class Held:
    """A delivery in the hands of a process, as of a fencing_token."""

    id: int
    owner: str
    fencing_token: int


@dataclass(frozen=True, slots=True)
class Work:
    """All that is needed to carry out a delivery, or to correct what it posted.

    `content_at` is when what is posted was last changed, `changed_at` when the edition was. `votes`
    are those for its papers where it is posted, by ref, of those that have any; with
    `votes_changed` they were others when the delivery was begun.
    """

    held: Held
    delivery: Delivery
    order: Subscription
    edition: Edition
    enqueued_at: datetime
    content_at: datetime | None
    changed_at: datetime
    send_anyway: bool
    votes: Mapping[str, int] = field(default_factory=dict)
    votes_changed: bool = False

    @property
    def is_correction(self) -> bool:
        """Whether all of it was sent, so that only what changed since is to be put right."""
        return self.delivery.state is DeliveryState.SENT


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an attempt.

    `state` is the delivery's, `part` that of the part at hand. `ready_at` is when to go on, `None`
    where that is over. What is `kept` in hand goes on by no wall clock: when whoever keeps it looks
    for it again, or its lease has run out.
    What was not `tried`, because it was put off, counts as no attempt, and what was said of the
    last one stays.
    """

    state: DeliveryState
    part: DeliveryState = DeliveryState.PENDING
    ready_at: datetime | None = None
    error: str | None = None
    kept: bool = False
    tried: bool = True


def claim(session: Session, candidates: Sequence[Ready], owner: str, most: int) -> list[Work]:
    """Take deliveries to work on, in order, but for those that somebody else took.

    A channel is worked on by one process at a time: of those for one channel the first is taken,
    and none where another is held. One that is held is taken over. What is no longer wanted,
    because its order was taken back or a newer edition of the source came, is skipped here, unless
    some of it was sent; it counts among the `most`.

    Args:
        session: a session whose transaction is one of `Database.write_rows`.
        candidates: what was found to be ready or held.
        owner: the process that takes them.
        most: how many to take.
    """
    ids = _locked(session, candidates, most)
    # Only now: what was imported and sent before they were locked is to be seen.
    known = editions_to_post.kept(session)
    found = read(session, ids, known)
    if not found:
        return []
    over = unwanted(session, found)
    for why in (TAKEN_BACK, OVERTAKEN):
        _skip(session, [each for each, said in over.items() if said is why], why)
    taken = [each for each in found if each.delivery.id not in over]
    if taken:
        values = {"ids": [each.delivery.id for each in taken], "holder": owner}
        _TAKE.run(session.connection(), values)
    editions = editions_to_post.editions(session, (each.row["edition_id"] for each in taken), known)
    places = {ready.id: ready.workspace for ready in candidates}
    shown = {
        each.delivery.id: ShownEdition(places[each.delivery.id], editions[each.row["edition_id"]])
        for each in taken
    }
    given = votes.of_editions(session, shown)
    return [_work(each, owner, shown[each.delivery.id].edition, given) for each in taken]


def _locked(session: Session, candidates: Sequence[Ready], most: int) -> list[int]:
    """Return the deliveries that are as they were found, locked with their channels until the end.

    On SQLite this transaction has the whole file.
    """
    first: dict[int, Ready] = {}
    for ready in candidates:
        first.setdefault(ready.channel, ready)
    asked = {ready.id: ready for ready in first.values()}
    fencing_tokens = [ready.fencing_token for ready in asked.values()]
    if session.get_bind().dialect.name == "postgresql":
        values = {"ids": list(asked), "fencing_tokens": fencing_tokens, "most": most}
        free = [row[0] for row in _LOCK.rows(session.connection(), values)]
    else:
        known: dict[int, int] = dict(_BEATS.rows(session.connection(), {"ids": [*asked]}))
        free = [each for each in asked if known.get(each) == asked[each].fencing_token]
    held = _held(session, [asked[each].channel for each in free])
    of_others = {channel for channel, ids in held.items() if not ids & asked.keys()}
    return [each for each in free if asked[each].channel not in of_others][:most]


def _held(session: Session, channels: Sequence[int]) -> dict[int, set[int]]:
    """Return what is held, by whomever, in some channels."""
    held: dict[int, set[int]] = {}
    if channels:
        for channel, delivery in _HELD.rows(session.connection(), {"channels": channels}):
            held.setdefault(channel, set()).add(delivery)
    return held


def _skip(session: Session, ids: Sequence[int], why: str) -> None:
    if ids:
        _SKIP.run(session.connection(), {"ids": ids, "why": why})


def _work(
    found: Found, owner: str, edition: Edition, given: Mapping[int, Mapping[str, int]]
) -> Work:
    row = found.row
    return Work(
        held=Held(row["id"], owner, row["fencing_token"] + 1),
        delivery=found.delivery,
        order=found.order,
        edition=edition,
        enqueued_at=row["enqueued_at"],
        content_at=row["content_at"],
        changed_at=found.owed.changed_at,
        send_anyway=row["send_anyway"],
        votes=given.get(row["id"], {}),
        votes_changed=row["votes_changed"] and found.delivery.state not in _UNSAID,
    )


# Whoever has the row of a channel lets go of it with its transaction; what it took then is seen
# by the next statement. Rows come in the order that was asked for, but for those that others have:
# https://www.postgresql.org/docs/current/sql-select.html#SQL-FOR-UPDATE-SHARE
_LOCK = Prepared(
    text(
        "SELECT delivery.id FROM unnest(CAST(:ids AS integer[]),"
        " CAST(:fencing_tokens AS integer[]))"
        " WITH ORDINALITY AS asked (id, fencing_token, place)"
        " JOIN delivery ON delivery.id = asked.id AND delivery.fencing_token = asked.fencing_token"
        " JOIN subscription ON subscription.id = delivery.subscription_id"
        " JOIN channel ON channel.id = subscription.channel_id"
        " ORDER BY asked.place LIMIT :most FOR NO KEY UPDATE OF delivery, channel SKIP LOCKED"
    )
)
_BEATS = Prepared(
    select(col(DeliveryRow.id), col(DeliveryRow.fencing_token)).where(
        among(col(DeliveryRow.id), "ids")
    )
)
_HELD = Prepared(
    select(col(SubscriptionRow.channel_id), col(DeliveryRow.id))
    .join(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id))
    .where(col(DeliveryRow.owner).is_not(None))
    # By a sum no index finds orders, so SQLite begins with the few that are held.
    .where(among(col(SubscriptionRow.channel_id) + 0, "channels"))
)
_SKIP = Prepared(
    update(DeliveryRow)
    .where(among(col(DeliveryRow.id), "ids"))
    .values(
        state=DeliveryState.SKIPPED,
        error=bindparam("why"),
        owner=None,
        ready_at=None,
        fencing_token=col(DeliveryRow.fencing_token) + 1,
    )
)
_IS_SENT = col(DeliveryRow.state) == DeliveryState.SENT
# A correction is no attempt.
_TAKE = Prepared(
    update(DeliveryRow)
    .where(among(col(DeliveryRow.id), "ids"))
    .values(
        owner=bindparam("holder"),
        fencing_token=col(DeliveryRow.fencing_token) + 1,
        state=case((_IS_SENT, col(DeliveryRow.state)), else_=DeliveryState.CLAIMED),
        attempts=col(DeliveryRow.attempts) + case((_IS_SENT, 0), else_=1),
        votes_changed=and_(
            col(DeliveryRow.votes_changed), *(col(DeliveryRow.state) != each for each in _UNSAID)
        ),
    )
)
