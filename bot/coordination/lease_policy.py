"""Leases of one process among several: which to take, to keep and to give back.

A lease goes by its holder's beat, which others see in the store. Each of them measures by its own
clock how long a beat stood still, so no two clocks are compared: whoever takes a lease over saw it
stand still for `Term.lasting`, and a holder that could not beat lets go before that. Where nobody
else would take it the holder keeps it, however long the store is away.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from store.coordination.leases import Lease, LeaseDecision, presence_name

# The row of a process that is gone is deleted after so many times what a lease lasts.
_GONE = 10


@dataclass(frozen=True, slots=True)
class Term:
    """How long leases last, in seconds.

    A process beats every `beat`; what stood still for `lasting` anybody may take over. Letting go
    takes `closing` at most, and whoever gives a lease back of its own will goes on with what it
    stands for during `handing`, until another has begun.
    """

    beat: float = 2.0
    lasting: float = 12.0
    closing: float = 2.0
    handing: float = 4.0

    @property
    def holding(self) -> float:
        """How long after its last good beat a holder lets go that others wait for."""
        return self.lasting - self.closing


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the store, and for how many seconds it has stood still."""

    row: Lease
    still: float


class Candidate:
    """A process that would hold leases, and what it has seen of them. It asks no clock.

    Args:
        group: what the leases have in common, such as `discord`.
        names: the leases.
        process: its name.
        term: how long they last.
    """

    def __init__(self, group: str, names: Sequence[str], process: str, term: Term) -> None:
        self.group = group
        self.names = tuple(names)
        self.process = process
        self.term = term
        self._seen: Mapping[str, tuple[Lease, float]] = {}
        self._good = 0.0
        self.held: frozenset[str] = frozenset()
        self.accompanied = False

    def moves(self, rows: Sequence[Lease], began: float, *, able: bool = True) -> LeaseDecision:
        """Return what it does about the leases, having begun to look at an instant. Pure.

        One that is not `able` to do anything with them leaves them to others, if there are any.
        """
        standing = self._standing(rows, began)
        others = self._others(standing)
        mine = [each.row.name for each in self._leases(standing) if self._is_mine(each.row)]
        if others and not able:
            return LeaseDecision(release=tuple(mine), present=False)
        count = self._fewest(standing, others)
        free = [each for each in self._leases(standing) if self._is_free(each)]
        hold = (*mine, *self._taken(free, len(mine), count))
        # Nobody makes room for one that was only found there, and may be gone.
        coming = self._fewest(standing, self._others(standing, 2 * self.term.beat))
        shed = mine[-1:] if coming is not None and not free and len(mine) > coming + 1 else []
        return LeaseDecision(
            hold=tuple(name for name in hold if name not in shed),
            release=tuple(shed),
            forget=self._gone(standing),
        )

    def farewell(self, rows: Sequence[Lease]) -> LeaseDecision:
        """Return what it does about the leases where it is to end. Pure."""
        mine = (row.name for row in rows if self._is_mine(row) and row.name in self.names)
        return LeaseDecision(release=tuple(mine), present=False)

    def settle(
        self, rows: Sequence[Lease], moves: LeaseDecision, began: float, ended: float
    ) -> None:
        """Note what was seen, and what was done about it, between two instants.

        Where that took too long nothing is held by it: others may have waited long enough.
        """
        known = self._seen
        self._seen = {
            row.name: known[row.name] if known.get(row.name, (None,))[0] == row else (row, ended)
            for row in rows
        }
        self.accompanied = bool(self._others(self._standing(rows, began)))
        if ended - began >= self.term.holding:
            self.held &= set(moves.hold)
            return
        self._good = began
        self.held = frozenset(moves.hold)

    def is_overdue(self, now: float) -> bool:
        """Tell whether it has to let go what it holds, for others may take that over soon."""
        late = now - self._good >= self.term.holding
        return bool(self.held) and self.accompanied and late

    def let_go(self) -> frozenset[str]:
        """Hold nothing any more; return what it held."""
        held, self.held = self.held, frozenset()
        return held

    def _standing(self, rows: Sequence[Lease], began: float) -> list[Standing]:
        """Return for how long each row has stood still, which is never too long."""

        def still(row: Lease) -> float:
            known, since = self._seen.get(row.name, (None, began))
            return max(began - since, 0.0) if known == row else 0.0

        return [Standing(row, still(row)) for row in rows]

    def _leases(self, standing: Sequence[Standing]) -> list[Standing]:
        return [each for each in standing if each.row.name in self.names]

    def _others(self, standing: Sequence[Standing], within: float | None = None) -> set[str]:
        """Return the other processes that live, as far as their rows tell.

        That they stood still for less than a lease, or `within` less, tells it.
        """
        begins, long = presence_name(self.group, ""), within or self.term.lasting
        there = (each for each in standing if each.row.name.startswith(begins))
        return {
            each.row.owner
            for each in there
            if each.row.owner and each.still < long and not self._is_mine(each.row)
        }

    def _fewest(self, standing: Sequence[Standing], others: set[str]) -> int | None:
        """Return how many leases that one of the others has which has the fewest."""
        counts = Counter(each.row.owner for each in self._leases(standing))
        return min((counts[each] for each in others), default=None)

    def _is_mine(self, row: Lease) -> bool:
        return row.owner == self.process

    def _is_free(self, each: Standing) -> bool:
        overdue = each.still >= self.term.lasting and not self._is_mine(each.row)
        return each.row.owner is None or overdue

    def _taken(self, free: Sequence[Standing], mine: int, fewest: int | None) -> list[str]:
        """Return which of those that are free it takes, one at a time where it is not alone."""
        if fewest is None:
            return [each.row.name for each in free]
        if mine > fewest:
            # Those who have fewer come first, if they come.
            free = [each for each in free if self._is_left(each)]
        return [each.row.name for each in free[:1]]

    def _is_left(self, each: Standing) -> bool:
        free_for = each.still - (0.0 if each.row.owner is None else self.term.lasting)
        return free_for >= 2 * self.term.beat

    def _gone(self, standing: Sequence[Standing]) -> tuple[str, ...]:
        begins, long = presence_name(self.group, ""), _GONE * self.term.lasting
        found = (each for each in standing if each.row.name.startswith(begins))
        return tuple(
            each.row.name for each in found if each.still >= long and not self._is_mine(each.row)
        )
