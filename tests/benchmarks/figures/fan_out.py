"""Post to thousands of channels while users send commands.

All are due at once, ten thousand of them; or a thousand, and the commands are a hundred a second.

The bot is a process of its own, the platforms are in this one. The floor is what their published
limits allow.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from tests.benchmarks.figures.serving import commands_until, compared
from tests.benchmarks.inputs.due_channels import (
    add_subscriptions,
    bot,
    postgres,
    queue_deliveries,
    sent,
    sqlite,
)
from tests.benchmarks.inputs.setup import Stage
from tests.benchmarks.measure import (
    Figure,
    percentile,
    percentile_figure,
    without_garbage_collection,
)
from tests.benchmarks.platforms.many_workspaces import (
    ManyDiscordServers,
    ManySlackWorkspaces,
    ManyWorkspaces,
)

_LOOK_SECONDS = 0.05
# Posting has stalled after so many seconds without a post.
_STALLED_SECONDS = 45.0
# https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response and
# https://docs.discord.com/developers/interactions/receiving-and-responding: ms
_IN_TIME = 3_000
_WORDS = {"slack": ("Slack", "acknowledgement"), "discord": ("Discord", "first response")}


@dataclass(frozen=True, slots=True)
class FanOut:
    """The numbers of channels of each platform, of Slack workspaces and of Discord servers.

    `speed` multiplies the platforms' published limits. A command is sent every `every` seconds, by
    turns on both; for `idle` seconds without posts. `rest` is a pause in seconds before and after.
    Slack's workspaces together allow as many messages a second as Discord does. The bot looks for
    due posts every `scan` seconds. The replicas share a store on the Postgres server at
    `postgres`, or on one that is started.
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
class _Setup:
    """Platforms that bots are connected to, and the subscriptions."""

    platforms: Sequence[ManyWorkspaces]
    url: str
    subscriptions: Sequence[int]
    rest: float
    scan: float

    async def post_all(self) -> None:
        """Queue all deliveries and wait until they are posted, or until posting stalls."""
        await queue_deliveries(self.url, self.subscriptions, self.scan)
        await until_posted(self.platforms, self.rest)


def fan_out(stage: Stage, extent: FanOut) -> Iterator[Figure]:
    """Post to all channels from one process while users send commands."""
    with sqlite(stage) as url:
        yield from asyncio.run(_beside_commands(url, extent))


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
    async with _set_up(url, extent) as setup:
        await asyncio.sleep(extent.rest)
        waited = asyncio.sleep(extent.idle)
        idle = await commands_until(waited, setup.platforms, extent.every)
        during = await commands_until(setup.post_all(), setup.platforms, extent.every)
    figures = [*_rates(name, setup), *await _counts(name, setup)]
    for platform, *answers in zip(setup.platforms, idle, during, strict=True):
        _, what = _WORDS[platform.name]
        figures.append(percentile_figure(f"{name}, {what} meanwhile", [compared(*answers)], 99, 3))
    return figures


async def _together(url: str, extent: FanOut) -> list[Figure]:
    name = f"fan-out of {2 * extent.channels:,}, two replicas"
    async with _set_up(url, extent, replicas=2) as setup:
        await asyncio.sleep(extent.rest)
        await setup.post_all()
    return [*_rates(name, setup), *await _counts(name, setup)]


def _rates(name: str, setup: _Setup) -> Iterator[Figure]:
    for each in setup.platforms:
        rates = (each.allowed_rate,), (each.posts.rate,)
        yield Figure(f"{name}, {_WORDS[each.name][0]}", "1/s", *rates, aim=0.95, at_least=True)


async def _counts(name: str, setup: _Setup) -> list[Figure]:
    """Return the shares of accepted requests, channels with one post and sent deliveries."""
    requests = sum(each.requests for each in setup.platforms)
    refused = sum(each.limiter.refused for each in setup.platforms)
    places = len(setup.subscriptions)
    posted = sum(each.with_one_post for each in setup.platforms)
    noted = await sent(setup.url)
    shares = {
        "requests not refused": 1 - refused / requests,
        "channels with one post": posted / places,
        "deliveries noted as sent": noted / places,
    }
    return [
        Figure(f"{name}, {what}", "share", (1,), (share,), aim=1, at_least=True)
        for what, share in shares.items()
    ]


async def until_posted(platforms: Sequence[ManyWorkspaces], rest: float) -> None:
    """Wait until all channels have their post or posting stalls, and then for second posts."""
    since, before = monotonic(), -1
    while any(each.without_post for each in platforms) and monotonic() - since < _STALLED_SECONDS:
        if (came := sum(each.posts.channels.total() for each in platforms)) != before:
            since, before = monotonic(), came
        await asyncio.sleep(_LOOK_SECONDS)
    await asyncio.sleep(rest)


@asynccontextmanager
async def _set_up(url: str, extent: FanOut, replicas: int = 1) -> AsyncIterator[_Setup]:
    platforms = (
        ManySlackWorkspaces(extent.workspaces, extent.channels, extent.speed),
        ManyDiscordServers(extent.servers, extent.channels, extent.speed),
    )
    async with connected(url, platforms, extent.speed, extent.scan, replicas) as subscriptions:
        yield _Setup(platforms, url, subscriptions, extent.rest, extent.scan)


@asynccontextmanager
async def connected(
    url: str, platforms: Sequence[ManyWorkspaces], speed: float, scan: float, replicas: int = 1
) -> AsyncIterator[list[int]]:
    """Subscribe all channels and run bots; yield the ids of the subscriptions."""
    subscriptions = await add_subscriptions(
        url, [place for each in platforms for place in each.places]
    )
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="broadsheet-bench-"))
        for each in platforms:
            await stack.enter_async_context(each.open())
        addresses = {each.name: each.api_url for each in platforms}
        logs = [Path(folder, f"bot-{number}.log") for number in range(replicas)]
        await asyncio.gather(
            *(stack.enter_async_context(bot(url, log, speed, scan, addresses)) for log in logs)
        )
        for each in platforms:
            await each.connected()
        stack.enter_context(without_garbage_collection())
        yield subscriptions


@dataclass(frozen=True, slots=True)
class BusyHour:
    """A number of commands a second for some seconds, half of them on each platform.

    The bot sends `posts`, half of them to each, as fast as the real platforms allow it for
    so many workspaces. `rest` and `scan` are those of `FanOut`.
    """

    seconds: float = 60.0
    rate: float = 100.0
    posts: int = 1_000
    workspaces: int = 2
    speed: float = 1.0
    rest: float = 3.0
    scan: float = 5.0


def busy_hour(stage: Stage, extent: BusyHour) -> Iterator[Figure]:
    """Measure the response times of commands that many users send at once."""
    with sqlite(stage) as url:
        yield from asyncio.run(_busy_hour(url, extent))


async def _busy_hour(url: str, extent: BusyHour) -> list[Figure]:
    half = extent.posts // 2
    platforms = (
        ManySlackWorkspaces(extent.workspaces, half, extent.speed),
        ManyDiscordServers(extent.workspaces, half, extent.speed),
    )
    async with connected(url, platforms, extent.speed, extent.scan) as subscriptions:
        await asyncio.sleep(extent.rest)
        await queue_deliveries(url, subscriptions, extent.scan)
        typing = asyncio.sleep(extent.seconds)
        came = await commands_until(typing, platforms, 1 / extent.rate)
        await until_posted(platforms, extent.rest)
    times = [answer.milliseconds for answers in came for answer in answers]
    name = f"{extent.rate:g} commands a second during {extent.posts:,} posts"
    in_time = sum(each <= _IN_TIME for each in times) / len(times)
    posted = sum(each.with_one_post for each in platforms) / len(subscriptions)
    return [
        Figure(f"{name}, in time", "share", (1,), (in_time,), aim=1, at_least=True),
        Figure(f"{name}, channels with one post", "share", (1,), (posted,), aim=1, at_least=True),
        Figure(f"{name}, p99", "ms", (_IN_TIME,), (percentile(times, 99),), aim=1),
    ]
