"""Compare acknowledgements of `/papers latest` during an import with those before it.

The bot is the installed `broadsheet run`, which fetches the archive by its own schedule. The site
withholds the page until the idle bot was measured.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from bot.clock import SystemClock
from bot.ingest.pipeline import ImportOptions, ingest
from bot.sources.followed import follow_predefined, predefined
from store import sources
from store.database import Database
from tests.benchmarks.figures.acknowledgement import is_edition, variables
from tests.benchmarks.figures.fan_out import without_garbage_collection
from tests.benchmarks.figures.response_times import terminate_after
from tests.benchmarks.inputs.documents import Corpus
from tests.benchmarks.inputs.setup import Stage, copied
from tests.benchmarks.measure import Figure, Timed, percentiles
from tests.benchmarks.platforms.server import Answer
from tests.benchmarks.platforms.slack import FakeSlack
from tests.fakes.web_sites import Answer as Page
from tests.fakes.web_sites import serve_site
from tests.flows.program import Program

_SOURCE, _PATH = "weekly", "/archive.md"
_STATE = "SELECT fetched_at, error FROM source_address WHERE source = ?"
_LOOK_SECONDS = 0.05
_IMPORT_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class DuringImport:
    """A command is sent every `every` seconds, for `idle` seconds and until the import ends.

    `idle` is less than half a minute, the longest time that a bot waits for a site. The bot has
    `rest` seconds to finish its start.
    """

    every: float = 0.01
    idle: float = 4.0
    rest: float = 1.0


@dataclass(frozen=True, slots=True)
class _Run:
    """The answers before and during an import."""

    idle: list[Answer]
    during: list[Answer]


def answers_during_import(
    stage: Stage, corpus: Corpus, runs: int, extent: DuringImport
) -> Iterator[Figure]:
    """Measure acknowledgements, each run with a bot and a store of its own."""
    came = [asyncio.run(_run(stage, corpus, extent)) for _ in range(runs)]
    name = "acknowledgement during an import"
    timed = [Timed(_times(each.idle), _times(each.during)) for each in came]
    yield from percentiles(name, timed, {50: None, 99: 3})
    idle = tuple(_answered(each.idle) for each in came)
    during = tuple(_answered(each.during) for each in came)
    yield Figure(f"{name}, with its answer", "share", idle, during, aim=1, at_least=True)


async def _run(stage: Stage, corpus: Corpus, extent: DuringImport) -> _Run:
    slack, gate = FakeSlack(), asyncio.Event()
    with copied(stage.empty) as store:
        async with slack.open(), serve_site() as site:
            site.put(_PATH, Page(corpus.archive, gate=gate))
            await _follow(store, corpus.newsletter, site.url(_PATH))
            async with _bot(store, slack):
                await site.reached(1)
                await asyncio.sleep(extent.rest)
                with without_garbage_collection():
                    idle = await answers_until(slack, extent.every, asyncio.sleep(extent.idle))
                    gate.set()
                    during = await answers_until(slack, extent.every, _until_imported(store))
                return _Run(idle, during)


async def _follow(store: Path, newsletter: bytes, url: str) -> None:
    """Import a week into a store and follow one source at an address."""
    async with Database(f"sqlite:///{store}") as database:
        await ingest(database, "week.txt", newsletter, ImportOptions(), SystemClock().now())
        await follow_predefined(database)
        for each in predefined():
            await database.write(sources.enable, each.source.slug, enabled=False)
        await database.write(sources.add_address, _SOURCE, url, None)


@asynccontextmanager
async def _bot(store: Path, slack: FakeSlack) -> AsyncIterator[None]:
    """Run the bot, which has answered once.

    Raises:
        RuntimeError: if it does not connect, with what it logged.
    """
    program, log = Program(store.parent, f"sqlite:///{store}"), store.with_suffix(".log")
    here = {"BROADSHEET_SYNC": "on", "BROADSHEET_FETCH_ALLOW": "127.0.0.1"}
    settings = {**here, **variables(slack.api_url)}
    async with terminate_after(program.start("run", "--no-samples", log=log, **settings)):
        try:
            await slack.connected()
        except TimeoutError as error:
            raise RuntimeError(log.read_text(encoding="utf-8")) from error
        await slack.send()
        yield


async def answers_until(
    slack: FakeSlack, every: float, work: Coroutine[None, None, None]
) -> list[Answer]:
    """Send a command every so many seconds until a coroutine ends; none waits for another."""
    task, typed, began = asyncio.create_task(work), [], perf_counter()
    while not task.done():
        typed.append(asyncio.create_task(slack.send()))
        await asyncio.sleep(max(0.0, began + len(typed) * every - perf_counter()))
    await task
    return await asyncio.gather(*typed)


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


def _times(answers: Sequence[Answer]) -> list[float]:
    return [each.milliseconds for each in answers]


def _answered(answers: Sequence[Answer]) -> float:
    return sum(is_edition(each.text) for each in answers) / len(answers)
