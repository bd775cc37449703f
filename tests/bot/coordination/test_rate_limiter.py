"""Rate limits: each request leaves at its own slot, whichever process sends it."""

import asyncio
import time
from dataclasses import dataclass, field

import pytest

from bot.clock import SystemClock
from bot.coordination.rate_limiter import RateLimit, RateLimiter
from bot.errors import QueueFull
from store.database import Database
from store.errors import StoreBusy, StoreError


@dataclass
class Passing:
    """Time that passes only while somebody sleeps, and what left when."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def seconds(self) -> float:
        """Return the time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Let time pass for whoever waits, without holding up the others."""
        self.slept.append(seconds)
        await asyncio.sleep(0)


def _lanes(database: Database, passing: Passing, horizon: float = 10.0) -> RateLimiter:
    return RateLimiter(
        database, SystemClock(), seconds=passing.seconds, sleep=passing.sleep, horizon=horizon
    )


async def test_requests_of_a_lane_leave_evenly_apart(database: Database) -> None:
    """Those that wait at once ask the store once, and each has a slot of its own."""
    passing = Passing()
    lanes = _lanes(database, passing)
    await asyncio.gather(*(lanes.acquire([RateLimit("k", 0.5)]) for _ in range(4)))
    assert [round(each, 1) for each in sorted(passing.slept)] == [0.5, 1.0, 1.5]


async def test_a_request_that_counts_in_two_lanes_waits_for_the_slower(database: Database) -> None:
    """The channel's rate limit and the workspace's are both kept."""
    passing = Passing()
    lanes = _lanes(database, passing)
    fast, slow = RateLimit("fast", 0.1), RateLimit("slow", 2.0)
    await lanes.acquire([slow])
    await lanes.acquire([fast, slow])
    [wait] = passing.slept
    assert wait == pytest.approx(2.0, abs=0.5)


async def test_two_processes_share_a_lane(database: Database) -> None:
    """What one of them used the other does not use again."""
    passing = Passing()
    one, other = _lanes(database, passing), _lanes(database, passing)
    await one.acquire([RateLimit("k", 3.0)])
    await other.acquire([RateLimit("k", 3.0)])
    [wait] = passing.slept
    assert wait == pytest.approx(3.0, abs=0.5)


async def test_nobody_waits_longer_than_the_horizon(database: Database) -> None:
    """Whoever is too far behind is told when it is of use to come again."""
    lanes = _lanes(database, Passing(), horizon=1.0)
    turns = [lanes.acquire([RateLimit("k", 1.0)]) for _ in range(5)]
    ended = await asyncio.gather(*turns, return_exceptions=True)
    late = [each for each in ended if isinstance(each, QueueFull)]
    assert ended.count(None) == 2
    assert len(late) == 3
    assert all(each.after and each.after > 0 for each in late)


async def test_a_refusal_slows_the_lane_of_all(database: Database) -> None:
    """What one process was refused the other waits for as well."""
    passing = Passing()
    one, other = _lanes(database, passing), _lanes(database, passing)
    await one.slow_down([RateLimit("k", 0.1)], 4.0)
    await other.acquire([RateLimit("k", 0.1)])
    [wait] = passing.slept
    assert wait == pytest.approx(4.0, abs=0.5)


async def test_whoever_missed_its_slot_takes_another(database: Database) -> None:
    """A process that stood still does not send all at once what it should have sent meanwhile."""
    passing = Passing()

    async def oversleeps(seconds: float) -> None:
        passing.slept.append(seconds)
        passing.now += seconds + (5.0 if len(passing.slept) == 1 else 0.0)

    lanes = RateLimiter(database, SystemClock(), seconds=passing.seconds, sleep=oversleeps)
    await lanes.acquire([RateLimit("k", 2.0)])
    await lanes.acquire([RateLimit("k", 2.0)])
    assert len(passing.slept) == 2


async def test_a_refusal_takes_back_what_was_handed_out(database: Database) -> None:
    """Whoever waits for its slot while another request is refused waits for a later one."""
    passing = Passing()
    lane = RateLimit("k", 0.1)

    async def is_refused_meanwhile(seconds: float) -> None:
        passing.slept.append(seconds)
        passing.now += seconds
        if len(passing.slept) == 1:
            await lanes.slow_down([lane], 4.0)

    lanes = RateLimiter(
        database, SystemClock(), seconds=passing.seconds, sleep=is_refused_meanwhile
    )
    await lanes.acquire([lane])
    await lanes.acquire([lane])
    assert passing.slept == [pytest.approx(0.1, abs=0.1), pytest.approx(4.0, abs=0.5)]


async def test_what_waited_for_another_lane_is_followed_no_sooner(database: Database) -> None:
    """A message that a busy workspace held up is followed in its channel as late as any."""
    lanes = RateLimiter(database, SystemClock())
    workspace, channel = RateLimit("w", 0.1), RateLimit("c", 0.3)

    async def left(*counts: RateLimit) -> float:
        await lanes.acquire(counts)
        return time.monotonic()

    *_, first = await asyncio.gather(*(left(workspace) for _ in range(5)), left(workspace, channel))
    second = await left(workspace, channel)
    assert second - first > channel.every - workspace.every / 2


class Away(Database):
    """A store that takes nothing."""

    async def write_locking_rows(self, *_: object, **__: object) -> object:  # type: ignore[override] # it takes anything
        """Refuse."""
        raise StoreBusy


async def test_a_store_that_is_away_is_told_to_whoever_waits(database: Database) -> None:
    """All that wait are told, and the next one asks again."""
    async with Away(database.url.render_as_string(hide_password=False)) as away:
        lanes = _lanes(away, Passing())
        ended = await asyncio.gather(
            *(lanes.acquire([RateLimit("k", 1.0)]) for _ in range(3)), return_exceptions=True
        )
        assert [type(each) for each in ended] == [StoreBusy] * 3
        with pytest.raises(StoreError):
            await lanes.acquire([RateLimit("k", 1.0)])


async def test_whoever_goes_away_holds_nobody_up(database: Database) -> None:
    """A turn that was cancelled is nobody's, and the others get theirs."""
    lanes = _lanes(database, Passing())
    turns = [asyncio.create_task(lanes.acquire([RateLimit("k", 0.1)])) for _ in range(3)]
    await asyncio.sleep(0)
    turns[0].cancel()
    await asyncio.wait(turns)
    assert [each.cancelled() for each in turns] == [True, False, False]
