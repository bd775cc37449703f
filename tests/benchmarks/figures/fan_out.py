"""Ten thousand channels that are all owed a post at once, and commands that are typed meanwhile.

The bot is a process of its own, the platforms are in this one. The floor is what their published
limits allow.
"""

import asyncio
import gc
import math
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter

from tests.benchmarks.inputs.due_channels import Bot, bot, order, owe, postgres, sent, sqlite
from tests.benchmarks.inputs.setup import Stage
from tests.benchmarks.measure import Figure, Timed, percentiles
from tests.benchmarks.platforms.many_workspaces import Wide, WideDiscord, WideSlack
from tests.benchmarks.platforms.server import Answer

# Where nobody is refused, the bot takes the platforms to be this many times as fast, which is more
# than a machine can send.
_NO_LIMIT = 10.0
_LOOK_SECONDS = 0.05
# Whoever posts nothing for so long will post no more.
_STALLED_SECONDS = 45.0
_WORDS = {"slack": ("Slack", "acknowledgement"), "discord": ("Discord", "first response")}


@dataclass(frozen=True, slots=True)
class FanOut:
    """How many channels each platform has, in how many workspaces of Slack and servers of Discord.

    `speed` is how many times as fast as the real ones the platforms are. A command is typed every
    `every` seconds, by turns on both; for `idle` seconds while nothing else is done. For `rest`
    seconds nothing at all is done, before and after. Slack's workspaces together allow as many
    messages a second as Discord does. The bot looks for due posts every `scan` seconds. The
    replicas share a store on the Postgres server at `postgres`, or on one that is started.
    """

    channels: int = 5_000
    workspaces: int = 10
    servers: int = 100
    speed: float = 1.0
    every: float = 0.02
    idle: float = 20.0
    rest: float = 3.0
    scan: float = 5.0
    postgres: str | None = None


@dataclass(frozen=True, slots=True)
class _Scene:
    """Platforms, the bots that are connected to them, and what is owed."""

    platforms: Sequence[Wide]
    bots: Sequence[Bot]
    url: str
    orders: Sequence[int]
    rest: float
    scan: float

    async def post_all(self) -> None:
        """Owe everything, and wait until it was posted, or nothing is any more."""
        await owe(self.url, self.orders, self.scan)
        await until_posted(self.platforms, self.rest)


def fan_out(stage: Stage, extent: FanOut) -> Iterator[Figure]:
    """Post to all channels from one process, while commands are typed; then without limits."""
    with sqlite(stage) as url:
        yield from asyncio.run(_beside_commands(url, extent))
    with sqlite(stage) as url:
        yield from asyncio.run(_unlimited(url, extent))


def replicas(stage: Stage, extent: FanOut) -> Iterator[Figure]:
    """Post to all channels from two processes on one Postgres, where the machine has one."""
    try:
        with postgres(stage, extent.postgres) as url:
            figures = asyncio.run(_together(url, extent))
    except ImportError:
        return
    yield from figures


async def _beside_commands(url: str, extent: FanOut) -> list[Figure]:
    name = f"fan-out of {2 * extent.channels:,}"
    async with _scene(url, extent, extent.speed) as scene:
        [one] = scene.bots
        await asyncio.sleep(extent.rest)
        typed = asyncio.create_task(asyncio.sleep(extent.idle))
        idle = await commands_until(typed, scene.platforms, extent.every)
        before, worked, began = one.resident(), one.worked(), perf_counter()
        posting = asyncio.create_task(scene.post_all())
        meanwhile = await commands_until(posting, scene.platforms, extent.every)
        seconds = perf_counter() - began
        busy, after = one.worked() - worked, one.resident()
    figures = [*_rates(name, scene), *await _counts(name, scene)]
    for platform in scene.platforms:
        where, what = _WORDS[platform.name]
        times = Timed(_times(idle[platform.name]), _times(meanwhile[platform.name]))
        figures += percentiles(f"{name}, {what} meanwhile", [times], {50: None, 99: 3})
        asked = platform.requests / max(platform.posts.channels.total(), 1)
        figures.append(Figure(f"{name}, requests a post, {where}", "1", (1,), (asked,)))
    figures.append(Figure(f"{name}, memory after over before", "MiB", (before,), (after,)))
    # Where it can't be told it is not nothing, which has no ratio.
    share = max(busy / seconds, 0.001)
    figures.append(Figure(f"{name}, share of a processor", "1", (1,), (share,)))
    return figures


async def _together(url: str, extent: FanOut) -> list[Figure]:
    name = f"fan-out of {2 * extent.channels:,}, two replicas"
    async with _scene(url, extent, extent.speed, replicas=2) as scene:
        await asyncio.sleep(extent.rest)
        await scene.post_all()
    return [*_rates(name, scene), *await _counts(name, scene)]


async def _unlimited(url: str, extent: FanOut) -> list[Figure]:
    """Post as fast as the machine lets the bot, the platforms beside it included."""
    name = f"fan-out of {2 * extent.channels:,} without limits"
    async with _scene(url, extent, math.inf) as scene:
        await scene.post_all()
    times = sorted(when for each in scene.platforms for when in each.posts.times)
    rate = (len(times) - 1) / (times[-1] - times[0])
    ceiling = sum(_ceilings(extent))
    return [Figure(name, "1/s", (ceiling,), (rate,)), *await _counts(name, scene)]


def _ceilings(extent: FanOut) -> Iterator[float]:
    """Return what platforms of this extent allow, in messages a second."""
    yield WideSlack(extent.workspaces, 0, extent.speed).ceiling
    yield WideDiscord(extent.servers, 0, extent.speed).ceiling


def _rates(name: str, scene: _Scene) -> Iterator[Figure]:
    for each in scene.platforms:
        rates = (each.ceiling,), (each.posts.rate,)
        yield Figure(f"{name}, {_WORDS[each.name][0]}", "1/s", *rates, aim=0.95, at_least=True)


async def _counts(name: str, scene: _Scene) -> list[Figure]:
    """Return which share of the requests was let through, of the channels has one post each."""
    requests = sum(each.requests for each in scene.platforms)
    refused = sum(each.limiter.refused for each in scene.platforms)
    places = len(scene.orders)
    once = sum(each.once for each in scene.platforms)
    noted = await sent(scene.url)
    shares = {
        "requests not refused": 1 - refused / requests,
        "channels with one post": once / places,
        "deliveries noted as sent": noted / places,
    }
    return [
        Figure(f"{name}, {what}", "share", (1,), (share,), aim=1, at_least=True)
        for what, share in shares.items()
    ]


async def until_posted(platforms: Sequence[Wide], rest: float) -> None:
    """Wait until all channels have their post, or none comes any more; and then for second ones."""
    since, before = monotonic(), -1
    while any(each.missing for each in platforms) and monotonic() - since < _STALLED_SECONDS:
        if (came := sum(each.posts.channels.total() for each in platforms)) != before:
            since, before = monotonic(), came
        await asyncio.sleep(_LOOK_SECONDS)
    await asyncio.sleep(rest)


async def commands_until(
    task: "asyncio.Task[None]", platforms: Sequence[Wide], every: float
) -> dict[str, list[Answer]]:
    """Type a command every so many seconds until a task is done, by turns on all platforms.

    None waits for the answer to another.
    """
    typed: dict[str, list[asyncio.Task[Answer]]] = {each.name: [] for each in platforms}
    began, number = perf_counter(), 0
    while not task.done():
        platform = platforms[number % len(platforms)]
        typed[platform.name].append(asyncio.create_task(platform.send()))
        number += 1
        await asyncio.sleep(max(0.0, began + number * every - perf_counter()))
    await task
    return {name: list(await asyncio.gather(*sending)) for name, sending in typed.items()}


def _times(answers: Sequence[Answer]) -> list[float]:
    return [each.milliseconds for each in answers]


@asynccontextmanager
async def _scene(
    url: str, extent: FanOut, speed: float, replicas: int = 1
) -> AsyncIterator[_Scene]:
    platforms = (
        WideSlack(extent.workspaces, extent.channels, speed),
        WideDiscord(extent.servers, extent.channels, speed),
    )
    bot_speed = _NO_LIMIT if speed == math.inf else speed
    async with connected(url, platforms, bot_speed, extent.scan, replicas) as (bots, orders):
        yield _Scene(platforms, bots, url, orders, extent.rest, extent.scan)


@asynccontextmanager
async def connected(
    url: str, platforms: Sequence[Wide], speed: float, scan: float, replicas: int = 1
) -> AsyncIterator[tuple[list[Bot], list[int]]]:
    """Have all channels order posts and bots serve them; give these and the orders."""
    orders = await order(url, [place for each in platforms for place in each.places])
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="broadsheet-bench-"))
        for each in platforms:
            await stack.enter_async_context(each.open())
        addresses = {each.name: each.api_url for each in platforms}
        logs = [Path(folder, f"bot-{number}.log") for number in range(replicas)]
        bots = await asyncio.gather(
            *(stack.enter_async_context(bot(url, log, speed, scan, addresses)) for log in logs)
        )
        for each in platforms:
            await each.connected()
        stack.enter_context(undisturbed())
        yield bots, orders


@contextmanager
def undisturbed() -> Iterator[None]:
    """Collect no rubbish meanwhile.

    Whoever plays the platforms counts by when it gets to what came: a quarter of a second in which
    it does something else makes one moment's requests of those of many.
    """
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
