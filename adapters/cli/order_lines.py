"""Standing orders and deliveries as lines for people: the state first, what explains it below."""

from collections.abc import Iterator
from datetime import UTC, datetime

from bot.domain.schedule import WEEKDAYS
from bot.replies.deliveries import content_text, post_url
from bot.replies.wording import count, duration
from store.records import Delivery, DeliveryState, Subscription

_STATE_WIDTH = max(map(len, DeliveryState))
_ID_WIDTH = 5
_MARGIN = " " * (_STATE_WIDTH + _ID_WIDTH + 2)


def order_lines(order: Subscription) -> Iterator[str]:
    """Tell where a standing order is for, when and what it wants, and what stands against it."""
    yield _headed(order.state, order.id, _place(order))
    yield _MARGIN + _when(order)
    yield _MARGIN + content_text(order)
    if order.paused_until:
        yield f"{_MARGIN}paused until {moment_utc(order.paused_until)}"
    if order.missed_at:
        patience = duration(order.patience)
        yield f"{_MARGIN}nothing came within {patience} of {moment_utc(order.missed_at)}"
    if order.refusal:
        yield _MARGIN + f"{order.refusal.sentence} {order.refusal.remedy}".strip()


def delivery_lines(delivery: Delivery, order: Subscription | None) -> Iterator[str]:
    """Tell what was to be posted where, and what became of it; `order` is `None` if cancelled."""
    place = _place(order) if order else "cancelled"
    edition = f"{delivery.source} {delivery.first_day}"
    name = f"{edition}, subscription {delivery.subscription_id}, {place}"
    yield _headed(delivery.state, delivery.id, name)
    yield _MARGIN + _progress(delivery)
    if delivery.error:
        yield _MARGIN + delivery.error
    if url := post_url(delivery):
        yield _MARGIN + url


def delivery_name(delivery: Delivery) -> str:
    """Name a delivery inside a sentence: `delivery 12 (dair 2026-01-05)`."""
    return f"delivery {delivery.id} ({delivery.source} {delivery.first_day})"


def moment_utc(at: datetime) -> str:
    """Word an instant as logs do: `2026-01-12 08:00 UTC`."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _headed(state: str, number: int | None, text: str) -> str:
    return f"{state:<{_STATE_WIDTH}}{number:>{_ID_WIDTH}}  {text}"


def _place(order: Subscription) -> str:
    channel = order.channel
    where = f"{channel.workspace.platform} {channel.workspace.external_id} {channel.external_id}"
    return f"#{order.facts.name} ({where})" if order.facts.name else where


def _when(order: Subscription) -> str:
    told = f"{WEEKDAYS[order.weekday]} {order.local_time:%H:%M} {order.zone}"
    return f"{told}, next {moment_utc(order.next_due_at)}" if order.next_due_at else told


def _progress(delivery: Delivery) -> str:
    told = [f"due {moment_utc(delivery.due_at)}"]
    if delivery.sent_at:
        told.append(f"sent {moment_utc(delivery.sent_at)}")
    told.append(count(delivery.attempts, "attempt"))
    if delivery.waits_until:
        told.append(f"next {moment_utc(delivery.waits_until)}")
    if delivery.parts:
        sent = sum(part.state is DeliveryState.SENT for part in delivery.parts)
        told.append(f"{sent} of {count(len(delivery.parts), 'message')}")
    return ", ".join(told)
