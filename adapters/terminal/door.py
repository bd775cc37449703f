"""The terminal's door: who asks there, how answers are printed, and the prompt."""

import asyncio
import shutil
import sys
import threading
from contextlib import suppress

from adapters.terminal.render import render
from bot.app import Broadsheet
from bot.command import Actor, Role
from bot.replies import Reply

_GOODBYE = frozenset({"exit", "quit", "bye"})


class TerminalDoor:
    """Standard input and output, at which the operator sits."""

    actor = Actor(platform="terminal", workspace="terminal", user="operator", role=Role.OPERATOR)

    def show(self, reply: Reply, *, failures_apart: bool = False) -> None:
        """Print a reply at the terminal's width, styled only on a terminal.

        With `failures_apart` an answer about an error of the asker's goes to standard error.
        """
        stream = sys.stderr if failures_apart and reply.failed else sys.stdout
        width = shutil.get_terminal_size((80, 24)).columns
        stream.write(render(reply, width, styled=stream.isatty()) + "\n")
        stream.flush()

    async def prompt(self, app: Broadsheet) -> None:
        """Answer lines of standard input until it ends or says `exit`."""
        while True:
            line = await _next_line()
            if line is None or line.strip().lower() in _GOODBYE:
                return
            if line.strip():
                self.show(await app.run_text(line, self.actor))
                sys.stdout.write("\n")


async def _next_line() -> str | None:
    """Wait for a line of standard input; `None` at its end.

    It is read in a daemon thread, since no thread that waits for a person can be cancelled:
    one of the event loop's own would keep the program from ending at a signal.
    """
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str | None] = loop.create_future()

    def read() -> None:
        found = _read_line()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(_answer, line, found)

    threading.Thread(target=read, name="prompt", daemon=True).start()
    return await line


def _answer(line: asyncio.Future[str | None], found: str | None) -> None:
    if not line.done():
        line.set_result(found)


def _read_line() -> str | None:
    if sys.stdin.isatty():
        try:
            return input("papers> ")
        except EOFError:
            return None
    # Unbuffered: a thread that holds the lock of a buffer at the end is a fatal error.
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as lines:
        return lines.readline().decode("utf-8", "replace") or None
