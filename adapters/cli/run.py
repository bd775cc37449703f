"""`broadsheet run`: the bot, on all that is configured."""

import sys

import click

from adapters.cli.runtime import Runtime, with_runtime
from bot.samples import add_samples

_NO_PLATFORM = (
    "No chat platform is connected: this version answers in the terminal only, and needs no token."
)


@click.command()
@click.option("--no-samples", is_flag=True, help="Leave an empty store empty.")
def run(*, no_samples: bool) -> None:
    """Run the bot: show the latest edition and open the prompt."""

    async def verb(runtime: Runtime) -> None:
        if not no_samples:
            await add_samples(runtime.database, runtime.clock.now())
        terminal = runtime.terminal
        terminal.show(await runtime.app.run_text("latest", terminal.actor))
        click.echo(f"\n{_NO_PLATFORM}\n")
        if sys.stdin.isatty():
            click.echo("Type help for the commands, exit to leave.\n")
        await terminal.prompt(runtime.app)

    with_runtime(verb)
