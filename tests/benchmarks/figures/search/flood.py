"""Measure the searches of one user while another floods the bot with very slow searches.

The flood consists of characters that are folded to many words or letters, of words in no paper and
of words in many. The bot runs in this process and also serves `/livez`.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice, product
from string import ascii_lowercase
from time import perf_counter

from aiohttp import ClientSession

from adapters.runtime.health import operations_routes
from adapters.terminal.client import TerminalClient
from bot.app import Broadsheet
from bot.clock import SystemClock
from bot.commands.handlers import COMMANDS
from bot.operations.metrics import Metrics
from store.database import Database
from tests.adapters.web.served import served
from tests.benchmarks.inputs.queries import questions
from tests.benchmarks.inputs.setup import Stage, opened
from tests.benchmarks.measure import Figure

_FLOODER = replace(TerminalClient.actor, user="flooder")
_LONGEST = 780  # characters of a search
_MOST_DELAYED = 5.0  # times
_ALIVE_MS = 1_000.0
# The process that is asked also asks: without a pause it would do nothing else.
_PAUSE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Flood:
    """The numbers of timed searches of one user, and of searches in flight of the other."""

    searches: int = 40
    under_way: int = 16


def flood(stage: Stage, runs: int, extent: Flood) -> Iterator[Figure]:
    """Time searches of one user alone, then others during a flood."""
    asked = [" ".join(each.words) for each in questions(stage.filled, 2 * runs * extent.searches)]
    with opened(stage.filled) as database:
        parts = [asked[first :: 2 * runs] for first in range(2 * runs)]
        yield from asyncio.run(_measured(database, parts, extent))


async def _measured(
    database: Database, parts: Sequence[Sequence[str]], extent: Flood
) -> list[Figure]:
    idle, busy, livez_times = [], [], []
    async with _served(database) as (app, session):
        lines = _slow_lines()
        await _seconds(app, "attention")  # the first one connects
        for before, during in zip(parts[::2], parts[1::2], strict=True):
            idle.append(await _mean(app, before))
            async with _flooded(app, lines, extent.under_way):
                times: list[float] = []
                asking = asyncio.create_task(_ask_livez_until_cancelled(session, times))
                busy.append(await _mean(app, during))
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
                livez_times.append(max([*times, await _livez_ms(session)]))
    name = f"flood of {extent.under_way} searches"
    return [
        Figure(f"{name}, another's search", "ms", tuple(idle), tuple(busy), _MOST_DELAYED),
        Figure(
            f"{name}, livez, longest",
            "ms",
            (_ALIVE_MS,) * len(livez_times),
            tuple(livez_times),
            1.0,
        ),
    ]


@asynccontextmanager
async def _served(database: Database) -> AsyncIterator[tuple[Broadsheet, ClientSession]]:
    async with served(operations_routes({}, Metrics())) as url, ClientSession(url) as session:
        yield Broadsheet(database, SystemClock(), COMMANDS, "UTC"), session


@asynccontextmanager
async def _flooded(app: Broadsheet, lines: Iterator[str], number: int) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(_flood(app, lines)) for _ in range(number)]
    await asyncio.sleep(0)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _flood(app: Broadsheet, lines: Iterator[str]) -> None:
    for line in lines:
        reply = await app.run_text(line, _FLOODER)
        if reply.failed and "no word to look for" not in str(reply.blocks):
            raise RuntimeError(str(reply.blocks))


def _slow_lines() -> Iterator[str]:
    """Yield searches without end, none twice, so that no reply is cached."""
    unknown = ("".join(letters) + "q" for letters in product(ascii_lowercase, repeat=5))
    for sign in cycle(("\ufdfa", "\u3316", "model data learning ")):
        words = " ".join(islice(unknown, 16))
        yield f"search {words} {sign * _LONGEST}"[:_LONGEST]


async def _mean(app: Broadsheet, asked: Sequence[str]) -> float:
    """Return how many ms a search took."""
    return 1000 * sum([await _seconds(app, words) for words in asked]) / len(asked)


async def _seconds(app: Broadsheet, words: str) -> float:
    began = perf_counter()
    reply = await app.run_text(f"search {words}", TerminalClient.actor)
    if reply.failed:
        raise RuntimeError(str(reply.blocks))
    return perf_counter() - began


async def _ask_livez_until_cancelled(session: ClientSession, times: list[float]) -> None:
    while True:
        times.append(await _livez_ms(session))
        await asyncio.sleep(_PAUSE_SECONDS)


async def _livez_ms(session: ClientSession) -> float:
    """Return how many ms the server took to say that it lives."""
    began = perf_counter()
    async with session.get("/livez") as answer:
        answer.raise_for_status()
    return 1000 * (perf_counter() - began)
