"""Log lines while a prompt is open: they come above it, and what is typed stays."""

import asyncio
import io
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import TextIO

from prompt_toolkit.application import run_in_terminal


@contextmanager
def above_prompt() -> Iterator[None]:
    """Print whole lines of standard error above the prompt that is open in this context.

    They may come from any thread. Where standard error is no terminal nothing changes.
    """
    terminal = sys.stderr
    if not terminal.isatty():
        yield
        return
    lines = _AbovePrompt(terminal, asyncio.get_running_loop())
    handlers = [
        each
        for each in logging.getLogger().handlers
        if isinstance(each, logging.StreamHandler) and each.stream is terminal
    ]
    try:
        with redirect_stderr(lines):
            for each in handlers:
                each.setStream(lines)
            yield
    finally:
        for each in handlers:
            each.setStream(terminal)
        lines.print_rest()


class _AbovePrompt(io.TextIOBase):
    """A stream whose whole lines are printed above a prompt, soon, in the loop's thread."""

    def __init__(self, terminal: TextIO, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._terminal = terminal
        self._loop = loop
        self._lock = threading.Lock()
        self._kept = ""
        self._is_over = False

    def write(self, text: str) -> int:
        """Keep a text until its line is whole and the loop comes to it."""
        with self._lock:
            if self._is_over:  # a thread that was just about to write
                return self._terminal.write(text)
            is_asked_for = "\n" in self._kept
            self._kept += text
            is_due = "\n" in text and not is_asked_for
        if is_due:
            self._loop.call_soon_threadsafe(self._ask)
        return len(text)

    def isatty(self) -> bool:
        """Say yes: the lines end on the terminal."""
        return True

    def print_rest(self) -> None:
        """Print what is kept, once no prompt is open any more."""
        with self._lock:
            self._is_over = True
            self._print(len(self._kept))

    def _ask(self) -> None:
        if self._kept:
            run_in_terminal(self._print_lines)

    def _print_lines(self) -> None:
        with self._lock:
            self._print(self._kept.rfind("\n") + 1)

    def _print(self, end: int) -> None:
        self._terminal.write(self._kept[:end])
        self._terminal.flush()
        self._kept = self._kept[end:]
