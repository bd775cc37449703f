"""Run the installed bot while something goes on beside it, and send it commands meanwhile."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter

from tests.benchmarks.figures.chats import slack_variables
from tests.benchmarks.figures.response_times import terminate_after
from tests.benchmarks.measure import Timed
from tests.benchmarks.platforms.server import Answer, FakePlatform
from tests.benchmarks.platforms.slack import FakeSlack
from tests.flows.program import Program

_START_SECONDS = 30.0


@asynccontextmanager
async def serving(store: Path, **settings: str) -> AsyncIterator[str]:
    """Run the bot on a store until the block ends; give the URL of its web server.

    Raises:
        RuntimeError: if it does not listen, with what it logged.
    """
    program, log = Program(store.parent, f"sqlite:///{store}"), store.with_suffix(".log")
    async with terminate_after(program.fork("run", "--no-samples", log=log, **settings)):
        began = perf_counter()
        while "web_listening" not in (said := log.read_text(encoding="utf-8")):
            if perf_counter() - began > _START_SECONDS:
                raise RuntimeError(said)
            await asyncio.sleep(0.05)
        lines = map(json.loads, said.splitlines())
        yield next(line["url"] for line in lines if line["event"] == "web_listening")


@asynccontextmanager
async def answering(store: Path, **settings: str) -> AsyncIterator[tuple[FakeSlack, str]]:
    """Run the bot in a Slack, where it has answered once; give that and its web server's URL."""
    slack = FakeSlack()
    async with (
        slack.open(),
        serving(store, **slack_variables(slack.api_url), **settings) as url,
    ):
        await slack.connected()
        await slack.send()
        yield slack, url


async def commands_until(
    work: Coroutine[None, None, None], platforms: Sequence[FakePlatform], every: float
) -> list[list[Answer]]:
    """Send a command every so many seconds until a coroutine ends, by turns on all platforms.

    No command waits for the answer to another. Return the answers of each platform.
    """
    task, began, number = asyncio.create_task(work), perf_counter(), 0
    typed: list[list[asyncio.Task[Answer]]] = [[] for _ in platforms]
    while not task.done():
        place = number % len(platforms)
        typed[place].append(asyncio.create_task(platforms[place].send()))
        number += 1
        await asyncio.sleep(max(0.0, began + number * every - perf_counter()))
    await task
    return [await asyncio.gather(*sending) for sending in typed]


def compared(before: Sequence[Answer], meanwhile: Sequence[Answer]) -> Timed:
    """Return the times of answers before something went on, and of those meanwhile."""
    return Timed([each.milliseconds for each in before], [each.milliseconds for each in meanwhile])
