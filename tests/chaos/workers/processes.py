"""A worker as a process: begun, ended in every way there is, cut off, and begun again."""

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.chaos.faults.database_restarts import Restarts
from tests.chaos.faults.partition import State, Way
from tests.chaos.workers.clocks import Hands
from tests.chaos.workers.event_log import Journal

_ROOT = Path(__file__).resolve().parents[3]
# For a machine that does much else at the same time.
_START_SECONDS = 60.0
_END_SECONDS = 15.0
_AWAY, _FROZEN, _DATABASE = "away", "frozen", "database"


class Health:
    """What ails a worker, and since when that does not any more."""

    def __init__(self) -> None:
        self._ails = {_AWAY}
        self._changed: dict[str, float] = {}

    def ails(self, what: str) -> None:
        """Note that something ails it from now on."""
        self._ails.add(what)

    def mended(self, what: str) -> None:
        """Note that something ails it no longer."""
        if what in self._ails:
            self._ails.discard(what)
            self._changed[what] = time.monotonic()

    def free_for(self, *what: str) -> float:
        """Return for how many seconds none of these ailed it, nothing at all where none is named.

        That is zero while something does, and without end where it never did.
        """
        if self._ails & set(what or self._ails):
            return 0.0
        changes = [at for name, at in self._changed.items() if not what or name in what]
        return time.monotonic() - max(changes, default=0.0)


class Worker:
    """A process at a time, in a folder of its own.

    Whoever does something to it has its `hold` until that is over.

    Args:
        number: which of them it is.
        hands: what moves its clocks.
        ways: how it reaches the database, where that is a server, and each platform.
        settings: its environment.
        store: tells when the database is away.
        journal: where its beginnings and ends are written down.
        chance: decides what is done to it.
    """

    def __init__(  # noqa: PLR0913 - it is all that a process has of its own
        self,
        number: int,
        hands: Hands,
        ways: Mapping[str, Way],
        settings: Mapping[str, str],
        *,
        store: Restarts,
        journal: Journal,
        chance: Random,
    ) -> None:
        self.number = number
        self.hands = hands
        self.ways = ways
        self.chance = chance
        self.counted: Counter[str] = Counter()
        self.complaints: list[str] = []
        self.health = Health()
        self.hold = asyncio.Lock()
        self.log = hands.file.parent / f"worker-{number}.log"
        self._store = store
        self._journal = journal
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}
        self._environment = {**kept, "PYTHONPATH": str(_ROOT), **settings}
        self._process: Process | None = None

    @property
    def runs(self) -> bool:
        """Whether one was begun and not ended."""
        return self._process is not None

    @property
    def hosts(self) -> frozenset[str]:
        """What platforms are called by it, by which they tell it from the others."""
        return frozenset(way.host for way in self.ways.values())

    def well_for(self) -> float:
        """Return for how many seconds it has been serving, and reached all that it needs."""
        return min(self.health.free_for(), self._store.up_for())

    def connected_for(self, *where: str) -> float:
        """Return for how many seconds it has been running and has reached some servers."""
        return self.health.free_for(_AWAY, _FROZEN, *where)

    async def begin(self) -> None:
        """Start it, and wait until it serves; again where the database went away meanwhile.

        Raises:
            RuntimeError: with the end of its log, where it does not.
        """
        while True:
            await self._store.up.wait()
            restarts = self._store.number
            if await self._serves():
                break
            await self._end(signal.SIGKILL, any_code=True)
            if restarts == self._store.number:
                raise RuntimeError(f"worker {self.number} does not serve: {self._said()}")
        self.health.mended(_AWAY)
        self._count("starts")

    async def kill(self) -> None:
        """End it at once, as `kill -9` does."""
        await self._end(signal.SIGKILL)
        self._count("kills")

    async def stop(self) -> None:
        """End it as an operator does."""
        await self._end(signal.SIGTERM)
        self._count("stops")

    async def freeze(self, seconds: float) -> None:
        """Let it do nothing for a while, as a machine that sleeps."""
        assert self._process
        self.health.ails(_FROZEN)
        self._process.send_signal(signal.SIGSTOP)
        self._count(f"freezes of {seconds:.0f} s", "freezes")
        await asyncio.sleep(seconds)
        self._process.send_signal(signal.SIGCONT)
        self.health.mended(_FROZEN)
        self._journal.note(f"worker {self.number}: awake")

    async def part(self, names: tuple[str, ...], state: State, seconds: float) -> None:
        """Have the ways to some servers cut or frozen for a while."""
        what = f"{state.value} from {' and '.join(names)}"
        self._count(f"{what} for {seconds:.0f} s", what)
        for name in names:
            self.health.ails(name)
            if state is State.CUT:
                self.ways[name].cut()
            else:
                self.ways[name].freeze()
        await asyncio.sleep(seconds)
        for name in names:
            self.ways[name].heal()
            self.health.mended(name)
        self._journal.note(f"worker {self.number}: reaches {' and '.join(names)} again")

    async def close(self) -> None:
        """End whatever runs."""
        if self._process:
            await self._end(signal.SIGKILL, any_code=True)

    def events(self, name: str) -> int:
        """Return how often it logged an event."""
        if not self.log.exists():
            return 0
        return self.log.read_text(errors="replace").count(f'"event": "{name}"')

    async def _serves(self) -> bool:
        with self.log.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.chaos.workers.worker",
                str(self.hands.file),
                cwd=self.hands.file.parent,
                env=self._environment,
                stdout=PIPE,
                stderr=log,
            )
        assert self._process.stdout
        try:
            async with asyncio.timeout(_START_SECONDS):
                return await self._process.stdout.readline() == b"serving\n"
        except TimeoutError:
            return False

    def _count(self, event: str, counted: str = "") -> None:
        self.counted[counted or event] += 1
        self._journal.note(f"worker {self.number}: {event}")

    async def _end(self, number: signal.Signals, *, any_code: bool = False) -> None:
        process, self._process = self._process, None
        self.health.ails(_AWAY)
        if process is None:
            return
        if process.returncode is None:
            # The library's own way takes the exit code of one that ended just now, and loses it.
            with suppress(ProcessLookupError):
                os.kill(process.pid, number)
        try:
            async with asyncio.timeout(_END_SECONDS):
                code = await process.wait()
        except TimeoutError:
            process.kill()
            code = await process.wait()
            self._complain(f"did not end in {_END_SECONDS:.0f} s")
            return
        if not any_code and code not in {0, -number}:
            self._complain(f"ended with {code}: {self._said()}")

    def _complain(self, what: str) -> None:
        self.complaints.append(f"worker {self.number} {what}")
        self._journal.note(f"worker {self.number}: {what}")

    def _said(self) -> str:
        return self.log.read_text(errors="replace")[-3000:]
