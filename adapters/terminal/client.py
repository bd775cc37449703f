"""The terminal client: it reads lines, prints replies, and writes their files to a folder."""

import asyncio
import errno
import os
import shutil
import sys
import threading
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TextIO

from adapters.common.files import files_of, missing_alt, numbered_name, with_safe_names
from adapters.terminal.render import TextStyle, render, supported_style
from adapters.terminal.reply_lines import (
    LetteredButton,
    letter_buttons,
    lettered_lines,
    resolve_input,
)
from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.errors import UserError
from bot.replies.blocks import Block, File, Level, Notice, Reply, Text
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


STANDARD_INPUT = 0


async def piped_lines(prompt: str) -> AsyncGenerator[str, None]:
    """Yield the lines of standard input until its end.

    On a terminal the prompt is written to standard error, apart from the replies.
    """
    is_terminal = os.isatty(STANDARD_INPUT)
    while True:
        if is_terminal:
            sys.stderr.write(prompt)
            sys.stderr.flush()
        line = await _next_line()
        if not line:
            return
        yield line


async def _next_line() -> str:
    """Return the next line of standard input, empty at its end.

    A daemon thread reads it: a blocked thread can't be cancelled, and one of the event loop's
    executor would keep the program from ending at a signal.
    """
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        text = _read_line()
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(_set_result, line, text)

    threading.Thread(target=read, name="prompt", daemon=True).start()
    return await line


def _set_result(line: asyncio.Future[str], text: str) -> None:
    if not line.done():
        line.set_result(text)


def _read_line() -> str:
    """Read a line; input that can't be read, such as a lost terminal, counts as ended."""
    try:
        # Unbuffered: Python aborts if a thread holds the lock of a buffer at exit.
        with open(STANDARD_INPUT, "rb", buffering=0, closefd=False) as lines:
            return lines.readline().decode("utf-8", "replace")
    except OSError:
        return ""


_REMEDY = "Ask once more in a folder that you may write to."
_REASONS = {
    errno.ENOSPC: "there is no room left",
    errno.EDQUOT: "there is no room left",
    errno.EFBIG: "it is larger than a file may be here",
}
_NOT_WRITABLE = "this folder can't be written to"


def write_files(reply: Reply, folder: Path) -> tuple[Reply, tuple[Notice, ...]]:
    """Write the files of a reply; existing files are kept.

    Return the reply with the names of the files in their places, and notices about the files that
    could not be written, which the reply omits.
    """
    if not files_of(reply):
        return reply, ()
    blocks: list[Block] = []
    failures: list[Notice] = []
    for block in with_safe_names(reply).blocks:
        if not isinstance(block, File):
            blocks.append(block)
            continue
        try:
            name = _write(block, folder)
        except OSError as error:
            failures.append(_failure(block, error))
        else:
            blocks.append(_written_text(block, name, reply))
    return replace(reply, blocks=tuple(blocks)), tuple(failures)


def _written_text(file: File, name: str, reply: Reply) -> Text:
    alt = " ".join(missing_alt(file, reply).split())
    return Text(f"Written to {name}: {alt}" if alt else f"Written to {name}.")


def _failure(file: File, error: OSError) -> Notice:
    reason = _REASONS.get(error.errno or 0, _NOT_WRITABLE)
    return Notice(Level.ERROR, f"{file.name} could not be written: {reason}.", _REMEDY)


def _write(file: File, folder: Path) -> str:
    """Write a file under a free name, and return the name.

    Raises:
        OSError: if it can't be written completely; no part of it is left then.
    """
    for number in count(1):
        path = folder / (file.name if number == 1 else numbered_name(file.name, number))
        try:
            out = path.open("xb")
        except FileExistsError:
            continue
        try:
            with out:
                out.write(file.data)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return path.name
    raise AssertionError  # numbers have no end
