"""What a look found is taken up piece by piece, while it is fresh."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.posting.delivery.scan import FoundDeliveries
from store.database import Database
from store.posting import queue
from store.posting.queue import ReadyDelivery
from tests.bot.posting.delivery.setup import QUICK, Stage, channel
from tests.fakes.clock import Seconds

pytestmark = pytest.mark.on_sqlite


def _ready(platform: str, *ids: int) -> Iterator[ReadyDelivery]:
    return (ReadyDelivery(each, 0, platform, each, each) for each in ids)


def test_what_was_found_is_offered_until_it_was_taken_up_or_is_stale() -> None:
    """In the order that it was found in, and no longer than it is fresh."""
    seconds = Seconds()
    found = FoundDeliveries(2.0, seconds)
    assert (list(found), found.fresh_for) == ([], 0.0)
    found.replace(_ready("a", 3, 1, 2), ["a"], has_more=False)
    assert [each.id for each in found] == [3, 1, 2]
    found.remove([1])
    seconds.at += 0.5
    assert ([each.id for each in found], found.fresh_for) == ([3, 2], 1.5)
    seconds.at += 1.5
    assert (list(found), found.fresh_for) == ([], 0.0)


def test_what_is_found_takes_the_place_of_what_was_found_there_before() -> None:
    """That of platforms that were not looked at stays."""
    found = FoundDeliveries(2.0, Seconds())
    found.replace(_ready("a", 1, 2), ["a"], has_more=True)
    found.replace([*_ready("a", 3), *_ready("b", 4)], ["b"], has_more=True)
    assert [each.id for each in found] == [1, 2, 4]
    found.replace(_ready("a", 5), ["a"], has_more=True)
    assert sorted(each.id for each in found) == [4, 5]


def test_a_platform_is_looked_at_again_when_all_is_taken_up_with_more_behind_it() -> None:
    """Or when what was found is stale; where there was no more, nothing new is there so soon."""
    seconds = Seconds()
    found = FoundDeliveries(2.0, seconds)
    found.replace(_ready("a", 1), ["a"], has_more=True)
    found.replace([], ["b"], has_more=False)
    assert found.to_rescan(["a", "b", "c"]) == ["c"]
    found.remove([1])
    assert found.to_rescan(["a", "b", "c"]) == ["a", "c"]
    seconds.at += 2
    assert found.to_rescan(["a", "b"]) == ["a", "b"]


class CountingDatabase(Database):
    """A database that counts how often it is asked what is ready."""

    looks = 0

    async def read(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        """Read, and count a look."""
        self.looks += fn is queue.find_ready
        return await super().read(fn, *args, **kwargs)


async def test_at_a_peak_the_queue_is_looked_through_seldom(database: Database) -> None:
    """However few are carried out at once: what one look finds is enough for a while."""
    counting = CountingDatabase(database.url.render_as_string(hide_password=False))
    stage = Stage(counting, timing=replace(QUICK, idle=5.0, per_platform=4))
    await stage.takes_in()
    await stage.all_ordered(*(channel(f"C{number}", f"T{number}") for number in range(60)))
    await stage.tick()
    async with stage.sending():
        await stage.stands(60)
    counting.close()
    assert 1 <= counting.looks <= 10
