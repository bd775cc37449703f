"""Finds the subscriptions that are due, and locks them for a tick.

Each of the conditions by which a subscription is due has an index, so a tick that finds nothing
takes as long however many subscriptions there are.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, time, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Text,
    bindparam,
    case,
    cast,
    literal_column,
    or_,
    select,
    union,
    update,
)
from sqlmodel import Session, col

from store import content_version
from store.database.types import Instant
from store.posting.editions_to_post import NewestEdition, list_not_older, newest_editions
from store.records import DeliveryState, SubscriptionState
from store.tables.library import EditionRow
from store.tables.posting import DeliveryRow, SubscriptionRow
from store.tables.workspaces import ChannelRow, WorkspaceRow

# A subscription is due once a week, and a clock change moves that by hours. A later instant was
# computed while the clock was wrong.
LONGEST_AHEAD = timedelta(days=8)


@dataclass(frozen=True, slots=True)
class DueSubscriptions:
    """The ids of the subscriptions that are due, and the content version of that moment."""

    content_version: str
    ids: list[int]


@dataclass(frozen=True, slots=True)
class ScheduleTerms:
    """The fields of a `Subscription` that decide when it is due and which editions it gets."""

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
    personal: bool = False


@dataclass(frozen=True, slots=True)
class DueGroup:
    """Subscriptions, by id, that may be due and have the same terms and the same deliveries.

    `settled` are the sources whose newest edition, or one as new, has a delivery that is not dead.
    `served` are the sources with a delivery for the due time that is open, or since.
    """

    subscriptions: tuple[int, ...]
    terms: ScheduleTerms
    settled: frozenset[str] = frozenset()
    served: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LockedSubscriptions:
    """Due subscriptions that are locked until the transaction ends, and the newest editions.

    `passed_over` are those that are not due any more, or that another process has locked.
    """

    groups: list[DueGroup]
    newest: dict[str, NewestEdition]
    passed_over: frozenset[int]


def find_due(session: Session, now: datetime, version: str | None) -> DueSubscriptions:
    """Return the subscriptions that are due.

    Args:
        session: a session.
        now: the time.
        version: the content version at the last look. Where it has changed, subscriptions that
            still wait for an edition are due too.
    """
    connection, values = session.connection(), _times(now)
    current = content_version.version(session)
    waiting = current != version
    if not connection.scalar(_IS_ANY_DUE[waiting], values):
        return DueSubscriptions(current, [])
    # Those with the same terms mostly come together.
    order_by = ("next_due_at", "local_time", "zone")
    columns = [col(SubscriptionRow.id), *(getattr(SubscriptionRow, name) for name in order_by)]
    query = union(*(_present(*columns).where(condition) for condition, _ in _CONDITIONS[waiting]))
    ordered = query.order_by(*(query.selected_columns[name] for name in order_by), "id")
    return DueSubscriptions(current, list(connection.scalars(ordered, values)))


def lock_due(
    session: Session,
    subscriptions: Sequence[int],
    now: datetime,
    *,
    waiting: bool,
    wait_for_locks: bool = False,
) -> LockedSubscriptions:
    """Lock those of some subscriptions that are due, and return them.

    Args:
        session: a session of `Database.write_locking_rows`.
        subscriptions: their ids.
        now: the time.
        waiting: whether those are due too that still wait for an edition.
        wait_for_locks: whether to wait for those that another process has locked, instead of
            passing them over.
    """
    is_due = or_(*(condition for condition, _ in _CONDITIONS[waiting]))
    query = (
        _present(col(SubscriptionRow.id), *_TERMS)
        .where(col(SubscriptionRow.id).in_(subscriptions))
        # As a case, to which no index applies: it is found by its id.
        .where(case((is_due, 1), else_=0) == 1)
        .with_for_update(of=SubscriptionRow, skip_locked=not wait_for_locks)
    )
    rows: dict[int, tuple[Any, ...]] = {
        subscription: tuple(terms)
        for subscription, *terms in session.connection().execute(query, _times(now))
    }
    # Read after the lock: no newer edition can have been delivered before.
    newest = newest_editions(session, now.date())
    settled = _settled(session, list(rows), now)
    served = _served(session, rows, now)
    groups: dict[Any, list[int]] = {}
    for subscription, terms in rows.items():
        facts = terms, settled.get(subscription, _NONE), served.get(subscription, _NONE)
        groups.setdefault(facts, []).append(subscription)
    return LockedSubscriptions(
        [
            DueGroup(tuple(ids), _schedule_terms(terms), *delivered)
            for (terms, *delivered), ids in groups.items()
        ],
        newest,
        frozenset(subscriptions).difference(rows),
    )


def save_terms(
    session: Session, group: DueGroup, terms: ScheduleTerms, open_until: datetime | None
) -> None:
    """Write the terms that a tick changed, for all subscriptions of a group.

    Only changed columns are written, for most of them have an index. `open_until` is when the
    patience of the open due time ends.
    """
    values: dict[str, Any] = {
        name: getattr(terms, name)
        for name in ("state", "paused_until", "next_due_at", "open_due_at", "missed_at")
        if getattr(terms, name) != getattr(group.terms, name)
    }
    if group.terms.open_due_at or terms.open_due_at:
        values["open_until"] = open_until
    if values:
        session.connection().execute(
            update(SubscriptionRow)
            .where(col(SubscriptionRow.id).in_(group.subscriptions))
            .values(**values)
        )


# A condition by which a subscription is due, and the last column of its index.
_Condition = tuple[ColumnElement[bool], str]
_NOW, _AHEAD = bindparam("now", type_=Instant()), bindparam("ahead", type_=Instant())
_EXISTS = col(SubscriptionRow.cancelled_at).is_(None)
_ACTIVE = _EXISTS & (col(SubscriptionRow.state) == literal_column("'active'"))
_PAUSED = _EXISTS & (col(SubscriptionRow.state) == literal_column("'paused'"))
_DUE: tuple[_Condition, ...] = (
    (_ACTIVE & (col(SubscriptionRow.next_due_at) <= _NOW), "next_due_at"),
    (_ACTIVE & (col(SubscriptionRow.next_due_at) > _AHEAD), "next_due_at"),
    (_ACTIVE & col(SubscriptionRow.next_due_at).is_(None), "next_due_at"),
    (_ACTIVE & (col(SubscriptionRow.open_until) <= _NOW), "open_until"),
    (_PAUSED & (col(SubscriptionRow.paused_until) <= _NOW), "paused_until"),
)
_WAITING: _Condition = _ACTIVE & col(SubscriptionRow.open_until).is_not(None), "open_until"
# Without and with those that still wait for an edition.
_CONDITIONS = {False: _DUE, True: (*_DUE, _WAITING)}
_LEFT_CHANNELS = select(col(ChannelRow.id)).where(
    col(ChannelRow.workspace_id).in_(
        select(col(WorkspaceRow.id)).where(col(WorkspaceRow.left_at).is_not(None))
    )
)
_NONE: frozenset[str] = frozenset()
_NAMES = tuple(each.name for each in fields(ScheduleTerms))
# Sources stay text until subscriptions are grouped.
_TERMS = tuple(
    cast(col(SubscriptionRow.sources), Text)
    if name == "sources"
    else getattr(SubscriptionRow, name)
    for name in _NAMES
)


def _exists(condition: _Condition) -> ColumnElement[bool]:
    """Return the condition that there is a subscription that is due by a condition."""
    is_due, when = condition
    # In the order of the index; without it Postgres reads all rows for a condition that it takes
    # for common.
    order_by = (
        col(SubscriptionRow.cancelled_at),
        col(SubscriptionRow.state),
        getattr(SubscriptionRow, when),
    )
    first = select(col(SubscriptionRow.id)).where(is_due).order_by(*order_by)
    return first.limit(literal_column("1")).scalar_subquery().is_not(None)


# Built once, for every tick asks it.
_IS_ANY_DUE = {
    waiting: select(or_(*map(_exists, conditions))) for waiting, conditions in _CONDITIONS.items()
}


def _times(now: datetime) -> dict[str, datetime]:
    return {"now": now, "ahead": now + LONGEST_AHEAD}


def _present(*columns: Any) -> Any:  # noqa: ANN401 - a query of these columns
    """Return the query of subscriptions in workspaces that the bot did not leave."""
    return select(*columns).where(col(SubscriptionRow.channel_id).not_in(_LEFT_CHANNELS))


def _settled(
    session: Session, subscriptions: Sequence[int], now: datetime
) -> dict[int, frozenset[str]]:
    sources = list_not_older(session, now.date())
    query = select(col(DeliveryRow.subscription_id), col(DeliveryRow.edition_id)).where(
        col(DeliveryRow.subscription_id).in_(subscriptions),
        col(DeliveryRow.edition_id).in_(sources),
        col(DeliveryRow.state) != DeliveryState.DEAD,
    )
    rows = session.connection().execute(query)
    return _by_subscription((row.subscription_id, sources[row.edition_id]) for row in rows)


def _served(
    session: Session, rows: Mapping[int, tuple[Any, ...]], now: datetime
) -> dict[int, frozenset[str]]:
    place = _NAMES.index("open_due_at")
    opened = {subscription: terms[place] for subscription, terms in rows.items() if terms[place]}
    if not opened:
        return {}
    query = (
        select(col(DeliveryRow.subscription_id), col(DeliveryRow.due_at), col(EditionRow.source))
        .join(EditionRow, col(EditionRow.id) == col(DeliveryRow.edition_id))
        .where(col(DeliveryRow.subscription_id).in_(list(opened)))
        # A delivery that a user asked for since counts; one of a clock that was ahead does not.
        .where(col(DeliveryRow.due_at).between(min(opened.values()), now))
    )
    found = session.connection().execute(query)
    return _by_subscription(
        (row.subscription_id, row.source)
        for row in found
        if row.due_at >= opened[row.subscription_id]
    )


def _by_subscription(pairs: Iterable[tuple[int, str]]) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = {}
    for subscription, source in pairs:
        found.setdefault(subscription, set()).add(source)
    return {subscription: frozenset(sources) for subscription, sources in found.items()}


def _schedule_terms(row: tuple[Any, ...]) -> ScheduleTerms:
    facts = dict(zip(_NAMES, row, strict=True))
    facts["sources"] = tuple(json.loads(facts["sources"]))
    facts["patience"] = timedelta(seconds=facts["patience"])
    return ScheduleTerms(**facts)
