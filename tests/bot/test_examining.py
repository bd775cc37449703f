"""What `doctor` finds of the standing orders."""

from dataclasses import astuple, replace
from datetime import UTC, date, datetime, time, timedelta

from bot.operations.checks import order_findings, source_findings
from bot.operations.findings import Verdict
from store.records import (
    Channel,
    Delivery,
    DeliveryState,
    Refusal,
    Source,
    Subscription,
    SubscriptionState,
    Workspace,
)
from store.sources import Address, FollowedSource, Validators

DUE = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)
ORDER = Subscription(
    id=1,
    channel=Channel(Workspace("slack", "T1"), "C1"),
    weekday=0,
    local_time=time(9),
    zone="Europe/Berlin",
    next_due_at=DUE,
)
POST = Delivery(
    id=1,
    subscription_id=1,
    source="dair",
    first_day=date(2026, 1, 5),
    last_day=date(2026, 1, 11),
    state=DeliveryState.SENT,
    attempts=1,
    due_at=DUE,
    sent_at=DUE,
    error=None,
)


def _told(orders: list[Subscription], *deliveries: Delivery) -> list[tuple[Verdict, str, str]]:
    found = order_findings(orders, deliveries)
    return [(each.verdict, each.sentence, each.remedy) for each in found]


def test_orders_are_counted_by_their_state() -> None:
    """Where all is well one line says how many stand; without orders nothing is said."""
    paused = replace(ORDER, id=2, state=SubscriptionState.PAUSED)
    assert _told([ORDER, paused, replace(ORDER, id=3)], POST) == [
        (Verdict.WELL, "2 active, 1 paused.", "")
    ]
    assert _told([]) == []


def test_an_order_that_is_refused_would_not_work() -> None:
    """It is a problem with its remedy, but a note where people removed the bot themselves."""
    refused = replace(ORDER, state=SubscriptionState.REFUSED)
    closed = Refusal("Slack has archived the channel.", "Unarchive it.", "is_archived")
    removed = Refusal("Broadsheet was removed from the workspace.", "Add it.", "removed")
    orders = [replace(refused, refusal=closed), replace(refused, id=2, refusal=removed)]
    assert _told(orders)[1:] == [
        (
            Verdict.PROBLEM,
            "Subscription 1 is refused: Slack has archived the channel.",
            "Unarchive it.",
        ),
        (
            Verdict.NOTE,
            "Subscription 2 is refused: Broadsheet was removed from the workspace.",
            "Add it.",
        ),
    ]


def test_a_zone_that_is_not_known_any_more_would_not_work() -> None:
    """An order can't be reckoned in a zone that the machine has no data of."""
    assert _told([replace(ORDER, zone="Mars/Olympus")])[1:] == [
        (
            Verdict.PROBLEM,
            "Subscription 1 is in the zone Mars/Olympus, which this machine does not know.",
            "Bring its time zone data up to date.",
        )
    ]


def test_what_was_not_delivered_last_is_noted() -> None:
    """A failure that a later delivery of the same source made up for is none any more."""
    week = timedelta(days=7)
    dead = replace(POST, id=2, state=DeliveryState.DEAD, last_day=POST.last_day + week)
    later = replace(POST, id=3, last_day=POST.last_day + 2 * week)
    unknown = replace(POST, id=4, source="paperdive", state=DeliveryState.UNKNOWN)
    remedy = "broadsheet deliveries list --failed says why, deliveries retry ID sends one."
    assert _told([ORDER], POST, dead, unknown)[1:] == [
        (Verdict.NOTE, "Unknown: 4.", remedy),
        (Verdict.NOTE, "Dead: 2.", remedy),
    ]
    assert _told([ORDER], POST, later, dead)[1:] == []


def test_what_was_taken_back_is_not_examined() -> None:
    """A delivery for an order that no longer stands needs nobody."""
    assert _told([ORDER], replace(POST, subscription_id=9, state=DeliveryState.DEAD))[1:] == []


def test_a_source_that_fails_is_noted_with_since_when() -> None:
    """It is no problem of this machine; one that is disabled is nobody's."""
    since = datetime(2026, 1, 5, 9, tzinfo=UTC)
    away = Address(1, None, "https://here.example/feed", Validators(), since, None, since, "Away.")
    well = FollowedSource(Source("daily", "Daily"), enabled=True, addresses=())
    broken = FollowedSource(Source("weekly", "Weekly"), enabled=True, addresses=(away,))
    assert [astuple(each)[1:] for each in source_findings([well, broken])] == [
        (Verdict.WELL, "daily, weekly.", ""),
        (
            Verdict.NOTE,
            "weekly has failed since 2026-01-05 09:00 UTC: Away.",
            "See https://here.example/feed; broadsheet sync weekly tries it again.",
        ),
    ]
    assert list(source_findings([replace(broken, enabled=False)])) == []
