"""The global rate limit, and the library's rate limit buckets."""

import asyncio
from collections.abc import Iterator, Sequence

import discord
import pytest

from adapters.discord.api.calls import request_trace
from adapters.discord.api.rate_limits import (
    GLOBAL_LIMIT,
    GlobalRateLimit,
    RateLimitFullError,
    channel_limit,
    global_limit,
    prune_buckets_seldom,
)
from adapters.discord.gateway.rest_client import set_base_url
from bot.clock import SystemClock
from bot.coordination.rate_limiter import RateLimit, RateLimiter
from bot.errors import RetryLater
from store.coordination import rate_limits
from store.coordination.rate_limits import SlotRequest
from store.database import Database
from store.errors import StoreBusy, StoreError
from tests.fakes.clock import Seconds
from tests.fakes.discord import FakeDiscord, RateLimited

POSTS = "/api/v10/channels/1/messages"
THROUGH = {"Via": "1.1 google", "Retry-After": "7.5"}


class Clock:
    """A clock that a test sets, and a record of waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    def seconds(self) -> float:
        """Return the time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Record a wait."""
        self.waits.append(seconds)


class Kept(RateLimiter):
    """A limiter that gives each slot at once, or fails."""

    def __init__(self, error: RetryLater | StoreError | None = None) -> None:
        self.error = error
        self.asked = 0
        self.slowed: list[tuple[str, float]] = []

    async def acquire(self, limits: Sequence[RateLimit]) -> None:
        """Give a slot."""
        assert [limit.key for limit in limits] == ["discord:global"]
        self.asked += 1
        if self.error:
            raise self.error

    async def slow_down(self, limits: Sequence[RateLimit], seconds: float) -> None:
        """Fail at noting it."""
        self.slowed = [(limit.key, seconds) for limit in limits]
        raise StoreBusy


async def in_a_row(limit: GlobalRateLimit, number: int, path: str = POSTS) -> None:
    """Acquire slots concurrently."""
    await asyncio.gather(*(limit.acquire(path) for _ in range(number)))


async def is_slowed(database: Database, key: str) -> bool:
    """Tell whether a rate limit is slowed down."""
    want = SlotRequest(key, 0.01, 1)
    _, [grant] = await database.write_locking_rows(
        rate_limits.claim_slots, [want], SystemClock().now()
    )
    return grant.interval > want.interval


async def test_what_was_held_up_does_not_leave_at_once() -> None:
    """No second has more requests than the limit, however late their slots came."""
    clock = Clock()
    limit = GlobalRateLimit(Kept(), seconds=clock.seconds, sleep=clock.sleep)
    await in_a_row(limit, 3 * GLOBAL_LIMIT)
    leave = [0.0, *clock.waits]
    assert leave == sorted(leave)
    assert max(
        sum(begin <= each < begin + 1 for each in leave) for begin in leave
    ) < GLOBAL_LIMIT  # fmt: skip
    clock.now += 60
    before = len(clock.waits)
    await limit.acquire(POSTS)
    assert len(clock.waits) == before, "nobody waits where none came before"


async def test_two_processes_have_one_limit(database: Database) -> None:
    """The slots of a bot are given once, whichever process asks for them."""
    clock = Clock()
    both = [
        GlobalRateLimit(
            RateLimiter(database, SystemClock(), seconds=clock.seconds, sleep=clock.sleep)
        )
        for _ in range(2)
    ]
    await asyncio.gather(*(in_a_row(limit, 40) for limit in both))
    # The last of 80 is 79 slots away, less the time that asking takes.
    assert max(clock.waits) > 50 * global_limit().every


async def test_answers_wait_for_nobody() -> None:
    """Interactions are not bound to the limit, and they have three seconds."""
    lanes = Kept()
    limit = GlobalRateLimit(lanes)
    await in_a_row(limit, 3 * GLOBAL_LIMIT, "/api/v10/interactions/1/token/callback")
    await in_a_row(limit, 3 * GLOBAL_LIMIT, "/api/v10/webhooks/1/token/messages/@original")
    assert lanes.asked == 0


async def test_without_the_store_a_process_keeps_a_quarter_of_the_limit() -> None:
    """The store is asked again after some seconds."""
    clock, lanes = Clock(), Kept(StoreBusy())
    limit = GlobalRateLimit(lanes, seconds=clock.seconds, sleep=clock.sleep)
    for _ in range(GLOBAL_LIMIT):
        await limit.acquire(POSTS)
    assert lanes.asked == 1
    assert sum(each < 1 for each in [0.0, *clock.waits]) <= GLOBAL_LIMIT / 4 + 1
    clock.now += 6
    lanes.error = None
    before = len(clock.waits)
    await limit.acquire(POSTS)
    assert (lanes.asked, len(clock.waits)) == (2, before)


async def test_what_would_wait_too_long_does_not_leave() -> None:
    """The caller learns when to retry."""
    with pytest.raises(RateLimitFullError) as caught:
        await GlobalRateLimit(Kept(RetryLater("Full.", after=12.5))).acquire(POSTS)
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
    await GlobalRateLimit(RateLimiter(stocked, SystemClock())).on_refused(method, path, headers)
    keys = ["discord:global", "discord:1"]
    assert [key for key in keys if await is_slowed(stocked, key)] == slowed


async def test_a_refusal_that_can_not_be_noted_stops_nothing() -> None:
    """The response reaches the caller though the store can't record the refusal."""
    lanes = Kept()
    await GlobalRateLimit(lanes).on_refused("POST", POSTS, THROUGH | {"X-RateLimit-Scope": "user"})
    assert lanes.slowed == [("discord:1", 7.5)]


def test_trials_are_faster_in_all_limits() -> None:
    """The limit of the bot and that of a channel are as many times as fast."""
    assert global_limit(10).every == pytest.approx(global_limit().every / 10)
    assert channel_limit("1", 10).every == pytest.approx(channel_limit("1").every / 10)
    assert 1 / 0.96 / GLOBAL_LIMIT >= global_limit().every > 1 / GLOBAL_LIMIT
    assert channel_limit("1").every * 5 >= 5


async def test_a_client_s_requests_have_turns() -> None:
    """Each request of a client acquires a slot, and so does each of the library's retries."""
    lanes = Kept()
    async with FakeDiscord() as fake:
        channel = fake.add_guild("G").add_channel("papers")
        fake.fail("GET /channels/{channel_id}", RateLimited(after=0.01))
        await set_base_url(fake.api_url, fake.token)
        trace = request_trace(GlobalRateLimit(lanes))
        async with discord.Client(intents=discord.Intents.none(), http_trace=trace) as client:
            await client.login(fake.token)
            lanes.asked = 0
            await client.fetch_channel(channel.id)
        assert lanes.asked == 2


# The library looks only where it remembers as many; nobody counted in one for longer is past it.
MANY = 300
PAST_SECONDS = 301.0


class MovedLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is moved on by hand too."""

    moved = 0.0

    def time(self) -> float:
        """Return its time."""
        return super().time() + self.moved


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """Return what runs in such a loop."""
    with asyncio.Runner(loop_factory=MovedLoop) as runner:
        yield runner


async def _remembered(seconds: Seconds, later: float) -> int:
    """Return how many limits are left after one more, so many seconds after the others."""
    http = discord.Client(intents=discord.Intents.none()).http
    prune_buckets_seldom(http, seconds)
    for number in range(MANY):
        http.get_ratelimit(f"channel {number}")
    loop = asyncio.get_running_loop()
    assert isinstance(loop, MovedLoop)
    loop.moved += PAST_SECONDS
    seconds.at += later
    http.get_ratelimit("another")
    return sum(f"channel {number}" in http._buckets for number in range(MANY))  # noqa: SLF001 - nothing public tells


def test_what_was_not_used_for_long_is_forgotten(runner: asyncio.Runner) -> None:
    """Otherwise they would be ever more."""
    assert runner.run(_remembered(Seconds(), 60.0)) == 0


def test_limits_are_looked_through_once_a_minute_at_most(runner: asyncio.Runner) -> None:
    """Not whenever there is another channel, which takes the longer the more there are."""
    assert runner.run(_remembered(Seconds(), 59.0)) == MANY
