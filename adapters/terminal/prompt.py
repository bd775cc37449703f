"""The prompt on a terminal, with completion and history, by prompt_toolkit.

Log lines come above it, and what is typed stays.
"""

import asyncio
import io
import logging
import os
import sys
import threading
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, suppress
from pathlib import Path
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import completion_is_selected, has_focus
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.styles import Style

from bot.actor import Actor
from bot.app import Broadsheet
from bot.replies.plain_text import printable

_HOW_TO_LEAVE = "Ctrl-D or exit leaves."
# Colours of the terminal's palette; prompt_toolkit omits them under NO_COLOR.
_STYLE = Style.from_dict({"prompt": "bold ansicyan"})


async def typed_lines(app: Broadsheet, actor: Actor, prompt: str) -> AsyncGenerator[str, None]:
    """Yield the typed lines until Ctrl-D; pasted text may give several at once."""
    session: PromptSession[str] = PromptSession(
        [("class:prompt", prompt)],
        style=_STYLE,
        completer=_Completer(app, actor),
        complete_while_typing=False,
        enable_history_search=True,
        history=_open_history(os.environ),
        key_bindings=_keys(),
    )
    while True:
        try:
            with above_prompt():
                # prompt_toolkit would replace the program's handler of SIGINT.
                typed = await session.prompt_async(handle_sigint=False)
        except EOFError:
            return
        for line in typed.splitlines():
            yield line


class _Completer(Completer):
    """A completer that asks the bot."""

    def __init__(self, app: Broadsheet, actor: Actor) -> None:
        self._app = app
        self._actor = actor

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
        """Return nothing: the prompt uses the asynchronous method."""
        del document, event
        return iter(())

    async def get_completions_async(
        self, document: Document, event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Yield the bot's completions of the text before the cursor."""
        del event
        text = document.text_before_cursor
        for found in await self._app.complete(text, self._actor):
            yield Completion(
                found.text,
                start_position=found.start - len(text),
                display=printable(found.text),
                display_meta=printable(found.label),
            )


def _keys() -> KeyBindings:
    """Bind Ctrl-C to clearing the line, and Enter in the menu to taking the selected item."""
    keys = KeyBindings()

    @keys.add("c-c", filter=has_focus(DEFAULT_BUFFER))
    def clear(event: KeyPressEvent) -> None:
        line = event.current_buffer
        if line.text or line.complete_state:
            line.reset()
        else:
            run_in_terminal(lambda: print(_HOW_TO_LEAVE))  # noqa: T201 - a hint to the user

    @keys.add("enter", filter=completion_is_selected)
    def take(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None

    return keys


def _open_history(environ: Mapping[str, str]) -> History:
    """Return the history of the user, in memory if its file can't be written.

    The file is `broadsheet/history` in the state folder of the XDG Base Directory Specification,
    readable by its owner only.
    """
    try:
        file = _state_folder(environ) / "broadsheet" / "history"
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.chmod(0o600)
    except (OSError, RuntimeError):  # RuntimeError: no home is known
        return InMemoryHistory()
    return _TolerantFileHistory(file)


class _TolerantFileHistory(FileHistory):
    """A history whose write errors, such as a full disk, are ignored."""

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


def _state_folder(environ: Mapping[str, str]) -> Path:
    """Return the state folder; by the specification a relative path is ignored."""
    named = Path(environ.get("XDG_STATE_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".local" / "state"


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
