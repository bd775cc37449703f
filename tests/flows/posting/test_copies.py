"""The installed program copies a store to Postgres beside the bot that serves it."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg

from store.database import Database
from store.posting.subscriptions import list_subscriptions
from tests.conftest import fresh_postgres
from tests.flows.forked_program import Forked
from tests.flows.posting.slack_bot import ended, life, until
from tests.flows.program import Program


@asynccontextmanager
async def _halfway(program: Program, to: str) -> AsyncIterator[Forked]:
    """Copy a store to a Postgres database, and keep the copy from ending until the block does."""
    ran = await asyncio.to_thread(Program(program.folder, to), "db", "upgrade")
    assert ran.code == 0, ran.err
    async with await psycopg.AsyncConnection.connect(to) as database:
        await database.execute("LOCK TABLE subscription IN SHARE MODE")
        copying = program.fork("db", "copy", to)

        async def waits() -> bool:
            waiting = await database.execute(
                "SELECT 1 FROM pg_locks WHERE relation = 'subscription'::regclass AND NOT granted"
            )
            return bool(await waiting.fetchall())

        await until(waits)
        yield copying


async def _subscriptions(url: str) -> int:
    async with Database(url) as store:
        return len(await store.read(list_subscriptions))


async def test_a_copy_is_whole_or_not_begun(
    tmp_path: Path, database_url: str, postgres_server: str
) -> None:
    """One that is killed leaves an empty store; the next has all that was when it began.

    The bot answers and writes meanwhile. A bot on the copy posts what is due there.
    """
    with fresh_postgres(postgres_server) as url:
        async with life(tmp_path, database_url) as bot:
            running = bot.run("running", due_in=3600)
            await bot.connected()
            assert "every Monday at 09:00" in await bot.asked("subscribe UTC")
            async with _halfway(bot.program, url) as copying:
                copying.kill()
                assert await asyncio.to_thread(copying.communicate) == ("", "")
            async with _halfway(bot.program, url) as copying:
                assert "every Monday at 09:00" in await bot.asked("subscribe UTC size:2")
            said, failed = await asyncio.to_thread(copying.communicate)
            assert (copying.returncode, failed) == (0, "")
            assert "counts and digests agree" in said
            assert (await _subscriptions(database_url), await _subscriptions(url)) == (2, 1)
            running.send_signal(signal.SIGTERM)
            assert await ended(running) == 0

            bot.program = Program(tmp_path, url)
            moved = bot.run("moved")
            await until(lambda: bot.posts() == 1)
            assert "every Monday at 09:00" in await bot.asked("subscribe UTC size:3")
            assert await _subscriptions(url) == 2
            moved.send_signal(signal.SIGTERM)
            assert await ended(moved) == 0
