"""What may be owed: the newest editions of the sources that standing orders follow."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import false, func, select, update
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from store import content_version
from store.consensus import queries
from store.database.statements import among
from store.library import entries
from store.library.editions import IS_CLOSED, IS_ORIGINAL, closes_at, edition_record, iso_week
from store.posting.subscriptions import values_of
from store.records import DeliveryState, Edition, Subscription, SubscriptionState
from store.sources import CONSENSUS
from store.tables.library import EditionRow
from store.tables.posting import DeliveryRow, SubscriptionRow
from store.tables.workspaces import ChannelRow, WorkspaceRow

EVERY_SOURCE = "all"
_DAYS = ("source", "first_day", "last_day")


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest edition of a source that may be owed.

    `came_at` is from when on it was there to be owed: it had arrived, and no longer grew. It is
    `None` where nobody noted when it arrived.
    """

    id: int
    source: str
    first_day: date
    last_day: date
    came_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Owed:
    """An edition: its source and days, when it changed, and by id which of its source are newer."""

    days: Mapping[str, Any]
    changed_at: datetime
    newer: frozenset[int]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a connection read of editions, by id, at one version of what was imported."""

    version: str
    editions: dict[int, Edition] = field(default_factory=dict)
    owed: dict[int, Owed] = field(default_factory=dict)


def newest(session: Session, today: date) -> dict[str, Newest]:
    """Return the newest edition of each source that may be owed on a day (UTC).

    Samples never may, nor may what still grows.
    """
    rows = session.connection().execute(_NEWEST, _of(today))
    return {
        row.source: Newest(row.id, row.source, row.first_day, row.last_day, _came_at(row))
        for row in rows
    }


def _came_at(row: Any) -> datetime | None:  # noqa: ANN401 - a row of `_NEWEST`
    arrived_at: datetime | None = row.arrived_at
    closed_at = closes_at(row.kind, row.week)
    return max(arrived_at, closed_at) if arrived_at and closed_at else arrived_at


def no_older(session: Session, today: date) -> dict[int, str]:
    """Return the editions, by id, that are no older than the newest, each with its source.

    These are the newest itself and what ends on the same day or later and may not be owed.
    """
    rows = session.connection().execute(_NO_OLDER, _of(today))
    return {row.id: row.source for row in rows}


def wanted(sources: Sequence[str], known: Mapping[str, Newest]) -> list[Newest]:
    """Return the newest editions of the sources that an order follows, in its own order."""
    if EVERY_SOURCE in sources:
        return [each for slug, each in sorted(known.items()) if slug != CONSENSUS]
    return [known[slug] for slug in sources if slug in known]


def newest_of(session: Session, sources: Sequence[str], today: date) -> list[Edition]:
    """Return the newest edition with its entries of each source that an order follows."""
    return [edition(session, each.id) for each in wanted(sources, newest(session, today))]


def past_of(session: Session, sources: Sequence[str], since: date, today: date) -> list[Edition]:
    """Return what the sources that an order follows had since a day, newest first, as owed."""
    followed = IS_ORIGINAL if EVERY_SOURCE in sources else col(EditionRow.source).in_(sources)
    query = (
        select(col(EditionRow.id))
        .where(_MAY_BE_OWED, followed, col(EditionRow.last_day).between(since, today))
        .order_by(col(EditionRow.last_day).desc(), col(EditionRow.source))
    )
    ids = session.connection().scalars(query, _of(today)).all()
    return [edition(session, each) for each in ids]


def edition(session: Session, edition_id: int) -> Edition:
    """Return an edition with its entries by its database id, a consensus with its `hidden_refs`."""
    query = select(EditionRow).where(col(EditionRow.id) == edition_id)
    row = session.connection().execute(query).mappings().one()
    found = edition_record(row, entries.of_edition(session, edition_id))
    if found.source != CONSENSUS:
        return found
    return replace(found, others=queries.hidden_refs(session, edition_id))


def kept(session: Session) -> Kept:
    """Return what the connection read of editions before, as long as nothing was imported since."""
    version, info = content_version.version(session), session.connection().info
    known: Kept | None = info.get(Kept)
    if known is None or known.version != version:
        known = info[Kept] = Kept(version)
    return known


def editions(session: Session, ids: Iterable[int], known: Kept) -> dict[int, Edition]:
    """Return editions with their entries, by their database ids, read if they are not known."""
    missing = [each for each in dict.fromkeys(ids) if each not in known.editions]
    known.editions.update((each, edition(session, each)) for each in missing)
    return known.editions


def owed(session: Session, ids: Iterable[int], known: Kept) -> dict[int, Owed]:
    """Return what has to be known of editions that are owed, read if it is not known."""
    if missing := [each for each in dict.fromkeys(ids) if each not in known.owed]:
        rows = session.connection().execute(_OWED, {"ids": missing}).mappings().all()
        for row in rows:
            before = known.owed.get(row["id"])
            newer = {row["newer"]} - {None} | (before.newer if before else set())
            known.owed[row["id"]] = Owed(
                {day: row[day] for day in _DAYS}, row["changed_at"], frozenset(newer)
            )
    return known.owed


def save(session: Session, order: Subscription, open_until: datetime | None) -> None:
    """Write a standing order back."""
    values = {**values_of(order), "open_until": open_until}
    session.connection().execute(
        update(SubscriptionRow).where(col(SubscriptionRow.id) == order.id).values(**values)
    )


def count_states(session: Session) -> dict[str, int]:
    """Return how many standing orders there are in each state."""
    query = (
        select(col(SubscriptionRow.state), func.count())
        .where(col(SubscriptionRow.cancelled_at).is_(None))
        .group_by(col(SubscriptionRow.state))
    )
    counted = {state.value: 0 for state in SubscriptionState}
    return counted | {state.value: count for state, count in session.connection().execute(query)}


def count_waiting(session: Session) -> dict[str, int]:
    """Return by platform how many deliveries are still to be sent."""
    query = (
        select(col(WorkspaceRow.platform), func.count().label("waiting"))
        .select_from(DeliveryRow)
        .join(SubscriptionRow, col(SubscriptionRow.id) == col(DeliveryRow.subscription_id))
        .join(ChannelRow, col(ChannelRow.id) == col(SubscriptionRow.channel_id))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ChannelRow.workspace_id))
        .where(col(DeliveryRow.ready_at).is_not(None) | col(DeliveryRow.owner).is_not(None))
        .where(col(DeliveryRow.state) != DeliveryState.SENT)
        .group_by(col(WorkspaceRow.platform))
    )
    counted = session.connection().execute(query)
    return {row.platform: row.waiting for row in counted}


def _of(today: date) -> dict[str, str]:
    return {"this_week": iso_week(today, today)}


_MAY_BE_OWED = (col(EditionRow.sample) == false()) & IS_CLOSED
_LAST = (
    select(col(EditionRow.source), func.max(col(EditionRow.last_day)).label("last_day"))
    .where(_MAY_BE_OWED)
    .group_by(col(EditionRow.source))
    .subquery()
)
_NO_OLDER = select(col(EditionRow.id), col(EditionRow.source)).join(
    _LAST,
    (col(EditionRow.source) == _LAST.c.source) & (col(EditionRow.last_day) >= _LAST.c.last_day),
)
_NEWEST = (
    _NO_OLDER.add_columns(
        *(
            getattr(EditionRow, name)
            for name in ("first_day", "last_day", "kind", "week", "arrived_at")
        )
    )
    .where(_MAY_BE_OWED)
    .order_by(col(EditionRow.first_day))
)
_LATER = aliased(EditionRow, name="later")
_OWED = (
    select(
        col(EditionRow.id),
        *(getattr(EditionRow, day) for day in _DAYS),
        col(EditionRow.changed_at),
        col(_LATER.id).label("newer"),
    )
    .outerjoin(
        _LATER,
        (col(_LATER.source) == col(EditionRow.source))
        & (col(_LATER.last_day) > col(EditionRow.last_day)),
    )
    .where(among(col(EditionRow.id), "ids"))
)
