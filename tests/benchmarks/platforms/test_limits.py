"""Test the limits and counts of the fake platforms; nothing here is timed."""

import asyncio
import json
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from tests.benchmarks.platforms import limits
from tests.benchmarks.platforms.limits import Limit, Limiter
from tests.benchmarks.platforms.many_workspaces import (
    ManyDiscordServers,
    ManySlackWorkspaces,
    ManyWorkspaces,
)
from tests.fakes.clock import Seconds


def test_a_limiter_refuses_requests_above_the_limit() -> None:
    """A limiter accepts no more than the limit in any window, and returns the wait."""
    seconds = Seconds(100.0)
    limiter = Limiter(1, seconds)
    limit = Limit(3, 10)
    for _ in range(3):
        assert limiter.refuses(("a", limit)) is None
        seconds.at += 1
    assert limiter.refuses(("a", limit)) == 7
    assert limiter.refuses(("b", limit)) is None
    seconds.at += 7
    assert limiter.refuses(("a", limit)) is None
    assert limiter.refuses(("a", limit)) == 1
    assert limiter.refused == 2


def test_a_refused_request_counts_in_no_limit() -> None:
    """A request that its channel refuses takes nothing from what the bot has left."""
    limiter = Limiter(1, Seconds(100.0))
    bot, channel = ("bot", Limit(2, 1)), ("channel", Limit(1, 1))
    assert limiter.refuses(bot, channel) is None
    assert limiter.refuses(bot, channel) == 1
    assert limiter.left(*bot) == 1


def test_limits_are_as_much_sooner_as_time_runs_faster() -> None:
    """At twice the speed a window is half as long; without limits it has no length."""
    seconds = Seconds(100.0)
    twice, unlimited = Limiter(2, seconds), Limiter(math.inf, seconds)
    assert twice.refuses(("a", Limit(1, 10))) is None
    assert twice.refuses(("a", Limit(1, 10))) == 5
    assert [unlimited.refuses(("a", Limit(1, 10))) for _ in range(9)] == [None] * 9


@asynccontextmanager
async def _listening(platform: ManyWorkspaces) -> AsyncIterator[aiohttp.ClientSession]:
    async with platform.open(), aiohttp.ClientSession() as session:
        yield session


async def _posted(
    platform: ManyWorkspaces, session: aiohttp.ClientSession, channel: str
) -> tuple[int, str]:
    """Post to a channel; return the status, and the channel that the answer names."""
    if platform.name == "slack":
        address, body = "chat.postMessage", {"channel": channel, "text": "hello"}
    else:
        address, body = f"/channels/{channel}/messages", {"nonce": "1"}
    headers = {"Authorization": "Bearer xoxb-T1"}
    url = f"{platform.api_url}{address}"
    async with session.post(url, data=json.dumps(body), headers=headers) as answer:
        body = await answer.json()
        return answer.status, str(body.get("channel") or body.get("channel_id"))


@pytest.mark.parametrize("make", [ManySlackWorkspaces, ManyDiscordServers])
async def test_platforms_count_accepted_messages(make: type[ManyWorkspaces]) -> None:
    """A platform counts accepted messages, channels with one message and those without."""
    platform = make(1, 3, math.inf)
    first, second, _ = (each.external_id for each in platform.places)
    async with _listening(platform) as session:
        for channel in (first, second, second):
            assert await _posted(platform, session, channel) == (200, channel)
    assert platform.without_post == 1
    assert platform.with_one_post == 1
    assert platform.requests == 3


@pytest.mark.parametrize(
    ("make", "most"),
    [
        (ManySlackWorkspaces, limits.SLACK_CHANNEL.most),
        (ManyDiscordServers, limits.DISCORD_CHANNEL.most),
    ],
)
async def test_platforms_refuse_posts_above_the_limit_of_a_channel(
    make: type[ManyWorkspaces], most: int
) -> None:
    """A post above the limit of a channel gets 429 and is not counted."""
    platform = make(1, 1, 0.5)
    [channel] = (each.external_id for each in platform.places)
    async with _listening(platform) as session:
        came = await asyncio.gather(*(_posted(platform, session, channel) for _ in range(most + 2)))
    assert sorted(status for status, _ in came) == [200] * most + [429] * 2
    assert platform.limiter.refused == 2
    assert platform.posts.channels.total() == most


async def test_discord_refuses_requests_above_the_limit_of_a_bot() -> None:
    """Discord refuses more than fifty requests in a second, whatever their channels."""
    platform = ManyDiscordServers(1, 60, 0.1)
    channels = [each.external_id for each in platform.places]
    async with _listening(platform) as session:
        came = await asyncio.gather(*(_posted(platform, session, each) for each in channels))
    assert sum(status == 429 for status, _ in came) == 10
