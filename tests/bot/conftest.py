"""A bot over a store with two small sources, for whatever asks it something."""

import asyncio
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.clock import Clock
from bot.commands.handlers import COMMANDS
from bot.commands.types import PRESSED, TYPED, Command, LineOrigin
from bot.domain.drafts import DocumentKind
from bot.replies.blocks import Actions, Reply
from store.database import Database
from store.records import Heading
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import import_real_documents, take_in
from tests.bot.plots.pictures import Blank
from tests.resources.made_once import made_once

READER = Actor(platform="test", workspace="test", user="reader", role=Role.READER)


@dataclass(frozen=True)
class FixedClock:
    """A clock that returns one instant."""

    at: datetime = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """Return its instant."""
        return self.at


_CLOCK = FixedClock()
WEEK = edition(
    entry(1, "Sparse Attention", "Attends to few tokens. Saves memory.", highlights=["Fast"]),
    entry(2, "A Survey of Agents", "Attention, tools and memory."),
    entry(3, "Routing Experts", "Routes tokens.", links=["https://arxiv.org/abs/2601.00003"]),
    title="Top Papers of the Week (January 5-11)",
)
EARLIER = edition(
    entry(1, "Routing Experts, Early", links=["https://arxiv.org/abs/2601.00003v1"]),
    entry(2, "Sparse Rewards", "About exploration."),
    first_day=MONDAY - timedelta(days=7),
    title="Top Papers of the Week (December 29 - January 4)",
)
REVIEW = replace(
    edition(
        replace(
            entry(1, "When to stop", "A longer look. With more."),
            rank=None, episode="E31", heading="Search", section="Stopping",
        ),
        first_day=MONDAY - timedelta(days=14),
        title="Week in Review: December 22-28",
    ),
    kind=DocumentKind.REVIEW,
    minutes=12,
    overview="An overview.",
    headings=(Heading("Search", "On looking."),),
)  # fmt: skip


def bot_of(
    database: Database,
    clock: Clock = _CLOCK,
    commands: Sequence[Command] = COMMANDS,
    **more: Any,
) -> Broadsheet:
    """Return a bot over a store, which draws nothing."""
    dice = Random(1)  # noqa: S311 - picks a paper
    usual: dict[str, Any] = {"dice": dice, "plots": Blank()}
    return Broadsheet(database, clock, commands, "UTC", **(usual | more))


@pytest.fixture
def database_url(sqlite_template: Path, tmp_path: Path) -> str:
    """Return the URL of an empty store on SQLite alone.

    What databases do otherwise is in `store/`, whose tests run on both.
    """
    return f"sqlite:///{shutil.copy(sqlite_template, tmp_path / 'store.db')}"


@pytest.fixture
def empty_app(sqlite_template: Path, tmp_path: Path) -> Iterator[Broadsheet]:
    """Return a bot over an empty store."""
    path = tmp_path / "store.db"
    shutil.copy(sqlite_template, path)
    database = Database(f"sqlite:///{path}")
    yield bot_of(database)
    database.close()


@pytest.fixture
def filled(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with two newsletters and a review."""
    yield from filled_store(sqlite_template, tmp_path / "filled.db")


def filled_store(template: Path, path: Path) -> Iterator[Database]:
    """Give a store with two newsletters and a review, and close it; `template` is an empty one."""
    yield from copied_store(template, "filled.db", fill, path)


def copied_store(
    template: Path, filled: str, fill: Callable[[Database], None], path: Path
) -> Iterator[Database]:
    """Give a copy of a filled store by its name, and close it; the first one to ask fills it."""

    def make(made: Path) -> None:
        shutil.copy(template, made)
        with closing(Database(f"sqlite:///{made}")) as database:
            fill(database)

    shutil.copy(made_once(filled, make), path)
    with closing(Database(f"sqlite:///{path}")) as database:
        yield database


def real_store(template: Path, path: Path) -> Iterator[Database]:
    """Give a store with the real documents, and close it; `template` is an empty one."""
    yield from copied_store(template, "real.db", _import_real_documents, path)


def _import_real_documents(database: Database) -> None:
    asyncio.run(import_real_documents(database))


def fill(database: Database) -> None:
    """Import two newsletters and a review."""
    for slug, draft in (("dair", EARLIER), ("dair", WEEK), ("paperdive", REVIEW)):
        asyncio.run(database.write(take_in, draft, slug))


Ask = Callable[[str], Reply]


@pytest.fixture
def two_sources(filled: Database) -> Ask:
    """Return a way to ask the bot over the store with a second source's edition of its week."""
    asyncio.run(filled.write(take_in, WEEK, "other"))
    return _asking(filled)


@pytest.fixture
def many(filled: Database) -> Ask:
    """Return a way to ask the bot over the store with a dozen papers on agents."""
    entries = (entry(rank, f"Agents, part {rank}") for rank in range(1, 12))
    asyncio.run(filled.write(take_in, edition(*entries, first_day=MONDAY - timedelta(days=70))))
    return _asking(filled)


@pytest.fixture
def ask(filled: Database) -> Ask:
    """Return a way to ask the bot over the filled store, as a reader."""
    return _asking(filled)


def _asking(filled: Database) -> Ask:
    app = bot_of(filled)
    return lambda text: asyncio.run(answered(app, text, READER))


async def answered(app: Broadsheet, text: str, actor: Actor, origin: LineOrigin = TYPED) -> Reply:
    """Return the answer to a line, after the list that it shows was noted."""
    reply = await app.run_text(text, actor, origin=origin)
    await app.wait()
    return reply


async def forgotten(app: Broadsheet, actor: Actor, key: str | None = None) -> Reply:
    """Return the answer to whoever is asked whether to delete all, and does; the last button."""
    asked = await app.run_text("forget", actor)
    [row] = [each for each in asked.blocks if isinstance(each, Actions)]
    return await app.run_text(row.buttons[-1].command, actor, key, PRESSED)
