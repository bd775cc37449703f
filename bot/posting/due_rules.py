"""The rules by which a tick decides about due subscriptions. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain.schedule import latest_due, next_due
from store.posting.due_subscriptions import LONGEST_AHEAD, DueGroup, ScheduleTerms
from store.posting.editions_to_post import NewestEdition, followed_editions
from store.records import SubscriptionState


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about subscriptions with equal terms: their terms from now on.

    `editions` are to be delivered for the due time `due_at`, or a `digest` is; `open_until` is when
    the patience of a due time that stays open ends.
    """

    terms: ScheduleTerms
    editions: tuple[NewestEdition, ...] = ()
    due_at: datetime | None = None
    open_until: datetime | None = None
    digest: bool = False


def decide(due: DueGroup, newest: Mapping[str, NewestEdition], now: datetime) -> Decision:
    """Return what subscriptions are due now, and when they are due next.

    Of several due times that passed only the last counts. If there is nothing to post for it, it
    stays open for the patience of the subscriptions. What comes later waits for the next due time,
    also if no process ran until then.
    """
    terms, served = _resume(due.terms, now), due.served
    if terms.state is not SubscriptionState.ACTIVE:
        return Decision(terms)
    terms = _open(terms, now)
    if terms.open_due_at != due.terms.open_due_at:
        terms = _note_missed(terms, due, now)
        served = frozenset()
    due_at = terms.open_due_at
    if due_at is None:
        return Decision(terms)
    if terms.personal:
        return Decision(replace(terms, open_due_at=None), due_at=due_at, digest=True)
    until = due_at + terms.patience
    editions = tuple(
        edition
        for edition in followed_editions(terms.sources, newest)
        if edition.source not in served
        and edition.source not in due.settled
        and _came_in_time(edition, until, now)
    )
    served |= {edition.source for edition in editions}
    if served.issuperset(terms.sources):
        return Decision(replace(terms, open_due_at=None), editions, due_at)
    if now < until:
        return Decision(terms, editions, due_at, until)
    missed = terms.missed_at if served else due_at
    return Decision(replace(terms, open_due_at=None, missed_at=missed), editions, due_at)


def _resume(terms: ScheduleTerms, now: datetime) -> ScheduleTerms:
    """End a pause that is over; what was due since its end is due."""
    if terms.state is not SubscriptionState.PAUSED or terms.paused_until is None:
        return terms
    if terms.paused_until > now:
        return terms
    following = _next(terms, terms.paused_until)
    return replace(terms, state=SubscriptionState.ACTIVE, paused_until=None, next_due_at=following)


def _open(terms: ScheduleTerms, now: datetime) -> ScheduleTerms:
    """Open the due time that has come, and set the next one."""
    terms = _without_future(terms, now)
    if terms.next_due_at is None:
        return replace(terms, next_due_at=_next(terms, now))
    if terms.next_due_at > now:
        return terms
    passed = latest_due(terms.weekday, terms.local_time, terms.zone, now)
    return replace(terms, open_due_at=max(passed, terms.next_due_at), next_due_at=_next(terms, now))


def _without_future(terms: ScheduleTerms, now: datetime) -> ScheduleTerms:
    """Clear times that were stored while the clock was ahead.

    A due time that is open in the future will be due again at its time.
    """

    def cleared(at: datetime | None, latest: datetime) -> datetime | None:
        return None if at and at > latest else at

    open_due_at = cleared(terms.open_due_at, now)
    reopens = open_due_at != terms.open_due_at
    return replace(
        terms,
        next_due_at=None if reopens else cleared(terms.next_due_at, now + LONGEST_AHEAD),
        open_due_at=open_due_at,
        missed_at=cleared(terms.missed_at, now),
    )


def _note_missed(terms: ScheduleTerms, due: DueGroup, now: datetime) -> ScheduleTerms:
    """Note a due time that was open until now, if nothing came for it."""
    was_open = due.terms.open_due_at
    if was_open is None or was_open > now or due.served:
        return terms
    return replace(terms, missed_at=was_open)


def _next(terms: ScheduleTerms, after: datetime) -> datetime:
    return next_due(terms.weekday, terms.local_time, terms.zone, after)


def _came_in_time(edition: NewestEdition, until: datetime, now: datetime) -> bool:
    """Tell whether an edition came before patience ended.

    One whose time is unknown, or was stored by a clock that was ahead, is here and counts.
    """
    came_at = edition.came_at
    return came_at is None or came_at <= until or came_at > now
