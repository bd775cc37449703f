"""`broadsheet run`: the bot, on all that is configured."""

import asyncio
import signal
import sys
from collections.abc import Coroutine

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
        await _until_signal(_serve(runtime, samples=not no_samples))

    with_runtime(verb)


async def _serve(runtime: Runtime, *, samples: bool) -> None:
    if samples:
        await add_samples(runtime.database, runtime.clock.now())
    terminal = runtime.terminal
    terminal.show(await runtime.app.run_text("latest", terminal.actor))
    click.echo(f"\n{_NO_PLATFORM}\n")
    if sys.stdin.isatty():
        click.echo("Type help for the commands, exit to leave.\n")
    await terminal.prompt(runtime.app)


async def _until_signal(work: Coroutine[None, None, None]) -> None:
    """Wait for the work to end, or end it at SIGINT or SIGTERM."""
    task = asyncio.create_task(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    await asyncio.wait([task])
    if task.cancelled():
        click.echo()
    else:
        task.result()
