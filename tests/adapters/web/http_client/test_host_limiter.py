"""Turns: how many there are at once, what lies between them, and what is forgotten."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from adapters.web.http_client.host_limiter import MAX_CONCURRENT, HostLimiter
from bot.errors import FetchLater
from tests.fakes.seconds import Seconds


async def _taken(limiter: HostLimiter, *hosts: str) -> int:
    """Return how many of these hosts have their turn at once."""
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
    """A third for one host, and a ninth for any, waits for another to end."""
    limiter = HostLimiter(Seconds(), interval=0)
    hosts = [f"{number}.example" for number in range(MAX_CONCURRENT + 1)]
    assert await _taken(limiter, *["a.example"] * 3) == 2
    assert await _taken(limiter, *hosts) == 8
    assert await _taken(limiter, *hosts[:3]) == 3


async def test_arxiv_is_asked_one_thing_in_three_seconds() -> None:
    """By its terms, which hold for all its names together and whatever pause others have."""
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
    """Each of several has the full pause after the one before it."""
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
    """Whoever waited for its turn does not take it once the host asked to be left alone."""
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
    """A later wish for a shorter rest does not cut the earlier one short."""
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
