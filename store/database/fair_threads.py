"""A fair share of the store's threads for each of those on whose behalf it is asked.

Calls on somebody's behalf take at most a quarter of the threads at a time, and all such calls
together leave one free. What has to wait waits in order behind one's own, and those who wait take
turns: so one person's flood delays nobody else, and nobody's delays what the bot does by itself.
"""

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

# A person, or the address of a web server's peer; `None` while the bot works by itself.
_behalf: ContextVar[Hashable] = ContextVar("behalf", default=None)


@contextmanager
def on_behalf_of(name: Hashable) -> Iterator[None]:
    """Count the store calls of this task, and of the tasks that it starts here, as somebody's."""
    token = _behalf.set(name)
    try:
        yield
    finally:
        _behalf.reset(token)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A call that waits for its turn, and the future that its answer goes to."""

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
        # Two slow calls of one person would take two turns of the interpreter's lock to each of
        # another's: with half of the threads another's search took up to 2.4 times as long during a
        # flood as without one, with a quarter up to 1.8 times.
        self._most_of_one = max(1, number // 4)
        self._most_of_all = max(1, number - 1)
        self._lock = threading.RLock()
        self._running: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[_Waiting]] = OrderedDict()
        self._closed = False

    @property
    def waiting(self) -> dict[Hashable, int]:
        """How many calls wait for their turn, by whose they are."""
        with self._lock:
            return {name: len(calls) for name, calls in self._waiting.items()}

    def submit(self, call: Callable[[], T]) -> "Future[T]":
        """Run a call in one of the threads once it is its turn; it may be cancelled until then.

        Raises:
            RuntimeError: after `close`.
        """
        name = _behalf.get()
        if name is None:
            return self._threads.submit(call)
        waiting = _Waiting(call, Future())
        with self._lock:
            if self._closed:  # no thread would ever come to it
                raise RuntimeError("the threads are closed")
            self._waiting.setdefault(name, deque()).append(waiting)
            self._start()
        waiting.answer.add_done_callback(lambda answer: self._forget(name, waiting, answer))
        return waiting.answer

    def close(self) -> None:
        """Wait for what runs, and cancel what waits."""
        with self._lock:
            self._closed = True
            left = [each for calls in self._waiting.values() for each in calls]
            self._waiting.clear()
        for each in left:
            each.answer.cancel()
        self._threads.shutdown(cancel_futures=True)

    def _start(self) -> None:
        """Start what may run: those who wait take turns."""
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

    def _run(self, name: Hashable, waiting: _Waiting) -> None:
        self._running[name] += 1
        running = self._threads.submit(_answer, waiting)
        running.add_done_callback(lambda ended: self._ended(name, waiting, ended))

    def _ended(self, name: Hashable, waiting: _Waiting, ended: "Future[None]") -> None:
        with self._lock:
            self._end(name)
            if ended.cancelled():  # the pool was closed before a thread came to it
                waiting.answer.cancel()
            else:
                self._start()

    def _end(self, name: Hashable) -> None:
        self._running[name] -= 1
        if not self._running[name]:
            del self._running[name]

    def _forget(self, name: Hashable, waiting: _Waiting, answer: "Future[Any]") -> None:
        """Leave no trace of a call that was cancelled while it waited."""
        if not answer.cancelled():
            return
        with self._lock:
            calls = self._waiting.get(name, deque())
            if waiting in calls:
                calls.remove(waiting)
                if not calls:
                    del self._waiting[name]


def _answer(waiting: _Waiting) -> None:
    """Run a call, unless it was cancelled, and give its answer to whoever waits for it."""
    if not waiting.answer.set_running_or_notify_cancel():
        return
    try:
        answer = waiting.call()
    except BaseException as error:  # noqa: BLE001 - as a pool's own threads do: it is the asker's
        waiting.answer.set_exception(error)
    else:
        waiting.answer.set_result(answer)
