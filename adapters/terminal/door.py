"""The terminal's door: who asks there, how answers are printed, and the prompt."""

import asyncio
import shutil
import sys

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
            line = await asyncio.to_thread(_read_line)
            if line is None or line.strip().lower() in _GOODBYE:
                return
            if line.strip():
                self.show(await app.run_text(line, self.actor))
                sys.stdout.write("\n")


def _read_line() -> str | None:
    try:
        return input("papers> " if sys.stdin.isatty() else "")
    except EOFError:
        return None
