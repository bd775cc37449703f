"""Which leases a process takes, keeps and gives back, by what it sees of others."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.coordination.leases import Candidate, LeaseTerm
from store.coordination.leases import Lease, LeaseDecision, presence_name

TERM = LeaseTerm(heartbeat=2, expiry=12, release_within=2, handover=4)
ONE = ("g",)
FOUR = ("g:0", "g:1", "g:2", "g:3")


def _rows(holders: Sequence[str | None], *present: str, heartbeat: int = 1) -> list[Lease]:
    """Return a group's rows: each lease's holder, and who takes part."""
    names = ONE if len(holders) == 1 else FOUR[: len(holders)]
    leases = [Lease(name, owner, heartbeat) for name, owner in zip(names, holders, strict=True)]
    return [*leases, *(Lease(presence_name("g", each), each, heartbeat) for each in present)]


def _candidate(names: Sequence[str] = ONE) -> Candidate:
    return Candidate("g", names, "me", TERM)


def _looked(
    candidate: Candidate, rows: Sequence[Lease], at: float, *, able: bool = True
) -> LeaseDecision:
    """Look, and do what is decided, in no time."""
    moves = candidate.decide(rows, at, able=able)
    candidate.record(rows, moves, at, at)
    return moves


def test_who_is_alone_takes_all_at_once() -> None:
    """Nobody waits for what nobody else would have."""
    assert _candidate().decide(_rows([None]), 0) == LeaseDecision(hold=ONE)
    assert _candidate(FOUR).decide(_rows([None] * 4), 0) == LeaseDecision(hold=FOUR)


def test_what_is_given_back_is_taken_at_once() -> None:
    """A free lease is taken by whoever has no more than the others."""
    assert _candidate().decide(_rows([None], "other"), 0).hold == ONE


def test_what_stands_still_is_taken_over_after_a_lease() -> None:
    """Not before it was seen to stand still for as long as leases last, by one's own clock."""
    candidate, rows = _candidate(), _rows(["other"], "other")
    looked = [_looked(candidate, rows, at).hold for at in (5, 7, 16.9, 17)]
    assert looked == [(), (), (), ONE]


def test_who_beats_is_not_taken_over() -> None:
    """However long that takes."""
    candidate = _candidate()
    for beat in range(20):
        assert _looked(candidate, _rows(["other"], "other", heartbeat=beat), 11.0 * beat).hold == ()


def test_a_look_that_took_long_tells_nothing_of_before_its_end() -> None:
    """What was seen is known to stand still since the look was over."""
    candidate, rows = _candidate(), _rows(["other"], "other")
    candidate.record(rows, LeaseDecision(), 0, 9)
    assert candidate.decide(rows, 20.9).hold == ()
    assert candidate.decide(rows, 21).hold == ONE


def test_what_is_held_goes_on_to_be() -> None:
    """Whoever else is there."""
    for rows in (_rows(["me"]), _rows(["me"], "other"), _rows(["me"], "a", "b")):
        assert _candidate().decide(rows, 0) == LeaseDecision(hold=ONE)


def test_who_has_fewer_comes_first() -> None:
    """Who has some already takes what was left lying for two beats, one at a time."""
    candidate, rows = _candidate(FOUR), _rows(["me", "other", None, None], "other", heartbeat=3)
    assert _looked(candidate, rows, 0).hold == ("g:0", "g:2")
    rows = _rows(["me", "other", "me", None], "other", heartbeat=3)
    assert _looked(candidate, rows, 1).hold == ("g:0", "g:2")
    rows = _rows(["me", "other", "me", None], "other", heartbeat=3)
    assert _looked(candidate, rows, 3.9).hold == ("g:0", "g:2")
    assert _looked(candidate, rows, 4.1).hold == ("g:0", "g:2", "g:3")


def test_who_has_too_many_gives_one_back() -> None:
    """Where another has two fewer at least, and nothing is free that it could take."""
    candidate = _candidate(FOUR)
    assert candidate.decide(_rows(["me"] * 4, "new"), 0) == LeaseDecision(FOUR[:3], FOUR[3:])
    assert candidate.decide(_rows(["me", "me", "me", None], "new"), 0).release == ()
    assert candidate.decide(_rows(["me", "me", "a", "a"], "a"), 0).release == ()
    assert candidate.decide(_rows(["me", "me", "a", "b"], "a", "b"), 0).release == ()
    assert candidate.decide(_rows(["me", "me", "a", "a"], "a", "b"), 0).release == ("g:1",)


def test_nobody_makes_room_for_who_is_gone() -> None:
    """A row that stands still for a lease is nobody's any more, and is deleted later."""
    candidate, rows = _candidate(FOUR), _rows(["me"] * 4, "gone")
    candidate.record(rows, LeaseDecision(hold=FOUR), 0, 0)
    assert candidate.decide(rows, 12).release == ()
    assert candidate.decide(rows, 119).forget == ()
    assert candidate.decide(rows, 120).forget == (presence_name("g", "gone"),)


def test_nobody_makes_room_for_who_was_only_found_there() -> None:
    """Who has just come can't tell yet that a row is of one that is gone, and waits for a beat."""
    candidate, rows = _candidate(FOUR), _rows(["me", "me", "a", "a"], "a", "gone")
    candidate.record(rows, LeaseDecision(hold=FOUR[:2]), 0, 0)
    assert candidate.decide(rows, 4).release == ()
    beaten = [*rows[:-1], Lease(presence_name("g", "gone"), "gone", 2)]
    assert candidate.decide(beaten, 4).release == ("g:1",)


def test_who_can_do_nothing_leaves_it_to_others() -> None:
    """Where there are none it keeps what it has, and takes what is free."""
    assert _candidate().decide(_rows(["me"], "other"), 0, able=False) == LeaseDecision(
        release=ONE, present=False
    )
    assert _candidate().decide(_rows([None], "other"), 0, able=False).hold == ()
    assert _candidate().decide(_rows([None]), 0, able=False) == LeaseDecision(hold=ONE)


def test_who_ends_gives_all_back() -> None:
    """What is its own, and its row."""
    rows = _rows(["me", "a", "me", None], "me", "a")
    assert _candidate(FOUR).decide_to_leave(rows) == LeaseDecision(
        release=("g:0", "g:2"), present=False
    )


@pytest.mark.parametrize(("others", "lets_go"), [((), False), (("other",), True)])
def test_who_can_not_beat_lets_go_where_others_wait(
    others: tuple[str, ...],
    lets_go: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """Before they take it over; where there are none it holds on for as long as it takes."""
    candidate = _candidate()
    _looked(candidate, _rows([None], *others), 3)
    assert not candidate.is_overdue(12.9)
    assert candidate.is_overdue(13) is lets_go
    assert candidate.release_all() == frozenset(ONE)
    assert not candidate.is_overdue(99)


def test_a_beat_that_took_too_long_holds_nothing() -> None:
    """Others may have waited long enough by then; what is no longer one's own is let go."""
    candidate = _candidate()
    candidate.record(_rows([None]), LeaseDecision(hold=ONE), 0, 10)
    assert candidate.held == frozenset()
    candidate.record(_rows(["me"]), LeaseDecision(hold=ONE), 10, 11)
    assert candidate.held == frozenset(ONE)
    candidate.record(_rows(["other"]), LeaseDecision(), 11, 30)
    assert candidate.held == frozenset()


@given(
    holders=st.lists(st.sampled_from([None, "me", "a", "b"]), min_size=4, max_size=4),
    present=st.sets(st.sampled_from(["me", "a", "b"])),
    able=st.booleans(),
)
def test_nothing_is_taken_from_who_lives(
    holders: list[str | None],
    present: set[str],
    able: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """At a first look nothing has stood still, so what is held was free or one's own."""
    moves = _candidate(FOUR).decide(_rows(holders, *sorted(present)), 0, able=able)
    owners = dict(zip(FOUR, holders, strict=True))
    assert all(owners[name] in {None, "me"} for name in moves.hold)
    assert all(owners[name] == "me" for name in moves.release)
    assert not set(moves.hold) & set(moves.release)
    mine = {name for name, owner in owners.items() if owner == "me"}
    assert mine <= {*moves.hold, *moves.release}
