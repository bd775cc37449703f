"""Measure cached pages against `/livez`, and acknowledgements while pages are served.

The bot is the installed `broadsheet run`; another process asks it for pages.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import perf_counter

from aiohttp import ClientSession

from adapters.web.pages.finder import all_paths
from adapters.web.pages.page import Library
from store.database import Database
from tests.benchmarks.figures.acknowledgement import variables
from tests.benchmarks.figures.during_import import answers_until
from tests.benchmarks.figures.fan_out import without_garbage_collection
from tests.benchmarks.figures.response_times import terminate_after
from tests.benchmarks.inputs.setup import Stage, copied
from tests.benchmarks.measure import Figure, Timed, percentiles
from tests.benchmarks.platforms.slack import FakeSlack
from tests.flows.program import Program

_LOAD = (sys.executable, "-m", "tests.benchmarks.processes.page_load")
_MOST_PATHS = 200


@dataclass(frozen=True, slots=True)
class PageLoad:
    """So many pages are asked for one after the other, then `rate` a second for `seconds`.

    Meanwhile a command is sent every `every` seconds.
    """

    asked: int = 300
    rate: float = 200.0
    seconds: float = 5.0
    every: float = 0.02


def pages(stage: Stage, runs: int, extent: PageLoad) -> Iterator[Figure]:
    """Measure each run with a bot of its own."""
    came = [asyncio.run(_run(stage, extent)) for _ in range(runs)]
    yield from percentiles("cached page, against livez", [each[0] for each in came], {50: 3})
    name = f"acknowledgement beside {extent.rate:g} pages a second"
    yield from percentiles(name, [each[1] for each in came], {50: None, 99: 2})


async def _run(stage: Stage, extent: PageLoad) -> tuple[Timed, Timed]:
    slack = FakeSlack()
    with copied(stage.filled) as store:
        paths = await _paths(store)
        async with slack.open(), _bot(store, slack) as url:
            with without_garbage_collection():
                asked = await _asked(url, paths[0], extent.asked)
                for path in paths:
                    await _asked(url, path, 1)
                idle = await answers_until(slack, extent.every, asyncio.sleep(extent.seconds))
                async with _loaded(url, extent.rate, paths):
                    busy = await answers_until(slack, extent.every, asyncio.sleep(extent.seconds))
    acknowledged = Timed([each.milliseconds for each in idle], [each.milliseconds for each in busy])
    return asked, acknowledged


async def _paths(store: Path) -> list[str]:
    async with Database(f"sqlite:///{store}") as database:
        found = await database.read(lambda s: list(all_paths(Library(s, date(2026, 11, 21)))))
    return found[:: max(1, len(found) // _MOST_PATHS)]


@asynccontextmanager
async def _bot(store: Path, slack: FakeSlack) -> AsyncIterator[str]:
    """Run the bot, which has answered once; give the URL of its pages."""
    program, log = Program(store.parent, f"sqlite:///{store}"), store.with_suffix(".log")
    started = program.start("run", "--no-samples", log=log, **variables(slack.api_url))
    async with terminate_after(started):
        await slack.connected()
        await slack.send()
        lines = map(json.loads, log.read_text(encoding="utf-8").splitlines())
        yield next(line["url"] for line in lines if line["event"] == "web_listening")


@asynccontextmanager
async def _loaded(url: str, rate: float, paths: list[str]) -> AsyncIterator[None]:
    process = await asyncio.create_subprocess_exec(*_LOAD, url, f"{rate:g}", *paths)
    try:
        await asyncio.sleep(1.0)  # until it asks
        yield
        if process.returncode is not None:
            raise RuntimeError("what asks for pages ended")
    finally:
        process.kill()
        await process.wait()


async def _asked(url: str, path: str, number: int) -> Timed:
    """Ask for `/livez` and a page by turns; the page is cached after the first."""
    livez, page = [], []
    async with ClientSession(url) as session:
        await _milliseconds(session, path)
        for _ in range(number):
            livez.append(await _milliseconds(session, "/livez"))
            page.append(await _milliseconds(session, path))
    return Timed(livez, page)


async def _milliseconds(session: ClientSession, path: str) -> float:
    began = perf_counter()
    async with session.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
        answer.raise_for_status()
        await answer.read()
    return 1000 * (perf_counter() - began)
