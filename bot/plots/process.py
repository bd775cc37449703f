"""The process that draws: one, which stays a while for the next picture.

A message over its pipes is its length in four bytes, big-endian, and a pickle or a picture. Both
ends are the same program, and no other process has the pipes.
"""

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

# If processors are short, the bot comes first.
_NICENESS = 10
_PROGRAM = f"import os; os.nice({_NICENESS}); from bot.plots.drawing import main; main()"
# -P: the current folder may have modules of the same names. Warnings of letters that no font has
# would fill the pipe.
_COMMAND = (sys.executable, "-P", "-W", "ignore", "-c", _PROGRAM)
LENGTH_BYTES = 4
_LONGEST_REASON = 2000  # characters


class DrawingEndedError(Exception):
    """The process ended over a picture, with an exit code and the end of what it wrote."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class DrawingProcess:
    """Has a process draw one picture after the other.

    Args:
        idle: seconds without a picture after which it ends; with 0 it ends with each picture.
    """

    def __init__(self, idle: float) -> None:
        self._idle = idle
        self._process: Process | None = None
        self._errors: asyncio.Task[bytes] | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def draw(self, picture: object) -> bytes:
        """Return a picture as PNG; a cancelled call ends the process.

        Raises:
            DrawingEndedError: if the process failed over it.
            OSError: if none could be started.
        """
        try:
            drawn = await self._asked(picture)
        except BaseException:
            # What it still draws would be taken for the next picture.
            await self.end()
            raise
        if not self._idle:
            await self.end()
        else:
            self._timer = asyncio.get_running_loop().call_later(self._idle, self._kill)
        return drawn

    async def end(self) -> None:
        """End the process, if there is one."""
        process, errors = self._process, self._errors
        self._kill()
        if process and errors:
            await process.wait()
            await errors

    async def _asked(self, picture: object) -> bytes:
        process = await self._started()
        assert process.stdin  # noqa: S101 - it was started with both
        assert process.stdout  # noqa: S101 - the same
        text = pickle.dumps(picture, pickle.HIGHEST_PROTOCOL)
        try:
            process.stdin.write(len(text).to_bytes(LENGTH_BYTES) + text)
            await process.stdin.drain()
            length = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES))
            return await process.stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            code = await process.wait()
            errors = await self._errors if self._errors else b""
            reason = errors.decode(errors="replace")[-_LONGEST_REASON:]
            raise DrawingEndedError(code, reason) from None

    async def _started(self) -> Process:
        """Return the process, started if there is none or it ended."""
        if self._timer:
            self._timer.cancel()
        if self._process is None or self._process.returncode is not None:
            # In a group of its own, so that an interrupt from the keyboard reaches the bot alone.
            self._process = await asyncio.create_subprocess_exec(
                *_COMMAND, stdin=PIPE, stdout=PIPE, stderr=PIPE, process_group=0
            )
            assert self._process.stderr  # noqa: S101 - it was started with it
            self._errors = asyncio.ensure_future(self._process.stderr.read())
        return self._process

    def _kill(self) -> None:
        if self._timer:
            self._timer.cancel()
        process, self._process, self._errors = self._process, None, None
        if process:
            with suppress(ProcessLookupError):  # it has ended already
                process.kill()
