"""The bot's end of the worker process, which is started for a document and ended when idle."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from signal import Signals
from types import TracebackType
from typing import Self

from bot.errors import SourceError
from bot.ingest import pipeline
from bot.ingest.pipeline import ImportOptions
from bot.ingest.report import DocumentReport
from bot.ingest.worker import messages
from bot.ingest.worker.messages import Failure, ImportRequest, Progress, Setup
from store.database import Database

# The seconds that a document may take: the longest has some 10 million characters.
TIMEOUT = 900.0
# Where processors are short, the bot comes first.
_NICENESS = 10
_PROGRAM = f"import os; os.nice({_NICENESS}); from bot.ingest.worker.child import main; main()"
# Without the working directory on the path, which may have modules of the same names.
_COMMAND = (sys.executable, "-P", "-c", _PROGRAM)
# A process whose pipe is closed ends by itself.
_END_SECONDS = 2.0
_RETRY = "Editions that were imported stay, and it is tried again the next time."


class ImportWorker:
    """Imports documents in a process of its own, one after the other.

    Leaving it as an asynchronous context manager ends the process at once: editions are written
    whole or not at all, and the rest of a document is imported the next time.

    Args:
        database: the store.
        prepare: what the process calls first, such as the configuration of its logs; pickled.
        idle: the seconds without a document after which the process ends and frees its memory.
        timeout: the seconds that a document may take.
    """

    def __init__(
        self,
        database: Database,
        *,
        prepare: Callable[[], object] = messages.no_preparation,
        idle: float = 60.0,
        timeout: float = TIMEOUT,
    ) -> None:
        self._database = database
        url = database.url.render_as_string(hide_password=False)
        self._setup = Setup(url, prepare)
        self._idle = idle
        self._timeout = timeout
        self._lock = asyncio.Lock()
        self._is_closed = False
        self._process: Process | None = None
        self._idle_timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def process(self) -> int | None:
        """The id of the process, `None` while there is none."""
        return self._process.pid if self._process else None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_closed = True
        await self._kill()
        await asyncio.gather(*self._ending)

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
                await self._kill()
                raise SourceError(
                    f"{path} could not be imported within {self._timeout:g} seconds.", _RETRY
                ) from None
            except BaseException:
                # The rest of its answer would be read as that to the next request.
                await self._kill()
                raise
            self._idle_timer = asyncio.get_running_loop().call_later(self._idle, self._release)
            return report

    async def _request(self, request: ImportRequest) -> DocumentReport:
        """Have the process import a document.

        Raises:
            SourceError: where the process ended meanwhile, or none could be started.
            StoreError: where the store can't be read or written.
        """
        failed = f"{request.path} could not be imported"
        if self._is_closed:
            raise SourceError(f"{failed}: the bot is shutting down.", _RETRY)
        try:
            process = await self._started()
        except OSError as error:
            raise SourceError(f"{failed}: no process could be started ({error}).") from error
        try:
            return await _answer(process, request)
        except (asyncio.IncompleteReadError, ConnectionError):
            how = _exit_reason(await process.wait())
        raise SourceError(
            f"{failed}: the process that read it ended ({how}).",
            f"There may be too little memory. {_RETRY}",
        )

    async def _started(self) -> Process:
        """Return the process, started if there is none or it ended.

        Raises:
            OSError: where no process can be started.
        """
        if self._idle_timer:
            self._idle_timer.cancel()
        if self._process is None or self._process.returncode is not None:
            # In a group of its own, so that an interrupt from the keyboard reaches the bot alone.
            self._process = await asyncio.create_subprocess_exec(
                *_COMMAND, stdin=PIPE, stdout=PIPE, process_group=0
            )
            _pipes(self._process)[0].write(messages.encode(self._setup))
        return self._process

    def _release(self) -> None:
        """Let the idle process end by itself."""
        process, self._process = self._process, None
        if process:
            task = asyncio.create_task(_close(process))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _kill(self) -> None:
        if self._idle_timer:
            self._idle_timer.cancel()
        process, self._process = self._process, None
        if process:
            await _kill(process)


async def _answer(process: Process, request: ImportRequest) -> DocumentReport:
    """Return the report on a request, and call back with its progress.

    Raises:
        IncompleteReadError: where the process ended.
        ConnectionError: where it ended before it had read the request.
        BroadsheetError: the error that the process raised.
    """
    pipe, answers = _pipes(process)
    progress = request.options.progress
    pipe.write(messages.encode(replace(request, options=replace(request.options, progress=None))))
    await pipe.drain()
    while True:
        match await messages.receive_message(answers):
            case Progress(done, total):
                if progress:
                    progress(done, total)
            case DocumentReport() as report:
                return report
            case Failure() as failure:
                raise failure.error()


def _pipes(process: Process) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
    assert process.stdin  # noqa: S101 - it was started with both
    assert process.stdout  # noqa: S101 - the same
    return process.stdin, process.stdout


async def _close(process: Process) -> None:
    _pipes(process)[0].close()
    try:
        async with asyncio.timeout(_END_SECONDS):
            await process.wait()
    except TimeoutError:
        await _kill(process)


async def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):  # it has ended already
        process.kill()
    await process.wait()


def _exit_reason(code: int) -> str:
    """Return the signal or the exit code that a process ended with."""
    return Signals(-code).name if code < 0 else f"exit code {code}"
