"""That the benchmarks of the peak count right; nothing here is timed."""

import asyncio
import json
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from tests.benchmarks.platforms import limits as limiting
from tests.benchmarks.platforms.limits import Limit, Limiter
from tests.benchmarks.platforms.many_workspaces import Wide, WideDiscord, WideSlack
from tests.fakes.clock import Seconds


def test_a_limiter_refuses_what_is_too_much() -> None:
    """In any window no more than the limit is let through, and told is when the next may come."""
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


def test_what_one_limit_refuses_counts_in_none() -> None:
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
async def _listening(platform: Wide) -> AsyncIterator[aiohttp.ClientSession]:
    async with platform.open(), aiohttp.ClientSession() as session:
        yield session


async def _posted(platform: Wide, session: aiohttp.ClientSession, channel: str) -> tuple[int, str]:
    """Post to a channel; return the status, and the channel that the answer names."""
    if platform.name == "slack":
        address, body = "chat.postMessage", {"channel": channel, "text": "hello"}
    else:
        address, body = f"/channels/{channel}/messages", {"nonce": "1"}
    headers = {"Authorization": "Bearer xoxb-T1"}
    url = f"{platform.api_url}{address}"
    async with session.post(url, data=json.dumps(body), headers=headers) as answer:
        told = await answer.json()
        return answer.status, str(told.get("channel") or told.get("channel_id"))


@pytest.mark.parametrize("make", [WideSlack, WideDiscord])
async def test_wide_platforms_count_what_stands(make: type[Wide]) -> None:
    """A message that is let through stands in its channel; doubles and gaps are told apart."""
    platform = make(1, 3, math.inf)
    first, second, _ = (each.external_id for each in platform.places)
    async with _listening(platform) as session:
        for channel in (first, second, second):
            assert await _posted(platform, session, channel) == (200, channel)
    assert platform.missing == 1
    assert platform.once == 1
    assert platform.requests == 3


@pytest.mark.parametrize(
    ("make", "most"),
    [
        (WideSlack, limiting.SLACK_CHANNEL.most),
        (WideDiscord, limiting.DISCORD_CHANNEL.most),
    ],
)
async def test_wide_platforms_refuse_what_is_too_much_for_a_channel(
    make: type[Wide], most: int
) -> None:
    """What a channel's limit does not allow is answered with 429, and does not stand."""
    platform = make(1, 1, 0.5)
    [channel] = (each.external_id for each in platform.places)
    async with _listening(platform) as session:
        came = await asyncio.gather(*(_posted(platform, session, channel) for _ in range(most + 2)))
    assert sorted(status for status, _ in came) == [200] * most + [429] * 2
    assert platform.limiter.refused == 2
    assert platform.posts.channels.total() == most


async def test_discord_refuses_what_is_too_much_for_a_bot() -> None:
    """More than fifty requests in a second are too many, whatever their channels."""
    platform = WideDiscord(1, 60, 0.1)
    channels = [each.external_id for each in platform.places]
    async with _listening(platform) as session:
        came = await asyncio.gather(*(_posted(platform, session, each) for each in channels))
    assert sum(status == 429 for status, _ in came) == 10
