"""The worker process, started and ended by `ImportWorker`; it ends when its input is closed."""

import asyncio
import gc
import logging
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from bot.domain.addresses import without_keys
from bot.errors import SourceError
from bot.ingest import documents
from bot.ingest.memory import limit_memory, too_large
from bot.ingest.pipeline import ingest
from bot.ingest.report import DocumentReport
from bot.ingest.worker import (
    Answer,
    Failure,
    ImportRequest,
    Progress,
    Setup,
    encode,
    read_message,
)
from bot.operations.health import unforeseen
from store.database import Database
from store.errors import BroadsheetError
from store.migrations import upgrade

_log = logging.getLogger(__name__)

# Linux ends this process, and not the bot, where memory runs out: proc_pid_oom_score_adj(5).
_OOM_SCORE = 500


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
            _send(answers, await _answer(database, request, answers))


async def _answer(database: Database, request: ImportRequest, answers: BinaryIO) -> Answer:
    def progress(done: int, total: int) -> None:
        _send(answers, Progress(done, total))

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


def _send(answers: BinaryIO, message: Answer) -> None:
    left = memoryview(encode(message))
    while left:
        left = left[answers.write(left) :]
