"""The terminal's door: who asks there, how answers are printed, and the prompt."""

import os
import shutil
import sys
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from adapters.terminal.choices import Choice, chosen, number_buttons
from adapters.terminal.files import written
from adapters.terminal.numbered import numbered_lines
from adapters.terminal.pipe import STANDARD_INPUT, piped_lines
from adapters.terminal.render import Look, look_of, render
from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.errors import UserError
from bot.replies.blocks import Level, Notice, Reply
from bot.replies.plain_text import BLANK, Line, lines

_PROMPT = "papers> "
_GOODBYE = frozenset({"exit", "quit", "bye"})


class TerminalDoor:
    """Standard input and output, at which the operator sits.

    Args:
        folder: where files that come with answers are written; by default where the program runs.
    """

    actor = Actor(platform="terminal", workspace="terminal", user="operator", role=Role.OPERATOR)

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path()

    def show(self, reply: Reply, *, failures_apart: bool = False) -> bool:
        """Print a reply at the terminal's width, styled only on a terminal.

        With `failures_apart` an answer about an error of the asker's goes to standard error, and
        so does what is said of files that could not be written. Return whether all were.
        """
        reply, failures = written(reply, self._folder)
        apart = sys.stderr if failures_apart else sys.stdout
        _print(lines(reply), apart if reply.failed else sys.stdout)
        if failures:
            _print(lines(Reply(failures)), apart)
        return not failures

    async def prompt(self, app: Broadsheet, opening: str | None = None) -> None:
        """Answer lines of standard input until it ends or says `exit`; first of all `opening`.

        The buttons of the last answer are pressed by their numbers or labels. Blank lines and
        those that begin with `#` are passed over, so that scripts may be kept and piped in.
        """
        choices: list[Choice] = []
        if opening is not None:
            choices = await self._answer(app, opening, choices)
        async with aclosing(self._lines(app)) as typed:
            async for line in typed:
                text = line.strip()
                if text.lower() in _GOODBYE:
                    return
                if text and not text.startswith("#"):
                    choices = await self._answer(app, text, choices)

    async def _answer(self, app: Broadsheet, text: str, choices: list[Choice]) -> list[Choice]:
        """Print the answer to a line, and return the choices that stand from now on."""
        try:
            command = chosen(text, choices)
        except UserError as error:
            notice = Notice(Level.ERROR, error.sentence, error.remedy)
            _print([*lines(Reply((notice,))), BLANK], sys.stdout)
            return choices
        reply, failures = written(await app.run_text(command, self.actor), self._folder)
        reply = replace(reply, blocks=(*reply.blocks, *failures))
        offered = number_buttons(reply)
        answer = numbered_lines(reply, offered, refs=not sys.stdout.isatty())
        _print([*answer, BLANK], sys.stdout)
        await self._welcome(app, reply)
        return [choice for block in offered for choice in block]

    async def _welcome(self, app: Broadsheet, answer: Reply) -> None:
        """Explain the bot below an answer, where that is news."""
        person, here = self.actor.person, self.actor.workspace
        if app.onboarding and app.onboarding.may_follow(answer, person, here):
            news = await app.onboarding.welcome(self.actor, app.commands)
            if news:
                _print([*lines(news.reply), BLANK], sys.stdout)

    def _lines(self, app: Broadsheet) -> AsyncGenerator[str, None]:
        """Return the lines of standard input, on a terminal that can be drawn on with all help."""
        look = look_of(os.environ, is_terminal=sys.stdout.isatty())
        if look is Look.PLAIN or not os.isatty(STANDARD_INPUT):
            return piped_lines(_PROMPT)
        from adapters.terminal.prompt import typed_lines

        return typed_lines(app, self.actor, _PROMPT)


def _print(found: Iterable[Line], stream: TextIO) -> None:
    width = shutil.get_terminal_size((80, 24)).columns
    look = look_of(os.environ, is_terminal=stream.isatty())
    # A stream that can't write a letter gets a question mark for it, not an exception.
    encoding = stream.encoding or "utf-8"
    text = render(found, width, look).encode(encoding, "replace").decode(encoding)
    stream.write(f"{text}\n")
    stream.flush()
