"""`python -m tests.benchmarks.processes.page_load URL RATE PATH…`: ask for pages until killed.

So many a second are asked for, whether the answers to those before came or not.
"""

import asyncio
import sys
from itertools import cycle
from time import perf_counter

from aiohttp import ClientSession, TCPConnector

_CONNECTIONS = 50


async def _load(url: str, rate: float, paths: list[str]) -> None:
    asked: set[asyncio.Task[None]] = set()
    async with ClientSession(url, connector=TCPConnector(limit=_CONNECTIONS)) as session:
        began = perf_counter()
        for number, path in enumerate(cycle(paths), start=1):
            task = asyncio.create_task(_ask(session, path))
            asked.add(task)
            task.add_done_callback(asked.discard)
            await asyncio.sleep(max(0.0, began + number / rate - perf_counter()))


async def _ask(session: ClientSession, path: str) -> None:
    async with session.get(path, headers={"Accept-Encoding": "gzip"}) as answer:
        answer.raise_for_status()
        await answer.read()


if __name__ == "__main__":
    _, url, rate, *paths = sys.argv
    asyncio.run(_load(url, float(rate), paths))
