"""Send a hundred commands a second for a minute, while the bot sends a thousand posts."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from tests.benchmarks.figures.fan_out import commands_until, connected, until_posted
from tests.benchmarks.inputs.due_channels import queue_deliveries, sqlite
from tests.benchmarks.inputs.setup import Stage
from tests.benchmarks.measure import Figure, percentile
from tests.benchmarks.platforms.many_workspaces import (
    ManyDiscordServers,
    ManySlackWorkspaces,
    ManyWorkspaces,
)

# https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response and
# https://docs.discord.com/developers/interactions/receiving-and-responding: ms
_IN_TIME = 3_000


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
    platforms: tuple[ManyWorkspaces, ...] = (
        ManySlackWorkspaces(extent.workspaces, half, extent.speed),
        ManyDiscordServers(extent.workspaces, half, extent.speed),
    )
    async with connected(url, platforms, extent.speed, extent.scan) as subscriptions:
        await asyncio.sleep(extent.rest)
        await queue_deliveries(url, subscriptions, extent.scan)
        typing = asyncio.create_task(asyncio.sleep(extent.seconds))
        came = await commands_until(typing, platforms, 1 / extent.rate)
        await until_posted(platforms, extent.rest)
    times = [answer.milliseconds for answers in came.values() for answer in answers]
    name = f"{extent.rate:g} commands a second during {extent.posts:,} posts"
    in_time = sum(each <= _IN_TIME for each in times) / len(times)
    posted = sum(each.with_one_post for each in platforms) / len(subscriptions)
    return [
        Figure(f"{name}, in time", "share", (1,), (in_time,), aim=1, at_least=True),
        Figure(f"{name}, channels with one post", "share", (1,), (posted,), aim=1, at_least=True),
        *(
            Figure(f"{name}, p{share}", "ms", (_IN_TIME,), (percentile(times, share),), aim)
            for share, aim in {50: None, 99: 1.0}.items()
        ),
    ]
