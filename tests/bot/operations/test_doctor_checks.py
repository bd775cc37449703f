"""The findings of `doctor` about subscriptions, deliveries and sources."""

from dataclasses import astuple, replace
from datetime import UTC, date, datetime, time, timedelta

from bot.operations.doctor_checks import (
    Verdict,
    ahead_findings,
    source_findings,
    subscription_findings,
    zone_findings,
)
from store.records import (
    Channel,
    Delivery,
    DeliveryState,
    Edition,
    Refusal,
    Source,
    Subscription,
    SubscriptionState,
    Workspace,
)
from store.sources import Address, FollowedSource, Validators

DUE = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)
LAST_DAY = date(2026, 1, 11)
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
    channel=ORDER.channel,
    source="dair",
    first_day=date(2026, 1, 5),
    last_day=LAST_DAY,
    state=DeliveryState.SENT,
    attempts=1,
    due_at=DUE,
    sent_at=DUE,
    error=None,
)


def _told(orders: list[Subscription], *deliveries: Delivery) -> list[tuple[Verdict, str, str]]:
    found = subscription_findings(orders, deliveries)
    return [(each.verdict, each.sentence, each.remedy) for each in found]


def test_subscriptions_are_counted_by_state() -> None:
    """If all is well, one finding counts them; without subscriptions there is none."""
    paused = replace(ORDER, id=2, state=SubscriptionState.PAUSED)
    assert _told([ORDER, paused, replace(ORDER, id=3)], POST) == [
        (Verdict.WELL, "2 active, 1 paused.", "")
    ]
    assert _told([]) == []


def test_a_zone_that_knows_no_summer_time_is_named() -> None:
    """Programs before took such names; nothing moves by itself, and the remedy says what does."""
    fixed = [replace(ORDER, id=number, zone=zone) for number, zone in enumerate(("EST", "HST"), 1)]
    _, told = _told([*fixed, replace(ORDER, id=3, zone="EST5EDT")], POST)
    assert told == (
        Verdict.NOTE,
        "Subscription 1: EST knows no summer time, as America/New_York does.",
        "Where that is not meant, /papers subscriptions in its channel offers others.",
    )
    [found] = zone_findings({Workspace("slack", "T1"): "MST", Workspace("slack", "T2"): "MET"})
    assert (found.verdict, found.sentence, found.remedy) == (
        Verdict.NOTE,
        "Of the zone of the workspace T1: MST knows no summer time, as America/Denver does.",
        "Where that is not meant, type there: /papers settings zone America/Denver",
    )


def test_a_refused_subscription_is_a_problem() -> None:
    """It has a remedy; it is only a note if people removed the bot themselves."""
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


def test_an_unknown_zone_is_a_problem() -> None:
    """Due times can't be computed in a zone without data on this machine."""
    assert _told([replace(ORDER, zone="Mars/Olympus")])[1:] == [
        (
            Verdict.PROBLEM,
            "Subscription 1 is in the zone Mars/Olympus, which this machine does not know.",
            "Bring its time zone data up to date.",
        )
    ]


def test_a_failed_last_delivery_is_noted() -> None:
    """A later delivery of the same source makes up for an earlier failure."""
    week = timedelta(days=7)
    dead = replace(POST, id=2, state=DeliveryState.DEAD, last_day=LAST_DAY + week)
    later = replace(POST, id=3, last_day=LAST_DAY + 2 * week, due_at=DUE + 2 * week)
    unknown = replace(POST, id=4, source="paperdive", state=DeliveryState.UNKNOWN)
    remedy = "broadsheet deliveries list --failed says why, deliveries retry ID sends one."
    assert _told([ORDER], POST, dead, unknown)[1:] == [
        (Verdict.NOTE, "Unknown: 4.", remedy),
        (Verdict.NOTE, "Dead: 2.", remedy),
    ]
    assert _told([ORDER], POST, later, dead)[1:] == []
    # A program before posted one that lay ahead, and newer than that is what was due since.
    ahead = replace(dead, last_day=date(2062, 1, 8), due_at=DUE - week)
    assert _told([ORDER], ahead, POST)[1:] == []


def test_deliveries_of_cancelled_subscriptions_are_ignored() -> None:
    """They need no attention."""
    assert _told([ORDER], replace(POST, subscription_id=9, state=DeliveryState.DEAD))[1:] == []


def test_a_failing_source_is_noted_with_its_start() -> None:
    """It is no problem of this machine; a disabled source is ignored."""
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


def _edition(day: date) -> Edition:
    last_day = day + timedelta(days=6)
    return Edition(
        "dair", "newsletter", "Top Papers", day, last_day, None, "heading", None, None, None, ()
    )


def test_weeks_that_lie_ahead_are_named() -> None:
    """The first few are named by source and first day, and nothing is said of none."""
    assert list(ahead_findings([])) == []
    days = [date(2062, 1, day) for day in range(1, 8)]
    [found] = ahead_findings([_edition(day) for day in days])
    assert found.verdict is Verdict.NOTE
    assert found.sentence.endswith(
        "dair:2062-01-01, dair:2062-01-02, dair:2062-01-03, dair:2062-01-04, dair:2062-01-05"
        " and 2 more."
    )
