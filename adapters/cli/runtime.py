"""What a verb needs of the house, and how it gets it: handed over by the composition root."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeVar
from zoneinfo import ZoneInfo

import click

from bot.clock import Clock
from bot.settings import Settings
from store.database import Database

if TYPE_CHECKING:
    from adapters.platform import Declaration
    from bot.accounts.workspaces import Workspaces
    from bot.actor import Actor
    from bot.app import Broadsheet
    from bot.replies.blocks import Reply
    from bot.sources.fetcher import Fetcher, Watch

T = TypeVar("T")


class Terminal(Protocol):
    """Where verbs that answer like the bot show their answers."""

    @property
    def actor(self) -> "Actor":
        """The person at the terminal."""

    def show(self, reply: "Reply", *, failures_apart: bool = False) -> bool:
        """Print a reply, on request to standard error where it is about an error.

        Return whether the files that came with it were written.
        """

    async def prompt(self, app: "Broadsheet", opening: str | None = None) -> None:
        """Answer lines of standard input until it ends; first of all `opening`."""


class OpenFetcher(Protocol):
    """Opens what fetches pages, for as long as it is used."""

    def __call__(self, watch: "Watch | None" = None, /) -> AbstractAsyncContextManager["Fetcher"]:
        """Return it; whoever watches is told how far each page is."""


@dataclass(frozen=True, slots=True)
class OpenStore:
    """An open store, and what reads pages into it."""

    database: Database
    clock: Clock
    settings: Settings
    fetcher: OpenFetcher


@dataclass(frozen=True, slots=True)
class Runtime:
    """An open store, the bot over it, the terminal before it, and what opens the fetcher."""

    database: Database
    app: "Broadsheet"
    workspaces: "Workspaces"
    clock: Clock
    settings: Settings
    terminal: Terminal
    fetcher: OpenFetcher

    @property
    def zone(self) -> str:
        """The IANA zone that the settings name."""
        return self.settings.timezone

    @property
    def now(self) -> datetime:
        """The time in the zone."""
        return self.clock.now().astimezone(ZoneInfo(self.zone))


class Opener(Protocol):
    """Opens the house for as long as a verb runs."""

    def __call__(self, *, upgrade: bool = True) -> AbstractAsyncContextManager[Runtime]:
        """Open the store, its schema brought up to date unless `upgrade` is false."""


class StoreOpener(Protocol):
    """Opens the store, and nothing else of the bot, for as long as a verb runs."""

    def __call__(self, *, upgrade: bool = True) -> AbstractAsyncContextManager[OpenStore]:
        """Open it, its schema brought up to date unless `upgrade` is false."""


# Serves the web and the platforms that are configured, and gives the names of who answers.
Serve = Callable[[], AbstractAsyncContextManager[tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class House:
    """What the composition root hands to the verbs.

    `open` is for verbs that end by themselves, `open_store` for those of them that need no more
    than the store, `open_to_serve` for the one that doesn't, and
    `platforms` looks up what is known of each platform without connecting to it.
    """

    open: Opener
    open_to_serve: Callable[[], AbstractAsyncContextManager[tuple[Runtime, Serve]]]
    platforms: Callable[[], Mapping[str, "Declaration"]]
    open_store: StoreOpener


def this_house() -> House:
    """Return the house that the verb at hand was called in."""
    house: House = click.get_current_context().obj
    return house


def with_runtime(verb: Callable[[Runtime], Awaitable[T]], *, upgrade: bool = True) -> T:
    """Run one verb from the opening of the house to its closing."""
    house = this_house()

    async def run() -> T:
        async with house.open(upgrade=upgrade) as runtime:
            return await verb(runtime)

    return asyncio.run(run())


def with_store(verb: Callable[[OpenStore], Awaitable[T]]) -> T:
    """Run one verb over the store, without the bot."""
    house = this_house()

    async def run() -> T:
        async with house.open_store() as opened:
            return await verb(opened)

    return asyncio.run(run())
