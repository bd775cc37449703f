"""A process that answers one request after the other, started when there is one.

A message over its pipes is its length in four bytes, big-endian, and a pickle. Both ends are the
same program, and no other process has the pipes.
"""

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

# A program that begins so leaves the processors to the bot, where these are short.
BEHIND_THE_BOT = "import os; os.nice(10); "
# Without the working directory on the path, which may have modules of the same names.
_COMMAND = (sys.executable, "-P", "-c")
_LENGTH_BYTES = 4
_LONGEST_REASON = 2000  # characters


class WorkerEndedError(Exception):
    """The process ended over a request, with an exit code and the end of what it wrote."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Progress:
    """A message before the answer: how much of a request is done, of all."""

    done: int
    total: int


class WorkerProcess:
    """Has a process answer one request after the other; its caller asks one at a time.

    Args:
        program: its Python.
        idle: seconds without a request after which it ends; with 0 it ends with each answer.
        first: the message that it reads before any request, `None` for none.
        keeps_errors: whether its standard error is the reason of its end, and not the bot's own.
    """

    def __init__(
        self, program: str, *, idle: float, first: object = None, keeps_errors: bool = False
    ) -> None:
        self._program = program
        self._idle = idle
        self._first = first
        self._keeps_errors = keeps_errors
        self._process: Process | None = None
        self._killed: Process | None = None
        self._errors: asyncio.Task[bytes] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process, `None` while there is none."""
        return self._process.pid if self._process else None

    async def ask(self, request: object, progress: Callable[[int, int], None] | None = None) -> Any:  # noqa: ANN401 - whatever the program answers
        """Return the answer to a request; a cancelled call ends the process.

        Raises:
            WorkerEndedError: if the process ended over it.
            OSError: if none could be started.
        """
        try:
            answer = await self._answer(request, progress)
        except BaseException:
            # The rest of its answer would be read as that to the next request.
            await self.end()
            raise
        if self._idle:
            self._timer = asyncio.get_running_loop().call_later(self._idle, self._kill)
        else:
            await self.end()
        return answer

    async def end(self) -> None:
        """End the process at once, if there is one; wait for the end of an idle one too."""
        errors = self._errors
        self._kill()
        if self._killed:
            await self._killed.wait()
        if errors:
            await errors

    async def _answer(self, request: object, progress: Callable[[int, int], None] | None) -> Any:  # noqa: ANN401 - whatever the program answers
        process = await self._started()
        assert process.stdin  # noqa: S101 - it was started with both
        assert process.stdout  # noqa: S101 - the same
        try:
            process.stdin.write(_encoded(request))
            await process.stdin.drain()
            while True:
                length = int.from_bytes(await process.stdout.readexactly(_LENGTH_BYTES))
                answer = pickle.loads(await process.stdout.readexactly(length))  # noqa: S301 - ours
                if not isinstance(answer, Progress):
                    return answer
                if progress:
                    progress(answer.done, answer.total)
        except (asyncio.IncompleteReadError, ConnectionError):
            code = await process.wait()
            errors = await self._errors if self._errors else b""
            reason = errors.decode(errors="replace")[-_LONGEST_REASON:]
            raise WorkerEndedError(code, reason) from None

    async def _started(self) -> Process:
        """Return the process, started if there is none or it ended."""
        if self._timer:
            self._timer.cancel()
        if self._process is None or self._process.returncode is not None:
            # In a group of its own, so that an interrupt from the keyboard reaches the bot alone.
            self._process = await asyncio.create_subprocess_exec(
                *_COMMAND,
                self._program,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE if self._keeps_errors else None,
                process_group=0,
            )
            if self._process.stderr:
                self._errors = asyncio.ensure_future(self._process.stderr.read())
            if self._first is not None and self._process.stdin:
                self._process.stdin.write(_encoded(self._first))
        return self._process

    def _kill(self) -> None:
        if self._timer:
            self._timer.cancel()
        if self._process:
            self._killed = self._process
            with suppress(ProcessLookupError):  # it has ended already
                self._process.kill()
        self._process, self._errors = None, None


def read_message(pipe: BinaryIO) -> Any:  # noqa: ANN401 - whatever the other end sent
    """Return the next message, `None` where the other end has closed."""
    length = pipe.read(_LENGTH_BYTES)
    text = pipe.read(int.from_bytes(length))
    return pickle.loads(text) if text else None  # noqa: S301 - ours


def write_message(pipe: BinaryIO, message: object) -> None:
    """Write a message whole, however much of it the pipe takes at a time."""
    left = memoryview(_encoded(message))
    while left:
        left = left[pipe.write(left) :]
    pipe.flush()


def _encoded(message: object) -> bytes:
    text = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(text).to_bytes(_LENGTH_BYTES) + text
