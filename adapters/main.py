"""The composition root: it connects settings, store, bot and adapters.

Bot and adapters are imported inside its functions, so that a subcommand such as `import` loads
nothing beyond the store.
"""

import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adapters.cli.context import CliContext, OpenStore, Runtime, Serve
from adapters.cli.output import print_error
from adapters.cli.subcommands import SUBCOMMANDS, LazyGroup
from bot.clock import SystemClock
from bot.ingest.rebuild import rebuild_if_outdated
from bot.operations import logs
from bot.settings import Settings, environment, read_settings
from bot.sources.followed import follow_predefined
from store.database import Database
from store.database.trial import TrialDatabase
from store.errors import BroadsheetError
from store.migrations import upgrade as migrate

if TYPE_CHECKING:
    from adapters.platform import Declaration
    from bot.app import Observer
    from bot.coordination.wakeup import WakeUp
    from bot.sources.fetcher import Fetcher, Watch

# The part of a shutdown beside those of `serving` and of the store.
_BACKGROUND_SECONDS = 0.5
# So long the process that draws waits for the next picture.
_DRAWING_SECONDS = 60.0


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
        yield OpenStore(database, clock, settings, partial(_open_fetcher, settings))


@asynccontextmanager
async def open_runtime(
    *,
    upgrade: bool = True,
    trial: bool = False,
    observer: "Observer | None" = None,
    wake_up: "WakeUp | None" = None,
    background_timeout: float | None = None,
) -> AsyncIterator[Runtime]:
    """Open the store and the bot.

    At the end its background tasks are awaited, for `background_timeout` seconds at most. On
    `trial` all that the bot wrote is undone then.
    """
    from adapters.terminal.client import TerminalClient
    from bot.accounts.workspaces import Workspaces
    from bot.app import Broadsheet
    from bot.commands.handlers import COMMANDS
    from bot.commands.onboarding import Onboarding
    from bot.coordination.wakeup import WakeUp
    from bot.plots.plotter import Plotter

    async with (
        open_store(upgrade=upgrade) as opened,
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
        terminal = TerminalClient()
        try:
            yield Runtime(database, app, workspaces, clock, settings, terminal, opened.open_fetcher)
        finally:
            await app.wait(background_timeout)


def _open_fetcher(
    settings: Settings, on_progress: "Watch | None" = None
) -> AbstractAsyncContextManager["Fetcher"]:
    """Return a fetcher by the settings, to be opened by its user.

    Raises:
        SettingsError: if an item of the allowlist or a proxy is invalid.
    """
    from adapters.web.http_client import HttpFetcher, parse_allowlist

    return HttpFetcher(
        parse_allowlist(settings.fetch_allow), settings.public_url, on_progress=on_progress
    )


@asynccontextmanager
async def open_server() -> AsyncIterator[tuple[Runtime, Serve]]:
    """Open store and bot with metrics; yield them with the function that serves."""
    from adapters.platform import Services, find_platforms
    from adapters.runtime.interpreter import freeze_memory
    from adapters.runtime.server import serving
    from bot.coordination.wakeup import WakeUp
    from bot.operations.metrics import Metrics

    metrics, wake_up = Metrics(), WakeUp()
    opened = open_runtime(
        observer=metrics.observe, wake_up=wake_up, background_timeout=_BACKGROUND_SECONDS
    )
    async with opened as runtime:
        services = Services(
            runtime.app,
            runtime.database,
            runtime.workspaces,
            runtime.clock,
            runtime.settings,
            metrics,
            wake_up,
            freeze_memory=freeze_memory,
            open_fetcher=runtime.open_fetcher if runtime.settings.sync else None,
        )
        yield runtime, lambda: serving(services, find_platforms(), environment())


async def _write_site(
    opened: OpenStore,
    folder: Path,
    url: str,
    progress: Callable[[int, int], None] | None,
    *,
    force: bool,
) -> str:
    from adapters.web.site.writer import write_site

    day = opened.clock.now().date()
    written = await write_site(opened.database, day, folder, url, progress, force=force)
    return f"{written} in {folder}."


def _platforms() -> Mapping[str, "Declaration"]:
    from adapters.platform import find_platforms

    return find_platforms()


@click.group(
    cls=LazyGroup, targets=SUBCOMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show tracebacks.")
@click.version_option(package_name="broadsheet")
@click.pass_context
def cli(context: click.Context) -> None:
    """Broadsheet: the top AI papers of each week, in Slack, Discord and the terminal."""
    context.obj = CliContext(open_runtime, open_server, _platforms, open_store, _write_site)


def main() -> None:
    """Run the command line; exit with 1 for an error, with 2 for wrong usage."""
    debug = "--debug" in sys.argv[1:2]
    try:
        cli()
    except BroadsheetError as error:
        if debug:
            raise
        print_error(error)
        sys.exit(1)
    except Exception as error:
        if debug:
            raise
        click.echo(f"Error: something unforeseen went wrong ({type(error).__name__}).", err=True)
        click.echo("Run it again as broadsheet --debug … to see where.", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
