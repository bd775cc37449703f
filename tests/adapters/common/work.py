"""What the program does meanwhile, counted: what it asks the store, builds, lays out and reads."""

import re
import sqlite3
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from sqlalchemy import Engine, event

import adapters
import bot
import store
from adapters.common.layout.parts import lay_out
from bot.replies.blocks import Reply
from store.text import fold

_PRODUCT = tuple(f"{Path(package.__path__[0])}/" for package in (adapters, bot, store))
_STATEMENT = re.compile(r"(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b")


class Work(NamedTuple):
    """What was done.

    `statements` are those sent to the store, `replies` how often one was built, changed ones too,
    `layouts` how often one was laid out. A pass over text is one call of a pattern, or a folding.
    """

    statements: int
    replies: int
    layouts: int
    passes: int


class Counted:
    """Counts the work of this process between `begin` and `end`, in threads begun meanwhile too."""

    def __init__(self) -> None:
        self._done: Counter[str] = Counter()
        self._is_on = False
        self._calls: dict[CodeType, str] = {
            Reply.__init__.__code__: "replies",
            lay_out.__code__: "layouts",
            fold.__code__: "passes",
        }
        self._is_product: dict[CodeType, bool] = {}

    def begin(self) -> None:
        """Count from here on."""
        self._done.clear()
        self._is_on = True
        sys.setprofile(self.profile)

    def end(self) -> Work:
        """Return what was done since the beginning."""
        sys.setprofile(None)
        self._is_on = False
        return Work(**{name: self._done[name] for name in Work._fields})

    def hear(self, driver: sqlite3.Connection, _record: object) -> None:
        """Count the statements of a connection."""
        driver.set_trace_callback(self._sent)

    def profile(self, frame: FrameType, kind: str, called: Any) -> None:
        """Count a call."""
        if not self._is_on:
            return
        if kind == "call":
            if name := self._calls.get(frame.f_code):
                self._done[name] += 1
        elif kind == "c_call" and isinstance(getattr(called, "__self__", None), re.Pattern):
            self._done["passes"] += self._is_ours(frame.f_code)

    def _sent(self, statement: str) -> None:
        if self._is_on and _STATEMENT.match(statement):
            self._done["statements"] += 1

    def _is_ours(self, code: CodeType) -> bool:
        if code not in self._is_product:
            self._is_product[code] = code.co_filename.startswith(_PRODUCT)
        return self._is_product[code]


@contextmanager
def counting() -> Iterator[Counted]:
    """Give a way to count the work of stores that are opened in the block."""
    counted = Counted()
    event.listen(Engine, "connect", counted.hear)
    threading.setprofile(counted.profile)
    try:
        yield counted
    finally:
        threading.setprofile(None)
        event.remove(Engine, "connect", counted.hear)
