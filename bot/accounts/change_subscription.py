"""Changes to subscriptions. Pure."""

from dataclasses import dataclass, fields, replace
from datetime import datetime, time, timedelta

from bot.domain.schedule import WEEKDAYS, next_due
from store.records import Layout, Subscription, SubscriptionState

MONDAY, MORNING = 0, time(9)


@dataclass(frozen=True, slots=True)
class Wishes:
    """The arguments of `subscribe`; `None` for each that was left out."""

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
    named: str | None,
    last: Subscription | None,
    profile: str | None,
    settings: str | None,
    default: str,
) -> tuple[str, str]:
    """Return the zone of a new subscription, and in words where it came from.

    Args:
        named: the zone that was asked for.
        last: the channel's last subscription.
        profile: the zone of the user's profile.
        settings: the zone of the workspace's settings.
        default: the program's.
    """
    candidates = (
        (named, "as given"),
        (last and last.zone, "from this channel's last subscription"),
        (profile, "from your profile"),
        (settings, "from this workspace's settings"),
    )
    found = ((zone, words) for zone, words in candidates if zone)
    return next(found, (default, "the program's default"))


def with_wishes(subscription: Subscription, wishes: Wishes, now: datetime) -> Subscription:
    """Return a subscription with other values, scheduled anew.

    A due time that has come, and that no tick has looked at yet, stays: its edition is due.
    """
    values = ((each.name, getattr(wishes, each.name)) for each in fields(wishes))
    changed = replace(subscription, **{name: value for name, value in values if value is not None})
    is_due = subscription.next_due_at is not None and subscription.next_due_at <= now
    if subscription.state is not SubscriptionState.ACTIVE or is_due:
        return changed
    return schedule(changed, now)


def schedule(subscription: Subscription, now: datetime) -> Subscription:
    """Return a subscription with its next due time after an instant."""
    following = next_due(subscription.weekday, subscription.local_time, subscription.zone, now)
    return replace(subscription, next_due_at=following)


def pause_until(subscription: Subscription, until: datetime | None) -> Subscription:
    """Return a subscription that is paused until an instant, or until it is resumed."""
    return replace(
        subscription,
        state=SubscriptionState.PAUSED,
        paused_until=until,
        next_due_at=None,
        open_due_at=None,
        refusal=None,
    )


def reactivate(subscription: Subscription, now: datetime) -> Subscription:
    """Return a subscription that is active again, whatever stopped it."""
    if subscription.state is SubscriptionState.ACTIVE and subscription.cancelled_at is None:
        return subscription
    active = replace(
        subscription,
        state=SubscriptionState.ACTIVE,
        paused_until=None,
        open_due_at=None,
        refusal=None,
        cancelled_at=None,
    )
    return schedule(active, now)


def cancel(subscription: Subscription, now: datetime) -> Subscription:
    """Return a subscription that is cancelled."""
    return replace(subscription, cancelled_at=subscription.cancelled_at or now, open_due_at=None)


def in_words(subscription: Subscription) -> str:
    """Word when a subscription posts: `every Monday at 09:00 (Europe/Berlin)`."""
    day = WEEKDAYS[subscription.weekday].capitalize()
    return f"every {day} at {subscription.local_time:%H:%M} ({subscription.zone})"
