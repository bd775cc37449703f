"""The terminal as its operator has it: the prompt, with lines piped in."""

import asyncio
import io
import os
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, redirect_stdout
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.terminal.client import STANDARD_INPUT, TerminalClient
from bot.actor import Actor, Role
from bot.commands.handlers import COMMANDS
from bot.replies.blocks import File, Reply
from bot.replies.wording import moment
from store.database import Database
from tests.adapters.common.services import services_over
from tests.contracts.facts import Shown, Way, seen

_SECONDS = 10
_CHOICE = re.compile(r" *\[(?:\d+|[a-z]+)\]  ")
_NUMBER = re.compile(r" *\[(\d+)\]  ")
_WRITTEN = re.compile(r"^Written to \S+[:.](?= |$)")
_REF = re.compile(r"(?<!\S)[a-z0-9-]+:(?:\d{4}-\d\d-\d\d#\d+|E\d+)$")
_NAMES = frozenset(command.name for command in COMMANDS)


class Screen(io.StringIO):
    """Standard output; what was written is an answer when it is flushed."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: asyncio.Queue[str] = asyncio.Queue()

    def flush(self) -> None:
        """Hand over what was written."""
        if self.getvalue():
            self.answers.put_nowait(self.getvalue())
            self.seek(0)
            self.truncate()


class InTerminal:
    """The prompt, before which nobody but the operator sits, in no channel."""

    name = "terminal"
    roles = frozenset((Role.MANAGER,))
    ornaments = re.compile(r"\[(?:\d+|[a-z]+)\]|[\[\]#·•:]")
    menus = False
    links = False

    def __init__(self, lines: int, screen: Screen) -> None:
        self._lines = lines
        self._screen = screen

    def actor(self, role: Role) -> Actor:
        """Return the operator, in no channel, of whom nobody knows the zone."""
        del role
        return Actor(self.name, "elsewhere", "somebody", Role.OPERATOR)

    def can_type(self, line: str) -> bool:
        """Tell that anything can be typed."""
        return bool(line)

    def told(self, at: datetime) -> str:
        """Return an instant in words, in the zone of last resort."""
        return moment(at, "UTC")

    def enclosed(self, file: File) -> str:
        """Return what is said behind the name of a picture; of a list the words said that."""
        return file.alt if file.media_type.startswith("image/") else ""

    def own_ways(self, reply: Reply) -> frozenset[str]:
        """Return nothing: there is nobody to share with, and an answer is never in parts."""
        del reply
        return frozenset()

    async def ask(self, line: str, role: Role) -> Shown:
        """Type a line."""
        del role
        os.write(self._lines, f"{line}\n".encode())
        return _read(await asyncio.wait_for(self._screen.answers.get(), _SECONDS))

    async def press(self, label: str) -> Shown:
        """Type the label of a choice."""
        return await self.ask(label, Role.MANAGER)

    async def repeat(self) -> None:
        """Do nothing: a line is never read twice."""


@asynccontextmanager
async def in_terminal(database: Database) -> AsyncIterator[InTerminal]:
    """Sit down before a bot over a store, for as long as the block lasts."""
    screen = Screen()
    with (
        TemporaryDirectory() as folder,
        redirect_stdout(screen),
        _standard_input() as lines,
    ):
        client = TerminalClient(Path(folder))
        prompt = asyncio.create_task(client.prompt(services_over(database).app))
        try:
            yield InTerminal(lines, screen)
        finally:
            os.write(lines, b"exit\n")
            await asyncio.wait_for(prompt, _SECONDS)


@contextmanager
def _standard_input() -> Iterator[int]:
    """Make a pipe of standard input; give the end that is written to."""
    with ExitStack() as stack:
        theirs = os.dup(STANDARD_INPUT)
        stack.callback(os.close, theirs)
        reads, writes = os.pipe()
        stack.callback(os.close, writes)
        os.dup2(reads, STANDARD_INPUT)
        os.close(reads)
        stack.callback(os.dup2, theirs, STANDARD_INPUT)
        yield writes


def _read(printed: str) -> Shown:
    """Read an answer: papers are words with a way behind them, other choices are ways only.

    There are no forms, so that no way is seen to be one.
    The refs, which only a pipe gets, are no words: a choice has them as its command.
    """
    words, ways = [], []
    for entry in _entries(printed):
        if not _CHOICE.match(entry):
            words.append(_REF.sub("", _WRITTEN.sub("", entry)))
            continue
        choice = " ".join(_CHOICE.sub("", entry).split())
        label, _, command = choice.rpartition(" · ")
        if command.partition(" ")[0] in _NAMES:
            ways.append(Way(label or command, command, form=None))
        elif ref := _REF.search(choice):
            words.append(_REF.sub("", entry))
            number = _NUMBER.match(entry)
            details = f"Details {number[1]}" if number else None
            ways.append(Way(details, f"show {ref[0]}", form=None))
        else:
            ways.append(Way(choice, None, form=None))
    return Shown(seen("".join(words)), tuple(ways))


def _entries(printed: str) -> list[str]:
    """Return the rows of an answer, those of a choice in one."""
    entries: list[str] = []
    for row in printed.split("\n"):
        goes_on = entries and _CHOICE.match(entries[-1]) and row.startswith("  ")
        if goes_on and not _CHOICE.match(row):
            entries[-1] += f" {row}"
        else:
            entries.append(row)
    return entries
