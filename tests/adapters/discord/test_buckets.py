"""The library's limits of many channels are forgotten in time, and looked through seldom."""

import asyncio
from collections.abc import Iterator

import discord
import pytest

from adapters.discord.api.library_buckets import tidy_seldom
from tests.fakes.seconds import Seconds

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
    tidy_seldom(http, seconds)
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
