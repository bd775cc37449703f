"""Which orders are due, found by an index however many there are."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    bindparam,
    case,
    literal_column,
    or_,
    select,
    union,
)
from sqlmodel import Session

from store.schema import TABLES
from store.types import Instant

_SUBSCRIPTION, _CHANNEL = TABLES["subscription"], TABLES["channel"]
_WORKSPACE, _CONTENT = TABLES["workspace"], TABLES["content"]

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
_STANDS = _SUBSCRIPTION.c.ended_at.is_(None)
_ACTIVE = _STANDS & (_SUBSCRIPTION.c.state == literal_column("'active'"))
_PAUSED = _STANDS & (_SUBSCRIPTION.c.state == literal_column("'paused'"))
# In which ways an order is due, and by which column: there is an index by which it is found,
# however many others are paused, refused or taken back.
_WAYS = (
    (_ACTIVE & (_SUBSCRIPTION.c.next_due_at <= _NOW), "next_due_at"),
    (_ACTIVE & (_SUBSCRIPTION.c.next_due_at > _AHEAD), "next_due_at"),
    (_ACTIVE & _SUBSCRIPTION.c.next_due_at.is_(None), "next_due_at"),
    (_ACTIVE & (_SUBSCRIPTION.c.open_until <= _NOW), "open_until"),
    (_PAUSED & (_SUBSCRIPTION.c.paused_until <= _NOW), "paused_until"),
)
_WAITS = (_ACTIVE & _SUBSCRIPTION.c.open_until.is_not(None), "open_until")
_LEFT = select(_CHANNEL.c.id).where(
    _CHANNEL.c.workspace_id.in_(select(_WORKSPACE.c.id).where(_WORKSPACE.c.left_at.is_not(None)))
)


def _any(way: _Way) -> ColumnElement[bool]:
    """Return the condition that there is an order that is due in a way."""
    condition, when = way
    # In the order of the index: without, Postgres reads all orders for a way that it thinks common.
    order_by = (_SUBSCRIPTION.c.ended_at, _SUBSCRIPTION.c.state, _SUBSCRIPTION.c[when])
    first = (
        select(_SUBSCRIPTION.c.id).where(condition).order_by(*order_by).limit(literal_column("1"))
    )
    return first.scalar_subquery().is_not(None)


def here(*columns: Any) -> Select[Any]:  # noqa: ANN401 - columns
    """Return the query of orders whose workspace the bot did not leave."""
    return select(*columns).where(_SUBSCRIPTION.c.channel_id.not_in(_LEFT))


def is_due(*, waiting: bool) -> ColumnElement[bool]:
    """Return the condition that an order is due; no index is of use to it.

    With `waiting` those are due too that wait for an edition and have patience left.
    """
    ways = (*_WAYS, _WAITS) if waiting else _WAYS
    return case((or_(*(way for way, _ in ways)), 1), else_=0) == 1


def _listing(*ways: _Way) -> CompoundSelect[Any]:
    """Return the query of orders that are due, those beside each other that mostly stand alike."""
    order_by = (_SUBSCRIPTION.c.next_due_at, _SUBSCRIPTION.c.local_time, _SUBSCRIPTION.c.zone)
    query = union(*(here(_SUBSCRIPTION.c.id, *order_by).where(way) for way, _ in ways))
    return query.order_by(*(query.selected_columns[each.name] for each in order_by), "id")


_LIST, _LIST_WAITING = _listing(*_WAYS), _listing(*_WAYS, _WAITS)
_LOOK = select(
    select(_CONTENT.c.version).scalar_subquery().label("version"),
    or_(*(_any(way) for way in _WAYS)).label("is_due"),
    _any(_WAITS).label("is_waiting"),
)
