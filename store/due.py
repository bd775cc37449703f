"""What is due: standing orders whose time has come, and the newest editions they may be owed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, false, func, or_, select, update
from sqlmodel import Session

from store import entries
from store.editions import edition_record, iso_week
from store.records import DeliveryState, Edition, Subscription, SubscriptionState
from store.schema import TABLES
from store.subscriptions import joined, subscription_of, values_of

_SUBSCRIPTION, _WORKSPACE = TABLES["subscription"], TABLES["workspace"]
_CHANNEL = TABLES["channel"]
_DELIVERY, _EDITION = TABLES["delivery"], TABLES["edition"]

# Editions of these go on growing until their ISO week ends.
_OPEN_KINDS = ("hf-daily", "consensus")
EVERY_SOURCE = "all"
_NOT_IN_ALL = "consensus"
# A weekly order is due within a week, and a clock change moves that by hours. What is further
# ahead was reckoned while the clock was wrong.
LONGEST_AHEAD = timedelta(days=8)


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest edition of a source that may be owed."""

    id: int
    source: str
    first_day: date
    last_day: date


@dataclass(frozen=True, slots=True)
class Due:
    """A standing order whose time may have come, and what is known of its deliveries.

    `settled` is, by source, the last day of the newest edition of which there is a delivery that
    is not dead; `served` are the sources that got one for the due time that is open, or since.
    """

    order: Subscription
    settled: dict[str, date]
    served: frozenset[str]


def newest(session: Session, today: date) -> dict[str, Newest]:
    """Return the newest edition of each source that may be owed on a day (UTC).

    Samples never may, nor may what still grows.
    """
    real = _may_be_owed(today)
    last = (
        select(_EDITION.c.source, func.max(_EDITION.c.last_day).label("last_day"))
        .where(real)
        .group_by(_EDITION.c.source)
        .subquery()
    )
    query = (
        select(_EDITION.c.id, _EDITION.c.source, _EDITION.c.first_day, _EDITION.c.last_day)
        .join(last, _same_end(last))
        .where(real)
        .order_by(_EDITION.c.first_day)
    )
    rows = session.connection().execute(query)
    return {row.source: Newest(row.id, row.source, row.first_day, row.last_day) for row in rows}


def wanted(sources: Sequence[str], known: dict[str, Newest]) -> list[Newest]:
    """Return the newest editions of the sources that an order follows, in its own order."""
    if EVERY_SOURCE in sources:
        return [each for slug, each in sorted(known.items()) if slug != _NOT_IN_ALL]
    return [known[slug] for slug in sources if slug in known]


def newest_of(session: Session, sources: Sequence[str], today: date) -> list[Edition]:
    """Return the newest edition with its entries of each source that an order follows."""
    return [edition(session, each.id) for each in wanted(sources, newest(session, today))]


def past_of(session: Session, sources: Sequence[str], since: date, today: date) -> list[Edition]:
    """Return what the sources that an order follows had since a day, newest first, as owed."""
    followed = (
        _EDITION.c.source != _NOT_IN_ALL
        if EVERY_SOURCE in sources
        else _EDITION.c.source.in_(sources)
    )
    query = (
        select(_EDITION.c.id)
        .where(_may_be_owed(today), followed, _EDITION.c.last_day.between(since, today))
        .order_by(_EDITION.c.last_day.desc(), _EDITION.c.source)
    )
    ids = session.connection().scalars(query).all()
    return [edition(session, each) for each in ids]


def edition(session: Session, edition_id: int) -> Edition:
    """Return an edition with its entries by its database id."""
    query = select(_EDITION).where(_EDITION.c.id == edition_id)
    row = session.connection().execute(query).mappings().one()
    return edition_record(row, entries.of_edition(session, edition_id))


def list_due(session: Session, now: datetime, *, waiting: bool, after: int, most: int) -> list[Due]:
    """Return orders that a tick has to look at, by id.

    Args:
        session: where they are stored.
        now: the time.
        waiting: whether to return those too that wait for an edition and have patience left.
        after: the id behind which to begin.
        most: how many to return.
    """
    query = (
        joined()
        .where(_is_due(now, waiting=waiting), _WORKSPACE.c.left_at.is_(None))
        .where(_SUBSCRIPTION.c.ended_at.is_(None), _SUBSCRIPTION.c.id > after)
        .order_by(_SUBSCRIPTION.c.id)
        .limit(most)
    )
    rows = session.connection().execute(query).mappings()
    orders = [subscription_of(row) for row in rows]
    made = _made(session, [order.id for order in orders if order.id])
    return [_due(order, made.get(order.id or 0, []), now) for order in orders]


def save(session: Session, order: Subscription, open_until: datetime | None) -> None:
    """Write a standing order back."""
    values = {**values_of(order), "open_until": open_until}
    session.connection().execute(
        update(_SUBSCRIPTION).where(_SUBSCRIPTION.c.id == order.id).values(**values)
    )


def count_states(session: Session) -> dict[str, int]:
    """Return how many standing orders there are in each state."""
    query = (
        select(_SUBSCRIPTION.c.state, func.count())
        .where(_SUBSCRIPTION.c.ended_at.is_(None))
        .group_by(_SUBSCRIPTION.c.state)
    )
    counted = {state.value: 0 for state in SubscriptionState}
    return counted | {state.value: count for state, count in session.connection().execute(query)}


def count_waiting(session: Session) -> dict[str, int]:
    """Return by platform how many deliveries are still to be sent."""
    query = (
        select(_WORKSPACE.c.platform, func.count().label("waiting"))
        .select_from(_DELIVERY)
        .join(_SUBSCRIPTION, _SUBSCRIPTION.c.id == _DELIVERY.c.subscription_id)
        .join(_CHANNEL, _CHANNEL.c.id == _SUBSCRIPTION.c.channel_id)
        .join(_WORKSPACE, _WORKSPACE.c.id == _CHANNEL.c.workspace_id)
        .where(_DELIVERY.c.ready_at.is_not(None) | _DELIVERY.c.owner.is_not(None))
        .where(_DELIVERY.c.state != DeliveryState.SENT)
        .group_by(_WORKSPACE.c.platform)
    )
    counted = session.connection().execute(query)
    return {row.platform: row.waiting for row in counted}


def _may_be_owed(today: date) -> ColumnElement[bool]:
    closed = _EDITION.c.kind.not_in(_OPEN_KINDS) | (_EDITION.c.week < iso_week(today, today))
    return (_EDITION.c.sample == false()) & closed


def _is_due(now: datetime, *, waiting: bool) -> ColumnElement[bool]:
    active = _SUBSCRIPTION.c.state == SubscriptionState.ACTIVE
    times: list[ColumnElement[bool]] = [
        _SUBSCRIPTION.c.next_due_at <= now,
        _SUBSCRIPTION.c.next_due_at > now + LONGEST_AHEAD,
        _SUBSCRIPTION.c.next_due_at.is_(None),
        _SUBSCRIPTION.c.open_until <= now,
    ]
    if waiting:
        times.append(_SUBSCRIPTION.c.open_due_at.is_not(None))
    paused = _SUBSCRIPTION.c.state == SubscriptionState.PAUSED
    return (active & or_(*times)) | (paused & (_SUBSCRIPTION.c.paused_until <= now))


def _made(session: Session, ids: Sequence[int]) -> dict[int, list[Any]]:
    query = (
        select(
            _DELIVERY.c.subscription_id,
            _DELIVERY.c.due_at,
            _DELIVERY.c.state,
            _EDITION.c.source,
            func.max(_EDITION.c.last_day).label("last_day"),
        )
        .join(_EDITION, _EDITION.c.id == _DELIVERY.c.edition_id)
        .where(_DELIVERY.c.subscription_id.in_(ids))
        .group_by(
            _DELIVERY.c.subscription_id, _DELIVERY.c.due_at, _DELIVERY.c.state, _EDITION.c.source
        )
    )
    made: dict[int, list[Any]] = {}
    for row in session.connection().execute(query):
        made.setdefault(row.subscription_id, []).append(row)
    return made


def _due(order: Subscription, made: Sequence[Any], now: datetime) -> Due:
    settled: dict[str, date] = {}
    for row in made:
        if row.state != DeliveryState.DEAD:
            settled[row.source] = max(settled.get(row.source, row.last_day), row.last_day)
    # What somebody had delivered since counts; what a clock that was ahead did does not.
    since = order.open_due_at or now
    served = frozenset(row.source for row in made if since <= row.due_at <= now)
    return Due(order, settled, served)


def _same_end(last: Any) -> ColumnElement[bool]:  # noqa: ANN401 - a subquery's columns have no types
    same: ColumnElement[bool] = (_EDITION.c.source == last.c.source) & (
        _EDITION.c.last_day == last.c.last_day
    )
    return same
