"""Rate limits kept by clients that share a store only."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack

import pytest

from adapters.discord.api.rate_limits import GlobalRateLimit
from adapters.discord.posts.channel_client import DiscordChannelClient
from bot.clock import SystemClock
from bot.coordination.rate_limiter import RateLimit, RateLimiter
from bot.errors import OutcomeUnknown, RetryLater
from store.coordination import rate_limits
from store.coordination.rate_limits import SlotRequest
from store.database import Database
from store.errors import StoreBusy
from tests.adapters.discord.post_senders import (
    CREATE,
    KEY,
    POST,
    REPLY,
    message_to,
    poster_for,
    target,
)
from tests.fakes.discord import Channel as Room
from tests.fakes.discord import FakeDiscord, Limits, RateLimited, ServerError

# Discord runs two and a half times as fast, and both clients together go at six tenths of that: a
# machine that is slow for a moment changes nothing, clients that share nothing go too fast.
SCALE, SPEED = 2.5, 1.5
ROOMS, EACH = 40, 5


class Full(RateLimiter):
    """A limiter with so many slots, which then raises an error."""

    def __init__(self, left: int, error: RetryLater | StoreBusy) -> None:
        self._left = left
        self._error = error
        self.slowed: list[str] = []

    async def acquire(self, limits: Sequence[RateLimit]) -> None:
        """Give a slot, as long as there are some."""
        self._left -= len(limits)
        if self._left < 0:
            raise self._error

    async def slow_down(self, limits: Sequence[RateLimit], seconds: float) -> None:
        """Note what is slowed."""
        self.slowed += [limit.key for limit in limits if seconds > 0]


async def test_two_processes_post_at_one_pace_without_a_refusal(stocked: Database) -> None:
    """Two processes, one with the gateway, post within the limits with one request a post."""
    async with FakeDiscord() as fake, AsyncExitStack() as stack:
        guild = fake.add_guild()
        rooms = [guild.add_channel(f"room-{number}") for number in range(ROOMS)]
        clients = []
        for gateway in (True, False):
            lanes = RateLimiter(stocked, SystemClock())
            limit = GlobalRateLimit(lanes, SPEED)
            made = await stack.enter_async_context(poster_for(fake, gateway=gateway, limit=limit))
            clients.append((lanes, DiscordChannelClient(made.sender, speed=SPEED)))
        fake.limits = Limits(SCALE)
        before = len(fake.calls())

        async def post(room: Room, number: int) -> None:
            lanes, poster = clients[number % len(clients)]
            message = message_to(room, number)
            await lanes.acquire(poster.rate_limits(message.channel))
            await poster.send(message)

        await asyncio.gather(*(post(room, number) for number in range(EACH) for room in rooms))
        assert fake.limits.refused == []
        assert len(fake.calls()) - before == len(fake.calls(POST)) == ROOMS * EACH
        assert {len(room.posts) for room in rooms} == {EACH}


async def test_a_refusal_that_comes_all_the_same_loses_nothing(stocked: Database) -> None:
    """The message is posted once, and all processes slow down."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        fake.fail(POST, RateLimited(after=0.05, is_global=True))
        async with poster_for(
            fake, limit=GlobalRateLimit(RateLimiter(stocked, SystemClock()))
        ) as made:
            await made.sender.send(target(room), REPLY, KEY)
        assert [call.status for call in fake.calls(POST)] == [429, 200]
        assert len(room.posts) == 1
        wants = [SlotRequest("discord:global", 0.01, 1), SlotRequest(f"discord:{room.id}", 0.01, 1)]
        _, grants = await stocked.write_locking_rows(
            rate_limits.claim_slots, wants, SystemClock().now()
        )
        assert [grant.interval for grant in grants] == [0.015, 0.01]


async def test_a_channel_s_refusal_slows_that_channel() -> None:
    """A 429 for one channel does not slow the others."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        fake.fail(POST, RateLimited(after=0.05))
        lanes = Full(100, StoreBusy())
        async with poster_for(fake, limit=GlobalRateLimit(lanes)) as made:
            await made.sender.send(target(room), REPLY, KEY)
        assert lanes.slowed == [f"discord:{room.id}"]


async def test_without_the_store_posts_go_on() -> None:
    """A process without the store uses a part of the limit."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        async with poster_for(fake, limit=GlobalRateLimit(Full(0, StoreBusy()))) as made:
            for number in range(3):
                await made.sender.send(target(room), REPLY, f"{KEY}-{number}")
        assert len(room.posts) == 3


@pytest.mark.parametrize("kind", ["text", "forum"])
async def test_what_has_no_turn_for_long_was_not_sent(kind: str) -> None:
    """A request without a slot was certainly not sent, and the error says when to retry."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers", kind=kind)
        lanes = Full(100, RetryLater("Full.", after=12.5))
        async with poster_for(fake, limit=GlobalRateLimit(lanes)) as made:
            lanes._left = 0  # noqa: SLF001 - others took what was left
            with pytest.raises(RetryLater) as caught:
                await made.sender.send(target(room), REPLY, KEY, title="Papers")
        assert caught.value.after == 12.5
        assert fake.calls(POST) == fake.calls(CREATE) == []


async def test_a_repeat_that_has_no_turn_leaves_it_open() -> None:
    """The outcome is unknown if a failed request could not be repeated."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        fake.fail(POST, ServerError(500, stored=True))
        lanes = Full(100, RetryLater("Full.", after=12.5))
        async with poster_for(fake, limit=GlobalRateLimit(lanes), window=10) as made:
            lanes._left = 1  # noqa: SLF001 - as above
            with pytest.raises(OutcomeUnknown):
                await made.sender.send(target(room), REPLY, KEY)
        assert len(room.posts) == len(fake.calls(POST)) == 1


async def test_what_a_limit_holds_up_until_time_is_over_was_not_sent() -> None:
    """A refusal says that nothing was carried out, whatever ends the wait for the next try."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        fake.fail(POST, RateLimited(after=20))
        async with poster_for(fake, window=0.3) as made:
            with pytest.raises(RetryLater):
                await made.sender.send(target(room), REPLY, KEY)
        assert room.posts == []
