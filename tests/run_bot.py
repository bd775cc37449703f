"""The bot as `broadsheet run` builds it, where more of it is to be said than settings can.

Whoever plays it in a process of its own says `serving` when it is, and ends it by SIGTERM.
"""

import asyncio
import signal
import sys
from typing import Any

from adapters.platform import Services, find_platforms
from adapters.runtime.server import freeze_memory, serving
from bot.accounts import Workspaces
from bot.app import Broadsheet
from bot.clock import Clock
from bot.commands.handlers import COMMANDS
from bot.coordination.wakeup import WakeUp
from bot.operations import logs
from bot.operations.metrics import Metrics
from bot.settings import environment, read_settings
from store.database import Database
from store.migrations import upgrade


async def serve(clock: Clock, **more: Any) -> None:
    """Serve what the environment configures until SIGTERM; `more` are fields of `Services`."""
    settings = read_settings()
    logs.configure(settings.log_format, settings.log_level)
    async with Database(settings.database_url) as database:
        await database.run(upgrade.upgrade)
        database.require_revisions(upgrade.known_revisions())
        metrics, wake_up, workspaces = Metrics(), WakeUp(), Workspaces(database)
        app = Broadsheet(
            database,
            clock,
            COMMANDS,
            settings.timezone,
            notify=wake_up.notify,
            workspaces=workspaces,
            observer=metrics.observe,
        )
        services = Services(
            app,
            database,
            workspaces,
            clock,
            settings,
            metrics,
            wake_up,
            freeze_memory=freeze_memory,
            **more,
        )
        async with serving(services, find_platforms(), environment()):
            sys.stdout.write("serving\n")
            sys.stdout.flush()
            ended = asyncio.Event()
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
            await ended.wait()
