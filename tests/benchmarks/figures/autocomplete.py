"""Measure the suggestions of papers for a typed prefix, in a large store.

The floor is one look-up of an entry by its ref, in the same threads.
"""

import asyncio
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter

from adapters.terminal.client import TerminalClient
from bot.app import Broadsheet
from bot.clock import SystemClock
from bot.commands.handlers import COMMANDS
from bot.commands.types import Param
from store.database import Database, Session
from tests.benchmarks.inputs import sqlite
from tests.benchmarks.inputs.large_stores import grow
from tests.benchmarks.inputs.setup import Stage, opened
from tests.benchmarks.measure import Figure, Timed, percentile_figure

_AIM = 50  # ms
_LONGEST = 30  # letters; by then the paper that was meant is mostly among the offers
_TITLES_A_NAME = 4
# At first the connections of both sides are cold.
_WARM_UPS = 20


def autocomplete(stage: Stage, papers: int, runs: int, number: int) -> Iterator[Figure]:
    """Complete `number` prefixes a run; each run has a bot that was just started."""
    store = grow(stage, papers)
    named = _named(store)
    timed = [_timed(store, named, run, number) for run in range(1 + runs)][1:]
    name = f"autocomplete at {papers:,}"
    yield percentile_figure(name, timed, 99, _AIM, in_unit=True)


def _timed(store: Path, named: Sequence[sqlite.Row], run: int, number: int) -> Timed:
    chance = random.Random(run)  # noqa: S311 - a sample, not a secret
    typed = list(islice(_typed(named, chance), _WARM_UPS + number))
    refs = [ref for ref, *_ in chance.choices(named, k=len(typed))]
    with opened(store) as database:
        return asyncio.run(_by_turns(database, refs, typed))


def _typed(named: Sequence[sqlite.Row], chance: random.Random) -> Iterator[str]:
    """Type titles of papers, now and then a ref, an arXiv id or a number, letter by letter."""
    while True:
        titled = chance.sample(named, min(_TITLES_A_NAME, len(named)))
        ref, _, arxiv_id = chance.choice(named)
        number = str(chance.randint(1, 20))
        for text in (*(title for _, title, _ in titled), ref, arxiv_id, number):
            for length in range(1, min(len(text), _LONGEST) + 1):
                yield text[:length]


async def _by_turns(database: Database, refs: Sequence[str], typed: Sequence[str]) -> Timed:
    app = Broadsheet(database, SystemClock(), COMMANDS, "UTC")
    param = _paper()
    least, mine = [], []
    for ref, beginning in zip(refs, typed, strict=True):
        start = perf_counter()
        await database.read(_look_up, ref)
        between = perf_counter()
        await app.options(param, beginning, TerminalClient.actor)
        least.append(1000 * (between - start))
        mine.append(1000 * (perf_counter() - between))
    return Timed(least[_WARM_UPS:], mine[_WARM_UPS:])


def _look_up(session: Session, ref: str) -> object:
    statement = "SELECT * FROM entry WHERE ref = ?"
    return session.connection().exec_driver_sql(statement, (ref,)).fetchall()


def _paper() -> Param:
    return next(command for command in COMMANDS if command.name == "show").params[0]


def _named(store: Path) -> sqlite.Rows:
    with sqlite.connected(store) as connection:
        statement = "SELECT ref, title, arxiv_id FROM entry WHERE arxiv_id IS NOT NULL ORDER BY id"
        return connection.execute(statement).fetchall()
