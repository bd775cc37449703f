"""The store, the bot, the terminal and the server, as verbs open them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar
from zoneinfo import ZoneInfo

import click

from bot.clock import Clock, SystemClock
from bot.ingest.rebuild import rebuild_if_outdated
from bot.operations import logs
from bot.settings import Settings, read_settings
from bot.sources.followed import follow_predefined
from store.database import Database
from store.database.trial import TrialDatabase
from store.migrations import upgrade as migrate

if TYPE_CHECKING:
    from adapters.platform import Declaration
    from adapters.terminal.client import TerminalClient
    from adapters.web.http_client import HttpFetcher
    from bot.accounts import Workspaces
    from bot.app import Broadsheet, Observer
    from bot.coordination.wakeup import WakeUp
    from bot.ingest.worker import ImportWorker
    from bot.sources.fetcher import Watch

T = TypeVar("T")

# So long the process that draws waits for the next picture.
_DRAWING_SECONDS = 60.0
# Serves the web and the configured platforms; yields the names of the platforms that started and
# the URL of the chat, if it is served.
Serve = Callable[[], AbstractAsyncContextManager[tuple[tuple[str, ...], str | None]]]


@dataclass(frozen=True, slots=True)
class OpenStore:
    """An open store, without the bot."""

    database: Database
    clock: Clock
    settings: Settings

    @property
    def zone(self) -> str:
        """The IANA time zone of the settings."""
        return self.settings.timezone

    @property
    def now(self) -> datetime:
        """The time in that zone."""
        return self.clock.now().astimezone(ZoneInfo(self.zone))


@dataclass(frozen=True, slots=True)
class Runtime(OpenStore):
    """An open store, the bot and the terminal."""

    app: "Broadsheet"
    workspaces: "Workspaces"
    terminal: "TerminalClient"


@dataclass(frozen=True, slots=True)
class CliContext:
    """The functions that the composition root passes to verbs.

    Attributes:
        open_server: opens store and bot with metrics, and the function that serves.
        platforms: returns the declarations of the platforms.
    """

    open_server: Callable[[], AbstractAsyncContextManager[tuple[Runtime, Serve]]]
    platforms: Callable[[], Mapping[str, "Declaration"]]


def cli_context() -> CliContext:
    """Return the context of the running verb."""
    context: CliContext = click.get_current_context().obj
    return context


@asynccontextmanager
async def open_store(*, upgrade: bool = True) -> AsyncIterator[OpenStore]:
    """Open the store of the settings, and upgrade its schema on request."""
    settings = read_settings()
    logs.configure(settings.log_format, settings.log_level)
    clock = SystemClock(settings.offset)
    async with Database(settings.database_url) as database:
        if upgrade:
            # A lookup should not wait for a writer.
            if not await database.read(migrate.is_current):
                await database.run(migrate.upgrade)
            database.require_revisions(migrate.known_revisions())
            await rebuild_if_outdated(database, clock.now())
            await follow_predefined(database)
        yield OpenStore(database, clock, settings)


@asynccontextmanager
async def open_runtime(
    *,
    trial: bool = False,
    observer: "Observer | None" = None,
    wake_up: "WakeUp | None" = None,
    background_timeout: float | None = None,
) -> AsyncIterator[Runtime]:
    """Open the store and the bot.

    At the end its background tasks are awaited, for `background_timeout` seconds at most. On
    `trial` all that the bot wrote is undone then.
    """
    # Imported here, so that a verb such as `import` loads nothing beyond the store.
    from adapters.terminal.client import TerminalClient
    from bot.accounts import Workspaces
    from bot.app import Broadsheet
    from bot.commands.handlers import COMMANDS
    from bot.commands.onboarding import Onboarding
    from bot.coordination.wakeup import WakeUp
    from bot.plots.plotter import Plotter

    async with (
        open_store() as opened,
        AsyncExitStack() as opening,
        Plotter(idle=_DRAWING_SECONDS) as plots,
    ):
        clock, settings = opened.clock, opened.settings
        database = (
            await opening.enter_async_context(TrialDatabase(settings.database_url))
            if trial
            else opened.database
        )
        workspaces = Workspaces(database)
        app = Broadsheet(
            database,
            clock,
            COMMANDS,
            settings.timezone,
            notify=(wake_up or WakeUp()).notify,
            workspaces=workspaces,
            observer=observer,
            onboarding=Onboarding(database, clock),
            plots=plots,
            public_url=settings.public_url,
        )
        try:
            yield Runtime(database, clock, settings, app, workspaces, TerminalClient())
        finally:
            await app.wait(background_timeout)


def with_runtime(action: Callable[[Runtime], Awaitable[T]], *, trial: bool = False) -> T:
    """Run an action with an open store and the bot, on `trial` so that nothing stays."""

    async def run() -> T:
        async with open_runtime(trial=trial) as runtime:
            return await action(runtime)

    return asyncio.run(run())


def with_store(action: Callable[[OpenStore], Awaitable[T]], *, upgrade: bool = True) -> T:
    """Run an action with an open store, without the bot."""

    async def run() -> T:
        async with open_store(upgrade=upgrade) as opened:
            return await action(opened)

    return asyncio.run(run())


def open_importer(opened: OpenStore) -> "ImportWorker":
    """Return what imports documents in a process of its own, which may end over one."""
    from bot.ingest.worker import ImportWorker

    settings = opened.settings
    prepare = partial(logs.configure, settings.log_format, settings.log_level)
    return ImportWorker(opened.database, prepare=prepare, is_waited_for=True)


def open_fetcher(settings: Settings, on_progress: "Watch | None" = None) -> "HttpFetcher":
    """Return a fetcher by the settings, to be opened by its user.

    Raises:
        SettingsError: if an item of the allowlist or a proxy is invalid.
    """
    from adapters.web.http_client import HttpFetcher, parse_allowlist

    return HttpFetcher(
        parse_allowlist(settings.fetch_allow), settings.public_url, on_progress=on_progress
    )
