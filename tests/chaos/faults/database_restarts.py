"""The database's own end and beginning, while all goes on."""

import asyncio
import time
from collections import Counter
from typing import Literal

from tests.chaos.workers.event_log import Journal
from tests.resources.postgres import Postgres


class Restarts:
    """Stops and starts a server, and tells how long it has been there.

    Args:
        server: what is restarted; `None` where the database is a file, which is always there.
        journal: where that is written down.
    """

    def __init__(self, server: Postgres | None, journal: Journal) -> None:
        self.counted: Counter[str] = Counter()
        self.number = 0
        self.up = asyncio.Event()
        self.up.set()
        self._since = time.monotonic()
        self._server = server
        self._journal = journal

    @property
    def is_server(self) -> bool:
        """Whether there is anything to restart."""
        return self._server is not None

    def up_for(self) -> float:
        """Return for how many seconds the database has been there."""
        return time.monotonic() - self._since if self.up.is_set() else 0.0

    async def restart(self, mode: Literal["fast", "immediate"], seconds: float) -> None:
        """Have the database away for so many seconds, and for as long as it needs to come."""
        assert self._server
        self.number += 1
        self.up.clear()
        self.counted[f"{mode} restarts"] += 1
        self._journal.note(f"database: stops, {mode}")
        await asyncio.to_thread(self._server.stop, mode)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(self._server.start)
        self._since = time.monotonic()
        self.up.set()
        self._journal.note("database: is there again")
