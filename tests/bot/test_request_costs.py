"""What a request of a stranger may cost: how much reaches the store, however much is typed."""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from string import ascii_lowercase, digits

import pytest
from sqlalchemy import Engine, event

from bot.actor import Role
from bot.app import MOST_UNDER_WAY, Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.handlers.papers import SHOW
from bot.commands.handlers.search import SEARCH
from bot.commands.parser import LONGEST_COMMAND_STRING, parse
from bot.commands.types import Call, Command, Context, Group
from bot.errors import UserError
from bot.replies.blocks import Reply, Text
from bot.replies.plain_text import plain_text
from store.database import Database, Session
from store.database.database import READERS
from store.search.synonyms import everyday_lines
from store.text import MOST_WORDS
from tests.bot.conftest import READER, bot_of, filled_store

# Somebody who may use every command, in a channel.
MANAGER = replace(READER, role=Role.MANAGER, platform="slack", channel="C1")
# One sign is folded to four words, to six letters of one.
LIGATURES, SQUARES = "\ufdfa" * 770, "\u3316" * 770
UNKNOWN = " ".join(one + two + "q" for one in ascii_lowercase for two in ascii_lowercase + digits)
SHORT = " ".join([*ascii_lowercase, *digits, UNKNOWN])
EVERYDAY = " ".join(everyday_lines())
# A search asks a few things of each word and of each two beside each other.
_MOST_ASKED = 7 * MOST_WORDS
_MOST_SIGNS = 25_000
_SECONDS = 10
_LONGEST = 780  # characters of a line whose words are looked for

Asking = Callable[[Broadsheet], Awaitable[object]]
Asked = Callable[[Asking], list[str]]


@pytest.fixture
def asked(sqlite_template: Path, tmp_path: Path) -> Iterator[Asked]:
    """Return a way to read all that a bot asks the filled store, values and all."""
    said: list[str] = []

    def hear(driver: sqlite3.Connection, _record: object) -> None:
        driver.set_trace_callback(said.append)

    event.listen(Engine, "connect", hear)
    try:
        for database in filled_store(sqlite_template, tmp_path / "store.db"):
            yield partial(_statements, database, said)
    finally:
        event.remove(Engine, "connect", hear)


def _statements(database: Database, said: list[str], asking: Asking) -> list[str]:
    async def ask() -> None:
        await asking(bot_of(database))

    said.clear()
    asyncio.run(ask())
    # What the full-text index asks of its own tables stands behind the sign of a comment.
    return [each for each in said if not each.startswith("--")]


@pytest.mark.parametrize(
    "line",
    [
        f"search {LIGATURES}",
        f"search {SQUARES}",
        f"search {UNKNOWN}",
        f"search {EVERYDAY}",
        f"search sparse -{UNKNOWN.replace(' ', ' -')}",
        f'search "{UNKNOWN.replace(" ", chr(34) + " " + chr(34))}"',
        f"show {SQUARES}",
        f"show {SHORT}",
        f"note {UNKNOWN}",
        f"subscribe {'in from ' * 200}",
        f"pause {'until ' * 200}",
        f"topic {LIGATURES}",
    ],
)
def test_no_line_asks_the_store_for_more_than_it_may(asked: Asked, line: str) -> None:
    """As much of a line as is read asks a few things of so many words at most."""
    longest = line[:_LONGEST]
    ways: tuple[Asking, ...] = (
        lambda bot: bot.run_text(longest, MANAGER),
        lambda bot: bot.complete(longest, MANAGER),
    )
    for asking in ways:
        statements = asked(asking)
        assert len(statements) <= _MOST_ASKED
        assert sum(map(len, statements)) <= _MOST_SIGNS


@pytest.mark.parametrize("text", [UNKNOWN * 20, SQUARES * 50, "from:" * 8_000])
def test_what_is_too_long_asks_the_store_nothing(asked: Asked, text: str) -> None:
    """Of forty thousand characters nothing is read, whichever way they come."""
    [query, *_] = SEARCH.params
    [paper] = SHOW.params
    ways: tuple[Asking, ...] = (
        lambda bot: bot.run_text(f"search {text}", MANAGER),
        lambda bot: bot.run(Call(SEARCH, {"query": text}), MANAGER),
        lambda bot: bot.complete(f"show {text}", MANAGER),
        lambda bot: bot.options(paper, text, MANAGER),
        lambda bot: bot.options(paper, "", MANAGER, {"other": text}),
        lambda bot: bot.check(query, text, MANAGER),
    )
    assert [asked(asking) for asking in ways] == [[]] * len(ways)


def test_an_answer_says_that_the_rest_was_left_out(filled: Database) -> None:
    """Whoever typed more than is looked for is told how much that is."""
    told = f"{MOST_WORDS} words of at most 64 letters are looked for at once"
    for line, is_told in (
        (f"search sparse attention {UNKNOWN}", True),
        (f"search {SQUARES}", True),
        (f"search {UNKNOWN}", True),
        (f"show {UNKNOWN}", True),
        ("search sparse attention", False),
        ("show zebras", False),
    ):
        answer = asyncio.run(bot_of(filled).run_text(line[:_LONGEST], READER))
        assert (told in plain_text(answer)) is is_told


@pytest.mark.parametrize("longest", [LONGEST_COMMAND_STRING + 1, 40_000])
def test_a_line_is_parsed_only_where_a_button_carries_it(longest: int) -> None:
    """Whoever parses lines refuses those that take longer the longer they are."""
    with pytest.raises(UserError, match="a command may have 1,000"):
        parse("subscribe ".ljust(longest, "9"), COMMANDS)


async def test_one_person_has_only_so_many_requests_under_way(filled: Database) -> None:
    """What is beyond is refused politely, others are answered, and afterwards so is one's own."""
    go = asyncio.Event()

    async def wait(_context: Context) -> Reply:
        await go.wait()
        return Reply((Text("waited"),))

    waits = Command("wait", Group.LOOKUP, "Waits", wait)
    app = bot_of(filled, commands=(*COMMANDS, waits))
    tasks = [asyncio.create_task(app.run_text("wait", READER)) for _ in range(MOST_UNDER_WAY)]
    await asyncio.sleep(0)
    refused = plain_text(await app.run_text("help", READER))
    assert refused == f"You have {MOST_UNDER_WAY} requests under way.\nTry again in a moment."
    assert await app.complete("show ", READER) == []
    assert not (await app.run_text("help", MANAGER)).failed
    go.set()
    assert not any(each.failed for each in await asyncio.gather(*tasks))
    assert not (await app.run_text("help", READER)).failed


async def test_one_persons_flood_leaves_threads_of_the_store_to_others(filled: Database) -> None:
    """While as much of one's is held as may be, another's commands are answered."""
    began, go = threading.Semaphore(0), threading.Event()

    def hold(_session: Session) -> None:
        began.release()
        assert go.wait(_SECONDS)

    async def flood(context: Context) -> Reply:
        await context.database.read(hold)
        return Reply((Text("held"),))

    app = bot_of(filled, commands=(*COMMANDS, Command("flood", Group.LOOKUP, "Floods", flood)))
    tasks = [asyncio.create_task(app.run_text("flood", READER)) for _ in range(2 * READERS)]
    try:
        for _ in range(READERS // 4):
            assert await asyncio.to_thread(began.acquire, timeout=_SECONDS)
        async with asyncio.timeout(_SECONDS):
            assert not (await app.run_text("search sparse", MANAGER)).failed
        assert not began.acquire(blocking=False)
    finally:
        go.set()
    assert not any(each.failed for each in await asyncio.gather(*tasks))
