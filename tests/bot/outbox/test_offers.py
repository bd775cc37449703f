"""What a look found is taken up piece by piece, while it is fresh."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bot.posting.delivery.message_keys import Keys
from bot.posting.delivery.scan import Offers
from store.database import Database
from store.posting import queue
from store.posting.queue import ReadyDelivery
from tests.bot.outbox.stage import QUICK, Stage, channel
from tests.fakes.seconds import Seconds


def _ready(platform: str, *ids: int) -> Iterator[ReadyDelivery]:
    return (ReadyDelivery(each, 0, platform, each, each) for each in ids)


def test_what_was_found_is_offered_until_it_was_taken_up_or_is_stale() -> None:
    """In the order that it was found in, and no longer than it is fresh."""
    seconds = Seconds()
    offers = Offers(2.0, seconds)
    assert (list(offers), offers.left) == ([], 0.0)
    offers.put(_ready("a", 3, 1, 2), ["a"], has_more=False)
    assert [each.id for each in offers] == [3, 1, 2]
    offers.drop([1])
    seconds.at += 0.5
    assert ([each.id for each in offers], offers.left) == ([3, 2], 1.5)
    seconds.at += 1.5
    assert (list(offers), offers.left) == ([], 0.0)


def test_what_is_found_takes_the_place_of_what_was_found_there_before() -> None:
    """That of platforms that were not looked at stays."""
    offers = Offers(2.0, Seconds())
    offers.put(_ready("a", 1, 2), ["a"], has_more=True)
    offers.put([*_ready("a", 3), *_ready("b", 4)], ["b"], has_more=True)
    assert [each.id for each in offers] == [1, 2, 4]
    offers.put(_ready("a", 5), ["a"], has_more=True)
    assert sorted(each.id for each in offers) == [4, 5]


def test_a_platform_is_looked_at_again_when_all_is_taken_up_with_more_behind_it() -> None:
    """Or when what was found is stale; where there was no more, nothing new is there so soon."""
    seconds = Seconds()
    offers = Offers(2.0, seconds)
    offers.put(_ready("a", 1), ["a"], has_more=True)
    offers.put([], ["b"], has_more=False)
    assert offers.wanting(["a", "b", "c"]) == ["c"]
    offers.drop([1])
    assert offers.wanting(["a", "b", "c"]) == ["a", "c"]
    seconds.at += 2
    assert offers.wanting(["a", "b"]) == ["a", "b"]


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
    stage = Stage(counting, pace=replace(QUICK, idle=5.0, together=4))
    await stage.takes_in()
    for number in range(150):
        await stage.ordered(channel=channel(f"C{number}", f"T{number}"))
    await stage.tick()
    async with stage.sending():
        await stage.stands(150)
    counting.close()
    assert 1 <= counting.looks <= 10


def test_keys_differ_and_may_stand_in_an_address() -> None:
    """All of them, whoever made them, in sixteen signs that nothing escapes."""
    keys = [maker.new() for maker in (Keys(), Keys()) for _ in range(1000)]
    assert len(set(keys)) == len(keys)
    assert {len(key) for key in keys} == {16}
    assert all(key.replace("-", "").replace("_", "").isalnum() for key in keys)
