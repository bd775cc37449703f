"""Leases under all that goes wrong: never two holders at once, and in the end always one."""

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bot.coordination.leases import Candidate, LeaseTerm
from store.coordination.leases import Lease, LeaseDecision, presence_name

TERM = LeaseTerm(heartbeat=2, expiry=12, release_within=2, handover=4)
WHO = ("a", "b", "c")
_STEP = 0.5
_LEASES = st.sampled_from([("g",), ("g:0", "g:1", "g:2", "g:3")])


@dataclass
class _Process:
    """A process with a clock of its own, which may be frozen, cut off from the store, or ended."""

    candidate: Candidate
    ahead: float
    next_look: float = 0.0
    frozen: bool = False
    away: bool = False
    runs: bool = True
    lasts: float = 0.0
    asked: tuple[float, list[Lease], LeaseDecision] | None = field(default=None)


class Leasing(RuleBasedStateMachine):
    """Time goes by in steps of half a second; every process looks each two."""

    @initialize(
        names=_LEASES,
        ahead=st.lists(st.floats(0, 1000), min_size=3, max_size=3),
    )
    def begin(self, names: tuple[str, ...], ahead: list[float]) -> None:
        """Three processes whose clocks tell nothing of each other."""
        self.names = names
        self.now = 0.0
        self.rows = {name: Lease(name, None, 0) for name in names}
        self.processes = {
            who: _Process(Candidate("g", names, who, TERM), each)
            for who, each in zip(WHO, ahead, strict=True)
        }

    @rule(who=st.sampled_from(WHO), lasts=st.sampled_from([0.0, 0.5, 3.0, 11.0]))
    def slow(self, who: str, lasts: float) -> None:
        """Its looks take so long from now on."""
        self.processes[who].lasts = lasts

    @rule(who=st.sampled_from(WHO))
    def freeze(self, who: str) -> None:
        """It stands still, and knows of nothing."""
        self.processes[who].frozen = True

    @rule(who=st.sampled_from(WHO))
    def thaw(self, who: str) -> None:
        """It goes on, and first sees how late it is."""
        process = self.processes[who]
        process.frozen = False
        for _ in range(2):
            self._run(process)

    @rule(who=st.sampled_from(WHO))
    def cut_off(self, who: str) -> None:
        """The store does not answer it."""
        self.processes[who].away = True

    @rule(who=st.sampled_from(WHO))
    def join(self, who: str) -> None:
        """The store answers it again."""
        self.processes[who].away = False

    @rule(who=st.sampled_from(WHO))
    def end(self, who: str) -> None:
        """It ends in good order, if it can, and another of its kind begins."""
        process = self.processes[who]
        if not (process.frozen or process.away):
            self._apply(who, process.candidate.decide_to_leave(list(self.rows.values())))
        self._begin_anew(who)

    @rule(who=st.sampled_from(WHO))
    def kill(self, who: str) -> None:
        """It ends without a word, and one of another name begins."""
        self._begin_anew(who)

    @rule(steps=st.integers(1, 60))
    def pass_time(self, steps: int) -> None:
        """Time goes by."""
        for _ in range(steps):
            self._step()

    @rule()
    def settle(self) -> None:
        """Where all is well again every lease has one holder soon, and they are shared evenly."""
        for process in self.processes.values():
            process.frozen = process.away = False
            process.lasts = 0.0
        for _ in range(140):
            self._step()
        held = [process.candidate.held for process in self.processes.values()]
        assert sorted(name for each in held for name in each) == sorted(self.names)
        counts = [len(each) for each in held]
        assert max(counts) - min(counts) <= 1

    @invariant()
    def nobody_holds_what_another_holds(self) -> None:
        """Of those whom the store answered, and that are not frozen.

        Whoever gave a lease back may hear that it is so a moment after another took it.
        """
        if not hasattr(self, "processes"):
            return
        awake = [each for each in self.processes.values() if not each.frozen]
        known = [each for each in awake if not each.away or each.candidate.has_peers]
        held = [name for each in known for name in each.candidate.held - _given_back(each)]
        assert len(held) == len(set(held))

    def _step(self) -> None:
        self.now += _STEP
        for process in self.processes.values():
            if not process.frozen:
                self._run(process)
        self.nobody_holds_what_another_holds()

    def _run(self, process: _Process) -> None:
        now, candidate = self.now + process.ahead, process.candidate
        if candidate.is_overdue(now):
            candidate.release_all()
        if process.asked:
            began, rows, moves = process.asked
            if now >= began + process.lasts:
                process.asked = None
                candidate.record(rows, moves, began, now)
        elif now >= process.next_look and not process.away:
            process.next_look = now + TERM.heartbeat
            rows = list(self.rows.values())
            moves = candidate.decide(rows, now)
            # It is written at once, and heard of after so long as looks last.
            self._apply(candidate.process, moves)
            process.asked = (now, rows, moves)
            if not process.lasts:
                process.asked = None
                candidate.record(rows, moves, now, now)

    def _apply(self, who: str, moves: LeaseDecision) -> None:
        own = presence_name("g", who)
        if moves.present:
            beat = self.rows[own].heartbeat if own in self.rows else 0
            self.rows[own] = Lease(own, who, beat + 1)
        else:
            self.rows.pop(own, None)
        for owner, names in ((who, moves.hold), (None, moves.release)):
            for name in names:
                self.rows[name] = Lease(name, owner, self.rows[name].heartbeat + 1)
        for name in moves.forget:
            del self.rows[name]

    def _begin_anew(self, who: str) -> None:
        ahead = self.processes[who].ahead
        name = f"{self.processes[who].candidate.process}'"
        self.processes[who] = _Process(Candidate("g", self.names, name, TERM), ahead)


def _given_back(process: _Process) -> set[str]:
    return set(process.asked[2].release) if process.asked else set()


Leasing.TestCase.settings = settings(stateful_step_count=40)
TestLeasing = Leasing.TestCase
