"""Measure the start of the program, and the growth of memory of a process that goes on answering.

Run as `python -m tests.benchmarks.figures.start_and_memory STORE EARLY LATE` this module is such a
process. It prints the MiB of resident memory after EARLY commands and after LATE.
"""

import asyncio
import gc
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from adapters.terminal.client import TerminalClient
from bot.app import Broadsheet
from bot.clock import SystemClock
from bot.commands.handlers import COMMANDS
from bot.replies.plain_text import plain_text
from tests.benchmarks.inputs import sqlite
from tests.benchmarks.inputs.queries import questions
from tests.benchmarks.inputs.setup import opened
from tests.benchmarks.measure import Figure, resident
from tests.flows.program import BROADSHEET

_FLOOR = (sys.executable, "-c", "import sqlmodel, click")
_PRODUCT = (str(BROADSHEET), "ask", "latest")
_AIM = 1.5
_FIXED = ("latest", "random", "sources", "status", "help", "help search")


@dataclass(frozen=True, slots=True)
class Starts:
    """The number of starts of which the quickest counts, and of starts before the first one."""

    tries: int = 3
    warm_ups: int = 1


def starts(store: Path, runs: int, extent: Starts) -> Iterator[Figure]:
    """Start the program on a filled store; a run is the quickest of some tries.

    Floor and product take turns in the tries too. What else the machine does can only make a
    start longer.
    """
    for _ in range(extent.warm_ups):
        _pair(store)  # fills the disc's cache
    tried = [[_pair(store) for _ in range(extent.tries)] for _ in range(runs)]
    least, mine = (tuple(min(pair[side] for pair in pairs) for pairs in tried) for side in range(2))
    yield Figure("start, ask latest", "ms", least, mine, _AIM)


def _pair(store: Path) -> tuple[float, float]:
    return _milliseconds(store, *_FLOOR), _milliseconds(store, *_PRODUCT)


def _milliseconds(store: Path, *command: str) -> float:
    own = {**os.environ, "BROADSHEET_DATABASE_URL": f"sqlite:///{store}"}
    began = perf_counter()
    subprocess.run(command, env=own, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (perf_counter() - began)


def memory_growth(store: Path, early: int, late: int) -> tuple[float, float]:
    """Return the resident MiB of a process after `early` commands and after `late`."""
    command = [sys.executable, "-m", __name__, str(store), str(early), str(late)]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    first, last = map(float, run.stdout.split())
    return first, last


def commands(store: Path, number: int) -> list[str]:
    """Return so many lookups of all kinds, the same for the same store; half are searches."""
    with sqlite.connected(store) as connection:
        refs = [ref for (ref,) in connection.execute("SELECT ref FROM entry ORDER BY id")]
        weeks = [week for (week,) in connection.execute("SELECT week FROM edition ORDER BY id")]
        named = connection.execute("SELECT DISTINCT topic FROM entry_topic ORDER BY topic")
        fixed = [*_FIXED, *(f"topic {topic}" for (topic,) in named)]
    asked = (" ".join(question.words) for question in questions(store, number // 2))
    chance = random.Random(7)  # noqa: S311 - a sample, not a secret
    kinds = (
        lambda: chance.choice(fixed),
        lambda: f"week {chance.choice(weeks)}",
        lambda: f"show {chance.choice(refs)}",
        lambda: f"related {chance.choice(refs)}",
    )
    others = [chance.choice(kinds)() for _ in range(number - number // 2)]
    lines = [*(f"search {words}" for words in asked), *others]
    return chance.sample(lines, number)


def _main(store: str, early: str, late: str) -> None:
    lines = commands(Path(store), int(late))
    gc.freeze()  # as the program itself does at its start
    with opened(Path(store)) as database:
        app = Broadsheet(database, SystemClock(), COMMANDS, "UTC")
        for some in (lines[: int(early)], lines[int(early) :]):
            asyncio.run(_answer(app, some))
            sys.stdout.write(f"{resident()}\n")


async def _answer(app: Broadsheet, lines: Sequence[str]) -> None:
    for line in lines:
        reply = await app.run_text(line, TerminalClient.actor)
        if reply.failed:
            raise RuntimeError(f"{line}: {plain_text(reply)}")


if __name__ == "__main__":
    _main(*sys.argv[1:])
