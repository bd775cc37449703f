"""The bot as `broadsheet run` builds it, in a hurry and under clocks that somebody moves.

    python -m tests.chaos.worker CLOCKS

It is told by the environment all that `broadsheet run` is, and killed whenever it suits others.
"""

import asyncio
import signal
import sys
from pathlib import Path

from adapters.registry import Parts, declared
from adapters.serving import serving
from bot import logs
from bot.app import Broadsheet
from bot.commands import COMMANDS
from bot.content import Content
from bot.metrics import Metrics
from bot.outbox.pace import Pace
from bot.settings import given_variables, read_settings
from bot.subscriptions import Subscriptions
from bot.waking import Bell
from bot.workspaces import Workspaces
from store import migrate
from store.database import Database
from tests.chaos import clocks

# Long enough for what a busy machine does, short enough that leases end all the time.
PACE = Pace(send=3.0, lease=4.0, idle=0.2, first_wait=0.3, longest_wait=2.0)


async def work(file: Path) -> None:
    """Serve both platforms until a signal ends it."""
    settings = read_settings()
    logs.configure(settings.log_format, settings.log_level)
    async with Database(settings.database_url) as database:
        await database.run(migrate.upgrade)
        metrics, bell, clock = Metrics(), Bell(), clocks.peoples(file)
        workspaces = Workspaces(database)
        app = Broadsheet(
            Content(database),
            workspaces,
            Subscriptions(database, bell.ring),
            clock,
            COMMANDS,
            settings.timezone,
            observer=metrics.observe,
        )
        parts = Parts(
            app,
            database,
            workspaces,
            clock,
            settings,
            metrics,
            bell,
            wall=clocks.wall(file),
            pace=PACE,
        )
        async with serving(parts, declared(), given_variables()):
            sys.stdout.write("serving\n")
            sys.stdout.flush()
            await _signal()


async def _signal() -> None:
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1])))
