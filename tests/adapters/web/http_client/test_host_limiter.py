"""The host limiter: concurrency, intervals and cooldowns."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from adapters.web.http_client.host_limiter import MAX_CONCURRENT, HostLimiter
from bot.errors import FetchLater
from tests.fakes.clock import Seconds


async def _taken(limiter: HostLimiter, *hosts: str) -> int:
    """Return how many of these hosts get a slot at once."""
    async with AsyncExitStack() as stack:
        for number, host in enumerate(hosts):
            turn = asyncio.ensure_future(stack.enter_async_context(limiter.slot(host)))
            # A turn that is free is had without ever waiting.
            for _ in range(20):
                await asyncio.sleep(0)
            if not turn.done():
                turn.cancel()
                return number
            await turn
    return len(hosts)


async def test_two_turns_are_had_at_a_host_and_eight_in_all() -> None:
    """A third slot for one host, or a ninth in all, waits for another to end."""
    limiter = HostLimiter(Seconds(), interval=0)
    hosts = [f"{number}.example" for number in range(MAX_CONCURRENT + 1)]
    assert await _taken(limiter, *["a.example"] * 3) == 2
    assert await _taken(limiter, *hosts) == 8
    assert await _taken(limiter, *hosts[:3]) == 3


async def test_arxiv_is_asked_one_thing_in_three_seconds() -> None:
    """The policy of arXiv holds for all its host names together."""
    seconds, slept = Seconds(), list[float]()

    async def sleep(delay: float) -> None:
        slept.append(delay)

    limiter = HostLimiter(seconds, sleep, interval=0)
    assert await _taken(limiter, "export.arxiv.org", "arxiv.org") == 1
    assert await _taken(limiter, "export.arxiv.org", "a.example") == 2
    async with limiter.slot("arxiv.org"):
        pass
    assert slept == [3.0, 6.0]
    limiter.cool_down("export.arxiv.org", 60.0)
    with pytest.raises(FetchLater):
        await _taken(limiter, "arxiv.org")


async def test_pauses_add_up_for_those_who_wait_together() -> None:
    """Waiting requests follow each other at the full interval."""
    seconds, slept = Seconds(), list[float]()

    async def sleep(delay: float) -> None:
        slept.append(delay)

    limiter = HostLimiter(seconds, sleep, interval=1.5)
    assert await _taken(limiter, "a.example", "b.example") == 2
    async with limiter.slot("a.example"), limiter.slot("a.example"):
        pass
    seconds.at = 10.0
    async with limiter.slot("a.example"):
        pass
    assert slept == [1.5, 3.0]


async def test_those_who_wait_hear_that_a_host_wants_rest() -> None:
    """A waiting request fails once the host starts a cooldown."""
    seconds = Seconds()

    async def sleep(_: float) -> None:
        limiter.cool_down("a.example", 60.0)

    limiter = HostLimiter(seconds, sleep)
    async with limiter.slot("a.example"):
        pass
    with pytest.raises(FetchLater) as caught:
        async with limiter.slot("a.example"):
            pass
    assert caught.value.sentence == "a.example wants to be left alone for another 60 s."
    assert await _taken(limiter, "b.example") == 1


async def test_the_longer_rest_counts() -> None:
    """A shorter cooldown does not end a longer one."""
    seconds = Seconds()
    limiter = HostLimiter(seconds, interval=0)
    limiter.cool_down("a.example", 60.0)
    limiter.cool_down("a.example", 5.0)
    seconds.at = 59.5
    with pytest.raises(FetchLater) as caught:
        await _taken(limiter, "a.example")
    assert caught.value.after == 0.5
    seconds.at = 60.0
    assert await _taken(limiter, "a.example") == 1
