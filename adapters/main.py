"""The composition root: it connects settings, store, bot and adapters.

What serves is imported inside its functions, so that a verb such as `import` does not load it.
"""

import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import click

from adapters.cli.context import CliContext, Runtime, Serve, open_fetcher, open_runtime
from adapters.cli.output import print_error
from adapters.cli.subcommands import SUBCOMMANDS, LazyGroup
from bot.settings import environment
from store.errors import BroadsheetError

if TYPE_CHECKING:
    from adapters.platform import Declaration

# The part of a shutdown beside those of `serving` and of the store.
_BACKGROUND_SECONDS = 0.5


@asynccontextmanager
async def open_server() -> AsyncIterator[tuple[Runtime, Serve]]:
    """Open store and bot with metrics; yield them with the function that serves."""
    from adapters.platform import Services, find_platforms
    from adapters.runtime.server import freeze_memory, serving
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
            open_fetcher=partial(open_fetcher, runtime.settings) if runtime.settings.sync else None,
        )
        yield runtime, lambda: serving(services, find_platforms(), environment())


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
    context.obj = CliContext(open_server, _platforms)


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
