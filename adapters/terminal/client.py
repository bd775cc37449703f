"""The terminal client: it prints replies and runs the prompt."""

import os
import shutil
import sys
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from adapters.terminal.buttons import LetteredButton, letter_buttons, resolve_input
from adapters.terminal.files import write_files
from adapters.terminal.render import TextStyle, render, supported_style
from adapters.terminal.reply_lines import lettered_lines
from adapters.terminal.stdin import STANDARD_INPUT, piped_lines
from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.errors import UserError
from bot.replies.blocks import Level, Notice, Reply
from bot.replies.plain_text import BLANK, StyledLine, lines

_PROMPT = "papers> "
_EXIT_WORDS = frozenset({"exit", "quit", "bye"})


class TerminalClient:
    """The client on standard input and output, used by the operator.

    Args:
        folder: the folder for files of replies; by default the working directory.
    """

    actor = Actor(platform="terminal", workspace="terminal", user="operator", role=Role.OPERATOR)

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path()

    def show(self, reply: Reply, *, failures_apart: bool = False) -> bool:
        """Print a reply at the width of the terminal; return whether its files were written.

        With `failures_apart`, failed replies and notices about unwritten files go to standard
        error.
        """
        reply, failures = write_files(reply, self._folder)
        error_stream = sys.stderr if failures_apart else sys.stdout
        _print(lines(reply), error_stream if reply.failed else sys.stdout)
        if failures:
            _print(lines(Reply(failures)), error_stream)
        return not failures

    async def prompt(self, app: Broadsheet, opening: str | None = None) -> None:
        """Answer the lines of standard input until its end or `exit`, after the command `opening`.

        A line with the letter or label of a button of the last reply presses it. Blank lines and
        those that begin with `#` are skipped, so that scripts can be piped in.
        """
        offered: list[LetteredButton] = []
        if opening is not None:
            offered = await self._answer(app, opening, offered)
        async with aclosing(self._lines(app)) as typed:
            async for line in typed:
                text = line.strip()
                if text.lower() in _EXIT_WORDS:
                    return
                if text and not text.startswith("#"):
                    offered = await self._answer(app, text, offered)

    async def _answer(
        self, app: Broadsheet, text: str, offered: list[LetteredButton]
    ) -> list[LetteredButton]:
        """Print the reply to a line, and return the buttons that are offered from now on."""
        try:
            command, origin = resolve_input(text, offered)
        except UserError as error:
            notice = Notice(Level.ERROR, error.sentence, error.remedy)
            _print([*lines(Reply((notice,))), BLANK], sys.stdout)
            return offered
        found = await app.run_text(command, self.actor, origin=origin)
        reply, failures = write_files(found, self._folder)
        reply = replace(reply, blocks=(*reply.blocks, *failures))
        by_block = letter_buttons(reply)
        shown = lettered_lines(reply, by_block, refs=not sys.stdout.isatty())
        _print([*shown, BLANK], sys.stdout)
        await self._welcome(app, reply)
        await app.wait()  # the next line may speak of this list
        return [lettered for block in by_block for lettered in block]

    async def _welcome(self, app: Broadsheet, answer: Reply) -> None:
        """Print the onboarding message below a reply, if the user has not had it."""

        async def send(welcome: Reply) -> None:
            _print([*lines(welcome), BLANK], sys.stdout)

        if app.onboarding:
            await app.onboarding.follow(answer, self.actor, app.commands, send)

    def _lines(self, app: Broadsheet) -> AsyncGenerator[str, None]:
        """Return the lines of standard input, with completion on a capable terminal."""
        style = supported_style(os.environ, is_terminal=sys.stdout.isatty())
        if style is TextStyle.PLAIN or not os.isatty(STANDARD_INPUT):
            return piped_lines(_PROMPT)
        from adapters.terminal.prompt import typed_lines

        return typed_lines(app, self.actor, _PROMPT)


def _print(found: Iterable[StyledLine], stream: TextIO) -> None:
    width = shutil.get_terminal_size((80, 24)).columns
    style = supported_style(os.environ, is_terminal=stream.isatty())
    # Characters that the stream can't encode become question marks, not an exception.
    encoding = stream.encoding or "utf-8"
    text = render(found, width, style).encode(encoding, "replace").decode(encoding)
    stream.write(f"{text}\n")
    stream.flush()
