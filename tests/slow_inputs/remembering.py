"""What a call takes of memory at most: measured in a process of its own, which is forked for it.

Those processes come from one that has done nothing else, so that no memory which an earlier call
left behind is taken for that of this one. What libraries in C take counts as well.
"""

import multiprocessing
import os
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection

# More than that is found already, and a machine has to go on; nobody waits longer for it.
_MOST = 4 << 30
_SECONDS = 60
# https://man7.org/linux/man-pages/man2/getrusage.2.html; macOS counts bytes.
_UNIT = 1 if sys.platform == "darwin" else 1024

Call = Callable[[str], object]
# Returns what the call of that name takes with a text, in bytes.
Memory = Callable[[str, str], int]


@contextmanager
def memory_of(calls: Callable[[], Iterable[tuple[str, Call]]]) -> Iterator[Memory]:
    """Give what measures calls, each with its name, that `calls` makes in another process.

    Args:
        calls: a function that can be pickled.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    server = context.Process(target=_serve, args=(calls, there), daemon=True)
    server.start()
    there.close()

    def taken(name: str, text: str) -> int:
        here.send((name, text))
        found: int = here.recv()
        return found

    try:
        yield taken
    finally:
        here.close()
        server.join()


def _serve(calls: Callable[[], Iterable[tuple[str, Call]]], there: Connection) -> None:
    known = dict(calls())
    for call in known.values():
        with suppress(Exception):
            call("a")  # which loads what every call needs
    with suppress(EOFError):
        while True:
            name, text = there.recv()
            call = known[name]
            without, taken = _peak(lambda: None), _peak(lambda: call(text))  # noqa: B023 - at once
            there.send(taken - without)


def _peak(call: Callable[[], object]) -> int:
    """Return the most memory of a process that makes a call, whatever the call raises."""
    child = os.fork()
    if child:
        _, _, usage = os.wait4(child, 0)
        return usage.ru_maxrss * _UNIT
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (_MOST, _MOST))
        with suppress(Exception):
            call()
    finally:
        os._exit(0)
