"""The paths of commands: what a person types, and what is offered while they do."""

import asyncio
import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path as File

from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.parser import LONGEST_COMMAND_STRING
from bot.commands.types import Param
from bot.ingest.samples import add_samples
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.slow_inputs.searching import Path

_NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
_ACTOR = Actor(platform="test", workspace="test", user="someone", role=Role.OPERATOR)
# What nobody may go beyond, whatever they send.
_MOST_SECONDS = 0.3
_LONGEST_MESSAGE = 40_960
# https://docs.discord.com/developers/interactions/application-commands
_LONGEST_OPTION = 6_000
_BEHIND = "\0"  # parts the name of an argument from what is typed for it
_WEIGHT = 6  # there are as many heads as other paths
# Letters that folding makes many of, or long words of.
_FOLDED = ("\ufdfa", "\ufdfa ", "\u3316", "\u3300 ", "\ufb03", "\xbd ", "\ufdfb") * 3
_UNFORESEEN = "Something went wrong"


@dataclass(frozen=True)
class _Clock:
    at: datetime = _NOW

    def now(self) -> datetime:
        """Return the instant at which it stands."""
        return self.at


@contextmanager
def command_paths(folder: File) -> Iterator[list[Path]]:
    """Give the paths of commands to a bot that knows the samples; its store is in a folder."""
    store = folder / "asked.db"
    shutil.copy(folder / "empty.db", store)
    logging.disable(logging.CRITICAL)
    with asyncio.Runner() as runner:
        database = Database(f"sqlite:///{store}")
        runner.run(add_samples(database, _NOW))
        app = Broadsheet(database, _Clock(), COMMANDS, "UTC")
        try:
            yield list(_paths(app, runner))
        finally:
            runner.run(app.wait(10))
            database.close()
            logging.disable(logging.NOTSET)


def _paths(app: Broadsheet, runner: asyncio.Runner) -> Iterator[Path]:
    async def answer(text: str) -> None:
        reply = await app.run_text(text, _ACTOR)
        await app.wait(10)
        if _UNFORESEEN in plain_text(reply):
            raise AssertionError(plain_text(reply))

    for most, name in (
        (LONGEST_COMMAND_STRING, "answer a line"),
        (_LONGEST_MESSAGE, "answer a message"),
    ):
        yield Path(
            name,
            lambda text: runner.run(answer(text)),
            most,
            tuple((head, "") for head in _heads()),
            _FOLDED,
            seconds=_MOST_SECONDS,
            weight=_WEIGHT,
        )
    yield Path(
        "complete a line",
        lambda text: runner.run(app.complete(text, _ACTOR)),
        _LONGEST_MESSAGE,
        tuple((head, "") for head in _heads()),
        _FOLDED,
        seconds=_MOST_SECONDS,
        weight=_WEIGHT,
    )
    params = _params(_BEHIND)

    def offered(text: str) -> None:
        name, sign, typed = text.partition(_BEHIND)
        runner.run(app.options(params[name + sign], typed, _ACTOR))

    yield Path(
        "complete an argument",
        offered,
        _LONGEST_OPTION,
        tuple((head, "") for head in params),
        _FOLDED,
        seconds=_MOST_SECONDS,
        weight=_WEIGHT,
    )


def _heads() -> Iterator[str]:
    """Give the beginnings of lines: every command, and each of its arguments by its name."""
    yield ""
    yield from ("search ",) * 8  # what is typed most, and costs most
    yield from (f"{command.name} " for command in COMMANDS)
    yield from _params(":")


def _params(sign: str) -> dict[str, Param]:
    """Return an argument of each type, by a command that has it, its name and a sign."""
    of_type = {
        type(param.type): (command, param) for command in COMMANDS for param in command.params
    }
    return {f"{command.name} {param.name}{sign}": param for command, param in of_type.values()}
