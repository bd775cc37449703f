"""The installed program ends as it should: what is on its way arrives, the rest is handed over."""

import signal
from pathlib import Path

from tests.fakes.faults import Late, Slow
from tests.flows.posting.slack_bot import HURRIED, ended, life


async def test_what_is_on_its_way_arrives_and_the_rest_is_handed_over(
    tmp_path: Path, sqlite_url: str
) -> None:
    """Told to end while Slack takes five seconds, it waits; another process takes up the others."""
    async with life(tmp_path, sqlite_url) as bot:
        await bot.ordered(3)
        bot.slack.fail("chat.postMessage", Slow(5))
        first = bot.run("first")
        await bot.sending()
        first.send_signal(signal.SIGTERM)
        assert await ended(first) == 0
        states = await bot.deliveries()
        assert states.count("sent") >= 1
        # Nobody holds what is left, so that nobody waits for a lease to run out.
        assert set(states) <= {"sent", "pending", "retry"}

        second = bot.run("second")
        await bot.until_deliveries("sent", "sent", "sent")
        assert bot.posts() == 3
        second.send_signal(signal.SIGTERM)
        assert await ended(second) == 0


async def test_what_is_not_heard_of_is_looked_for_by_the_next(
    tmp_path: Path, sqlite_url: str
) -> None:
    """Slack takes a message and holds its answer back: it ends in time, and posts it once."""
    async with life(tmp_path, sqlite_url) as bot:
        await bot.ordered()
        bot.slack.fail("chat.postMessage", Late(60))
        first = bot.run("first")
        await bot.sending()
        first.send_signal(signal.SIGTERM)
        assert await ended(first) == 0

        bot.run("second", module=HURRIED)
        await bot.until_deliveries("sent")
        assert bot.posts() == 1
