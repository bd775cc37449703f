"""Threads that callers share fairly.

The calls of one caller take at most a quarter of the threads at a time, and those of all callers
leave one free for the bot's own calls. Waiting callers take turns, so a flood of one delays no
other, and none delays the bot's own work.
"""

import asyncio
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

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


@dataclass(frozen=True, slots=True)
class _WaitingCall:
    """A waiting call, and the future of its answer."""

    call: Callable[[], Any]
    answer: "Future[Any]"


class FairThreads:
    """A pool of threads that is shared fairly.

    Args:
        number: how many calls run at once.
        name: what the threads' names begin with.
    """

    def __init__(self, number: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(number, name)
        # The calls of one caller compete with another's for the interpreter's lock: with half of
        # the threads another caller's search took up to 2.4 times as long during a flood as without
        # one, with a quarter up to 1.8 times.
        self._most_of_one = max(1, number // 4)
        self._most_of_all = max(1, number - 1)
        self._lock = threading.RLock()
        self._running: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[_WaitingCall]] = OrderedDict()
        self._closed = False

    @property
    def waiting(self) -> dict[Hashable, int]:
        """The number of waiting calls, by caller."""
        with self._lock:
            return {name: len(calls) for name, calls in self._waiting.items()}

    async def run(self, call: Callable[[], T]) -> T:
        """Run a call in one of the threads as soon as it may run, and return its answer.

        Raises:
            RuntimeError: after `close`.
        """
        return await asyncio.wrap_future(self.submit(call))

    def submit(self, call: Callable[[], T]) -> "Future[T]":
        """Run a call in one of the threads as soon as it may run; until then it may be cancelled.

        Raises:
            RuntimeError: after `close`.
        """
        name = _caller.get()
        if name is None:
            return self._threads.submit(call)
        waiting = _WaitingCall(call, Future())
        with self._lock:
            if self._closed:  # no thread would ever run it
                raise RuntimeError("the threads are closed")
            self._waiting.setdefault(name, deque()).append(waiting)
            self._start()
        waiting.answer.add_done_callback(lambda answer: self._forget(name, waiting, answer))
        return waiting.answer

    def close(self) -> None:
        """Wait for running calls, and cancel waiting ones."""
        with self._lock:
            self._closed = True
            left = [waiting for calls in self._waiting.values() for waiting in calls]
            self._waiting.clear()
        for waiting in left:
            waiting.answer.cancel()
        self._threads.shutdown(cancel_futures=True)

    def _start(self) -> None:
        """Start the calls that may run; callers take turns."""
        while self._running.total() < self._most_of_all:
            may_run = (name for name in self._waiting if self._running[name] < self._most_of_one)
            name = next(may_run, None)
            if name is None:
                return
            waiting = self._waiting[name].popleft()
            self._waiting.move_to_end(name)
            if not self._waiting[name]:
                del self._waiting[name]
            self._run(name, waiting)

    def _run(self, name: Hashable, waiting: _WaitingCall) -> None:
        self._running[name] += 1
        running = self._threads.submit(_answer, waiting)
        running.add_done_callback(lambda ended: self._ended(name, waiting, ended))

    def _ended(self, name: Hashable, waiting: _WaitingCall, ended: "Future[None]") -> None:
        with self._lock:
            self._end(name)
            if ended.cancelled():  # the pool was closed before a thread ran it
                waiting.answer.cancel()
            else:
                self._start()

    def _end(self, name: Hashable) -> None:
        self._running[name] -= 1
        if not self._running[name]:
            del self._running[name]

    def _forget(self, name: Hashable, waiting: _WaitingCall, answer: "Future[Any]") -> None:
        """Remove a call that was cancelled while it waited."""
        if not answer.cancelled():
            return
        with self._lock:
            calls = self._waiting.get(name, deque())
            if waiting in calls:
                calls.remove(waiting)
                if not calls:
                    del self._waiting[name]


def _answer(waiting: _WaitingCall) -> None:
    """Run a call, unless it was cancelled, and set its answer."""
    if not waiting.answer.set_running_or_notify_cancel():
        return
    try:
        answer = waiting.call()
    except BaseException as error:  # noqa: BLE001 - as a pool's own threads do: it is the caller's
        waiting.answer.set_exception(error)
    else:
        waiting.answer.set_result(answer)
