"""Compare acknowledgements of `/papers latest` while alerts are matched with those before it.

The bot is the installed `broadsheet run`, which finds the edition that another process takes in.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from store.database import Database
from store.library import new_entries
from tests.benchmarks.figures.search.alerts import NOW, SOURCE, take_in_edition
from tests.benchmarks.figures.serving import answering, commands_until, compared
from tests.benchmarks.inputs.large_stores import Pool, pool_of
from tests.benchmarks.inputs.setup import Stage, copied
from tests.benchmarks.inputs.stored_alerts import store_alerts
from tests.benchmarks.measure import (
    Figure,
    Timed,
    percentile_figure,
    without_garbage_collection,
)

_LOOK_SECONDS = 0.05
_MATCH_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class BesideAlerts:
    """So many alerts are matched; a command is sent every `every` seconds, before for `idle`."""

    number: int = 100_000
    every: float = 0.02
    idle: float = 4.0


def acknowledged_beside_alerts(stage: Stage, runs: int, extent: BesideAlerts) -> Iterator[Figure]:
    """Measure acknowledgements, each run with a bot and a store of its own."""
    pool = pool_of(stage.archive.read_bytes())
    came = [asyncio.run(_run(stage, pool, extent)) for _ in range(runs)]
    name = f"acknowledgement beside the matching of {extent.number:,} alerts"
    # Nobody shall wait longer than that for what others do.
    yield percentile_figure(name, came, 99, 300, in_unit=True)


async def _run(stage: Stage, pool: Pool, extent: BesideAlerts) -> Timed:
    settings = {
        "BROADSHEET_CLOCK_OFFSET": str((NOW - datetime.now(UTC)).total_seconds()),
        "BROADSHEET_TICK_SECONDS": "0.2",
    }
    with copied(stage.filled) as store:
        async with Database(f"sqlite:///{store}") as database:
            await database.write(store_alerts, extent.number)
            async with answering(store, **settings) as (slack, _):
                with without_garbage_collection():
                    waited = asyncio.sleep(extent.idle)
                    [idle] = await commands_until(waited, [slack], extent.every)
                    matched = _matched(database, pool)
                    [busy] = await commands_until(matched, [slack], extent.every)
    return compared(idle, busy)


async def _matched(database: Database, pool: Pool) -> None:
    """Take in an edition, and wait until the bot has matched all alerts against it."""
    await database.write(take_in_edition, pool, 0)
    await database.write(new_entries.complete_import, SOURCE, NOW)
    async with asyncio.timeout(_MATCH_SECONDS):
        while await database.read(new_entries.any_to_match):  # noqa: ASYNC110 - a store has no event
            await asyncio.sleep(_LOOK_SECONDS)
