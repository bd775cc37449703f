"""`broadsheet run` with and without a platform."""

import logging
import os
import shutil
import signal
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from adapters.cli.context import CliContext, Runtime, Serve
from adapters.cli.run import no_platform_notice, run
from adapters.platform import Declaration
from adapters.terminal.client import TerminalClient
from bot.accounts import Workspaces
from bot.app import Broadsheet
from bot.clock import SystemClock
from bot.commands.handlers import COMMANDS
from bot.errors import PlatformError
from bot.replies.blocks import Level, Notice, Reply
from bot.replies.plain_text import plain_text
from bot.settings import Settings
from store.database import Database
from tests.adapters.runtime.example import Example


class _Nobody(TerminalClient):
    """A terminal that fails on use."""

    def show(self, reply: Reply, *, failures_apart: bool = False) -> bool:
        """Refuse."""
        raise AssertionError(reply, failures_apart)

    async def prompt(self, _app: Broadsheet, opening: str | None = None) -> None:
        """Refuse."""
        raise AssertionError(opening)


def _context(store: Path, serve: Serve, terminal: TerminalClient | None = None) -> CliContext:
    @asynccontextmanager
    async def open_server() -> AsyncIterator[tuple[Runtime, Serve]]:
        async with Database(f"sqlite:///{store}") as database:
            clock, workspaces = SystemClock(), Workspaces(database)
            app = Broadsheet(
                database,
                clock,
                COMMANDS,
                "UTC",
                workspaces=workspaces,
            )
            shown = terminal or _Nobody()
            yield Runtime(database, clock, Settings(), app, workspaces, shown), serve

    return CliContext(open_server, _known)


def _known() -> Mapping[str, Declaration]:
    return {name: Example(name, []).declaration for name in ("here", "there")}


@pytest.fixture
def store(sqlite_template: Path, tmp_path: Path) -> Path:
    """Return the path of an empty store."""
    return Path(shutil.copy(sqlite_template, tmp_path / "store.db"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_with_a_platform_it_serves_until_a_signal(
    store: Path, caplog: pytest.LogCaptureFixture, number: signal.Signals
) -> None:
    """With a platform it opens no prompt, logs the platforms' names, and stops them at a signal."""
    caplog.set_level(logging.INFO)
    calls: list[str] = []

    @asynccontextmanager
    async def serve() -> AsyncIterator[tuple[tuple[str, ...], str | None]]:
        os.kill(os.getpid(), number)
        try:
            yield ("here", "there"), None
        finally:
            calls.append("stopped")

    run.main(["--no-samples"], obj=_context(store, serve), standalone_mode=False)
    assert calls == ["stopped"]
    assert [
        (record.getMessage(), record.__dict__["platforms"])
        for record in caplog.records
        if record.name == "adapters.cli.run"
    ] == [("serving", "here, there")]


@pytest.mark.parametrize("signals", [1, 2])
def test_what_ends_it_at_last_is_gone_with_it(store: Path, signals: int) -> None:
    """The hard-exit timer is cancelled with the subcommand."""

    @asynccontextmanager
    async def serve() -> AsyncIterator[tuple[tuple[str, ...], str | None]]:
        for _ in range(signals):
            os.kill(os.getpid(), signal.SIGTERM)
        yield ("here",), None

    before = threading.enumerate()
    run.main(["--no-samples"], obj=_context(store, serve), standalone_mode=False)
    left = [each for each in threading.enumerate() if each not in before]
    for each in left:
        each.join(5)  # a cancelled timer's thread ends a moment later
    assert not any(each.is_alive() for each in left)


class _Spent(AbstractAsyncContextManager[tuple[tuple[str, ...], str | None]]):
    """A server that fails to start."""

    async def __aenter__(self) -> tuple[tuple[str, ...], str | None]:
        raise PlatformError("Its token was revoked.")

    async def __aexit__(self, *_: object) -> None:
        """Never get here."""


def test_what_serving_can_not_do_ends_it(store: Path) -> None:
    """An error of the start is raised unchanged."""
    with pytest.raises(PlatformError):
        run.main(["--no-samples"], obj=_context(store, _Spent), standalone_mode=False)


class _Screen(_Nobody):
    """A terminal that keeps what it is shown, and ends the program at the address of the chat."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def show(self, reply: Reply, *, failures_apart: bool = False) -> bool:
        """Keep the text."""
        del failures_apart
        self.shown.append(plain_text(reply))
        if "/chat" in self.shown[-1]:
            os.kill(os.getpid(), signal.SIGTERM)
        return True


def test_without_a_platform_it_names_the_chat(store: Path) -> None:
    """Below the newest edition it says how to add a platform, and where to try it in a browser."""

    @asynccontextmanager
    async def serve() -> AsyncIterator[tuple[tuple[str, ...], str | None]]:
        yield (), "http://127.0.0.1:8080/chat"

    screen = _Screen()
    run.main([], obj=_context(store, serve, screen), standalone_mode=False)
    newest, ways_on = screen.shown
    assert "Sample Weekly" in newest
    assert ways_on.startswith("No chat platform is connected")
    assert ways_on.endswith("\nTry it in a browser: http://127.0.0.1:8080/chat")


def test_without_a_platform_each_says_how_to_add_it() -> None:
    """The notice has the hint of each platform."""
    assert no_platform_notice(_known()) == Notice(
        Level.INFO,
        "No chat platform is connected; the terminal needs none.",
        "here needs HERE. there needs THERE.",
    )
