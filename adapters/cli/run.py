"""`broadsheet run` and `broadsheet chat`: the bot for as long as it is wanted."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager

import click

from adapters.cli.runtime import House, Runtime, this_house, with_runtime
from adapters.platform import Declaration
from bot.ingest.samples import add_samples
from bot.replies.blocks import Level, Notice, Reply, Text

_log = logging.getLogger(__name__)

# Ending is promised within 15 seconds, and all that has a limit of its own takes less.
_LAST_RESORT_SECONDS = 14.6

_HOW_TO_ASK = Text("Type help for the commands, exit to leave.")
_no_samples = click.option("--no-samples", is_flag=True, help="Leave an empty store empty.")


@click.command()
@_no_samples
def run(*, no_samples: bool) -> None:
    """Run all that is configured until a signal ends it; without a platform, a prompt."""
    with _last_resort() as late:
        asyncio.run(_until_signal(_run(this_house(), samples=not no_samples), late))


@click.command()
@_no_samples
def chat(*, no_samples: bool) -> None:
    """Open a prompt that speaks the commands; it reads lines from a pipe too."""
    with _last_resort() as late:
        with_runtime(lambda runtime: _until_signal(_chat(runtime, samples=not no_samples), late))


async def _run(house: House, *, samples: bool) -> None:
    async with house.open_to_serve() as (runtime, serve):
        if samples:
            await add_samples(runtime.database, runtime.clock.now())
        async with serve() as platforms:
            if platforms:
                _log.info("serving", extra={"platforms": ", ".join(platforms)})
                await asyncio.Event().wait()
            else:
                await _serve_the_terminal(runtime, house.platforms())


async def _serve_the_terminal(runtime: Runtime, known: Mapping[str, Declaration]) -> None:
    """Show the newest edition, then prompt on a terminal, and elsewhere wait to be ended."""
    notice = no_platform(known)
    if _on_a_terminal():
        runtime.terminal.show(Reply((notice, _HOW_TO_ASK)))
        click.echo()
        await runtime.terminal.prompt(runtime.app, opening="latest")
    else:
        runtime.terminal.show(await runtime.app.run_text("latest", runtime.terminal.actor))
        click.echo()
        runtime.terminal.show(Reply((notice,)))
        _log.info("serving")
        await asyncio.Event().wait()


def no_platform(known: Mapping[str, Declaration]) -> Notice:
    """Return what to say where no platform is configured: how to add each that there is."""
    return Notice(
        Level.INFO,
        "No chat platform is connected; the terminal needs none.",
        " ".join(declaration.missing for declaration in known.values()),
    )


async def _chat(runtime: Runtime, *, samples: bool) -> None:
    if samples:
        await add_samples(runtime.database, runtime.clock.now())
    if _on_a_terminal():
        runtime.terminal.show(Reply((_HOW_TO_ASK,)))
        click.echo()
        await runtime.terminal.prompt(runtime.app, opening="latest")
    else:
        await runtime.terminal.prompt(runtime.app)


def _on_a_terminal() -> bool:
    # By number, for a closed standard input is no file in Python.
    return os.isatty(0) and os.isatty(1)


@contextmanager
def _last_resort() -> Iterator[threading.Timer]:
    """Give what ends the process, once it is started, whatever a library waits for without end.

    It is gone when the work is, which may have been called by a program that goes on.
    """
    late = threading.Timer(_LAST_RESORT_SECONDS, _end_at_once)
    late.daemon = True
    try:
        yield late
    finally:
        late.cancel()
        if late.ident:
            late.join()


def _end_at_once() -> None:
    # All that matters stands in the store, where another process finds it as after a crash.
    _log.warning("ended_late")
    logging.shutdown()
    os._exit(0)


async def _until_signal(work: Coroutine[None, None, None], late: threading.Timer) -> None:
    """Wait for the work to end, or end it at SIGINT or SIGTERM, from where on it may be late."""
    task = asyncio.create_task(work)
    loop = asyncio.get_running_loop()

    def end() -> None:
        task.cancel()
        if not late.ident:
            late.start()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    await asyncio.wait([task])
    if not task.cancelled():
        task.result()
    elif _on_a_terminal():
        click.echo()  # the next prompt begins below what the terminal shows for Ctrl+C
