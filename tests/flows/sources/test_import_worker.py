"""The installed bot takes a long archive in beside its work, and ends in the midst of it."""

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic

from store.database import Database
from store.library.editions import export_editions
from tests.benchmarks.inputs.documents import generated
from tests.fakes.web_sites import Answer, serve_site
from tests.flows.program import Program
from tests.flows.sources.following import follow

_WEEKS = 60
_HERE = {"BROADSHEET_FETCH_ALLOW": "127.0.0.1"}


async def _taken_in(program: Program) -> list[int]:
    """Return how many entries each edition has that is stored."""
    async with Database(program.database_url) as database:
        stored = await database.read(export_editions)
        return [len(each.entries) for each in stored if each.source == "weekly"]


def _children(process: int) -> list[int]:
    listed = subprocess.run(
        ["/bin/ps", "-A", "-o", "pid=,ppid="], check=True, stdout=subprocess.PIPE, text=True
    )
    pairs = (map(int, line.split()) for line in listed.stdout.splitlines())
    return [child for child, parent in pairs if parent == process]


def _is_running(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


async def test_a_bot_ends_in_the_midst_of_an_import(tmp_path: Path, sqlite_url: str) -> None:
    """In time, with its other process, and no edition is stored in part; a sync does the rest."""
    program = Program(tmp_path, sqlite_url)
    async with serve_site() as site:
        site.put("/archive.md", Answer(generated(_WEEKS).archive))
        await follow(program, weekly=site.url("/archive.md"))
        log = tmp_path / "run.log"
        bot = program.fork("run", "--no-samples", log=log, BROADSHEET_SYNC="on", **_HERE)
        try:
            async with asyncio.timeout(60):
                while not (begun := await _taken_in(program)):  # noqa: ASYNC110 - it is a program
                    await asyncio.sleep(0.05)
            [child] = _children(bot.pid)
            told = monotonic()
            bot.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(bot.wait, 15) == 0
        finally:
            bot.kill()
            bot.communicate()
        assert monotonic() - told < 10
        assert not _is_running(child)
        left = await _taken_in(program)
        assert len(begun) <= len(left) < _WEEKS
        assert set(left) == {10}
        done = await asyncio.to_thread(program, "sync", **_HERE)
        assert (done.code, done.err) == (0, "")
    assert await _taken_in(program) == [10] * _WEEKS
