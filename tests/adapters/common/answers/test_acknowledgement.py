"""The acknowledgement holds the answer if it is ready in time; else the answer follows."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from adapters.common.answers.acknowledgement import WAIT_SECONDS, Acknowledger
from adapters.common.tasks import Tasks

ANSWER = "ten papers"
UNSURE = "a chart that may be refused"


@dataclass
class Bench:
    """An acknowledger, and a record of what it sent.

    Its clock stands still at `now` but for what a test adds; `gate` lets slow work finish.
    """

    now: float = 1_000.0
    is_ours: bool = True
    acks: list[str | None] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    counted: list[bool] = field(default_factory=list)
    begun: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: Tasks = field(default_factory=Tasks)

    def __post_init__(self) -> None:
        """Make the acknowledger."""
        self.acknowledger = Acknowledger(self.tasks, self._count, lambda: self.now)

    async def ask(
        self,
        work: Callable[[], Coroutine[Any, Any, str]],
        key: str | None = "one",
        seconds_ago: float = 0.0,
    ) -> None:
        """Answer a request that came in some seconds ago."""
        await self.acknowledger.answer(
            work,
            self._acknowledge,
            self._defer,
            self._follow_up,
            holds=lambda answer: answer != UNSURE,
            key=key,
            arrived=self.now - seconds_ago,
        )

    async def quick(self) -> str:
        """Answer at once."""
        self.begun += 1
        return ANSWER

    async def unsure(self) -> str:
        """Answer at once with what an acknowledgement may not hold."""
        return UNSURE

    async def slow(self) -> str:
        """Answer once the gate is open."""
        self.begun += 1
        await self.gate.wait()
        return ANSWER

    def _count(self, *, answered: bool) -> None:
        self.counted.append(answered)

    async def _acknowledge(self, answer: str) -> None:
        self.acks.append(answer)

    async def _defer(self, _answer: str | None) -> bool:
        self.acks.append(None)
        return self.is_ours

    async def _follow_up(self, answer: str) -> None:
        self.sent.append(answer)


@asynccontextmanager
async def bench() -> AsyncIterator[Bench]:
    """Give a bench, and finish what goes on there."""
    made = Bench()
    yield made
    made.gate.set()
    await made.tasks.finish(1)


# Ninety-five hundredths of the second are over for whoever waits in these tests.
ALMOST = WAIT_SECONDS - 0.05


async def test_an_answer_in_time_is_the_acknowledgement() -> None:
    """An answer in time is in the acknowledgement, and nothing follows."""
    async with bench() as at:
        await at.ask(at.quick)
    assert at.acks == [ANSWER]
    assert at.sent == []
    assert at.counted == [True]


async def test_a_slow_answer_follows_its_acknowledgement() -> None:
    """When the second is over the acknowledgement is empty, and the answer follows."""
    async with bench() as at:
        await at.ask(at.slow, seconds_ago=ALMOST)
        assert at.acks == [None]
        assert at.sent == []
        at.gate.set()
        await at.tasks.finish(1)
        assert at.sent == [ANSWER]
    assert at.counted == [False]


async def test_the_second_counts_from_the_arrival() -> None:
    """A request that waited for a second is acknowledged at once, with an answer if it is ready."""
    async with bench() as at:
        began = asyncio.get_running_loop().time()
        await at.ask(at.slow, "slow", seconds_ago=60.0)
        await at.ask(at.quick, "quick", seconds_ago=60.0)
        took = asyncio.get_running_loop().time() - began
    assert took < 0.2
    assert at.acks == [None, ANSWER]


async def test_an_answer_may_take_most_of_the_second() -> None:
    """Work that ends within the second is waited for."""
    async with bench() as at:
        asyncio.get_running_loop().call_later(0.05, at.gate.set)
        await at.ask(at.slow, seconds_ago=WAIT_SECONDS - 0.5)
    assert at.acks == [ANSWER]
    assert at.sent == []


async def test_what_is_better_seen_to_arrive_follows() -> None:
    """An answer that an acknowledgement may not hold follows it at once, and a repeat is empty."""
    async with bench() as at:
        await at.ask(at.unsure)
        await at.ask(at.unsure)
        await at.tasks.finish(1)
    assert at.acks == [None, None]
    assert at.sent == [UNSURE]


async def test_an_answer_that_another_process_gives_does_not_follow() -> None:
    """Where the platform says that somebody else acknowledged the request, nothing is sent."""
    async with bench() as at:
        at.is_ours = False
        await at.ask(at.slow, seconds_ago=60.0)
        at.gate.set()
        await at.tasks.finish(1)
    assert at.sent == []


async def test_a_repeated_request_is_worked_on_once() -> None:
    """Delivered again, even at the same time, a request gets the same answer from the same work."""
    async with bench() as at:
        await asyncio.gather(at.ask(at.quick), at.ask(at.quick))
        await at.ask(at.quick)
    assert at.acks == [ANSWER, ANSWER, ANSWER]
    assert at.begun == 1


async def test_a_repeat_of_a_slow_request_shows_nothing_twice() -> None:
    """Where the answer follows, a repeat is acknowledged empty, before and after it came."""
    async with bench() as at:
        await asyncio.gather(*(at.ask(at.slow, seconds_ago=ALMOST) for _ in range(2)))
        at.gate.set()
        await at.tasks.finish(1)
        await at.ask(at.slow)
        await at.tasks.finish(1)
    assert at.acks == [None, None, None]
    assert at.sent == [ANSWER]
    assert at.begun == 1


async def test_requests_have_answers_of_their_own() -> None:
    """Another key is another request, and so is each without a key."""
    async with bench() as at:
        await at.ask(at.quick, "one")
        await at.ask(at.quick, "two")
        await at.ask(at.quick, None)
        await at.ask(at.quick, None)
    assert at.begun == 4


async def test_answers_are_kept_for_a_minute() -> None:
    """Answers are forgotten after a minute, so that memory does not grow."""
    async with bench() as at:
        await at.ask(at.quick)
        at.now += 61
        await at.ask(at.quick)
    assert at.begun == 2


async def test_the_oldest_answers_make_room() -> None:
    """No more answers are kept than some hundreds, however many come within a minute."""
    async with bench() as at:
        for number in range(300):
            await at.ask(at.quick, str(number))
        await at.ask(at.quick, "299")
        await at.ask(at.quick, "0")
    assert at.begun == 301


async def test_work_outlives_its_request() -> None:
    """Work goes on when its request is cancelled, as when a connection breaks."""
    async with bench() as at:
        asked = asyncio.create_task(at.ask(at.slow))
        await asyncio.sleep(0.01)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        at.gate.set()
        await at.ask(at.slow)
    assert at.acks == [ANSWER]
    assert at.begun == 1
