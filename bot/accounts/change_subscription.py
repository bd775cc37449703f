"""Standing orders as commands give and alter them. Pure."""

from dataclasses import dataclass, fields, replace
from datetime import datetime, time, timedelta

from bot.domain.schedule import WEEKDAYS, next_due
from store.records import Layout, Subscription, SubscriptionState

MONDAY, MORNING = 0, time(9)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked of a standing order; `None` where nothing was said."""

    weekday: int | None = None
    local_time: time | None = None
    zone: str | None = None
    sources: tuple[str, ...] | None = None
    topics: tuple[str, ...] | None = None
    not_topics: tuple[str, ...] | None = None
    size: int | None = None
    layout: Layout | None = None
    patience: timedelta | None = None


def chosen_zone(
    given: str | None, last: Subscription | None, own: str | None, settled: str | None, default: str
) -> tuple[str, str]:
    """Return the zone of a new order, and in words where it came from.

    Args:
        given: the zone that was asked for.
        last: the channel's last order.
        own: the zone of the asker's profile.
        settled: the zone that the workspace settled.
        default: the program's.
    """
    ways = (
        (given, "as given"),
        (last and last.zone, "from this channel's last subscription"),
        (own, "from your profile"),
        (settled, "from this workspace's settings"),
    )
    found = ((zone, words) for zone, words in ways if zone)
    return next(found, (default, "the program's default"))


def changed(order: Subscription, wishes: Wishes, now: datetime) -> Subscription:
    """Return an order as it is wished to be from now on; when it is due is reckoned anew.

    What nothing was said of stays, and so does a due time that has come and that no tick has
    looked at yet: what was ordered for it is owed.
    """
    wished = ((each.name, getattr(wishes, each.name)) for each in fields(wishes))
    altered = replace(order, **{name: value for name, value in wished if value is not None})
    has_come = order.next_due_at is not None and order.next_due_at <= now
    if order.state is not SubscriptionState.ACTIVE or has_come:
        return altered
    return scheduled(altered, now)


def scheduled(order: Subscription, now: datetime) -> Subscription:
    """Return an order that is due the next time after an instant."""
    following = next_due(order.weekday, order.local_time, order.zone, now)
    return replace(order, next_due_at=following)


def paused(order: Subscription, until: datetime | None) -> Subscription:
    """Return an order that posts nothing until an instant, or until somebody resumes it."""
    return replace(
        order,
        state=SubscriptionState.PAUSED,
        paused_until=until,
        next_due_at=None,
        open_due_at=None,
        refusal=None,
    )


def resumed(order: Subscription, now: datetime) -> Subscription:
    """Return an order that is carried out, whatever kept it; one that is already as it was."""
    if order.state is SubscriptionState.ACTIVE and order.cancelled_at is None:
        return order
    active = replace(
        order,
        state=SubscriptionState.ACTIVE,
        paused_until=None,
        open_due_at=None,
        refusal=None,
        cancelled_at=None,
    )
    return scheduled(active, now)


def ended(order: Subscription, now: datetime) -> Subscription:
    """Return an order that was taken back."""
    return replace(order, cancelled_at=order.cancelled_at or now, open_due_at=None)


def in_words(order: Subscription) -> str:
    """Word when an order posts: `every Monday at 09:00 (Europe/Berlin)`."""
    day = WEEKDAYS[order.weekday].capitalize()
    return f"every {day} at {order.local_time:%H:%M} ({order.zone})"
