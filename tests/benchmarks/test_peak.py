"""That the benchmarks of the peak count right; nothing here is timed."""

import asyncio
import json
import math
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.benchmarks import floor, limiting
from tests.benchmarks.corpus import generated
from tests.benchmarks.limiting import Limit, Limiter
from tests.benchmarks.noting import carried_out, sqlite_with_ready
from tests.benchmarks.payloads import KINDS, Kind, by_hand, by_product, names, newest, reply_of
from tests.benchmarks.stage import Stage, staged
from tests.benchmarks.wide import Wide, WideDiscord, WideSlack
from tests.fakes.seconds import Seconds


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """Return a stage for a small archive."""
    with staged(generated(weeks=2).archive) as stage:
        yield stage


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


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_the_product_writes_what_is_written_by_hand(kind: Kind, stage: Stage) -> None:
    """Both sides of the payloads write the same bytes, each for another channel."""
    reply, named = reply_of(newest(stage.filled), "Run 1"), names(5)
    written = list(by_product(kind, reply, named))
    assert written == list(by_hand(kind, reply, named))
    assert len(set(written)) == 5


def test_both_sides_of_the_ledger_leave_the_same(stage: Stage) -> None:
    """By the product and by hand every delivery is sent, in one part that stands somewhere."""
    with sqlite_with_ready(stage, 100) as fresh, fresh() as product, fresh() as hand:
        assert all(each > 0 for each in asyncio.run(carried_out(hand, product)))
        assert _left(product) == _left(hand) == [("sent", None, "sent", 1, "digest", "C1")] * 100


def _left(url: str) -> list[tuple[object, ...]]:
    """Return what stands in a store of its deliveries, as far as both sides write the same."""
    with floor.connected(Path(url.removeprefix("sqlite:///"))) as connection:
        return connection.execute(
            "SELECT delivery.state, owner, part.state, number, part.digest, part.place"
            " FROM delivery JOIN delivery_part AS part ON part.delivery_id = delivery.id"
            " ORDER BY delivery.id"
        ).fetchall()
