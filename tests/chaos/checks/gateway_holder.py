"""Who is connected to Discord's gateway: one of the workers, and never none for long."""

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tests.chaos.workers.event_log import Journal
from tests.chaos.workers.processes import Worker
from tests.chaos.workers.worker import TERM
from tests.fakes.discord import FakeDiscord

_EVERY = 0.2
# Thirty seconds at the lengths of time that the bot has by itself. Whoever took the lease over and
# ended before it was connected leaves a lease that stands still for another while.
NOBODY = 30.0 / 12.0 * TERM.expiry
NOBODY_LONGER = TERM.expiry
# Whoever takes over may begin while the one before finishes; a busy machine takes its time.
SEVERAL = TERM.handover + TERM.release_within + 2.0


@dataclass
class Gateway:
    """What was seen of the gateway so far. It asks no clock."""

    takeovers: int = 0
    complaints: list[str] = field(default_factory=list)
    longest: float = 0.0
    holders: frozenset[int] = frozenset()
    _last: int | None = None
    _nobody_since: float | None = None
    _well: Sequence[float] = ()
    _ended: int = 0
    _several_since: float | None = None

    def see(self, now: float, holders: Mapping[int, float], well: Sequence[float]) -> None:
        """Take in how it is.

        Args:
            now: seconds by a clock that only goes forward.
            holders: the workers that are connected and could tell, with for how long they could.
            well: for how long each worker could have connected, always in the same order.
        """
        self.holders = frozenset(holders)
        if len(holders) == 1:
            [holder] = holders
            self.takeovers += self._last not in {None, holder}
            self._last = holder
        self._see_nobody(now, holders, well)
        self._see_several(now, [each for each, able in holders.items() if able >= SEVERAL])

    def _see_nobody(self, now: float, holders: Mapping[int, float], well: Sequence[float]) -> None:
        able = max(well, default=0.0)
        ended = sum(after < before for before, after in zip(self._well, well, strict=False))
        self._well = well
        if holders or not able:
            self._nobody_since = None
            return
        if self._nobody_since is None:
            self._nobody_since, self._ended = now, 0
        else:
            self._ended += ended
        nobody = min(now - self._nobody_since, able)
        self.longest = max(self.longest, nobody)
        if nobody > NOBODY + self._ended * NOBODY_LONGER:
            self.complaints.append(f"nobody was connected to the gateway for {nobody:.0f} s")
            self._nobody_since, self._ended = now, 0

    def _see_several(self, now: float, able: Collection[int]) -> None:
        if len(able) < 2:
            self._several_since = None
            return
        if self._several_since is None:
            self._several_since = now
        if now - self._several_since > SEVERAL:
            who = " and ".join(map(str, sorted(able)))
            self.complaints.append(f"workers {who} were connected to the gateway together")
            self._several_since = now


async def watch(
    gateway: Gateway, discord: FakeDiscord, workers: Collection[Worker], journal: Journal
) -> None:
    """Look again and again, until it is cancelled."""
    while True:
        before = gateway.holders
        gateway.see(time.monotonic(), connected(discord, workers), _able(workers))
        if gateway.holders != before:
            journal.note(f"gateway: {sorted(gateway.holders) or 'nobody'}")
        await asyncio.sleep(_EVERY)


def connected(discord: FakeDiscord, workers: Collection[Worker]) -> dict[int, float]:
    """Return who is connected, of those who know, with for how long they could have let go."""
    hosts = {session.request.host for session in discord.gateway.open if session.request}
    there = (each for each in workers if each.hosts & hosts)
    return {each.number: able for each in there if (able := each.connected_for("discord"))}


def _able(workers: Collection[Worker]) -> list[float]:
    return [each.well_for() for each in workers]
