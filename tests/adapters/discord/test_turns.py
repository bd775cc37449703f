"""Requests that leave one after another."""

import asyncio

import discord

from adapters.discord.address import reach
from adapters.discord.once import trace
from adapters.discord.turns import MOST, Turns
from tests.fakes.discord import FakeDiscord, RateLimited

POSTS = "/api/v10/channels/1/messages"


class Clock:
    """A time that passes while somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    def seconds(self) -> float:
        """Return the time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Note for how long somebody waits."""
        self.waits.append(seconds)


async def test_as_many_leave_in_a_second_as_discord_takes() -> None:
    """However many come at once, each has its turn, and nobody waits where none came before."""
    clock = Clock()
    turns = Turns(clock.seconds, clock.sleep)
    await asyncio.gather(*(turns.wait(POSTS) for _ in range(3 * MOST + 1)))
    assert len(clock.waits) == 3 * MOST
    assert sum(wait < 1 for wait in clock.waits) == MOST - 1
    assert max(clock.waits) == clock.waits[-1] < 3.001
    clock.now += 60
    await turns.wait(POSTS)
    assert len(clock.waits) == 3 * MOST


async def test_answers_wait_for_nobody() -> None:
    """Interactions are not bound to the limit, and they have three seconds."""
    clock = Clock()
    turns = Turns(clock.seconds, clock.sleep)
    for _ in range(3 * MOST):
        await turns.wait("/api/v10/interactions/1/token/callback")
        await turns.wait("/api/v10/webhooks/1/token/messages/@original")
    assert clock.waits == []


async def test_a_client_s_requests_have_turns() -> None:
    """Whatever a client asks waits until it may leave; what leaves the library repeats too."""
    asked: list[str] = []

    async def turn(path: str) -> None:
        asked.append(path)

    async with FakeDiscord() as fake:
        channel = fake.add_guild("G").add_channel("papers")
        fake.fail("GET /channels/{channel_id}", RateLimited(after=0.01))
        await reach(fake.api_url, fake.token)
        intents = discord.Intents.none()
        async with discord.Client(intents=intents, http_trace=trace(turn=turn)) as client:
            await client.login(fake.token)
            del asked[:]
            await client.fetch_channel(channel.id)
        assert asked == [f"/api/v10/channels/{channel.id}"] * 2
