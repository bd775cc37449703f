"""What one request of a stranger may cost: what reaches the store of it, however it is typed."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from string import ascii_lowercase, digits

import pytest
from sqlalchemy import Engine, event

from bot.app import MOST_UNDER_WAY, Broadsheet
from bot.command import Actor, Call, Command, Context, Group, Role
from bot.commands import COMMANDS
from bot.commands.search import SEARCH
from bot.parsing import LONGEST_LINE
from bot.plain import plain_text
from bot.replies import Reply, Text
from store.folding import LONGEST_WORD, MOST_WORDS
from tests.bot.conftest import READER, bot_of, filled_store

# Somebody who may use every command, in a channel.
MANAGER = replace(READER, role=Role.MANAGER, platform="slack", channel="C1")
LIGATURE, SQUARE = "\ufdfa", "\u3316"  # four words of one sign, six letters of one
UNKNOWN = " ".join(one + two + "q" for one in ascii_lowercase for two in ascii_lowercase + digits)
# A search asks a few things of each word and each pair of words.
_MOST_ASKED = 10 * MOST_WORDS
_MOST_SIGNS = 100_000


@contextmanager
def _asked() -> Iterator[list[str]]:
    """Give what the SQLite stores are asked that are opened meanwhile, values and all."""
    asked: list[str] = []

    def hear(driver: sqlite3.Connection, _record: object) -> None:
        driver.set_trace_callback(asked.append)

    event.listen(Engine, "connect", hear)
    try:
        yield asked
    finally:
        event.remove(Engine, "connect", hear)
