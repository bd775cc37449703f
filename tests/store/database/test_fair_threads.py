"""A flood on one's behalf takes a part of the store's threads and waits in order behind itself."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, wait
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from store.database import Database, Session
from store.database.database import READERS
from store.database.fair_threads import FairThreads, on_behalf_of

_AT_ONCE = READERS // 4
_SECONDS = 10

T = TypeVar("T")


class Held:
    """Calls that hold their thread until they are let go, and which began, in order."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self._begun = threading.Semaphore(0)
        self._go = threading.Event()

    def hold(self, name: str = "") -> str:
        """Hold a thread."""
        self.began.append(name)
        self._begun.release()
        assert self._go.wait(_SECONDS)
        return name

    def read(self, _session: Session, name: str) -> str:
        """Hold a reader of a store."""
        return self.hold(name)

    async def until(self, number: int) -> None:
        """Wait until so many calls began."""
        for _ in range(number):
            assert await asyncio.to_thread(self._begun.acquire, timeout=_SECONDS)

    def let_go(self) -> None:
        """Let all go on that are held, and those to come."""
        self._go.set()


def _submit(threads: FairThreads, name: str, call: Callable[[], T]) -> "Future[T]":
    with on_behalf_of(name):
        return threads.submit(call)


async def _read_as(name: str, database: Database, held: Held, number: int) -> str:
    with on_behalf_of(name):
        return await database.read(held.read, f"{name}{number}")


@asynccontextmanager
async def _flooded(
    path: Path, number: int, names: str
) -> AsyncIterator[tuple[Database, Held, list["asyncio.Task[str]"]]]:
    """Give a store of which each name asks so much that it takes all of its share."""
    async with Database(f"sqlite:///{path / 'store.db'}") as database:
        held = Held()
        asked = [_read_as(name, database, held, each) for name in names for each in range(number)]
        flood = [asyncio.create_task(each) for each in asked]
        try:
            await held.until(min(_AT_ONCE * len(names), READERS - 1))
            yield database, held, flood
        finally:
            held.let_go()
            await asyncio.gather(*flood, return_exceptions=True)


@asynccontextmanager
async def _one_held() -> AsyncIterator[tuple[FairThreads, Held, "asyncio.Future[str]"]]:
    """Give a pool of which one call holds all that is its asker's, and that call."""
    threads, held = FairThreads(2, "test"), Held()
    running = asyncio.wrap_future(_submit(threads, "a", held.hold))
    try:
        await held.until(1)
        yield threads, held, running
    finally:
        held.let_go()
        threads.close()


def _name(_session: Session, name: str) -> str:
    return name


async def test_a_flood_holds_a_quarter_of_the_threads_and_others_go_past(tmp_path: Path) -> None:
    """While one's calls are held another's is answered, and the flood goes on in its order."""
    async with _flooded(tmp_path, 12, "a") as (database, held, flood):
        async with asyncio.timeout(_SECONDS):
            with on_behalf_of("b"):
                assert await database.read(_name, "b") == "b"
        assert held.began == ["a0"]
        held.let_go()
        assert await asyncio.gather(*flood) == [f"a{each}" for each in range(12)]


async def test_the_bot_itself_waits_for_nobody(tmp_path: Path) -> None:
    """However many flood the store, what is asked on nobody's behalf finds a thread."""
    async with _flooded(tmp_path, 3, "abcdefgh") as (database, held, _flood):
        async with asyncio.timeout(_SECONDS):
            assert await database.read(_name, "bot") == "bot"
        assert len(held.began) == READERS - 1


def test_those_who_wait_take_turns() -> None:
    """Whoever asked for little is not behind all that another asked for before."""
    threads, held, done = FairThreads(2, "test"), Held(), list[str]()

    def call(name: str) -> None:
        held.hold()
        done.append(name)

    asked = [_submit(threads, name, partial(call, name)) for name in ("a", "a", "a", "b", "c")]
    assert threads.waiting == {"a": 2, "b": 1, "c": 1}
    held.let_go()
    wait(asked, _SECONDS)
    threads.close()
    assert done == ["a", "a", "b", "c", "a"]


async def test_what_is_cancelled_while_it_waits_is_never_run_and_leaves_no_trace() -> None:
    """The turn of a call that nobody waits for any more is the next one's."""
    async with _one_held() as (threads, held, running):
        ran: list[int] = []
        calls = [_submit(threads, "a", partial(ran.append, number)) for number in range(3)]
        waiting = list(map(asyncio.wrap_future, calls))
        for each in waiting[:2]:
            each.cancel()
        await asyncio.sleep(0)  # by then asyncio told the calls
        assert threads.waiting == {"a": 1}
        held.let_go()
        await asyncio.gather(running, waiting[2])
        assert (ran, threads.waiting) == ([2], {})


async def test_a_call_that_is_cancelled_while_it_runs_keeps_its_share_until_it_ends() -> None:
    """A thread can't be stopped, so giving up on a call lets nobody begin another beside it."""
    async with _one_held() as (threads, held, running):
        after = _submit(threads, "a", lambda: "ran")
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        assert threads.waiting == {"a": 1}
        held.let_go()
        assert after.result(_SECONDS) == "ran"


async def test_the_end_cancels_what_waits() -> None:
    """Nobody waits for ever for a store that is closed."""
    async with _one_held() as (threads, held, _running):
        waiting = _submit(threads, "a", lambda: "ran")
        closing = asyncio.create_task(asyncio.to_thread(threads.close))
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wrap_future(waiting)
        with pytest.raises(RuntimeError):  # while one still runs, and afterwards
            _submit(threads, "a", lambda: "ran")
        held.let_go()
        await closing
        with pytest.raises(RuntimeError):
            _submit(threads, "a", lambda: "ran")


async def test_an_error_of_a_call_is_raised_where_it_was_asked_for(tmp_path: Path) -> None:
    """It is as without a name, and the share is free again."""

    def fail(_session: Session) -> None:
        raise LookupError("on purpose")

    async with Database(f"sqlite:///{tmp_path / 'store.db'}") as database:
        for _ in range(READERS + 1):
            with pytest.raises(LookupError, match="on purpose"), on_behalf_of("a"):
                await database.read(fail)
