"""A line on a terminal that says how far a verb has come, and is gone when it is done."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from bot.replies.plain_text import printable
from bot.replies.wording import count, shorten

# As often as people see a number change.
_SECONDS = 0.1
_LONGEST_NAME = 40
_KB = 1024
# To the beginning of the line, and nothing more in it: ECMA-48, EL.
_CLEARED = "\r\x1b[K"


class Line:
    """The line, written anew a few times a second at most.

    Args:
        name: what is being worked on.
        stream: the terminal.
        seconds: a clock that only goes forward.
    """

    def __init__(
        self, name: str, stream: TextIO, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._name = _short(name)
        self._stream = stream
        self._seconds = seconds
        self._next_at = float("-inf")
        self._is_shown = False

    def rename(self, name: str) -> None:
        """Say of what follows that it is about something else."""
        self._name = _short(name)

    def fetched(self, done: int, total: int | None) -> None:
        """Say how many bytes came, and of how many where that is known."""
        of = f" of {_kilobytes(total)}" if total else ""
        self._say(f"{_kilobytes(done)}{of} KB", is_last=done == total)

    def counting(self, noun: str) -> Callable[[int, int], None]:
        """Return what says how many of what are done, of how many."""

        def counted(done: int, total: int) -> None:
            self._say(f"{done} of {count(total, noun)}", is_last=done == total)

        return counted

    def clear(self) -> None:
        """Leave nothing of it, if there is anything."""
        if self._is_shown:
            self._write("")
            self._is_shown = False

    def _say(self, text: str, *, is_last: bool) -> None:
        if is_last or self._seconds() >= self._next_at:
            self._write(f"{self._name}: {text}")
            self._is_shown = True
            self._next_at = self._seconds() + _SECONDS

    def _write(self, text: str) -> None:
        self._stream.write(f"{_CLEARED}{text}")
        self._stream.flush()


@contextmanager
def progress(name: str) -> Iterator[Line | None]:
    """Give a line on standard error, `None` where nobody reads it: it is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    written = Line(name, sys.stderr)
    try:
        yield written
    finally:
        written.clear()


def _short(name: str) -> str:
    return shorten(printable(name), _LONGEST_NAME)


def _kilobytes(number: int) -> str:
    return f"{-(-number // _KB):,}"
