"""The paths of commands: what a person types, and what is offered while they do."""

import asyncio
import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path as File

from adapters.web.pages import search as search_page
from adapters.web.pages.finder import find_page
from adapters.web.pages.page import Library
from adapters.web.pages.rendering import Renderer
from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.parser import LONGEST_COMMAND_STRING
from bot.commands.types import Param
from bot.ingest.samples import add_samples
from bot.library.search import parse_query
from bot.replies.plain_text import plain_text
from store.database import Database, Session
from tests.bot.conftest import FixedClock
from tests.slow_inputs.searching import Path
from tests.slow_inputs.wide_store import UNKNOWN, fill_wide

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
_PLACES = ("/", "/papers/", "/editions/", "/weeks/", "/topics/", "/top/", "/consensus/")
_UNFORESEEN = "Something went wrong"


@contextmanager
def command_paths(folder: File) -> Iterator[list[Path]]:
    """Give the paths of commands to a bot that knows the samples; its store is in a folder."""
    for name in ("asked.db", "wide.db"):
        shutil.copy(folder / "empty.db", folder / name)
    logging.disable(logging.CRITICAL)
    database = Database(f"sqlite:///{folder / 'asked.db'}")
    wide = Database(f"sqlite:///{folder / 'wide.db'}")
    fill_wide(wide)
    with asyncio.Runner() as runner:
        runner.run(add_samples(database, _NOW))
        apps = [Broadsheet(each, FixedClock(_NOW), COMMANDS, "UTC") for each in (database, wide)]
        try:
            yield [*_paths(apps[0], runner), *_wide_paths(apps[1], wide, runner)]
        finally:
            for app in apps:
                runner.run(app.wait(10))
            database.close()
            wide.close()
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
    yield Path(
        "read a line of a page",
        lambda text: runner.run(app.meaning(text, _ACTOR)),
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


def _wide_paths(app: Broadsheet, database: Database, runner: asyncio.Runner) -> Iterator[Path]:
    """Give the paths of unknown words in a store of 40,000 different ones."""
    slips = tuple(f"{word}{sign}" for word in UNKNOWN[:30] for sign in (" ", ",", " OR ", '" "'))
    renderer = Renderer()

    def page(session: Session, text: str) -> str:
        library = Library(session, _NOW.date())
        found = search_page.search(library, parse_query(text), {"q": text}, 1)
        return renderer.render(found, str)

    def address(session: Session, text: str) -> object:
        return find_page(Library(session, _NOW.date()), text)

    for name, call, heads in (
        (
            "answer unknown words",
            lambda text: runner.run(app.run_text(text, _ACTOR)),
            [f"{each.name} " for each in COMMANDS],
        ),
        ("find a page", lambda text: runner.run(database.read(address, text)), _PLACES),
        ("show a search", lambda text: runner.run(database.read(page, text)), [""]),
    ):
        yield Path(
            name,
            call,
            LONGEST_COMMAND_STRING,
            tuple((head, "") for head in heads),
            slips,
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
