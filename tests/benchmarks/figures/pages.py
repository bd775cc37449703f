"""Measure cached pages against `/livez`, and acknowledgements while pages are served.

The bot is the installed `broadsheet run`; another process asks it for pages.
"""

import asyncio
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
from tests.benchmarks.figures.serving import answering, commands_until, compared
from tests.benchmarks.inputs.setup import Stage, copied
from tests.benchmarks.measure import (
    Figure,
    Timed,
    percentile_figure,
    without_garbage_collection,
)

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
    yield percentile_figure("cached page, against livez", [each[0] for each in came], 50, 3)
    name = f"acknowledgement beside {extent.rate:g} pages a second"
    yield percentile_figure(name, [each[1] for each in came], 99, 2)


async def _run(stage: Stage, extent: PageLoad) -> tuple[Timed, Timed]:
    with copied(stage.filled) as store:
        paths = await _paths(store)
        async with answering(store) as (slack, url):
            with without_garbage_collection():
                asked = await _asked(url, paths[0], extent.asked)
                for path in paths:
                    await _asked(url, path, 1)
                waited = asyncio.sleep(extent.seconds)
                [idle] = await commands_until(waited, [slack], extent.every)
                async with _loaded(url, extent.rate, paths):
                    waited = asyncio.sleep(extent.seconds)
                    [busy] = await commands_until(waited, [slack], extent.every)
    return asked, compared(idle, busy)


async def _paths(store: Path) -> list[str]:
    async with Database(f"sqlite:///{store}") as database:
        found = await database.read(lambda s: list(all_paths(Library(s, date(2026, 11, 21)))))
    return found[:: max(1, len(found) // _MOST_PATHS)]


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
