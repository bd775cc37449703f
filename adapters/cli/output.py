"""Output of subcommands: JSON, lines, errors, and a progress line on a terminal."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TextIO

import click

from bot.domain.untrusted_text import escaped
from bot.errors import ArgumentError, UserError
from bot.replies.plain_text import printable
from bot.replies.wording import count, shorten
from store.errors import BroadsheetError

# People see no more changes of a number than these.
_REFRESH_SECONDS = 0.1
_MAX_NAME = 40
_KB = 1024
# Return to the start of the line and erase it: ECMA-48, EL.
_ERASE_LINE = "\r\x1b[K"


def print_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print a value as indented JSON."""
    click.echo(escaped(json.dumps(value, ensure_ascii=False, indent=2)))


def print_line(text: str, *, err: bool = False) -> None:
    """Print a text on one line; it may hold untrusted text."""
    click.echo(printable(text), err=err)


def print_error(error: BroadsheetError) -> None:
    """Print the sentence, the remedy and the suggestions of an error on standard error."""
    print_line(f"Error: {error.sentence}", err=True)
    if error.remedy:
        print_line(error.remedy, err=True)
    for text, label in _suggestions(error):
        print_line(f"  {text}", err=True)
        if label not in {"", text}:
            print_line(f"    {label}", err=True)


def moment_utc(at: datetime) -> str:
    """Format an instant as logs do: `2026-01-12 08:00 UTC`."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _suggestions(error: BroadsheetError) -> list[tuple[str, str]]:
    """Return the suggested texts, each with a label."""
    if isinstance(error, ArgumentError):
        return [(each.value, each.label) for each in error.nearest]
    if isinstance(error, UserError):
        return [(each.command, each.label) for each in error.suggestions]
    return []


class ProgressLine:
    """A line that shows progress, refreshed a few times a second at most.

    Args:
        name: the name of the file or task.
        stream: the terminal.
        seconds: a monotonic clock.
    """

    def __init__(
        self, name: str, stream: TextIO, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._name = _printable_name(name)
        self._stream = stream
        self._seconds = seconds
        self._next_at = float("-inf")
        self._is_shown = False

    def rename(self, name: str) -> None:
        """Change the name of the file or task."""
        self._name = _printable_name(name)

    def fetched(self, done: int, total: int | None) -> None:
        """Show the number of bytes fetched, and their total if it is known."""
        of = f" of {_kilobytes(total)}" if total else ""
        self._show(f"{_kilobytes(done)}{of} KB", is_last=done == total)

    def counting(self, noun: str) -> Callable[[int, int], None]:
        """Return a callback that shows how many items of a total are done."""

        def show(done: int, total: int) -> None:
            self._show(f"{done:,} of {count(total, noun)}", is_last=done == total)

        return show

    def clear(self) -> None:
        """Erase the line."""
        if self._is_shown:
            self._write("")
            self._is_shown = False

    def _show(self, text: str, *, is_last: bool) -> None:
        if is_last or self._seconds() >= self._next_at:
            self._write(f"{self._name}: {text}")
            self._is_shown = True
            self._next_at = self._seconds() + _REFRESH_SECONDS

    def _write(self, text: str) -> None:
        self._stream.write(f"{_ERASE_LINE}{text}")
        self._stream.flush()


@contextmanager
def progress(name: str) -> Iterator[ProgressLine | None]:
    """Yield a progress line on standard error, `None` if that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    line = ProgressLine(name, sys.stderr)
    try:
        yield line
    finally:
        line.clear()


def _printable_name(name: str) -> str:
    return shorten(printable(name), _MAX_NAME)


def _kilobytes(number: int) -> str:
    return f"{-(-number // _KB):,}"
