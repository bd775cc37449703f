"""Standing orders and deliveries as the JSON that other programs read (see docs/json.md).

Instants are ISO 8601 in UTC; what is unknown or does not apply is `null`; objects may gain keys.
"""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from bot.domain.schedule import WEEKDAYS
from bot.replies.deliveries import url_of
from store.records import Delivery, Part, Subscription


def subscriptions_json(orders: Iterable[Subscription]) -> list[dict[str, Any]]:
    """Return the standing orders as objects, in their order; `patience` counts seconds."""
    return [_order(order) for order in orders]


def deliveries_json(deliveries: Iterable[Delivery]) -> list[dict[str, Any]]:
    """Return the deliveries as objects, in their order, each with its messages as `parts`."""
    return [_delivery(delivery) for delivery in deliveries]


def _order(order: Subscription) -> dict[str, Any]:
    workspace = order.channel.workspace
    return {
        "id": order.id,
        "platform": workspace.platform,
        "workspace": workspace.external_id,
        "channel": order.channel.external_id,
        "channel_name": order.facts.name,
        "owner": order.owner,
        "state": order.state.value,
        "day": WEEKDAYS[order.weekday],
        "time": f"{order.local_time:%H:%M}",
        "zone": order.zone,
        "sources": list(order.sources),
        "topics": list(order.topics),
        "not_topics": list(order.not_topics),
        "size": order.size,
        "layout": order.layout.value,
        "patience": int(order.patience.total_seconds()),
        "paused_until": _instant(order.paused_until),
        "next_due_at": _instant(order.next_due_at),
        "missed_at": _instant(order.missed_at),
        "refusal": asdict(order.refusal) if order.refusal else None,
    }


def _delivery(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": delivery.id,
        "subscription": delivery.subscription_id,
        "source": delivery.source,
        "first_day": delivery.first_day.isoformat(),
        "state": delivery.state.value,
        "attempts": delivery.attempts,
        "next_try_at": _instant(delivery.waits_until),
        "parts": [_part(part) for part in delivery.parts],
        "due_at": _instant(delivery.due_at),
        "sent_at": _instant(delivery.sent_at),
        "error": delivery.error,
        "url": url_of(delivery),
    }


def _part(part: Part) -> dict[str, Any]:
    return {
        "key": part.key,
        "message": part.message,
        "state": part.state.value,
        "url": part.url or None,
    }


def _instant(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat() if at else None
