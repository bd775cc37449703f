"""The process that imports, begun and ended by `Apart`.

It ends when the bot closes its pipe, as it does however it ends itself.
"""

import asyncio
import gc
import logging
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from bot.domain.addresses import discreet
from bot.errors import SourceError
from bot.ingest import documents
from bot.ingest.pipeline import Turns, ingest
from bot.ingest.worker.messages import (
    Answer,
    Beginning,
    Failure,
    Message,
    Order,
    Progress,
    read,
    written,
)
from bot.operations.health import unforeseen
from store.database import Database
from store.errors import BroadsheetError
from store.migrations import upgrade

_log = logging.getLogger(__name__)

# Linux takes this process first where memory runs out, and not the bot: proc_pid_oom_score_adj(5).
_OOM_SCORE = 500
# SQLite has others look again after 25 ms at most to begin with, and so does who lets them write:
# https://www.sqlite.org/src/file/src/main.c (sqliteDefaultBusyCallback).
_TURNS = Turns(editions=4, rest=0.03)


def main() -> None:
    """Take in what is ordered, until there is no one left who would."""
    gc.freeze()  # as the program itself does at its start
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(_OOM_SCORE), encoding="ascii")
    orders, answers = sys.stdin.buffer, _answers()
    beginning = read(orders)
    if isinstance(beginning, Beginning):
        beginning.prepare()
        with suppress(BrokenPipeError):
            asyncio.run(_serve(beginning.database_url, orders, answers))


def _answers() -> BinaryIO:
    """Return the pipe to the bot; what is printed from now on goes where errors go."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return answers


async def _serve(database_url: str, orders: BinaryIO, answers: BinaryIO) -> None:
    documents.formats()
    async with Database(database_url) as database:
        database.require_revisions(upgrade.known_revisions())
        # Nothing else is going on in this event loop.
        while isinstance(order := read(orders), Order):
            _say(answers, await _carried_out(database, order, answers))


async def _carried_out(database: Database, order: Order, answers: BinaryIO) -> Answer:
    def progress(done: int, total: int) -> None:
        _say(answers, Progress(done, total))

    turns = _TURNS if database.is_sqlite else order.options.turns
    options = replace(order.options, progress=progress, turns=turns)
    try:
        return await ingest(database, order.path, order.data, options, order.now)
    except BroadsheetError as error:
        return Failure.of(error)
    except BrokenPipeError:  # the bot is gone, and nobody is to be told
        raise
    except Exception as error:  # noqa: BLE001 - the bot is to be told whatever it was
        _log.exception("import_failed", extra={"path": discreet(order.path)})
        return Failure.of(SourceError(unforeseen(error)))


def _say(answers: BinaryIO, message: Message) -> None:
    left = memoryview(written(message))
    while left:
        left = left[answers.write(left) :]
