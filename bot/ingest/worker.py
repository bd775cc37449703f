"""Importing in a worker process, so that the bot answers on time meanwhile.

Parsing and deciding keep the interpreter's lock: an acknowledgement during an import of the archive
takes some seventy times as long in the bot's own event loop, and from threads three to six times
(`docs/benchmarks.md`). The process (`bot.ingest.worker_child`) is started for a document and ended
when idle.

A message over the pipes is its length in four bytes, big-endian, and a pickle. Both ends are the
same program, and no other process has the pipes.
"""

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from signal import Signals
from typing import BinaryIO, Self

from bot.errors import SourceError
from bot.ingest import pipeline
from bot.ingest.pipeline import ImportOptions, WritePauses
from bot.ingest.report import DocumentReport
from store.database import Database
from store.errors import BroadsheetError

# The seconds that a document may take: the longest has some 10 million characters.
TIMEOUT = 900.0
# Where processors are short, the bot comes first.
_NICENESS = 10
_PROGRAM = "from bot.ingest.worker_child import main; main()"
_BEHIND = f"import os; os.nice({_NICENESS}); {_PROGRAM}"
# Without the working directory on the path, which may have modules of the same names.
_COMMAND = (sys.executable, "-P", "-c")
# Another process that waits for SQLite looks again after 25 ms at most to begin with:
# https://www.sqlite.org/src/file/src/main.c (sqliteDefaultBusyCallback).
_PAUSES = WritePauses(editions=4, seconds=0.03)
_LENGTH_BYTES = 4
_RETRY = "Editions that were imported stay, and it is tried again the next time."


@dataclass(frozen=True, slots=True)
class Setup:
    """The first message: the store, and what to call before anything else."""

    database_url: str = field(repr=False)
    prepare: Callable[[], object] | None


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """A document to import; its options carry no callback for progress."""

    path: str
    data: bytes
    options: ImportOptions
    now: datetime


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of editions that are done, of all."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Failure:
    """An error, in parts from which it is rebuilt whatever its constructor takes."""

    kind: type[BroadsheetError]
    args: tuple[object, ...]
    facts: dict[str, object]

    @classmethod
    def of(cls, error: BroadsheetError) -> "Failure":
        """Return the failure that carries an error."""
        return cls(type(error), error.args, dict(error.__dict__))

    def error(self) -> BroadsheetError:
        """Return the error."""
        error = self.kind.__new__(self.kind)
        error.args = self.args
        error.__dict__.update(self.facts)
        return error


Answer = Progress | DocumentReport | Failure


def encode(message: Setup | ImportRequest | Answer) -> bytes:
    """Return the bytes that go over the pipe."""
    text = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(text).to_bytes(_LENGTH_BYTES) + text


def read_message(pipe: BinaryIO) -> Setup | ImportRequest | None:
    """Return the next message, `None` where the other end has closed."""
    length = pipe.read(_LENGTH_BYTES)
    text = pipe.read(int.from_bytes(length))
    message: Setup | ImportRequest | None = pickle.loads(text) if text else None  # noqa: S301 - ours
    return message


class ImportWorker:
    """Imports documents in a process of its own, one after the other.

    Leaving it as an asynchronous context manager ends the process at once: editions are written
    whole or not at all, and the rest of a document is imported the next time.

    Args:
        database: the store.
        prepare: what the process calls first, such as the configuration of its logs; pickled.
        idle: the seconds without a document after which the process ends and frees its memory.
        timeout: the seconds that a document may take.
        is_waited_for: whether somebody waits for the import, who comes first then.
    """

    def __init__(
        self,
        database: Database,
        *,
        prepare: Callable[[], object] | None = None,
        idle: float = 60.0,
        timeout: float = TIMEOUT,
        is_waited_for: bool = False,
    ) -> None:
        self._database = database
        url = database.url.render_as_string(hide_password=False)
        self._setup = Setup(url, prepare)
        self._idle = idle
        self._timeout = timeout
        self._program = _PROGRAM if is_waited_for else _BEHIND
        self._pauses = _PAUSES if database.is_sqlite and not is_waited_for else None
        self._lock = asyncio.Lock()
        self._is_closed = False
        self._process: Process | None = None
        self._idle_timer: asyncio.TimerHandle | None = None

    @property
    def process(self) -> int | None:
        """The id of the process, `None` while there is none."""
        return self._process.pid if self._process else None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_raised: object) -> None:
        self._is_closed = True
        await self._end()

    async def ingest(
        self, path: str, data: bytes, options: ImportOptions, now: datetime
    ) -> DocumentReport:
        """Import a document, as `Importer` does; a cancelled call ends the process."""
        if known := await pipeline.recall_report(self._database, path, data, options):
            return known
        async with self._lock:
            try:
                async with asyncio.timeout(self._timeout):
                    report = await self._request(ImportRequest(path, data, options, now))
            except TimeoutError:
                await self._end()
                raise SourceError(
                    f"{path} could not be imported within {self._timeout:g} seconds.", _RETRY
                ) from None
            except BaseException:
                # The rest of its answer would be read as that to the next request.
                await self._end()
                raise
            self._idle_timer = asyncio.get_running_loop().call_later(self._idle, self._kill)
            return report

    async def _request(self, request: ImportRequest) -> DocumentReport:
        """Have the process import a document; a process that ends is a `SourceError`."""
        failed = f"{request.path} could not be imported"
        if self._is_closed:
            raise SourceError(f"{failed}: the bot is shutting down.", _RETRY)
        try:
            process = await self._started()
        except OSError as error:
            raise SourceError(f"{failed}: no process could be started ({error}).") from error
        try:
            return await self._answer(process, request)
        except (asyncio.IncompleteReadError, ConnectionError):
            code = await process.wait()
        how = Signals(-code).name if code < 0 else f"exit code {code}"
        raise SourceError(
            f"{failed}: the process that read it ended ({how}).",
            f"There may be too little memory. {_RETRY}",
        )

    async def _answer(self, process: Process, request: ImportRequest) -> DocumentReport:
        """Return the report on a request, and call back with its progress."""
        pipe, answers = _pipes(process)
        progress = request.options.progress
        options = replace(
            request.options, progress=None, pauses=self._pauses or request.options.pauses
        )
        pipe.write(encode(replace(request, options=options)))
        await pipe.drain()
        while True:
            length = int.from_bytes(await answers.readexactly(_LENGTH_BYTES))
            match pickle.loads(await answers.readexactly(length)):  # noqa: S301 - by this program
                case Progress(done, total):
                    if progress:
                        progress(done, total)
                case DocumentReport() as report:
                    return report
                case Failure() as failure:
                    raise failure.error()

    async def _started(self) -> Process:
        """Return the process, started if there is none or it ended."""
        if self._idle_timer:
            self._idle_timer.cancel()
        if self._process is None or self._process.returncode is not None:
            # In a group of its own, so that an interrupt from the keyboard reaches the bot alone.
            self._process = await asyncio.create_subprocess_exec(
                *_COMMAND, self._program, stdin=PIPE, stdout=PIPE, process_group=0
            )
            _pipes(self._process)[0].write(encode(self._setup))
        return self._process

    async def _end(self) -> None:
        process = self._process
        self._kill()
        if process:
            await process.wait()

    def _kill(self) -> None:
        """Kill the process, which leaves editions whole or not written."""
        if self._idle_timer:
            self._idle_timer.cancel()
        process, self._process = self._process, None
        if process:
            with suppress(ProcessLookupError):  # it has ended already
                process.kill()


def _pipes(process: Process) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
    assert process.stdin  # noqa: S101 - it was started with both
    assert process.stdout  # noqa: S101 - the same
    return process.stdin, process.stdout
