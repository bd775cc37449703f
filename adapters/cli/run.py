"""`broadsheet run` and `broadsheet chat`."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager

import click

from adapters.cli.context import CliContext, Runtime, cli_context, with_runtime
from adapters.platform import Declaration
from bot.ingest.samples import add_samples
from bot.replies.blocks import Level, Notice, Reply, Text

_log = logging.getLogger(__name__)

# A shutdown takes 15 seconds at most; its steps with timeouts of their own take less.
_HARD_EXIT_SECONDS = 14.6

_HOW_TO_ASK = Text("Type help for the commands, exit to leave.")
_no_samples = click.option("--no-samples", is_flag=True, help="Leave an empty store empty.")


@click.command()
@_no_samples
def run(*, no_samples: bool) -> None:
    """Run all that is configured until a signal ends it; without a platform, a prompt."""
    with _hard_exit_timer() as timer:
        asyncio.run(_until_signal(_run(cli_context(), samples=not no_samples), timer))


@click.command()
@_no_samples
def chat(*, no_samples: bool) -> None:
    """Open a prompt that speaks the commands; it reads lines from a pipe too."""
    with _hard_exit_timer() as timer:
        with_runtime(lambda runtime: _until_signal(_chat(runtime, samples=not no_samples), timer))


async def _run(context: CliContext, *, samples: bool) -> None:
    async with context.open_server() as (runtime, serve):
        if samples:
            await add_samples(runtime.database, runtime.clock.now())
        async with serve() as (platforms, chat_url):
            if platforms:
                _log.info("serving", extra={"platforms": ", ".join(platforms)})
                await asyncio.Event().wait()
            else:
                await _serve_terminal(runtime, context.platforms(), chat_url)


async def _serve_terminal(
    runtime: Runtime, platforms: Mapping[str, Declaration], chat_url: str | None
) -> None:
    """Show the newest edition, then prompt on a terminal, or else wait for a signal."""
    browser = (Text(f"Try it in a browser: {chat_url}"),) if chat_url else ()
    ways_on = (no_platform_notice(platforms), *browser)
    if _is_interactive():
        runtime.terminal.show(Reply((*ways_on, _HOW_TO_ASK)))
        click.echo()
        await runtime.terminal.prompt(runtime.app, opening="latest")
    else:
        runtime.terminal.show(await runtime.app.run_text("latest", runtime.terminal.actor))
        click.echo()
        runtime.terminal.show(Reply(ways_on))
        _log.info("serving")
        await asyncio.Event().wait()


def no_platform_notice(platforms: Mapping[str, Declaration]) -> Notice:
    """Return the notice for no configured platform, which says how to add each one."""
    return Notice(
        Level.INFO,
        "No chat platform is connected; the terminal needs none.",
        " ".join(declaration.setup_hint for declaration in platforms.values()),
    )


async def _chat(runtime: Runtime, *, samples: bool) -> None:
    if samples:
        await add_samples(runtime.database, runtime.clock.now())
    if _is_interactive():
        runtime.terminal.show(Reply((_HOW_TO_ASK,)))
        click.echo()
        await runtime.terminal.prompt(runtime.app, opening="latest")
    else:
        await runtime.terminal.prompt(runtime.app)


def _is_interactive() -> bool:
    # By file descriptor: a closed standard input is `None` in Python.
    return os.isatty(0) and os.isatty(1)


@contextmanager
def _hard_exit_timer() -> Iterator[threading.Timer]:
    """Yield a timer that, once started, exits the process even if a library never returns.

    It is cancelled with the block, since a program that called this may go on.
    """
    timer = threading.Timer(_HARD_EXIT_SECONDS, _exit_now)
    timer.daemon = True
    try:
        yield timer
    finally:
        timer.cancel()
        if timer.ident:
            timer.join()


def _exit_now() -> None:
    # The store holds everything that matters, as after a crash.
    _log.warning("shutdown_late")
    logging.shutdown()
    os._exit(0)


async def _until_signal(main: Coroutine[None, None, None], timer: threading.Timer) -> None:
    """Run a coroutine; at SIGINT or SIGTERM cancel it and start the timer."""
    task = asyncio.create_task(main)
    loop = asyncio.get_running_loop()

    def stop() -> None:
        task.cancel()
        if not timer.ident:
            timer.start()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    await asyncio.wait([task])
    if not task.cancelled():
        task.result()
    elif _is_interactive():
        click.echo()  # the terminal shows ^C on this line
