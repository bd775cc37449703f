"""The context of subcommands: functions of the composition root that open store, bot and server."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar
from zoneinfo import ZoneInfo

import click

from bot.clock import Clock
from bot.operations.logs import configure
from bot.settings import Settings
from store.database import Database

if TYPE_CHECKING:
    from adapters.platform import Declaration
    from bot.accounts.workspaces import Workspaces
    from bot.actor import Actor
    from bot.app import Broadsheet
    from bot.ingest.worker import ImportWorker
    from bot.replies.blocks import Reply
    from bot.sources.fetcher import Fetcher, Watch

T = TypeVar("T")


class Terminal(Protocol):
    """The terminal, on which subcommands show replies of the bot."""

    @property
    def actor(self) -> "Actor":
        """The user at the terminal."""

    def show(self, reply: "Reply", *, failures_apart: bool = False) -> bool:
        """Print a reply, a failed one to standard error if `failures_apart` is set.

        Return whether its files were written.
        """

    async def prompt(self, app: "Broadsheet", opening: str | None = None) -> None:
        """Answer the lines of standard input, after the command `opening` if given."""


class OpenFetcher(Protocol):
    """A function that opens a fetcher."""

    def __call__(
        self, on_progress: "Watch | None" = None, /
    ) -> AbstractAsyncContextManager["Fetcher"]:
        """Open a fetcher, with a callback for its progress."""


@dataclass(frozen=True, slots=True)
class OpenStore:
    """An open store, without the bot."""

    database: Database
    clock: Clock
    settings: Settings
    open_fetcher: OpenFetcher


@dataclass(frozen=True, slots=True)
class Runtime:
    """An open store, the bot and the terminal."""

    database: Database
    app: "Broadsheet"
    workspaces: "Workspaces"
    clock: Clock
    settings: Settings
    terminal: Terminal
    open_fetcher: OpenFetcher

    @property
    def zone(self) -> str:
        """The IANA time zone of the settings."""
        return self.settings.timezone

    @property
    def now(self) -> datetime:
        """The time in that zone."""
        return self.clock.now().astimezone(ZoneInfo(self.zone))


class OpenRuntime(Protocol):
    """A function that opens store and bot."""

    def __call__(
        self, *, upgrade: bool = True, trial: bool = False
    ) -> AbstractAsyncContextManager[Runtime]:
        """Open store and bot, and upgrade the schema unless `upgrade` is false.

        On `trial` nothing stays that the bot writes.
        """


class OpenStoreAlone(Protocol):
    """A function that opens the store alone."""

    def __call__(self, *, upgrade: bool = True) -> AbstractAsyncContextManager[OpenStore]:
        """Open the store, and upgrade its schema unless `upgrade` is false."""


class WriteSite(Protocol):
    """A function that writes the web pages as files."""

    async def __call__(
        self,
        opened: OpenStore,
        folder: Path,
        url: str,
        progress: Callable[[int, int], None] | None,
        *,
        force: bool,
    ) -> str:
        """Write to a folder; return what was done, in words."""


# Serves the web and the configured platforms; yields the names of the platforms that started and
# the URL of the chat, if it is served.
Serve = Callable[[], AbstractAsyncContextManager[tuple[tuple[str, ...], str | None]]]


@dataclass(frozen=True, slots=True)
class CliContext:
    """The functions that the composition root passes to subcommands.

    Attributes:
        open_runtime: opens store and bot.
        open_server: opens store and bot with metrics, and the function that serves.
        platforms: returns the declarations of the platforms.
        open_store: opens the store alone.
        write_site: writes the web pages as files.
    """

    open_runtime: OpenRuntime
    open_server: Callable[[], AbstractAsyncContextManager[tuple[Runtime, Serve]]]
    platforms: Callable[[], Mapping[str, "Declaration"]]
    open_store: OpenStoreAlone
    write_site: WriteSite


def cli_context() -> CliContext:
    """Return the context of the running subcommand."""
    context: CliContext = click.get_current_context().obj
    return context


def with_runtime(
    action: Callable[[Runtime], Awaitable[T]], *, upgrade: bool = True, trial: bool = False
) -> T:
    """Run an action with an open store and the bot, on `trial` so that nothing stays."""
    context = cli_context()

    async def run() -> T:
        async with context.open_runtime(upgrade=upgrade, trial=trial) as runtime:
            return await action(runtime)

    return asyncio.run(run())


def open_importer(opened: OpenStore | Runtime) -> "ImportWorker":
    """Return what imports documents in a process of its own, which may end over one."""
    from bot.ingest.worker import ImportWorker

    settings = opened.settings
    prepare = partial(configure, settings.log_format, settings.log_level)
    return ImportWorker(opened.database, prepare=prepare, is_waited_for=True)


def with_store(action: Callable[[OpenStore], Awaitable[T]]) -> T:
    """Run an action with an open store, without the bot."""
    context = cli_context()

    async def run() -> T:
        async with context.open_store() as opened:
            return await action(opened)

    return asyncio.run(run())
