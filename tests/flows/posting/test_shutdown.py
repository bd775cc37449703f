"""The installed program ends as it should: what is on its way arrives, the rest is handed over."""

import signal
from pathlib import Path

from tests.fakes.faults import Late, Slow
from tests.flows.posting.slack_bot import ended, life, until


async def test_what_is_on_its_way_arrives_and_the_rest_is_handed_over(
    tmp_path: Path, database_url: str
) -> None:
    """Told to end while Slack takes five seconds, it waits; another process takes up the others."""
    async with life(tmp_path, database_url) as bot:
        first = bot.run("first", due_in=3600)
        await bot.connected()
        await bot.subscribed(3)
        first.send_signal(signal.SIGTERM)
        assert await ended(first) == 0

        bot.slack.fail("chat.postMessage", Slow(5))
        first = bot.run("second")
        await bot.sending()
        first.send_signal(signal.SIGTERM)
        assert await ended(first) == 0
        states = bot.deliveries()
        assert states.count("sent") >= 1
        # Nobody holds what is left, so that nobody waits for a lease to run out.
        assert set(states) <= {"sent", "pending", "retry"}

        second = bot.run("third")
        await until(lambda: bot.deliveries() == ["sent"] * 3, 30)
        assert bot.posts() == 3
        second.send_signal(signal.SIGTERM)
        assert await ended(second) == 0


async def test_what_is_not_heard_of_is_looked_for_by_the_next(tmp_path: Path) -> None:
    """Slack takes a message and holds its answer back: it ends in time, and posts it once."""
    async with life(tmp_path, f"sqlite:///{tmp_path / 'store.db'}") as bot:
        first = bot.run("first", due_in=3600)
        await bot.connected()
        await bot.subscribed()
        first.send_signal(signal.SIGTERM)
        assert await ended(first) == 0

        bot.slack.fail("chat.postMessage", Late(60))
        first = bot.run("second")
        await bot.sending()
        first.send_signal(signal.SIGTERM)
        assert await ended(first) == 0

        bot.run("third")
        await until(lambda: bot.deliveries() == ["sent"], 150)
        assert bot.posts() == 1
