"""What Slack may have stored is looked for: how soon, how often, and what counts as an attempt.

The outbox, Slack's real client and the ledger, in a time that passes while all of them wait.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.outbox.outbox import Outbox
from bot.outbox.pace import Pace
from bot.runner import Runner
from bot.waking import Bell
from store.database import Database
from store.records import Channel, Delivery, DeliveryState
from tests.adapters.slack.posts import WORKSPACE, TimeOf, posting
from tests.bot.outbox.stage import PATIENCE, Stage
from tests.fakes.slack import Drop, FakeSlack, RateLimited, ServerError

_AT_WORK = ("delivery-", "noting", "telling", "lanes")


class PassingBell(Bell):
    """Lets time pass at once where nothing is at work, as nobody has anything to wait for."""

    def __init__(self, slack: FakeSlack) -> None:
        super().__init__()
        self._slack = slack

    async def heard(self, seconds: float) -> None:
        """Wait until it rings, or until nothing is at work any more."""
        while not self._rung.is_set():
            if not any(each.get_name().startswith(_AT_WORK) for each in asyncio.all_tasks()):
                self._slack.pass_time(seconds)
                break
            await asyncio.sleep(0.001)
        self._rung.clear()


@dataclass
class Posts:
    """A Slack, and the ledger of what is posted there."""

    slack: FakeSlack
    stage: Stage
    outbox: Outbox

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
        time, bell = TimeOf(slack), PassingBell(slack)
        stage = Stage(database, wall=time)
        await stage.takes_in()
        team = slack.teams["T1"]
        for number in range(1, channels + 1):
            slack.add_channel(team, f"C{number}", members={"U1", team.bot_user})
            await stage.ordered(channel=Channel(WORKSPACE, f"C{number}"))
        await Runner(database, stage.clock, bell, stage.metrics, 1.0, wall=time).tick()
        outbox = Outbox(
            database, {"slack": poster}, stage.clock, bell, stage.metrics,
            wall=time, pace=Pace(), seconds=time.seconds,
        )  # fmt: skip
        yield Posts(slack, stage, outbox)


async def test_looks_that_are_put_off_are_no_attempts(database: Database) -> None:
    """However often Slack has no time for a look, an error afterwards waits for seconds."""
    async with outbox_over(database) as posts:
        posts.slack.fail("chat.postMessage", Drop(stored=False))
        posts.slack.fail("conversations.history", RateLimited(1), times=8)
        posts.slack.fail("conversations.history", ServerError())
        [delivery] = await posts.sent()
    looks = posts.calls("conversations.history")
    assert delivery.attempts == 3  # lost, not found out, sent
    assert looks[9] - looks[8] < 15
