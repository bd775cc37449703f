"""Compare acknowledgements of `/papers latest` during an import with those before it.

The bot is the installed `broadsheet run`, which fetches the archive by its own schedule. The site
withholds the page until the idle bot was measured.
"""

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.clock import SystemClock
from bot.ingest.pipeline import ImportOptions, ingest
from bot.sources.followed import follow_predefined, predefined
from store import sources
from store.database import Database
from tests.benchmarks.figures.chats import has_edition
from tests.benchmarks.figures.serving import answering, commands_until, compared
from tests.benchmarks.inputs.documents import Corpus
from tests.benchmarks.inputs.setup import Stage, copied
from tests.benchmarks.measure import Figure, percentile_figure, without_garbage_collection
from tests.benchmarks.platforms.server import Answer
from tests.fakes.web_sites import Answer as Page
from tests.fakes.web_sites import serve_site

_SOURCE, _PATH = "weekly", "/archive.md"
_STATE = "SELECT fetched_at, error FROM source_address WHERE source = ?"
_LOOK_SECONDS = 0.05
_IMPORT_SECONDS = 120.0
_HERE = {"BROADSHEET_SYNC": "on", "BROADSHEET_FETCH_ALLOW": "127.0.0.1"}


@dataclass(frozen=True, slots=True)
class DuringImport:
    """A command is sent every `every` seconds, for `idle` seconds and until the import ends.

    `idle` is less than half a minute, the longest time that a bot waits for a site. The bot has
    `rest` seconds to finish its start.
    """

    every: float = 0.01
    idle: float = 4.0
    rest: float = 1.0


# The answers before and during an import.
_Answers = tuple[Sequence[Answer], Sequence[Answer]]


def answers_during_import(
    stage: Stage, corpus: Corpus, runs: int, extent: DuringImport
) -> Iterator[Figure]:
    """Measure acknowledgements, each run with a bot and a store of its own."""
    came = [asyncio.run(_run(stage, corpus, extent)) for _ in range(runs)]
    name = "acknowledgement during an import"
    yield percentile_figure(name, [compared(*each) for each in came], 99, 3)
    idle, during = zip(*(map(_answered, each) for each in came), strict=True)
    yield Figure(f"{name}, with its answer", "share", idle, during, aim=1, at_least=True)


async def _run(stage: Stage, corpus: Corpus, extent: DuringImport) -> _Answers:
    gate = asyncio.Event()
    with copied(stage.empty) as store:
        async with serve_site() as site:
            site.put(_PATH, Page(corpus.archive, gate=gate))
            await _follow(store, corpus.newsletter, site.url(_PATH))
            async with answering(store, **_HERE) as (slack, _):
                await site.reached(1)
                await asyncio.sleep(extent.rest)
                with without_garbage_collection():
                    waited = asyncio.sleep(extent.idle)
                    [idle] = await commands_until(waited, [slack], extent.every)
                    gate.set()
                    imported = _until_imported(store)
                    [during] = await commands_until(imported, [slack], extent.every)
                return idle, during


async def _follow(store: Path, newsletter: bytes, url: str) -> None:
    """Import a week into a store and follow one source at an address."""
    async with Database(f"sqlite:///{store}") as database:
        await ingest(database, "week.txt", newsletter, ImportOptions(), SystemClock().now())
        await follow_predefined(database)
        for each in predefined():
            await database.write(sources.enable, each.source.slug, enabled=False)
        await database.write(sources.add_address, _SOURCE, url, None)


async def _until_imported(store: Path) -> None:
    """Wait until the source was fetched.

    Raises:
        RuntimeError: if that failed, with the reason.
        TimeoutError: if it goes on.
    """
    fetched_at, error = None, None
    async with asyncio.timeout(_IMPORT_SECONDS):
        with closing(sqlite3.connect(store)) as connection:
            while not (fetched_at or error):
                await asyncio.sleep(_LOOK_SECONDS)
                [(fetched_at, error)] = connection.execute(_STATE, (_SOURCE,)).fetchall()
    if error:
        raise RuntimeError(error)


def _answered(answers: Sequence[Answer]) -> float:
    return sum(has_edition(each.text) for each in answers) / len(answers)
