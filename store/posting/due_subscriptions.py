"""Which orders are due, found by an index however many there are."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, time, timedelta
from itertools import chain
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Integer,
    Text,
    bindparam,
    case,
    cast,
    literal_column,
    or_,
    select,
    text,
    union,
    update,
)
from sqlmodel import Session, col

from store.database.statements import Query
from store.database.types import Instant
from store.posting import editions_to_post
from store.posting.editions_to_post import Newest
from store.records import DeliveryState, SubscriptionState
from store.tables.library import ContentRow, EditionRow
from store.tables.posting import DeliveryRow, SubscriptionRow
from store.tables.workspaces import ChannelRow, WorkspaceRow

# A weekly order is due within a week, and a clock change moves that by hours. What is further
# ahead was reckoned while the clock was wrong.
LONGEST_AHEAD = timedelta(days=8)


@dataclass(frozen=True, slots=True)
class Look:
    """The version of what was imported, and the ids of the orders that are due."""

    version: str
    orders: list[int]


def look(session: Session, now: datetime, version: str | None) -> Look:
    """Return what there is to do for a tick.

    Args:
        session: where it is stored.
        now: the time.
        version: that of the content when it was looked at last. Where it is another one now,
            those orders are due too that wait for an edition and have patience left.
    """
    connection, at = session.connection(), times(now)
    row = connection.execute(_LOOK, at).one()
    current = row.version or ""
    waiting = row.is_waiting and current != version
    if not (row.is_due or waiting):
        return Look(current, [])
    found = connection.scalars(_LIST_WAITING if waiting else _LIST, at)
    return Look(current, list(found))


def times(now: datetime) -> dict[str, datetime]:
    """Return what `is_due` is asked with."""
    return {"now": now, "ahead": now + LONGEST_AHEAD}


_Way = tuple[ColumnElement[bool], str]
_NOW, _AHEAD = bindparam("now", type_=Instant()), bindparam("ahead", type_=Instant())
_STANDS = col(SubscriptionRow.cancelled_at).is_(None)
_ACTIVE = _STANDS & (col(SubscriptionRow.state) == literal_column("'active'"))
_PAUSED = _STANDS & (col(SubscriptionRow.state) == literal_column("'paused'"))
# In which ways an order is due, and by which column: there is an index by which it is found,
# however many others are paused, refused or taken back.
_WAYS = (
    (_ACTIVE & (col(SubscriptionRow.next_due_at) <= _NOW), "next_due_at"),
    (_ACTIVE & (col(SubscriptionRow.next_due_at) > _AHEAD), "next_due_at"),
    (_ACTIVE & col(SubscriptionRow.next_due_at).is_(None), "next_due_at"),
    (_ACTIVE & (col(SubscriptionRow.open_until) <= _NOW), "open_until"),
    (_PAUSED & (col(SubscriptionRow.paused_until) <= _NOW), "paused_until"),
)
_WAITS = (_ACTIVE & col(SubscriptionRow.open_until).is_not(None), "open_until")
_LEFT = select(col(ChannelRow.id)).where(
    col(ChannelRow.workspace_id).in_(
        select(col(WorkspaceRow.id)).where(col(WorkspaceRow.left_at).is_not(None))
    )
)


def _any(way: _Way) -> ColumnElement[bool]:
    """Return the condition that there is an order that is due in a way."""
    condition, when = way
    # In the order of the index: without, Postgres reads all orders for a way that it thinks common.
    order_by = (
        col(SubscriptionRow.cancelled_at),
        col(SubscriptionRow.state),
        getattr(SubscriptionRow, when),
    )
    first = (
        select(col(SubscriptionRow.id))
        .where(condition)
        .order_by(*order_by)
        .limit(literal_column("1"))
    )
    return first.scalar_subquery().is_not(None)


def here(*columns: Any) -> Query:  # noqa: ANN401 - columns
    """Return the query of orders whose workspace the bot did not leave."""
    return select(*columns).where(col(SubscriptionRow.channel_id).not_in(_LEFT))


def is_due(*, waiting: bool) -> ColumnElement[bool]:
    """Return the condition that an order is due; no index is of use to it.

    With `waiting` those are due too that wait for an edition and have patience left.
    """
    ways = (*_WAYS, _WAITS) if waiting else _WAYS
    return case((or_(*(way for way, _ in ways)), 1), else_=0) == 1


def _listing(*ways: _Way) -> CompoundSelect[Any]:
    """Return the query of orders that are due, those beside each other that mostly stand alike."""
    names = ("next_due_at", "local_time", "zone")
    order_by = [getattr(SubscriptionRow, name) for name in names]
    query = union(*(here(col(SubscriptionRow.id), *order_by).where(way) for way, _ in ways))
    return query.order_by(*(query.selected_columns[name] for name in names), "id")


_LIST, _LIST_WAITING = _listing(*_WAYS), _listing(*_WAYS, _WAITS)
_LOOK = select(
    select(col(ContentRow.version)).scalar_subquery().label("version"),
    or_(*(_any(way) for way in _WAYS)).label("is_due"),
    _any(_WAITS).label("is_waiting"),
)


@dataclass(frozen=True, slots=True)
class Terms:
    """What of a standing order decides when it is due and what it is owed.

    The fields are those of `Subscription`.
    """

    state: SubscriptionState
    weekday: int
    local_time: time
    zone: str
    sources: tuple[str, ...]
    patience: timedelta
    next_due_at: datetime | None
    paused_until: datetime | None = None
    open_due_at: datetime | None = None
    missed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """Standing orders, by id, whose time may have come and that stand alike in all that counts.

    `settled` are the sources of which the newest edition, or one as new, has a delivery that is
    not dead; `served` those that got one for the due time that is open, or since.
    """

    orders: tuple[int, ...]
    terms: Terms
    settled: frozenset[str] = frozenset()
    served: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Taken:
    """Orders that a tick has to itself until its transaction ends, and the newest editions.

    `passed_over` are those that it was to take and that are not due, or that another has locked.
    """

    dues: list[Due]
    newest: dict[str, Newest]
    passed_over: frozenset[int]


def take(
    session: Session,
    orders: Sequence[int],
    now: datetime,
    *,
    waiting: bool,
    patient: bool = False,
) -> Taken:
    """Lock those of some orders that are due, and return them.

    Args:
        session: where they are stored, in a transaction of `Database.write_rows`.
        orders: their ids.
        now: the time.
        waiting: whether those are due too that wait for an edition and have patience left.
        patient: whether to wait for those that somebody else has locked, and not to pass them over.
    """
    query = _TAKE[waiting, patient]
    found = session.connection().execute(query, {"orders": orders, **times(now)})
    # Orders that stand alike are ruled on, and written, as one.
    alike: dict[tuple[Any, ...], list[int]] = {}
    for order, *terms in found:
        alike.setdefault(tuple(terms), []).append(order)
    # What is newest is read behind the lock: no newer one can have been delivered before.
    newest = editions_to_post.newest(session, now.date())
    made = _Made(session, alike, now)
    dues = [each for terms, ids in alike.items() for each in made.of(terms, ids)]
    return Taken(dues, newest, frozenset(orders).difference(chain.from_iterable(alike.values())))


def owe(
    session: Session, orders: Sequence[int], edition_id: int, due_at: datetime, now: datetime
) -> int:
    """Note that an edition is owed to some orders; return to how many it was not before.

    A delivery that is dead is no longer delivered: it is owed anew, for the time that it is due
    now.
    """
    values = {"orders": orders, "edition": edition_id, "due": due_at, "now": now}
    return session.connection().execute(_OWE, values).rowcount


def keep(session: Session, alike: Due, terms: Terms, open_until: datetime | None) -> None:
    """Write what a tick made of the terms of orders; nothing but when they are due is altered.

    Of the columns only those are written that changed, for most of them are indexed. `open_until`
    is when the patience of the due time ends that is open.
    """
    values: dict[str, Any] = {
        name: getattr(terms, name)
        for name in _ALTERED
        if getattr(terms, name) != getattr(alike.terms, name)
    }
    if alike.terms.open_due_at or terms.open_due_at:
        values["open_until"] = open_until
    session.connection().execute(_KEEP, {"orders": alike.orders, **values})


class _Made:
    """What is known of the deliveries of orders."""

    def __init__(
        self,
        session: Session,
        alike: Mapping[tuple[Any, ...], list[int]],
        now: datetime,
    ) -> None:
        self._settled = _settled(session, list(chain.from_iterable(alike.values())), now)
        opened = {
            order: terms[_OPEN_DUE_AT]
            for terms, orders in alike.items()
            if terms[_OPEN_DUE_AT]
            for order in orders
        }
        self._served = _served(session, opened, now)

    def of(self, terms: tuple[Any, ...], orders: Sequence[int]) -> Iterator[Due]:
        """Part orders of the same terms by what was delivered of them."""
        parted: dict[tuple[frozenset[str], frozenset[str]], list[int]] = {}
        for order in orders:
            made = self._settled.get(order, _NONE), self._served.get(order, _NONE)
            parted.setdefault(made, []).append(order)
        for (settled, served), ids in parted.items():
            yield Due(tuple(ids), _terms(terms), settled, served)


def _settled(session: Session, orders: Sequence[int], now: datetime) -> dict[int, frozenset[str]]:
    sources = editions_to_post.no_older(session, now.date())
    given = {"orders": orders, "editions": list(sources)}
    rows = session.connection().execute(_SETTLED, given)
    return _by_order((order, sources[edition]) for order, edition in rows)


def _served(
    session: Session, opened: Mapping[int, datetime], now: datetime
) -> dict[int, frozenset[str]]:
    if not opened:
        return {}
    query = (
        select(col(DeliveryRow.subscription_id), col(DeliveryRow.due_at), col(EditionRow.source))
        .join(EditionRow, col(EditionRow.id) == col(DeliveryRow.edition_id))
        .where(col(DeliveryRow.subscription_id).in_(list(opened)))
        # What somebody had delivered since counts; what a clock that was ahead did does not.
        .where(col(DeliveryRow.due_at).between(min(opened.values()), now))
    )
    rows = session.connection().execute(query)
    return _by_order((order, source) for order, at, source in rows if at >= opened[order])


def _by_order(pairs: Iterable[tuple[int, str]]) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = {}
    for order, source in pairs:
        found.setdefault(order, set()).add(source)
    return {order: frozenset(sources) for order, sources in found.items()}


def _terms(row: tuple[Any, ...]) -> Terms:
    facts = dict(zip(_NAMES, row, strict=True))
    facts["sources"] = tuple(json.loads(facts["sources"]))
    facts["patience"] = timedelta(seconds=facts["patience"])
    return Terms(**facts)


_NONE: frozenset[str] = frozenset()
_NAMES = tuple(each.name for each in fields(Terms))
# Many orders follow the same sources: what is read as text is parsed once for all of them.
_TERMS = tuple(
    cast(getattr(SubscriptionRow, name), Text)
    if name == "sources"
    else getattr(SubscriptionRow, name)
    for name in _NAMES
)
_ALTERED = ("state", "paused_until", "next_due_at", "open_due_at", "missed_at")
_OPEN_DUE_AT = _NAMES.index("open_due_at")


def _ids(name: str) -> BindParameter[Any]:
    return bindparam(name, expanding=True, type_=Integer())


def _taking(*, waiting: bool, patient: bool) -> Query:
    query = here(col(SubscriptionRow.id), *_TERMS).where(
        col(SubscriptionRow.id).in_(_ids("orders")), is_due(waiting=waiting)
    )
    return query.with_for_update(of=SubscriptionRow, skip_locked=not patient)


_TAKE = {
    (waiting, patient): _taking(waiting=waiting, patient=patient)
    for waiting in (False, True)
    for patient in (False, True)
}
_SETTLED = select(col(DeliveryRow.subscription_id), col(DeliveryRow.edition_id)).where(
    col(DeliveryRow.subscription_id).in_(_ids("orders")),
    col(DeliveryRow.edition_id).in_(_ids("editions")),
    col(DeliveryRow.state) != DeliveryState.DEAD,
)
# What else is given with them are the columns to be written.
_KEEP = update(SubscriptionRow).where(col(SubscriptionRow.id).in_(_ids("orders")))
# One statement, so that of two at the same moment the database lets one wait for the other.
_OWE = text(
    "INSERT INTO delivery (subscription_id, edition_id, state, attempts, due_at, enqueued_at,"
    " ready_at, fencing_token, send_anyway)"
    " SELECT id, :edition, 'pending', 0, :due, :now, :now, 0, false"
    " FROM subscription WHERE id IN :orders"
    " ON CONFLICT (subscription_id, edition_id) DO UPDATE SET state = 'retry',"
    " due_at = excluded.due_at, enqueued_at = excluded.enqueued_at, ready_at = excluded.ready_at,"
    " fencing_token = delivery.fencing_token + 1, send_anyway = false, owner = NULL, error = NULL"
    " WHERE delivery.state = 'dead'"
).bindparams(
    _ids("orders"),
    bindparam("due", type_=Instant()),
    bindparam("now", type_=Instant()),
)
