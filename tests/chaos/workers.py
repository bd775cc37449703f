"""The worker as a process: begun, ended in every way there is, and begun again."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from tests.chaos.journal import Journal

_ROOT = Path(__file__).resolve().parents[2]
# For a machine that does much else at the same time.
_START_SECONDS = 60.0
_END_SECONDS = 15.0


class Workers:
    """One worker at a time, in a folder of its own.

    Args:
        folder: where it runs, and where its log is.
        clocks: the file that its clocks read.
        settings: its environment.
        journal: where its beginnings and ends are written down.
    """

    def __init__(
        self, folder: Path, clocks: Path, settings: Mapping[str, str], journal: Journal
    ) -> None:
        self.counted: Counter[str] = Counter()
        self.log = folder / "worker.log"
        self._folder = folder
        self._clocks = clocks
        self._journal = journal
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}
        self._environment = {**kept, "PYTHONPATH": str(_ROOT), **settings}
        self._process: Process | None = None

    @property
    def runs(self) -> bool:
        """Whether one was begun and not ended."""
        return self._process is not None

    async def begin(self) -> None:
        """Start it, and wait until it serves.

        Raises:
            RuntimeError: with the end of its log, where it does not.
        """
        with self.log.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.chaos.worker",
                str(self._clocks),
                cwd=self._folder,
                env=self._environment,
                stdout=PIPE,
                stderr=log,
            )
        assert self._process.stdout
        async with asyncio.timeout(_START_SECONDS):
            said = await self._process.stdout.readline()
        if said != b"serving\n":
            raise RuntimeError(self.log.read_text()[-3000:])
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
        self._process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self._process.send_signal(signal.SIGCONT)
        self._count("freezes")

    async def close(self) -> None:
        """End whatever runs."""
        if self._process:
            await self._end(signal.SIGKILL)

    def _count(self, what: str) -> None:
        self.counted[what] += 1
        self._journal.note(f"worker: {what}")

    async def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.send_signal(number)
        try:
            async with asyncio.timeout(_END_SECONDS):
                code = await process.wait()
        except TimeoutError as error:
            process.kill()
            await process.wait()
            raise RuntimeError(f"it did not end in {_END_SECONDS:.0f} s") from error
        if code not in {0, -number}:
            raise RuntimeError(f"it ended with {code}: {self.log.read_text()[-3000:]}")
