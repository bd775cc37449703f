"""What a verb needs of the house, and how it gets it: handed over by the composition root."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

import click

from bot.app import Broadsheet
from bot.clock import Clock
from bot.command import Actor
from bot.replies import Reply
from store.database import Database

T = TypeVar("T")


class Terminal(Protocol):
    """Where verbs that answer like the bot show their answers."""

    @property
    def actor(self) -> Actor:
        """The person at the terminal."""

    def show(self, reply: Reply, *, failures_apart: bool = False) -> None:
        """Print a reply, on request to standard error where it is about an error."""

    async def prompt(self, app: Broadsheet, opening: str | None = None) -> None:
        """Answer lines of standard input until it ends; first of all `opening`."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """An open store, the bot over it, and the terminal before it.

    `zone` is the IANA zone that the settings name.
    """

    database: Database
    app: Broadsheet
    clock: Clock
    zone: str
    terminal: Terminal

    @property
    def now(self) -> datetime:
        """The time in the zone."""
        return self.clock.now().astimezone(ZoneInfo(self.zone))


class Opener(Protocol):
    """Opens the house for as long as a verb runs."""

    def __call__(self, *, upgrade: bool = True) -> AbstractAsyncContextManager[Runtime]:
        """Open the store, its schema brought up to date unless `upgrade` is false."""


def with_runtime(verb: Callable[[Runtime], Awaitable[T]], *, upgrade: bool = True) -> T:
    """Run one verb from the opening of the house to its closing."""
    opener: Opener = click.get_current_context().obj

    async def run() -> T:
        async with opener(upgrade=upgrade) as runtime:
            return await verb(runtime)

    return asyncio.run(run())
