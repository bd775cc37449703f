"""What subscriptions are due when a tick looks at them, decided without a store."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.posting.due_rules import Decision, decide
from store.posting.due_subscriptions import DueGroup, ScheduleTerms
from store.posting.editions_to_post import NewestEdition
from store.records import SubscriptionState

MONDAY = datetime(2026, 1, 12, 9, tzinfo=UTC)
WEEK = timedelta(days=7)
MINUTE = timedelta(minutes=1)
ORDER = ScheduleTerms(
    state=SubscriptionState.ACTIVE,
    weekday=0,
    local_time=time(9),
    zone="UTC",
    sources=("dair",),
    patience=timedelta(days=3),
    next_due_at=MONDAY,
)
DAIR = NewestEdition(10, "dair", date(2026, 1, 5), date(2026, 1, 11))
DIVE = NewestEdition(20, "paperdive", date(2026, 1, 5), date(2026, 1, 11))
AGREED = NewestEdition(30, "consensus", date(2026, 1, 5), date(2026, 1, 11))


def _decided(
    order: ScheduleTerms,
    *newest: NewestEdition,
    now: datetime = MONDAY,
    settled: Iterable[str] = (),
    served: Iterable[str] = (),
) -> Decision:
    due = DueGroup((1,), order, frozenset(settled), frozenset(served))
    return decide(due, {each.source: each for each in newest}, now)


def test_at_its_time_the_newest_edition_is_owed() -> None:
    """It is due for the time at which it was due, and the next time is a week later."""
    decision = _decided(ORDER, DAIR, DIVE, now=MONDAY + MINUTE)
    assert (decision.editions, decision.due_at) == ((DAIR,), MONDAY)
    assert decision.terms.next_due_at == MONDAY + WEEK
    assert decision.terms.open_due_at is None


def test_before_its_time_nothing_is_owed() -> None:
    """A tick that comes early changes nothing."""
    assert _decided(ORDER, DAIR, now=MONDAY - MINUTE) == Decision(ORDER)


def test_what_was_delivered_is_not_owed_again() -> None:
    """With the newest delivered the due time waits for another edition."""
    decision = _decided(ORDER, DAIR, settled=["dair"])
    assert decision.editions == ()
    assert decision.terms.open_due_at == MONDAY
    assert decision.open_until == MONDAY + ORDER.patience


def test_what_comes_within_the_patience_is_owed_for_the_time_that_waited() -> None:
    """The edition is due for Monday though it came on Tuesday, and closes Monday."""
    waiting = replace(ORDER, open_due_at=MONDAY, next_due_at=MONDAY + WEEK)
    decision = _decided(waiting, DAIR, now=MONDAY + timedelta(days=1))
    assert (decision.editions, decision.due_at) == ((DAIR,), MONDAY)
    assert decision.terms == replace(waiting, open_due_at=None)


def test_at_the_end_of_the_patience_a_due_time_is_missed() -> None:
    """It is noted on the subscription and blocks nothing: the next time stands."""
    waiting = replace(ORDER, open_due_at=MONDAY, next_due_at=MONDAY + WEEK)
    decision = _decided(waiting, now=MONDAY + ORDER.patience)
    assert decision.editions == ()
    assert decision.terms == replace(waiting, open_due_at=None, missed_at=MONDAY)


def test_without_patience_a_due_time_is_missed_at_once() -> None:
    """With a patience of none nothing waits."""
    decision = _decided(replace(ORDER, patience=timedelta()))
    assert (decision.terms.missed_at, decision.terms.open_due_at) == (MONDAY, None)


def test_after_downtime_only_the_newest_is_owed() -> None:
    """Of three Mondays that passed the last counts, and its patience does not matter."""
    now = MONDAY + 2 * WEEK + timedelta(days=5)
    decision = _decided(ORDER, DAIR, now=now)
    assert (decision.editions, decision.due_at) == ((DAIR,), MONDAY + 2 * WEEK)
    assert decision.terms.next_due_at == MONDAY + 3 * WEEK
    assert decision.terms.missed_at is None


def test_each_source_is_owed_one_edition_a_due_time() -> None:
    """Those that come later are due while there is patience, but no second one of a source."""
    order = replace(ORDER, sources=("dair", "paperdive"))
    first = _decided(order, DAIR)
    assert first.editions == (DAIR,)
    assert first.terms.open_due_at == MONDAY
    newer = replace(DAIR, id=11, last_day=DAIR.last_day + timedelta(days=1))
    second = _decided(first.terms, newer, DIVE, now=MONDAY + MINUTE, served=["dair"])
    assert second.editions == (DIVE,)
    assert second.terms.open_due_at is None


def test_a_due_time_that_served_one_source_is_not_missed() -> None:
    """What is noted is that nothing came, not that something more might have."""
    order = replace(ORDER, sources=("dair", "paperdive"), open_due_at=MONDAY)
    order = replace(order, next_due_at=MONDAY + WEEK)
    decision = _decided(order, DAIR, now=MONDAY + ORDER.patience, settled=["dair"], served=["dair"])
    assert (decision.terms.open_due_at, decision.terms.missed_at) == (None, None)


def test_all_means_every_source_but_the_consensus() -> None:
    """The consensus is fused from the others; whoever wants it names it."""
    decision = _decided(replace(ORDER, sources=("all",)), DAIR, DIVE, AGREED)
    assert decision.editions == (DAIR, DIVE)
    named = _decided(replace(ORDER, sources=("consensus",)), DAIR, AGREED)
    assert named.editions == (AGREED,)


def test_a_pause_ends_by_itself() -> None:
    """From then on the subscription is due again; what was due while it paused is not."""
    paused = replace(
        ORDER,
        state=SubscriptionState.PAUSED,
        paused_until=MONDAY + MINUTE,
        next_due_at=None,
    )
    assert _decided(paused, DAIR, now=MONDAY) == Decision(paused)
    decision = _decided(paused, DAIR, now=MONDAY + timedelta(days=2))
    assert decision.editions == ()
    assert (decision.terms.state, decision.terms.paused_until) == (SubscriptionState.ACTIVE, None)
    assert decision.terms.next_due_at == MONDAY + WEEK
    late = _decided(paused, DAIR, now=MONDAY + WEEK + MINUTE)
    assert (late.editions, late.due_at) == ((DAIR,), MONDAY + WEEK)


def test_a_clock_that_was_ahead_leaves_no_silence() -> None:
    """A next time years ahead, reckoned by a wrong clock, is reckoned anew."""
    ahead = replace(ORDER, next_due_at=MONDAY + 200 * WEEK)
    decision = _decided(ahead, DAIR, now=MONDAY + MINUTE)
    assert decision.terms.next_due_at == MONDAY + WEEK
    assert decision.editions == ()


def test_a_clock_that_jumps_ahead_makes_no_flood() -> None:
    """However many due times it passes over, one edition of a source is due."""
    decision = _decided(ORDER, DAIR, now=MONDAY + 500 * WEEK)
    assert decision.editions == (DAIR,)
    assert decision.terms.next_due_at == MONDAY + 501 * WEEK


# When it came, at which of three moments the bot was up, and when it is posted: at one of them, on
# the bot's return before the next due time, or at that.
_UPS_AND_DOWNS = """
    before  due end  arrival  due
    before  due end  -        due
    before  due -    arrival  due
    before  due -    -        due
    before  -   end  arrival  end
    before  -   end  -        end
    before  -   -    arrival  return
    before  -   -    -        return
    within  due end  arrival  arrival
    within  due end  -        end
    within  due -    arrival  arrival
    within  due -    -        return
    within  -   end  arrival  arrival
    within  -   end  -        end
    within  -   -    arrival  arrival
    within  -   -    -        return
    after   due end  arrival  next
    after   due end  -        next
    after   due -    arrival  next
    after   due -    -        next
    after   -   end  arrival  next
    after   -   end  -        next
    after   -   -    arrival  next
    after   -   -    -        next
"""
_DAY = timedelta(days=1)
_ARRIVALS = {"before": -_DAY, "within": _DAY, "after": 4 * _DAY}
_MOMENTS = {"due": MINUTE, "end": 3 * _DAY + MINUTE, "return": 6 * _DAY, "next": WEEK + MINUTE}


@pytest.mark.parametrize("row", _UPS_AND_DOWNS.strip().splitlines())
def test_downtime_changes_nothing_about_patience(row: str) -> None:
    """An edition is due for a due time if it came before its patience ended, else for the next."""
    came, *up, posted = row.split()
    moments = {**_MOMENTS, "arrival": _ARRIVALS[came] + MINUTE}
    edition = replace(DAIR, came_at=MONDAY + _ARRIVALS[came])
    order, owed = ORDER, list[tuple[str, datetime | None]]()
    ticks = sorted((moments[name], name) for name in {*up, "return", "next"} - {"-"})
    for passed, name in ticks:
        here = [edition] if passed >= _ARRIVALS[came] else []
        # What was owed has a delivery, for the due time that it was owed for.
        settled = ["dair"] if owed else []
        served = settled if owed and owed[0][1] == order.open_due_at else []
        decision = _decided(order, *here, now=MONDAY + passed, settled=settled, served=served)
        owed += [(name, decision.due_at) for _ in decision.editions]
        order = decision.terms
    late = posted == "next"
    assert owed == [(posted, MONDAY + WEEK if late else MONDAY)]
    assert order.missed_at == (MONDAY if late else None)


def test_of_several_due_times_the_last_one_s_patience_counts() -> None:
    """Too late for the first Monday that nobody saw, an edition is in time for the second."""
    late = replace(DAIR, came_at=MONDAY + ORDER.patience + _DAY)
    second = _decided(ORDER, late, now=MONDAY + 2 * WEEK - MINUTE)
    assert (second.editions, second.due_at) == ((late,), MONDAY + WEEK)
    later = replace(late, came_at=MONDAY + WEEK + ORDER.patience + _DAY)
    missed = _decided(ORDER, later, now=MONDAY + 2 * WEEK - MINUTE)
    assert (missed.editions, missed.terms.missed_at) == ((), MONDAY + WEEK)
    third = _decided(missed.terms, later, now=MONDAY + 2 * WEEK)
    assert (third.editions, third.due_at) == ((later,), MONDAY + 2 * WEEK)


def test_each_source_has_its_own_time_to_come() -> None:
    """Of two sources one that came too late keeps nothing from the other, and is no miss."""
    order = replace(ORDER, sources=("dair", "paperdive"))
    in_time = replace(DAIR, came_at=MONDAY + _DAY)
    late = replace(DIVE, came_at=MONDAY + ORDER.patience + MINUTE)
    decision = _decided(order, in_time, late, now=MONDAY + 5 * _DAY)
    assert (decision.editions, decision.terms.open_due_at, decision.terms.missed_at) == (
        (in_time,),
        None,
        None,
    )


def test_an_arrival_that_nobody_can_believe_is_owed() -> None:
    """What is here by a clock that was ahead, or was never noted, came in time."""
    back = MONDAY + 5 * _DAY
    for came_at in (None, back + 300 * WEEK, MONDAY + ORDER.patience):
        assert _decided(ORDER, replace(DAIR, came_at=came_at), now=back).editions


_MINUTES = st.integers(0, 4 * 7 * 24 * 60)


@given(st.lists(_MINUTES, min_size=1, max_size=4, unique=True), st.sets(_MINUTES, max_size=12))
def test_whenever_editions_come_and_somebody_looks(arrivals: list[int], looks: set[int]) -> None:
    """Each is posted once at most, none after a newer one or past its patience; the last is."""
    editions = [
        NewestEdition(number, "dair", date(2026, 1, 5), date(2026, 1, 11) + WEEK * number, at)
        for number, at in enumerate(MONDAY + MINUTE * each for each in sorted(arrivals))
    ]
    order, made = ORDER, list[tuple[NewestEdition, datetime]]()
    for now in [MONDAY + MINUTE * each for each in sorted(looks)] + [MONDAY + 5 * WEEK]:
        here = [each for each in editions if each.came_at and each.came_at <= now]
        known = {each for each, _ in made}
        settled = ["dair"] if known.intersection(here[-1:]) else []
        served = ["dair"] if any(at == order.open_due_at for _, at in made) else []
        decision = _decided(order, *here[-1:], now=now, settled=settled, served=served)
        made += [(each, decision.due_at) for each in decision.editions if decision.due_at]
        order = decision.terms
    posted = [each for each, _ in made]
    assert [each.id for each in posted] == sorted({each.id for each in posted})
    assert posted[-1] == editions[-1]
    assert all(each.came_at and each.came_at <= at + ORDER.patience for each, at in made)


def test_what_waits_since_a_time_to_come_is_forgotten() -> None:
    """A clock that was ahead for long leaves neither an open due time nor one that was missed."""
    future = MONDAY + 200 * WEEK
    ahead = replace(ORDER, next_due_at=future + WEEK, open_due_at=future, missed_at=future - WEEK)
    decision = _decided(ahead, DAIR, now=MONDAY + MINUTE)
    assert decision == Decision(replace(ORDER, next_due_at=MONDAY + WEEK))


def test_a_due_time_that_is_yet_to_come_is_not_open() -> None:
    """Opened while the clock was ahead it waits for nothing; it is due again at its time."""
    ahead = replace(ORDER, open_due_at=MONDAY, next_due_at=MONDAY + WEEK)
    early = MONDAY - timedelta(days=2)
    decision = _decided(ahead, DAIR, now=early)
    assert decision == Decision(replace(ORDER, open_due_at=None, next_due_at=MONDAY))
    again = _decided(decision.terms, DAIR, now=MONDAY)
    assert (again.editions, again.due_at) == ((DAIR,), MONDAY)
