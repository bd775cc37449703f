"""The cache of the bot: its size, the age of its values, and removals during a load."""

import asyncio

from bot.cache import Cache, once_each
from tests.fakes.clock import Seconds


def test_the_least_recently_used_value_is_dropped_first() -> None:
    """Looking a value up counts as a use."""
    cache: Cache[str, int] = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert [cache.get(key) for key in ("a", "b", "c")] == [1, None, 3]
    assert ("a" in cache, "b" in cache) == (True, False)


def test_an_old_value_is_not_returned() -> None:
    """A value has an age from when it was asked for."""
    seconds = Seconds()
    cache: Cache[str, int] = Cache(2, 10, seconds)
    cache.put("a", 1)
    seconds.at = 9.9
    assert cache.get("a") == 1
    seconds.at = 10
    assert cache.get("a") is None


def test_an_age_may_depend_on_the_value() -> None:
    """What was not found is looked for again sooner; a value without an age stays."""
    seconds = Seconds()
    ages = {"found": 10.0, "missing": 1.0}
    cache: Cache[str, str] = Cache(3, ages.get, seconds)
    for value in ("found", "missing", "for good"):
        cache.put(value, value)
    seconds.at = 1
    assert [key for key in ("found", "missing", "for good") if key in cache] == [
        "found",
        "for good",
    ]
    seconds.at = 10
    assert [key for key in ("found", "missing", "for good") if key in cache] == ["for good"]


async def test_a_value_is_loaded_once() -> None:
    """Again only when it was removed, or when a fresh one is wanted."""
    cache: Cache[str, int] = Cache(2)
    loads = iter(range(10))

    async def load() -> int:
        return next(loads)

    assert [await cache.read("a", load) for _ in range(3)] == [0, 0, 0]
    assert [await cache.read("a", load, fresh=True), await cache.read("a", load)] == [1, 1]
    cache.remove("a")
    assert await cache.read("a", load) == 2
    cache.clear()
    assert await cache.read("a", load) == 3


async def test_a_value_that_a_removal_overtook_is_not_kept() -> None:
    """It may be from before the change for which the other was removed."""
    cache: Cache[str, int] = Cache(2)
    started, changed = asyncio.Event(), asyncio.Event()

    async def slow() -> int:
        started.set()
        await changed.wait()
        return 1

    reading = asyncio.create_task(cache.read("a", slow))
    await started.wait()
    cache.remove("a")
    changed.set()
    assert await reading == 1
    assert cache.get("a") is None


def test_what_is_made_of_an_object_is_made_once() -> None:
    """An equal one is another, as are other arguments; of too many objects all are forgotten."""
    made: list[tuple[list[int], int]] = []

    @once_each(2)
    def pair(value: list[int], number: int) -> tuple[list[int], int]:
        made.append((value, number))
        return made[-1]

    one, other = [1], [1]
    assert pair(one, 1) is pair(one, 1)
    assert pair(one, 1) is not pair(other, 1)
    assert made == [(one, 1), (other, 1)]
    assert pair(one, 2) == (one, 2)
    assert pair(one, 1) == (one, 1)
    assert len(made) == 4
