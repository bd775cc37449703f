"""What orders are owed when a tick looks at them, decided without a store."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from bot.owing import Ruling, ruled
from store.due import Newest
from store.enqueuing import Due, Terms
from store.records import SubscriptionState

MONDAY = datetime(2026, 1, 12, 9, tzinfo=UTC)
WEEK = timedelta(days=7)
MINUTE = timedelta(minutes=1)
ORDER = Terms(
    state=SubscriptionState.ACTIVE,
    weekday=0,
    local_time=time(9),
    zone="UTC",
    sources=("dair",),
    patience=timedelta(days=3),
    next_due_at=MONDAY,
)
DAIR = Newest(10, "dair", date(2026, 1, 5), date(2026, 1, 11))
DIVE = Newest(20, "paperdive", date(2026, 1, 5), date(2026, 1, 11))
AGREED = Newest(30, "consensus", date(2026, 1, 5), date(2026, 1, 11))


def _ruled(
    order: Terms,
    *newest: Newest,
    now: datetime = MONDAY,
    settled: Iterable[str] = (),
    served: Iterable[str] = (),
) -> Ruling:
    due = Due((1,), order, frozenset(settled), frozenset(served))
    return ruled(due, {each.source: each for each in newest}, now)


def test_at_its_time_the_newest_edition_is_owed() -> None:
    """It is owed for the time at which it was due, and the next time is a week later."""
    ruling = _ruled(ORDER, DAIR, DIVE, now=MONDAY + MINUTE)
    assert (ruling.owed, ruling.due_at) == ((DAIR,), MONDAY)
    assert ruling.terms.next_due_at == MONDAY + WEEK
    assert ruling.terms.open_due_at is None


def test_before_its_time_nothing_is_owed() -> None:
    """A tick that comes early changes nothing."""
    assert _ruled(ORDER, DAIR, now=MONDAY - MINUTE) == Ruling(ORDER)


def test_what_was_delivered_is_not_owed_again() -> None:
    """With the newest delivered the due time waits for another edition."""
    ruling = _ruled(ORDER, DAIR, settled=["dair"])
    assert ruling.owed == ()
    assert ruling.terms.open_due_at == MONDAY
    assert ruling.open_until == MONDAY + ORDER.patience


def test_what_comes_within_the_patience_is_owed_for_the_time_that_waited() -> None:
    """The edition is owed for Monday though it came on Tuesday, and closes Monday."""
    waiting = replace(ORDER, open_due_at=MONDAY, next_due_at=MONDAY + WEEK)
    ruling = _ruled(waiting, DAIR, now=MONDAY + timedelta(days=1))
    assert (ruling.owed, ruling.due_at) == ((DAIR,), MONDAY)
    assert ruling.terms == replace(waiting, open_due_at=None)


def test_at_the_end_of_the_patience_a_due_time_is_missed() -> None:
    """It is noted on the order and blocks nothing: the next time stands."""
    waiting = replace(ORDER, open_due_at=MONDAY, next_due_at=MONDAY + WEEK)
    ruling = _ruled(waiting, now=MONDAY + ORDER.patience)
    assert ruling.owed == ()
    assert ruling.terms == replace(waiting, open_due_at=None, missed_at=MONDAY)


def test_without_patience_a_due_time_is_missed_at_once() -> None:
    """With a patience of none nothing waits."""
    ruling = _ruled(replace(ORDER, patience=timedelta()))
    assert (ruling.terms.missed_at, ruling.terms.open_due_at) == (MONDAY, None)


def test_after_downtime_only_the_newest_is_owed() -> None:
    """Of three Mondays that passed the last counts, and its patience does not matter."""
    now = MONDAY + 2 * WEEK + timedelta(days=5)
    ruling = _ruled(ORDER, DAIR, now=now)
    assert (ruling.owed, ruling.due_at) == ((DAIR,), MONDAY + 2 * WEEK)
    assert ruling.terms.next_due_at == MONDAY + 3 * WEEK
    assert ruling.terms.missed_at is None


def test_each_source_is_owed_one_edition_a_due_time() -> None:
    """Those that come later are owed while there is patience, but no second one of a source."""
    order = replace(ORDER, sources=("dair", "paperdive"))
    first = _ruled(order, DAIR)
    assert first.owed == (DAIR,)
    assert first.terms.open_due_at == MONDAY
    newer = replace(DAIR, id=11, last_day=DAIR.last_day + timedelta(days=1))
    second = _ruled(first.terms, newer, DIVE, now=MONDAY + MINUTE, served=["dair"])
    assert second.owed == (DIVE,)
    assert second.terms.open_due_at is None


def test_a_due_time_that_served_one_source_is_not_missed() -> None:
    """What is noted is that nothing came, not that something more might have."""
    order = replace(ORDER, sources=("dair", "paperdive"), open_due_at=MONDAY)
    order = replace(order, next_due_at=MONDAY + WEEK)
    ruling = _ruled(order, DAIR, now=MONDAY + ORDER.patience, settled=["dair"], served=["dair"])
    assert (ruling.terms.open_due_at, ruling.terms.missed_at) == (None, None)


def test_all_means_every_source_but_the_consensus() -> None:
    """The consensus is fused from the others; whoever wants it names it."""
    ruling = _ruled(replace(ORDER, sources=("all",)), DAIR, DIVE, AGREED)
    assert ruling.owed == (DAIR, DIVE)
    named = _ruled(replace(ORDER, sources=("consensus",)), DAIR, AGREED)
    assert named.owed == (AGREED,)


def test_a_pause_ends_by_itself() -> None:
    """From then on the order is due again; what was due while it paused is not."""
    paused = replace(
        ORDER,
        state=SubscriptionState.PAUSED,
        paused_until=MONDAY + MINUTE,
        next_due_at=None,
    )
    assert _ruled(paused, DAIR, now=MONDAY) == Ruling(paused)
    ruling = _ruled(paused, DAIR, now=MONDAY + timedelta(days=2))
    assert ruling.owed == ()
    assert (ruling.terms.state, ruling.terms.paused_until) == (SubscriptionState.ACTIVE, None)
    assert ruling.terms.next_due_at == MONDAY + WEEK
    late = _ruled(paused, DAIR, now=MONDAY + WEEK + MINUTE)
    assert (late.owed, late.due_at) == ((DAIR,), MONDAY + WEEK)


def test_a_clock_that_was_ahead_leaves_no_silence() -> None:
    """A next time years ahead, reckoned by a wrong clock, is reckoned anew."""
    ahead = replace(ORDER, next_due_at=MONDAY + 200 * WEEK)
    ruling = _ruled(ahead, DAIR, now=MONDAY + MINUTE)
    assert ruling.terms.next_due_at == MONDAY + WEEK
    assert ruling.owed == ()


def test_a_clock_that_jumps_ahead_makes_no_flood() -> None:
    """However many due times it passes over, one edition of a source is owed."""
    ruling = _ruled(ORDER, DAIR, now=MONDAY + 500 * WEEK)
    assert ruling.owed == (DAIR,)
    assert ruling.terms.next_due_at == MONDAY + 501 * WEEK


def test_what_waits_since_a_time_to_come_is_forgotten() -> None:
    """A clock that was ahead for long leaves neither an open due time nor one that was missed."""
    future = MONDAY + 200 * WEEK
    ahead = replace(ORDER, next_due_at=future + WEEK, open_due_at=future, missed_at=future - WEEK)
    ruling = _ruled(ahead, DAIR, now=MONDAY + MINUTE)
    assert ruling == Ruling(replace(ORDER, next_due_at=MONDAY + WEEK))


def test_a_due_time_that_is_yet_to_come_is_not_open() -> None:
    """Opened while the clock was ahead it waits for nothing; it is due again at its time."""
    ahead = replace(ORDER, open_due_at=MONDAY, next_due_at=MONDAY + WEEK)
    early = MONDAY - timedelta(days=2)
    ruling = _ruled(ahead, DAIR, now=early)
    assert ruling == Ruling(replace(ORDER, open_due_at=None, next_due_at=MONDAY))
    again = _ruled(ruling.terms, DAIR, now=MONDAY)
    assert (again.owed, again.due_at) == ((DAIR,), MONDAY)
