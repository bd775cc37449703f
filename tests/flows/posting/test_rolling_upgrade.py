"""The installed program beside another version of itself, on one store."""

import asyncio
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self

from sqlalchemy import Engine, select, text
from sqlmodel import col

from store.database import Database
from store.migrations import upgrade
from store.tables.library import FollowedSourceRow
from tests.flows.posting.slack_bot import PATIENCE, Life, ended, life, until
from tests.flows.program import Program, Ran

_SENTENCE = (
    "The store was upgraded by a newer Broadsheet (schema 9998);"
    " restart this one with that version."
)


# What a later version adds, slowly.
_LATER = """
import time
from pathlib import Path
import sqlalchemy as sa
from alembic import op

revision, down_revision = "9998", "{head}"

def upgrade():
    op.add_column("delivery", sa.Column("later", sa.String()))
    Path("begun").touch()
    while not Path("go-on").exists():
        time.sleep(0.05)
"""
_ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class _LaterVersion:
    """A version of the program that knows one revision more."""

    program: Program

    @classmethod
    def of(cls, program: Program) -> Self:
        """Make it beside a program, in whose folder it runs."""
        later = program.folder / "later"
        for room in ("adapters", "bot", "store"):
            shutil.copytree(_ROOT / room, later / room)
        migration = _LATER.format(head=upgrade.head())
        (later / "store" / "migrations" / "versions" / "9998_later.py").write_text(migration)
        return cls(replace(program, executable=Path(sys.executable)))

    def __call__(self, *arguments: str) -> Ran:
        return self.program("-m", "adapters.main", *arguments, PYTHONPATH=self._path)

    def start(self, *arguments: str, log: Path | None = None) -> subprocess.Popen[str]:
        """Start it with these arguments."""
        verb = ("-m", "adapters.main", *arguments)
        return self.program.start(*verb, log=log, PYTHONPATH=self._path)

    @property
    def _path(self) -> str:
        return str(self.program.folder / "later")


@asynccontextmanager
async def _upgrading(bot: Life) -> AsyncIterator[None]:
    """Upgrade the store by a later version of the program; only after the block that ends."""
    with _LaterVersion.of(bot.program).start("db", "upgrade") as upgrading:
        try:
            await until((bot.folder / "begun").exists)
            yield
            (bot.folder / "go-on").touch()
            said, _ = await asyncio.to_thread(upgrading.communicate, timeout=PATIENCE)
            assert said.endswith("is now at schema 9998.\n")
        finally:
            upgrading.kill()


def _break(engine: Engine) -> None:
    """Do by hand what a migration of a later version would that this one can't follow."""
    with engine.begin() as connection:
        connection.execute(text("UPDATE schema_support SET oldest = '9998'"))
        connection.execute(text("UPDATE alembic_version SET version_num = '9998'"))


async def _sentences(bot: Life, name: str) -> set[str]:
    _, parts = await bot.healthy(name)
    return {part["sentence"] for part in parts.values() if part["state"] == "failing"}


async def test_a_running_bot_goes_on_while_a_later_version_upgrades(
    tmp_path: Path, database_url: str
) -> None:
    """It answers while `db upgrade` is under way, and posts with what was only added."""
    async with life(tmp_path, database_url) as bot:
        running = bot.run("running")
        await bot.connected()
        async with _upgrading(bot):
            assert "Invented Paper 1" in await bot.asked("latest")
        assert "every Monday at 09:00" in await bot.asked("subscribe UTC size:2")
        await bot.ordered()
        await until(lambda: bot.posts() == 1)
        running.send_signal(signal.SIGTERM)
        assert await ended(running) == 0


async def test_a_bot_that_cannot_follow_stays_up_and_is_refused_at_its_next_start(
    tmp_path: Path, database_url: str
) -> None:
    """Commands and health say one sentence, without a traceback; a restart ends with exit 1."""
    async with life(tmp_path, database_url) as bot:
        running = bot.run("running", due_in=3600)
        await bot.connected()
        # What it writes at its start is written.
        assert "every Monday at 09:00" in await bot.asked("subscribe UTC size:2")
        async with Database(database_url) as newer:
            await newer.run(_break)
        assert "was upgraded by a newer Broadsheet" in await bot.asked("subscribe UTC")
        assert _SENTENCE in await _sentences(bot, "running")
        assert await bot.lives("running")
        running.send_signal(signal.SIGTERM)
        assert await ended(running) == 0
        assert "Traceback" not in (bot.folder / "running.log").read_text()

        again = await asyncio.to_thread(bot.program, "run", **bot.settings)
        assert (again.code, again.out) == (1, "")
        assert again.err.startswith(
            "Error: The store was written by a newer Broadsheet (schema 9998).\n"
        )


async def test_two_that_start_on_an_older_store_upgrade_it_once(
    tmp_path: Path, database_url: str
) -> None:
    """One brings it up to date, the other waits for that, and both serve."""
    later = _LaterVersion.of(Program(tmp_path, database_url))
    (tmp_path / "go-on").touch()
    logs = [tmp_path / "first.log", tmp_path / "second.log"]
    started = [later.start("run", log=log) for log in logs]
    try:
        for log in logs:
            await until(partial(_serves, log))
        assert later("db", "upgrade").out.endswith(" was already at schema 9998.\n")
        for process in started:
            process.send_signal(signal.SIGTERM)
        assert [await ended(process) for process in started] == [0, 0]
    finally:
        for process in started:
            process.kill()
            process.communicate()


def test_an_older_store_can_be_backed_up_and_restored(tmp_path: Path, database_url: str) -> None:
    """A backup before an upgrade keeps its revision; restoring it brings it up to date."""
    program = Program(tmp_path, database_url)
    assert program("sources", "disable", "dair").code == 0
    later = _LaterVersion.of(program)
    (tmp_path / "go-on").touch()
    checked = later("db", "check")
    assert checked.err.startswith(f"Error: The store's schema is {upgrade.head()}, older than")
    assert later("db", "backup", "backup.db").code == 0
    assert _facts(f"sqlite:///{tmp_path}/backup.db") == (upgrade.head(), False)
    assert later("db", "restore", "backup.db").code == 0
    assert _facts(database_url) == ("9998", False)


def _facts(database_url: str) -> tuple[str | None, bool | None]:
    """Return the revision of a store, and whether it fetches DAIR."""
    with closing(Database(database_url)) as store, store.engine.connect() as connection:
        fetches = select(col(FollowedSourceRow.enabled)).where(
            col(FollowedSourceRow.source) == "dair"
        )
        return upgrade.current(connection), connection.scalar(fetches)


def _serves(log: Path) -> bool:
    return '"event": "serving"' in log.read_text()
