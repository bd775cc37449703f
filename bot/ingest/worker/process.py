"""The bot's end: a process that takes documents in, begun when one comes, ended when none does."""

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
from bot.ingest.worker.messages import Beginning, Failure, Order, Progress
from store.database import Database

# How many seconds a document may take: the longest that is read has some 10 million characters.
PATIENCE = 900.0
# Where processors are short the bot comes first, from the very beginning.
_NICENESS = 10
_PROGRAM = f"import os; os.nice({_NICENESS}); from bot.ingest.worker.child import main; main()"
# Not from the folder at hand, which may have modules of the same names.
_COMMAND = (sys.executable, "-P", "-c", _PROGRAM)
# What is closed ends by itself; it has nothing in hand.
_END_SECONDS = 2.0
_STAYS = "Editions that it took in stay, and it is tried again the next time."


class Apart:
    """Takes documents in in a process of its own, one after the other.

    As an asynchronous context manager it ends that process at its own end, whatever it is at:
    editions are written whole or not at all, and what was not written is taken in the next time.

    Args:
        database: the store.
        prepare: what the process calls first, such as what has it log as this one does; pickled.
        idle: after how many seconds without a document it ends, and gives its memory back.
        patience: how many seconds a document may take.
    """

    def __init__(
        self,
        database: Database,
        *,
        prepare: Callable[[], object] = messages.nothing,
        idle: float = 60.0,
        patience: float = PATIENCE,
    ) -> None:
        self._database = database
        url = database.url.render_as_string(hide_password=False)
        self._beginning = Beginning(url, prepare)
        self._idle = idle
        self._patience = patience
        self._turn = asyncio.Lock()
        self._is_over = False
        self._process: Process | None = None
        self._leaving: asyncio.TimerHandle | None = None
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
        self._is_over = True
        await self._kill()
        await asyncio.gather(*self._ending)

    async def ingest(
        self, path: str, data: bytes, options: ImportOptions, now: datetime
    ) -> DocumentReport:
        """Take a document in, as `Importer` says; cancelled, it ends the process."""
        if known := await pipeline.recall(self._database, path, data, options):
            return known
        async with self._turn:
            try:
                async with asyncio.timeout(self._patience):
                    report = await self._take_in(Order(path, data, options, now))
            except TimeoutError:
                await self._kill()
                said = f"{path} could not be taken in within {self._patience:g} seconds."
                raise SourceError(said, _STAYS) from None
            except BaseException:
                # What is left of its answer would be taken for that to the next order.
                await self._kill()
                raise
            self._leaving = asyncio.get_running_loop().call_later(self._idle, self._leave)
            return report

    async def _take_in(self, order: Order) -> DocumentReport:
        """Have the process take a document in.

        Raises:
            SourceError: where the process ended over it, or none could be begun.
            StoreError: where the store can't be read or written.
        """
        failed = f"{order.path} could not be taken in"
        if self._is_over:
            raise SourceError(f"{failed}: the bot is ending.", _STAYS)
        try:
            process = await self._begun()
        except OSError as error:
            raise SourceError(f"{failed}: no process could be begun ({error}).") from error
        try:
            return await _answer(process, order)
        except (asyncio.IncompleteReadError, ConnectionError):
            how = _how(await process.wait())
        said = f"{failed}: the process that read it ended ({how})."
        raise SourceError(said, f"There may be too little memory. {_STAYS}")

    async def _begun(self) -> Process:
        """Return the process, begun if there is none or it ended.

        Raises:
            OSError: where the machine lets no process begin.
        """
        if self._leaving:
            self._leaving.cancel()
        if self._process is None or self._process.returncode is not None:
            # In a group of its own, so that what ends the bot from a keyboard leaves it to the bot.
            self._process = await asyncio.create_subprocess_exec(
                *_COMMAND, stdin=PIPE, stdout=PIPE, process_group=0
            )
            _pipes(self._process)[0].write(messages.written(self._beginning))
        return self._process

    def _leave(self) -> None:
        """Let the process end by itself, for it has nothing in hand."""
        process, self._process = self._process, None
        if process:
            task = asyncio.create_task(_ended(process))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _kill(self) -> None:
        if self._leaving:
            self._leaving.cancel()
        process, self._process = self._process, None
        if process:
            await _killed(process)


async def _answer(process: Process, order: Order) -> DocumentReport:
    """Return what came of an order; whoever wants to is told of its progress.

    Raises:
        IncompleteReadError: where the process ended.
        ConnectionError: where it did before it had read the order.
        BroadsheetError: as it raised that.
    """
    pipe, answers = _pipes(process)
    progress = order.options.progress
    pipe.write(messages.written(replace(order, options=replace(order.options, progress=None))))
    await pipe.drain()
    while True:
        match await messages.receive(answers):
            case Progress(done, total):
                if progress:
                    progress(done, total)
            case DocumentReport() as report:
                return report
            case Failure() as failure:
                raise failure.error()


def _pipes(process: Process) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
    assert process.stdin  # noqa: S101 - it was begun with both
    assert process.stdout  # noqa: S101 - the same
    return process.stdin, process.stdout


async def _ended(process: Process) -> None:
    _pipes(process)[0].close()
    try:
        async with asyncio.timeout(_END_SECONDS):
            await process.wait()
    except TimeoutError:
        await _killed(process)


async def _killed(process: Process) -> None:
    with suppress(ProcessLookupError):  # it has ended already
        process.kill()
    await process.wait()


def _how(code: int) -> str:
    """Say how a process ended that was not told to."""
    return Signals(-code).name if code < 0 else f"exit code {code}"
