"""Leases of one process among several: which to take, to keep and to release. It asks no clock.

A lease is kept by the holder's heartbeat, which the others see in the store. Each measures with
its own clock how long a heartbeat stood still, so no two clocks are compared. A process takes a
lease over after it stood still for `LeaseTerm.expiry`, and a holder that can't renew its lease
releases it before that. A holder without peers keeps it, however long the store is away.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from store.coordination.leases import Lease, LeaseDecision, presence_name

# The row of a process that is gone is deleted after so many times the expiry.
_GONE = 10


@dataclass(frozen=True, slots=True)
class LeaseTerm:
    """The durations of leases, in seconds.

    A process renews its leases at each `heartbeat`; one that stood still for `expiry` may be taken
    over. Releasing takes `release_within` at most. A process that hands a lease over goes on with
    its work during `handover`, until another has begun.
    """

    heartbeat: float = 2.0
    expiry: float = 12.0
    release_within: float = 2.0
    handover: float = 4.0

    @property
    def valid(self) -> float:
        """The seconds for which a holder with peers keeps a lease after its last renewal."""
        return self.expiry - self.release_within


@dataclass(frozen=True, slots=True)
class ObservedLease:
    """A row of the store, and the seconds for which it stood still."""

    row: Lease
    still: float


class Candidate:
    """A process that takes part in a group of leases, such as `discord`, and what it has seen."""

    def __init__(self, group: str, names: Sequence[str], process: str, term: LeaseTerm) -> None:
        self.group = group
        self.names = tuple(names)
        self.process = process
        self.term = term
        self._seen: Mapping[str, tuple[Lease, float]] = {}
        self._renewed_at = 0.0
        self.held: frozenset[str] = frozenset()
        self.has_peers = False

    def decide(self, rows: Sequence[Lease], began: float, *, able: bool = True) -> LeaseDecision:
        """Return what to take, keep and release, by rows that were read from `began` on. Pure.

        A process that is not `able` to use its leases leaves them to its peers, if it has any.
        """
        observed = self._observe(rows, began)
        peers = self._peers(observed)
        mine = [lease.row.name for lease in self._leases(observed) if self._is_mine(lease.row)]
        if peers and not able:
            return LeaseDecision(release=tuple(mine), present=False)
        fewest = self._fewest(observed, peers)
        free = [lease for lease in self._leases(observed) if self._is_free(lease)]
        hold = (*mine, *self._take(free, len(mine), fewest))
        # A lease is only handed to a peer that renewed lately: others may be gone.
        lively = self._fewest(observed, self._peers(observed, 2 * self.term.heartbeat))
        hands_over = lively is not None and not free and len(mine) > lively + 1
        handed = mine[-1:] if hands_over else []
        return LeaseDecision(
            hold=tuple(name for name in hold if name not in handed),
            release=tuple(handed),
            forget=self._gone(observed),
        )

    def decide_to_leave(self, rows: Sequence[Lease]) -> LeaseDecision:
        """Return the release of all leases, before the process ends. Pure."""
        mine = (row.name for row in rows if self._is_mine(row) and row.name in self.names)
        return LeaseDecision(release=tuple(mine), present=False)

    def record(
        self, rows: Sequence[Lease], decision: LeaseDecision, began: float, ended: float
    ) -> None:
        """Note what was read, and what was written, between two instants.

        If that took too long, no new lease is held by it: peers may have waited long enough.
        """
        known = self._seen
        self._seen = {
            row.name: known[row.name] if known.get(row.name, (None,))[0] == row else (row, ended)
            for row in rows
        }
        self.has_peers = bool(self._peers(self._observe(rows, began)))
        if ended - began >= self.term.valid:
            self.held &= set(decision.hold)
            return
        self._renewed_at = began
        self.held = frozenset(decision.hold)

    def is_overdue(self, now: float) -> bool:
        """Tell whether the leases must be released, because peers may take them over soon."""
        late = now - self._renewed_at >= self.term.valid
        return bool(self.held) and self.has_peers and late

    def release_all(self) -> frozenset[str]:
        """Hold nothing any more; return what was held."""
        held, self.held = self.held, frozenset()
        return held

    def _observe(self, rows: Sequence[Lease], began: float) -> list[ObservedLease]:
        """Return for how long each row stood still, never overestimated."""

        def still(row: Lease) -> float:
            known, since = self._seen.get(row.name, (None, began))
            return max(began - since, 0.0) if known == row else 0.0

        return [ObservedLease(row, still(row)) for row in rows]

    def _leases(self, observed: Sequence[ObservedLease]) -> list[ObservedLease]:
        return [lease for lease in observed if lease.row.name in self.names]

    def _presences(self, observed: Sequence[ObservedLease]) -> list[ObservedLease]:
        """Return the rows by which other processes take part in the group."""
        prefix = presence_name(self.group, "")
        return [
            other
            for other in observed
            if other.row.name.startswith(prefix) and not self._is_mine(other.row)
        ]

    def _peers(self, observed: Sequence[ObservedLease], within: float | None = None) -> set[str]:
        """Return the other processes that renewed within the expiry, or `within` seconds."""
        longest = within or self.term.expiry
        return {
            other.row.owner
            for other in self._presences(observed)
            if other.row.owner and other.still < longest
        }

    def _fewest(self, observed: Sequence[ObservedLease], peers: set[str]) -> int | None:
        """Return how many leases the peer has that has the fewest."""
        counts = Counter(lease.row.owner for lease in self._leases(observed))
        return min((counts[peer] for peer in peers), default=None)

    def _is_mine(self, row: Lease) -> bool:
        return row.owner == self.process

    def _is_free(self, lease: ObservedLease) -> bool:
        expired = lease.still >= self.term.expiry and not self._is_mine(lease.row)
        return lease.row.owner is None or expired

    def _take(self, free: Sequence[ObservedLease], mine: int, fewest: int | None) -> list[str]:
        """Return which free leases to take: with peers, one at a time."""
        if fewest is None:
            return [lease.row.name for lease in free]
        if mine > fewest:
            # A peer that has fewer comes first, if it comes.
            free = [lease for lease in free if self._is_left_over(lease)]
        return [lease.row.name for lease in free[:1]]

    def _is_left_over(self, lease: ObservedLease) -> bool:
        free_for = lease.still - (0.0 if lease.row.owner is None else self.term.expiry)
        return free_for >= 2 * self.term.heartbeat

    def _gone(self, observed: Sequence[ObservedLease]) -> tuple[str, ...]:
        longest = _GONE * self.term.expiry
        return tuple(o.row.name for o in self._presences(observed) if o.still >= longest)
