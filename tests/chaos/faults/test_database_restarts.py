"""The database's restarts: while it is away nobody reaches it, and what was committed stays."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import psycopg
import pytest

from tests.chaos.faults.database_restarts import Restarts
from tests.chaos.workers.event_log import Journal
from tests.resources.postgres import Postgres, running_postgres


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """Return a server that no other test uses."""
    try:
        with running_postgres() as server:
            yield server
    except ImportError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no Postgres server for this machine: {error}")


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_restart_ends_who_is_connected_and_loses_nothing(
    server: Postgres, tmp_path: Path, mode: Literal["fast", "immediate"]
) -> None:
    """A connection is broken, a new one finds what was committed, and the time since is known."""
    restarts = Restarts(server, Journal(tmp_path / "journal.log"))
    before = psycopg.connect(server.url, autocommit=True)
    before.execute("CREATE TABLE IF NOT EXISTS kept (mode text)")
    before.execute("INSERT INTO kept VALUES (%s)", [mode])
    await restarts.restart(mode, 0)
    with pytest.raises(psycopg.OperationalError):
        before.execute("SELECT 1")
    with psycopg.connect(server.url) as after:
        kept = after.execute("SELECT mode FROM kept WHERE mode = %s", [mode]).fetchall()
    assert kept == [(mode,)]
    assert restarts.up.is_set()
    assert restarts.number == 1
    assert dict(restarts.counted) == {f"{mode} restarts": 1}


async def test_who_is_stopped_is_away(server: Postgres) -> None:
    """Nobody gets in between the end and the beginning."""
    server.stop("fast")
    try:
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(server.url)
    finally:
        server.start()
    with psycopg.connect(server.url) as after:
        assert after.execute("SELECT 1").fetchall() == [(1,)]
