"""What Slack may have stored is looked for: how soon, how often, and what counts as an attempt.

The outbox, Slack's real client and the ledger, in a time that passes while all of them wait.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from bot.coordination.wakeup import WakeUp
from bot.posting.delivery.timing import Timing
from bot.posting.delivery.worker import DeliveryWorker
from bot.posting.tick import Ticker
from store.database import Database
from store.records import Channel, Delivery, DeliveryState
from tests.adapters.slack.posts.messages import WORKSPACE, TimeOf, posting
from tests.bot.posting.delivery.setup import PATIENCE, Stage
from tests.fakes.faults import Fault
from tests.fakes.slack import Drop, FakeSlack, RateLimited, Refuse, ServerError

# In the time that passes; what the test itself takes is added, on whatever machine it runs.
_SOON = 20.0
_AT_WORK = ("delivery-", "transitions", "owner-notices", "rate-limits")


class PassingWakeUp(WakeUp):
    """Advances the time at once while no work is running."""

    def __init__(self, slack: FakeSlack) -> None:
        super().__init__()
        self._slack = slack

    async def wait(self, seconds: float) -> None:
        """Wait for a notification, or until nothing is at work any more."""
        while not self._event.is_set():
            if not any(each.get_name().startswith(_AT_WORK) for each in asyncio.all_tasks()):
                self._slack.pass_time(seconds)
                break
            await asyncio.sleep(0.001)
        self._event.clear()


@dataclass
class Posts:
    """A Slack, and the ledger of what is posted there."""

    slack: FakeSlack
    stage: Stage
    outbox: DeliveryWorker

    async def sent(self, count: int = 1) -> list[Delivery]:
        """Wait until so many deliveries are sent."""
        task = asyncio.create_task(self.outbox.run())
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    found = await self.stage.deliveries()
                    if [each.state for each in found] == [DeliveryState.SENT] * count:
                        return found
                    await asyncio.sleep(0.005)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await self.outbox.stop(0)

    def calls(self, method: str) -> list[float]:
        """Return when a method was called."""
        return [each.at for each in self.slack.calls(method)]


@asynccontextmanager
async def outbox_over(database: Database, channels: int = 1) -> AsyncIterator[Posts]:
    """Run an outbox that owes posts to some channels of a Slack."""
    async with posting() as (slack, poster):
        time, wake_up = TimeOf(slack), PassingWakeUp(slack)
        stage = Stage(database, wall=time)
        await stage.takes_in()
        team = slack.teams["T1"]
        for number in range(1, channels + 1):
            slack.add_channel(team, f"C{number}", members={"U1", team.bot_user})
            await stage.ordered(channel=Channel(WORKSPACE, f"C{number}"))
        await Ticker(database, stage.clock, wake_up, stage.metrics, 1.0, system_clock=time).tick()
        outbox = DeliveryWorker(
            database, {"slack": poster}, stage.clock, wake_up, stage.metrics,
            system_clock=time, timing=Timing(), seconds=time.seconds,
        )  # fmt: skip
        yield Posts(slack, stage, outbox)


@pytest.mark.parametrize(
    ("fault", "seconds"),
    [(Drop(stored=False), 30), (Refuse("internal_error"), 10), (ServerError(502), 60)],
)
async def test_a_missing_post_is_sent_as_soon_as_that_is_certain(
    database: Database, fault: Fault, seconds: int
) -> None:
    """It is looked for a second later, a few times more, and only then sent again."""
    async with outbox_over(database) as posts:
        posts.slack.fail("chat.postMessage", fault)
        [delivery] = await posts.sent()
        first, second = posts.calls("chat.postMessage")
        looks = [at - first for at in posts.calls("conversations.history")]
        assert len(posts.slack.seen()) == 1
    assert seconds <= second - first < seconds + 8
    assert 1 <= looks[0] < 9
    assert looks[-1] >= seconds
    assert len(looks) <= 4
    assert delivery.attempts == 2


@pytest.mark.parametrize("fault", [Drop(), ServerError(stored=True)])
async def test_a_post_that_arrived_is_found_within_seconds(
    database: Database, fault: Fault
) -> None:
    """The message is posted once and found soon, whatever became of the response."""
    async with outbox_over(database) as posts:
        posts.slack.fail("chat.postMessage", fault)
        [delivery] = await posts.sent()
        [first] = posts.calls("chat.postMessage")
        [look] = posts.calls("conversations.history")
        [seen] = posts.slack.seen()
    assert look - first < _SOON
    assert [part.message for part in delivery.parts] == [seen.ts]


async def test_searches_that_settle_go_before_early_ones(
    database: Database,
) -> None:
    """Where Slack breaks off many a few are looked for early, and the others once."""
    async with outbox_over(database, channels=9) as posts:
        posts.slack.fail("chat.postMessage", Drop(stored=False), times=9)
        await posts.sent(9)
        assert len(posts.calls("chat.postMessage")) == 18
        assert len(posts.calls("conversations.history")) <= 4 * 4 + 5


async def test_searches_that_are_put_off_are_no_attempts(database: Database) -> None:
    """Searches that Slack puts off are no attempts, so a later error waits for seconds only."""
    async with outbox_over(database) as posts:
        posts.slack.fail("chat.postMessage", Drop(stored=False))
        posts.slack.fail("conversations.history", RateLimited(1), times=8)
        posts.slack.fail("conversations.history", ServerError())
        [delivery] = await posts.sent()
    looks = posts.calls("conversations.history")
    assert delivery.attempts == 3  # lost, not found out, sent
    assert looks[9] - looks[8] < 15
