"""Threads that callers share fairly.

The calls of one caller take at most a quarter of the threads at a time, and those of all callers
leave one free for the bot's own calls. Callers take turns, so a flood of one delays no other.
"""

import asyncio
import threading
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")

# A person, or the address of a web server's peer; `None` for the bot's own work.
_caller: ContextVar[Hashable] = ContextVar("caller", default=None)


@contextmanager
def on_behalf_of(name: Hashable) -> Iterator[None]:
    """Count the store calls of this task, and of tasks started here, as those of a caller."""
    token = _caller.set(name)
    try:
        yield
    finally:
        _caller.reset(token)


class FairThreads:
    """A pool of so many threads that is shared fairly."""

    def __init__(self, number: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(number, name)
        self._closed = threading.Event()
        # The calls of one caller compete with another's for the interpreter's lock: with half of
        # the threads another caller's search took up to 2.4 times as long during a flood as without
        # one, with a quarter up to 1.8 times.
        self._most_of_one = max(1, number // 4)
        self._all = asyncio.Semaphore(max(1, number - 1))
        self._of_one: WeakValueDictionary[Hashable, asyncio.Semaphore] = WeakValueDictionary()

    async def run(self, call: Callable[[], T]) -> T:
        """Run a call in one of the threads as soon as it may run.

        Raises:
            RuntimeError: after `close`.
        """
        name = _caller.get()
        if name is None or self._closed.is_set():
            return await asyncio.wrap_future(self._threads.submit(call))
        own = self._of_one.setdefault(name, asyncio.Semaphore(self._most_of_one))
        await own.acquire()
        try:
            await self._all.acquire()
        except BaseException:
            own.release()
            raise

        def release() -> None:
            own.release()
            self._all.release()

        loop = asyncio.get_running_loop()

        def ended(_call: Future[T]) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(release)

        if self._closed.is_set():  # meanwhile
            release()
            raise asyncio.CancelledError
        running = self._threads.submit(call)
        # A call that is cancelled while it runs keeps its share until its thread is free.
        running.add_done_callback(ended)
        return await asyncio.wrap_future(running)

    def close(self) -> None:
        """Wait for running calls, and cancel waiting ones."""
        self._closed.set()
        self._threads.shutdown(cancel_futures=True)
