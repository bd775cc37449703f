"""Leases of one process among several, and claims that were left behind.

A lease is kept by the holder's heartbeat, which the others see in the store. Each measures with
its own clock how long a heartbeat stood still, so no two clocks are compared. A process takes a
lease over after it stood still for `LeaseTerm.expiry`, and a holder that can't renew its lease
releases it before that. A holder without peers keeps it, however long the store is away.

`Candidate` decides and asks no clock; `Leases` updates the store at each heartbeat, and notifies a
listener of what is held.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from store.coordination.leases import Lease, LeaseDecision, presence_name, update_leases
from store.database import Database
from store.errors import StoreError

_log = logging.getLogger(__name__)
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
class _Observed:
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
        leases = [lease for lease in observed if lease.row.name in self.names]
        presences = self._presences(observed)
        peers = _alive(presences, self.term.expiry)
        mine = [lease.row.name for lease in leases if lease.row.owner == self.process]
        if peers and not able:
            return LeaseDecision(release=tuple(mine), present=False)
        free = [lease for lease in leases if self._is_free(lease)]
        hold = (*mine, *self._take(free, len(mine), _fewest(leases, peers)))
        # A lease is only handed to a peer that renewed lately: others may be gone.
        lively = _fewest(leases, _alive(presences, 2 * self.term.heartbeat))
        hands_over = lively is not None and not free and len(mine) > lively + 1
        handed = mine[-1:] if hands_over else []
        longest = _GONE * self.term.expiry
        return LeaseDecision(
            hold=tuple(name for name in hold if name not in handed),
            release=tuple(handed),
            forget=tuple(other.row.name for other in presences if other.still >= longest),
        )

    def decide_to_leave(self, rows: Sequence[Lease]) -> LeaseDecision:
        """Return the release of all leases, before the process ends. Pure."""
        mine = (row.name for row in rows if row.owner == self.process and row.name in self.names)
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
        presences = self._presences(self._observe(rows, began))
        self.has_peers = bool(_alive(presences, self.term.expiry))
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

    def _observe(self, rows: Sequence[Lease], began: float) -> list[_Observed]:
        """Return for how long each row stood still, never overestimated."""

        def still(row: Lease) -> float:
            known, since = self._seen.get(row.name, (None, began))
            return max(began - since, 0.0) if known == row else 0.0

        return [_Observed(row, still(row)) for row in rows]

    def _presences(self, observed: Sequence[_Observed]) -> list[_Observed]:
        """Return the rows by which other processes take part in the group."""
        prefix = presence_name(self.group, "")
        return [
            other
            for other in observed
            if other.row.name.startswith(prefix) and other.row.owner != self.process
        ]

    def _is_free(self, lease: _Observed) -> bool:
        owner = lease.row.owner
        return owner is None or (owner != self.process and lease.still >= self.term.expiry)

    def _take(self, free: Sequence[_Observed], mine: int, fewest: int | None) -> list[str]:
        """Return which free leases to take: with peers, one at a time."""
        if fewest is None:
            return [lease.row.name for lease in free]
        if mine > fewest:
            # A peer that has fewer comes first, if it comes.
            free = [lease for lease in free if self._is_left_over(lease)]
        return [lease.row.name for lease in free[:1]]

    def _is_left_over(self, lease: _Observed) -> bool:
        free_for = lease.still - (0.0 if lease.row.owner is None else self.term.expiry)
        return free_for >= 2 * self.term.heartbeat


def _alive(presences: Sequence[_Observed], within: float) -> set[str]:
    """Return the processes that renewed within so many seconds."""
    return {other.row.owner for other in presences if other.row.owner and other.still < within}


def _fewest(leases: Sequence[_Observed], peers: set[str]) -> int | None:
    """Return how many leases the peer has that has the fewest; `None` without peers."""
    counts = Counter(lease.row.owner for lease in leases)
    return min((counts[peer] for peer in peers), default=None)


class LeaseListener(Protocol):
    """Is notified of this process's leases."""

    def gained(self, lease: str) -> None:
        """Note that a lease is held from now on."""

    def lost(self, lease: str, *, handed: bool) -> None:
        """Note that a lease is held no longer: handed over on purpose, or lost."""


class Leases:
    """Runs a candidate for the leases of its group, and notifies a listener.

    `able` tells whether this process can use what it holds; `seconds` is a monotonic clock.
    """

    def __init__(
        self,
        database: Database,
        candidate: Candidate,
        listener: LeaseListener,
        *,
        able: Callable[[], bool] = lambda: True,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._candidate = candidate
        self._listener = listener
        self._term = candidate.term
        self._able = able
        self._seconds = seconds
        self._running: list[asyncio.Task[None]] = []
        self._update: asyncio.Task[None] | None = None
        self._stopping = self._stopped = self._failed = False
        self.has_looked = False

    @property
    def held(self) -> frozenset[str]:
        """The leases that this process holds, as far as it knows."""
        return self._candidate.held

    @property
    def has_peers(self) -> bool:
        """Tell whether other processes could take over what this one holds."""
        return self._candidate.has_peers

    def start(self) -> None:
        """Take part until stopped."""
        for work, name in ((self._renew_all(), "leases"), (self._guard(), "leases-guard")):
            self._running.append(asyncio.create_task(work, name=name))

    async def stop(self) -> None:
        """Release what is held, if the store answers, so that another process takes it at once.

        The listener is not notified of what the store answers later.
        """
        self._stopping = True
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        if not self._running:
            return
        self._running = []
        # An update under way may have been decided before the stop.
        if self._update:
            await asyncio.wait({self._update}, timeout=self._term.release_within)
        last = asyncio.create_task(self._renew(), name="leases-last")
        await asyncio.wait({last}, timeout=self._term.release_within)
        self._stopped = True

    async def _renew_all(self) -> None:
        while True:
            self._update = asyncio.create_task(self._renew(), name="leases-update")
            await asyncio.shield(self._update)
            await asyncio.sleep(self._term.heartbeat)

    async def _guard(self) -> None:
        """Release what others may soon take over, though the store does not answer."""
        while True:
            await asyncio.sleep(self._term.heartbeat / 4)
            if self._candidate.is_overdue(self._seconds()):
                self._notify(self._candidate.release_all(), ())

    async def _renew(self) -> None:
        """Read the leases, and take, renew or release them as the candidate decides."""
        began, candidate = self._seconds(), self._candidate

        def decide(rows: Sequence[Lease]) -> LeaseDecision:
            if self._stopping:
                return candidate.decide_to_leave(rows)
            return candidate.decide(rows, began, able=self._able())

        try:
            rows, decision = await self._database.write_locking_rows(
                update_leases, candidate.group, candidate.names, candidate.process, decide
            )
        except StoreError as error:
            if not self._failed:
                _log.warning("leases_unknown", extra={"reason": error.sentence})
            self._failed = True
            return
        except Exception:  # noqa: BLE001 - the next heartbeat has to come
            _log.exception("leases_failed")
            return
        if self._stopped:
            return
        self._failed, self.has_looked = False, True
        before = self.held
        candidate.record(rows, decision, began, self._seconds())
        self._notify(before, decision.release)

    def _notify(self, before: frozenset[str], released: Sequence[str]) -> None:
        for name in sorted(before - self.held):
            handed = name in released
            _log.info("lease_released" if handed else "lease_lost", extra={"lease": name})
            self._listener.lost(name, handed=handed)
        for name in sorted(self.held - before):
            _log.info("lease_taken", extra={"lease": name})
            self._listener.gained(name)


class ClaimedWork(Protocol):
    """Work that a process has claimed; its fencing token rises with each recorded step."""

    @property
    def id(self) -> Hashable: ...  # noqa: D102 - named by the class

    @property
    def fencing_token(self) -> int: ...  # noqa: D102 - named by the class


W = TypeVar("W", bound=ClaimedWork)


class StaleWork(Generic[W]):
    """Finds claims that kept their fencing token for longer than a lease.

    That is measured by `seconds`, a monotonic clock of this process, so that a machine whose time
    was changed takes nothing from a process that is at work.
    """

    def __init__(self, lease: float, seconds: Callable[[], float]) -> None:
        self._lease = lease
        self._seconds = seconds
        self._seen: dict[Hashable, tuple[int, str, float]] = {}

    def overdue(self, claimed: Sequence[tuple[W, str]], own: Container[Hashable]) -> list[W]:
        """Return what may be taken over of all claims with their owners, except one's own."""
        others = [(work, owner) for work, owner in claimed if work.id not in own]
        ids = {work.id for work, _ in others}
        self._seen = {key: seen for key, seen in self._seen.items() if key in ids}
        return [work for work, owner in others if self._is_stale(work, owner)]

    def _is_stale(self, work: W, owner: str) -> bool:
        """Note a claim as it is stored now; tell whether it may be taken over."""
        now = self._seconds()
        token, holder, since = self._seen.get(work.id, (-1, "", now))
        if (token, holder) != (work.fencing_token, owner):
            since = now
        self._seen[work.id] = work.fencing_token, owner, since
        return now - since >= self._lease
