"""Documents taken in by a process of its own; its life and its deaths."""

import asyncio
import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from bot.errors import SourceError
from bot.ingest.memory import MOST_MEMORY, limit_memory
from bot.ingest.pipeline import Importer, ImportOptions, LocalImporter
from bot.ingest.report import DocumentReport
from bot.ingest.worker import Failure, ImportWorker
from store.database import Database, Session
from store.errors import (
    BackupError,
    BadDatabaseURL,
    BroadsheetError,
    LeaseLost,
    SchemaTooNew,
    StoreBusy,
    StoreFull,
    StoreUnavailable,
)
from store.library import editions
from tests.benchmarks.inputs.documents import generated
from tests.conftest import copied_postgres

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
ARCHIVE = generated(weeks=3).archive
OPTIONS = ImportOptions(source="weekly")
# For the process to begin, and not for a document that makes 300 MB of its 10.
_LITTLE = 300 * 1024 * 1024
_HAS_LIMITS = sys.platform.startswith("linux")


async def _ingest(importer: Importer, data: bytes = ARCHIVE, path: str = "a.md") -> DocumentReport:
    return await importer.ingest(path, data, OPTIONS, NOW)


def _is_running(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - nothing here could tell that a process ended
            await asyncio.sleep(0.02)


async def test_it_takes_in_what_the_process_at_hand_would(
    database: Database, postgres_server: str, postgres_template: str
) -> None:
    """Reports and editions are those of an import without another process, errors too.

    So is what a write to the store raises, as where it was upgraded meanwhile.
    """

    def upgrade(session: Session) -> None:
        connection = session.connection()
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        connection.exec_driver_sql("UPDATE schema_support SET oldest = '9998'")

    with copied_postgres(postgres_server, postgres_template) as url:
        async with Database(url) as postgres, ImportWorker(postgres) as worker:
            here = LocalImporter(database)
            assert await _ingest(worker) == await _ingest(here)
            refused = await _ingest(worker, b"nothing of the kind", "none.txt")
            assert refused.error
            assert refused == await _ingest(here, b"nothing of the kind", "none.txt")
            there, at_hand = [
                await each.read(editions.export_editions) for each in (postgres, database)
            ]
            assert there == at_hand
            await postgres.write(upgrade)
            with pytest.raises(SchemaTooNew) as raised:
                await _ingest(worker, generated(weeks=4).archive)
            assert raised.value.revision == "9999"


async def test_what_was_taken_in_before_needs_no_process(database: Database) -> None:
    """The same bytes again are known by what the store remembers of them."""
    await _ingest(LocalImporter(database))
    async with ImportWorker(database) as worker:
        report = await _ingest(worker)
        assert {each.outcome for each in report.editions} == {"unchanged"}
        assert worker.process is None


async def test_documents_share_a_process_one_after_the_other(database: Database) -> None:
    """Several that are ordered at once are taken in by one process, each with its own report.

    Whoever asks is told of so many new editions of so many, the last time of all. The process
    may take so much memory beside what it needs to begin with, and no more.
    """
    told: list[tuple[int, int]] = []
    options = replace(OPTIONS, progress=lambda done, total: told.append((done, total)))
    documents = {f"{weeks}.md": generated(weeks).archive for weeks in (1, 2, 3)}
    async with ImportWorker(database) as worker:
        reports = await asyncio.gather(
            *(_ingest(worker, data, path) for path, data in documents.items())
        )
        first = worker.process
        await worker.ingest("6.md", generated(6).archive, options, NOW)
        assert first == worker.process
        if _HAS_LIMITS and first:
            lower, _ = resource.prlimit(first, resource.RLIMIT_AS)
            assert MOST_MEMORY < lower < 2 * MOST_MEMORY
    assert [(each.path, len(each.editions)) for each in reports] == [
        ("1.md", 1),
        ("2.md", 2),
        ("3.md", 3),
    ]
    assert told == sorted(told)
    assert told[-1] == (3, 3)  # the others were there


@pytest.mark.parametrize(
    "error",
    [
        BackupError("It is broken.", "Make another."),
        BadDatabaseURL("it is none"),
        LeaseLost(7),
        SchemaTooNew("9999", meanwhile=True),
        SourceError("It said nothing."),
        StoreBusy(),
        StoreFull("here", "no room"),
        StoreUnavailable("here", "it is away"),
    ],
)
def test_an_error_is_the_same_on_the_other_side(error: BroadsheetError) -> None:
    """Its class, its words and its facts, whatever its class is made of."""
    again = Failure.of(error).error()
    assert type(again) is type(error)
    assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))


async def test_a_process_that_ends_over_a_document_is_replaced(
    database: Database, tmp_path: Path
) -> None:
    """The document is not taken in, in words; the next one is."""
    folder = tmp_path / "once there the process begins well"
    async with ImportWorker(database, prepare=partial(os.rmdir, folder)) as worker:
        with pytest.raises(SourceError, match=r"a\.md could not be imported: .*exit code 1"):
            await _ingest(worker)
        assert await database.read(editions.list_editions) == []
        folder.mkdir()
        report = await _ingest(worker)
    assert len(report.editions) == 3


async def test_a_process_that_is_killed_says_so(database: Database) -> None:
    """As where memory runs out: the signal is named, and nobody waits for an answer."""
    async with ImportWorker(database, prepare=partial(time.sleep, 60)) as worker:
        waiting = asyncio.create_task(_ingest(worker))
        await _until(lambda: worker.process is not None)
        assert worker.process
        os.kill(worker.process, 9)
        with pytest.raises(SourceError, match="SIGKILL"):
            await waiting


@pytest.mark.skipif(not _HAS_LIMITS, reason="only Linux has such a limit")
async def test_a_document_that_takes_too_much_memory_is_refused(database: Database) -> None:
    """In a sentence and without a trace; nothing of it is taken in, and the next one is."""
    huge = b'[{"paper": [' + b'{"":[]},' * 1_250_000 + b"0]}]"
    async with ImportWorker(database, prepare=partial(limit_memory, _LITTLE)) as worker:
        options = replace(OPTIONS, kind="hf-daily")
        report = await worker.ingest("huge.json", huge, options, NOW)
        first = worker.process
        assert report.error == (
            "huge.json takes more memory to be read than there is for a document, 1,024 MB at most."
            " Split it into several documents."
        )
        assert await database.read(editions.list_editions) == []
        assert len((await _ingest(worker)).editions) == 3
        assert worker.process == first


async def test_a_document_that_takes_for_ever_is_given_up(database: Database) -> None:
    """After a time the process is ended over it."""
    async with ImportWorker(database, prepare=partial(time.sleep, 60), timeout=0.5) as worker:
        with pytest.raises(SourceError, match=r"within 0\.5 seconds"):
            await _ingest(worker)
        assert worker.process is None


async def test_at_the_end_no_process_is_left(database: Database) -> None:
    """Whatever it is at; it and what waits is left to the next time, in words."""
    async with ImportWorker(database, prepare=partial(time.sleep, 60)) as worker:
        first, second = (asyncio.create_task(_ingest(worker)) for _ in range(2))
        await _until(lambda: worker.process is not None)
        process = worker.process
        assert process
    assert not _is_running(process)
    for waiting in (first, second):
        with pytest.raises(SourceError, match=r"a\.md could not be imported"):
            await waiting
    assert worker.process is None
