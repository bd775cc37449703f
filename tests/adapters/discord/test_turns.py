"""Requests that leave one after another, from every process on a store together."""

import asyncio
from collections.abc import Sequence

import discord
import pytest

from adapters.discord.api.base_url import reach
from adapters.discord.api.rate_limits import (
    MOST,
    CrowdedError,
    Turns,
    channel_lane,
    global_lane,
    seconds_in,
)
from adapters.discord.api.watched_requests import trace
from bot.clock import SystemClock
from bot.coordination.rate_limiter import RateLimit, RateLimiter
from bot.errors import RetryLater
from store.coordination import rate_limits
from store.coordination.rate_limits import SlotRequest
from store.database import Database
from store.errors import StoreBusy, StoreError
from tests.fakes.discord import FakeDiscord, RateLimited

POSTS = "/api/v10/channels/1/messages"
THROUGH = {"Via": "1.1 google", "Retry-After": "7.5"}


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


class Kept:
    """Lanes that give every turn at once, or fail at it."""

    def __init__(self, error: RetryLater | StoreError | None = None) -> None:
        self.error = error
        self.asked = 0
        self.slowed: list[tuple[str, float]] = []

    async def acquire(self, lanes: Sequence[RateLimit]) -> None:
        """Give a turn."""
        assert [lane.key for lane in lanes] == ["discord:global"]
        self.asked += 1
        if self.error:
            raise self.error

    async def slow_down(self, lanes: Sequence[RateLimit], seconds: float) -> None:
        """Fail at noting it."""
        self.slowed = [(lane.key, seconds) for lane in lanes]
        raise StoreBusy


async def in_a_row(turns: Turns, number: int, path: str = POSTS) -> None:
    """Let requests leave that come at once."""
    await asyncio.gather(*(turns.wait(path) for _ in range(number)))


async def is_slowed(database: Database, key: str) -> bool:
    """Tell whether a lane is used more slowly."""
    want = SlotRequest(key, 0.01, 1)
    _, [grant] = await database.write_locking_rows(
        rate_limits.claim_slots, [want], SystemClock().now()
    )
    return grant.interval > want.interval


async def test_what_was_held_up_does_not_leave_at_once() -> None:
    """However late their slots came, no second has more requests than a bot may make."""
    clock = Clock()
    turns = Turns(Kept(), seconds=clock.seconds, sleep=clock.sleep)
    await in_a_row(turns, 3 * MOST)
    leave = [0.0, *clock.waits]
    assert leave == sorted(leave)
    assert max(
        sum(begin <= each < begin + 1 for each in leave) for begin in leave
    ) < MOST  # fmt: skip
    clock.now += 60
    before = len(clock.waits)
    await turns.wait(POSTS)
    assert len(clock.waits) == before, "nobody waits where none came before"


async def test_two_processes_have_one_limit(database: Database) -> None:
    """The slots of a bot are given once, whichever process asks for them."""
    clock = Clock()
    both = [
        Turns(RateLimiter(database, SystemClock(), seconds=clock.seconds, sleep=clock.sleep))
        for _ in range(2)
    ]
    await asyncio.gather(*(in_a_row(turns, 40) for turns in both))
    # The last of 80 is 79 slots away, less the time that asking takes.
    assert max(clock.waits) > 50 * global_lane().every


async def test_answers_wait_for_nobody() -> None:
    """Interactions are not bound to the limit, and they have three seconds."""
    lanes = Kept()
    turns = Turns(lanes)
    await in_a_row(turns, 3 * MOST, "/api/v10/interactions/1/token/callback")
    await in_a_row(turns, 3 * MOST, "/api/v10/webhooks/1/token/messages/@original")
    assert lanes.asked == 0


async def test_without_the_store_a_process_keeps_a_quarter_of_the_limit() -> None:
    """Nobody knows what the others send then; the store is asked again after some seconds."""
    clock, lanes = Clock(), Kept(StoreBusy())
    turns = Turns(lanes, seconds=clock.seconds, sleep=clock.sleep)
    for _ in range(MOST):
        await turns.wait(POSTS)
    assert lanes.asked == 1
    assert sum(each < 1 for each in [0.0, *clock.waits]) <= MOST / 4 + 1
    clock.now += 6
    lanes.error = None
    before = len(clock.waits)
    await turns.wait(POSTS)
    assert (lanes.asked, len(clock.waits)) == (2, before)


async def test_what_would_wait_too_long_does_not_leave() -> None:
    """Whoever asked is told when to come again."""
    with pytest.raises(CrowdedError) as caught:
        await Turns(Kept(RetryLater("Full.", after=12.5))).wait(POSTS)
    assert caught.value.after == 12.5


@pytest.mark.parametrize(
    ("method", "path", "headers", "slowed"),
    [
        ("POST", POSTS, THROUGH | {"X-RateLimit-Global": "true"}, ["discord:global"]),
        ("POST", POSTS, THROUGH | {"X-RateLimit-Scope": "global"}, ["discord:global"]),
        ("POST", POSTS, {"Retry-After": "3600"}, ["discord:global"]),
        ("POST", POSTS, THROUGH | {"X-RateLimit-Scope": "user"}, ["discord:1"]),
        ("POST", POSTS, THROUGH | {"X-RateLimit-Scope": "shared"}, ["discord:1"]),
        ("GET", POSTS, THROUGH | {"X-RateLimit-Scope": "user"}, []),
        ("POST", f"{POSTS}/2/crosspost", THROUGH | {"X-RateLimit-Scope": "user"}, []),
        ("POST", "/api/v10/webhooks/1/t", THROUGH | {"X-RateLimit-Scope": "global"}, []),
    ],
)
async def test_a_refusal_slows_what_it_counted_in(
    stocked: Database, method: str, path: str, headers: dict[str, str], slowed: list[str]
) -> None:
    """A limit of the bot's is slowed for all processes, one of a channel's for that alone."""
    await Turns(RateLimiter(stocked, SystemClock())).limited(method, path, headers)
    keys = ["discord:global", "discord:1"]
    assert [key for key in keys if await is_slowed(stocked, key)] == slowed


async def test_a_refusal_that_can_not_be_noted_stops_nothing() -> None:
    """The answer goes on to whoever waits for it."""
    lanes = Kept()
    await Turns(lanes).limited("POST", POSTS, THROUGH | {"X-RateLimit-Scope": "user"})
    assert lanes.slowed == [("discord:1", 7.5)]


def test_trials_are_faster_in_all_limits() -> None:
    """The limit of the bot and that of a channel are as many times as fast."""
    assert global_lane(10).every == pytest.approx(global_lane().every / 10)
    assert channel_lane("1", 10).every == pytest.approx(channel_lane("1").every / 10)
    assert 1 / 0.96 / MOST >= global_lane().every > 1 / MOST
    assert channel_lane("1").every * 5 >= 5


@pytest.mark.parametrize(
    ("text", "seconds"), [("7", 7.0), ("0.25", 0.25), ("", None), (None, None), ("soon", None)]
)
def test_seconds_of_a_header_are_digits(text: str | None, seconds: float | None) -> None:
    """Whatever else stands there tells no time."""
    assert seconds_in(text) == seconds


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
