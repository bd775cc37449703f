"""What standing orders are owed when a tick looks at them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.schedule import latest_due, next_due
from store.posting.due_subscriptions import LONGEST_AHEAD, DueGroup, ScheduleTerms
from store.posting.editions_to_post import NewestEdition, followed_editions
from store.records import SubscriptionState


@dataclass(frozen=True, slots=True)
class Ruling:
    """What becomes of standing orders that stand alike: their terms from now on.

    `owed` are editions to deliver for the due time `due_at`; `open_until` is when the patience of
    the due time that stays open ends.
    """

    terms: ScheduleTerms
    owed: tuple[NewestEdition, ...] = ()
    due_at: datetime | None = None
    open_until: datetime | None = None


def ruled(due: DueGroup, newest: Mapping[str, NewestEdition], now: datetime) -> Ruling:
    """Return what becomes of orders: what each is owed now, and when they are due next.

    Of several due times that passed only the last counts. Where that has nothing to post, they
    wait as long as they have patience. What came later than that waits for the next due time,
    also where nobody looked until then.
    """
    order, served = _resumed(due.terms, now), due.served
    if order.state is not SubscriptionState.ACTIVE:
        return Ruling(order)
    order = _begun(order, now)
    if order.open_due_at != due.terms.open_due_at:
        order = _missing(order, due, now)
        served = frozenset()
    due_at = order.open_due_at
    if due_at is None:
        return Ruling(order)
    left = (
        each for each in followed_editions(order.sources, newest) if _is_left(each, due, served)
    )
    owed = tuple(each for each in left if _came_in_time(each, due_at + order.patience, now))
    served |= {each.source for each in owed}
    return _closed(order, due_at, owed, served, now)


def _resumed(order: ScheduleTerms, now: datetime) -> ScheduleTerms:
    """End a pause that is over; what was due since then is due."""
    if order.state is not SubscriptionState.PAUSED or order.paused_until is None:
        return order
    if order.paused_until > now:
        return order
    following = _next(order, order.paused_until)
    return replace(order, state=SubscriptionState.ACTIVE, paused_until=None, next_due_at=following)


def _begun(order: ScheduleTerms, now: datetime) -> ScheduleTerms:
    """Open the due time that has come, and name the next one."""
    order = _without_future(order, now)
    if order.next_due_at is None:
        return replace(order, next_due_at=_next(order, now))
    if order.next_due_at > now:
        return order
    passed = latest_due(order.weekday, order.local_time, order.zone, now)
    return replace(order, open_due_at=max(passed, order.next_due_at), next_due_at=_next(order, now))


def _without_future(order: ScheduleTerms, now: datetime) -> ScheduleTerms:
    """Forget what was noted while the clock was ahead: what came due, or was missed, is past.

    Where such a due time is still open, it will be due again at its time.
    """

    def believed(at: datetime | None, latest: datetime) -> datetime | None:
        return None if at and at > latest else at

    open_due_at = believed(order.open_due_at, now)
    again = open_due_at != order.open_due_at
    return replace(
        order,
        next_due_at=None if again else believed(order.next_due_at, now + LONGEST_AHEAD),
        open_due_at=open_due_at,
        missed_at=believed(order.missed_at, now),
    )


def _missing(order: ScheduleTerms, due: DueGroup, now: datetime) -> ScheduleTerms:
    """Note that nothing came for the due time that was open until now, where that is so."""
    was_open = due.terms.open_due_at
    if was_open is None or was_open > now or due.served:
        return order
    return replace(order, missed_at=was_open)


def _next(order: ScheduleTerms, after: datetime) -> datetime:
    return next_due(order.weekday, order.local_time, order.zone, after)


def _is_left(edition: NewestEdition, due: DueGroup, served: frozenset[str]) -> bool:
    return edition.source not in served and edition.source not in due.settled


def _came_in_time(edition: NewestEdition, until: datetime, now: datetime) -> bool:
    """Tell whether an edition came before patience ended, whoever was there to see it.

    One whose time nobody noted, or a clock that was ahead did, is here and is owed.
    """
    came_at = edition.came_at
    return came_at is None or came_at <= until or came_at > now


def _closed(
    order: ScheduleTerms,
    due_at: datetime,
    owed: tuple[NewestEdition, ...],
    served: frozenset[str],
    now: datetime,
) -> Ruling:
    """Close the due time where all came or patience is at its end, and note it if nothing did."""
    until = due_at + order.patience
    if served.issuperset(order.sources):
        return Ruling(replace(order, open_due_at=None), owed, due_at)
    if now < until:
        return Ruling(order, owed, due_at, until)
    missed = order.missed_at if served else due_at
    return Ruling(replace(order, open_due_at=None, missed_at=missed), owed, due_at)
