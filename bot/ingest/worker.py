"""Importing in a worker process, so that the bot answers on time meanwhile.

Parsing and deciding keep the interpreter's lock: an acknowledgement during an import of the archive
takes some seventy times as long in the bot's own event loop, and from threads three to six times
(`docs/benchmarks.md`). The process is started for a document and ended when idle.
"""

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from signal import Signals
from typing import BinaryIO, Self

from bot.coordination.worker_process import (
    BEHIND_THE_BOT,
    Progress,
    WorkerEndedError,
    WorkerProcess,
    read_message,
    write_message,
)
from bot.domain.addresses import without_keys
from bot.errors import SourceError
from bot.ingest import documents
from bot.ingest.memory import limit_memory, too_large
from bot.ingest.pipeline import ImportOptions, WritePauses, ingest, recall_report
from bot.ingest.report import DocumentReport
from bot.operations.health import unforeseen
from store.database import Database
from store.errors import BroadsheetError
from store.migrations import upgrade

_log = logging.getLogger(__name__)

# The seconds that a document may take: the longest has some 10 million characters.
TIMEOUT = 900.0
_PROGRAM = "from bot.ingest.worker import main; main()"
# Another process that waits for SQLite looks again after 25 ms at most to begin with:
# https://www.sqlite.org/src/file/src/main.c (sqliteDefaultBusyCallback).
_PAUSES = WritePauses(editions=4, seconds=0.03)
_RETRY = "Editions that were imported stay, and it is tried again the next time."
# Linux ends this process, and not the bot, where memory runs out: proc_pid_oom_score_adj(5).
_OOM_SCORE = 500


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
        program = _PROGRAM if is_waited_for else f"{BEHIND_THE_BOT}{_PROGRAM}"
        setup = Setup(database.url.render_as_string(hide_password=False), prepare)
        self._process = WorkerProcess(program, idle=idle, first=setup)
        self._timeout = timeout
        self._pauses = _PAUSES if database.is_sqlite and not is_waited_for else None
        self._lock = asyncio.Lock()
        self._is_closed = False

    @property
    def process(self) -> int | None:
        """The id of the process, `None` while there is none."""
        return self._process.pid

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_raised: object) -> None:
        self._is_closed = True
        await self._process.end()

    async def ingest(
        self, path: str, data: bytes, options: ImportOptions, now: datetime
    ) -> DocumentReport:
        """Import a document, as `Importer` does; a cancelled call ends the process."""
        if known := await recall_report(self._database, path, data, options):
            return known
        sent = replace(options, progress=None, pauses=self._pauses or options.pauses)
        request = ImportRequest(path, data, sent, now)
        failed = f"{path} could not be imported"
        async with self._lock:
            if self._is_closed:
                raise SourceError(f"{failed}: the bot is shutting down.", _RETRY)
            try:
                async with asyncio.timeout(self._timeout):
                    answer = await self._process.ask(request, options.progress)
            except TimeoutError:
                raise SourceError(f"{failed} within {self._timeout:g} seconds.", _RETRY) from None
            except OSError as error:
                raise SourceError(f"{failed}: no process could be started ({error}).") from error
            except WorkerEndedError as error:
                code = error.code
                how = Signals(-code).name if code < 0 else f"exit code {code}"
                raise SourceError(
                    f"{failed}: the process that read it ended ({how}).",
                    f"There may be too little memory. {_RETRY}",
                ) from None
            if isinstance(answer, Failure):
                await self._process.end()  # the next one finds the store as it is then
                raise answer.error()
        report: DocumentReport = answer
        return report


def main() -> None:
    """Import what is requested until the input is closed."""
    gc.freeze()  # as the program itself does at its start
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(_OOM_SCORE), encoding="ascii")
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what is printed from now on goes to standard error
    setup = read_message(requests)
    if isinstance(setup, Setup):
        if setup.prepare:
            setup.prepare()
        with suppress(BrokenPipeError):
            asyncio.run(_serve(setup.database_url, requests, answers))


async def _serve(database_url: str, requests: BinaryIO, answers: BinaryIO) -> None:
    documents.formats()
    limit_memory()
    async with Database(database_url) as database:
        database.require_revisions(upgrade.known_revisions())
        # Nothing else is going on in this event loop.
        while isinstance(request := read_message(requests), ImportRequest):
            write_message(answers, await _answer(database, request, answers))


async def _answer(
    database: Database, request: ImportRequest, answers: BinaryIO
) -> DocumentReport | Failure:
    def progress(done: int, total: int) -> None:
        write_message(answers, Progress(done, total))

    options = replace(request.options, progress=progress)
    try:
        return await ingest(database, request.path, request.data, options, request.now)
    except BroadsheetError as error:
        return Failure.of(error)
    except BrokenPipeError:  # the bot is gone
        raise
    except MemoryError:
        pass  # what holds the memory is let go with the error
    except Exception as error:  # noqa: BLE001 - the bot reports any error
        _log.exception("import_failed", extra={"path": without_keys(request.path)})
        return Failure.of(SourceError(unforeseen(error)))
    return DocumentReport(request.path, error=str(too_large(request.path)))
