"""The installed program outlives what it stands on: it stays up, says what is wrong, recovers."""

import asyncio
import resource
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.faults import ServerError
from tests.fakes.web_sites import serve_site
from tests.flows.posting.slack_bot import HURRIED, WEEK, Life, ended, life, until
from tests.flows.sources.following import follow
from tests.flows.sources.test_sync import _BY_ITSELF, FIRST, _feed
from tests.resources.postgres import running_postgres


async def _until_healthy(bot: Life, name: str, status: int) -> dict[str, dict[str, str]]:
    async with asyncio.timeout(60):
        while True:
            said, parts = await bot.healthy(name)
            if said == status:
                return parts
            await asyncio.sleep(0.2)


def _unreached(bot: Life, channel: str) -> list[str]:
    """Return the answers in a channel that say that there is no store."""
    texts = (each.text for each in bot.slack.seen(channel=channel))
    return [each for each in texts if "can't be reached just now" in each]


@pytest.mark.usefixtures("postgres_server")  # skips where there is none for the machine
async def test_without_its_database_it_waits_for_it(tmp_path: Path) -> None:
    """It lives, health and a command say what is wrong, and what came due meanwhile is posted.

    A source that was being fetched is taken in afterwards.
    """
    feed, comes = _feed(replace(WEEK, title=FIRST)), asyncio.Event()
    with running_postgres() as server:
        async with serve_site() as site, life(tmp_path, server.url) as bot:
            await bot.ordered()
            site.put("/feed", replace(feed, gate=comes))
            await follow(bot.program, weekly=site.url("/feed"))
            running = bot.run("running", due_in=10, **_BY_ITSELF)
            await bot.connected()
            await site.reached(1)
            await _until_healthy(bot, "running", 200)
            await asyncio.to_thread(server.stop, "immediate")
            comes.set()

            parts = await _until_healthy(bot, "running", 503)
            assert parts["database"]["state"] == "failing"
            assert "can't be used" in parts["database"]["sentence"]
            assert await bot.lives("running")
            assert "can't be reached just now" in await bot.asked("status")
            await bot.slack.mention("status")
            await bot.slack.settled(lambda: len(_unreached(bot, "C1")) == 2)
            await bot.slack.direct_message("status")
            await bot.slack.settled(lambda: len(_unreached(bot, "D1")) == 1)
            await bot.due()  # in vain
            assert bot.posts() == 0

            await asyncio.to_thread(server.start)
            await _until_healthy(bot, "running", 200)
            await bot.until_deliveries("sent")
            assert bot.posts() == 1
            assert "can't be reached" not in await bot.asked("status")
            await until(lambda: "weekly" in bot.program("editions").out)
            assert not [each for each in bot.events("running") if each["level"] == "error"]
            running.send_signal(signal.SIGTERM)
            assert await ended(running) == 0


async def test_without_room_on_its_disk_it_waits_for_that(tmp_path: Path, sqlite_url: str) -> None:
    """Nothing is posted that could not be noted before; with room again it is, once."""
    async with life(tmp_path, sqlite_url) as bot:
        await bot.ordered()
        running = bot.run("running", due_in=10)
        await bot.connected()
        await _until_healthy(bot, "running", 200)
        # No file may grow beyond a page, so that no transaction is taken.
        everything = resource.prlimit(running.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (4096, everything[1]))

        parts = await _until_healthy(bot, "running", 503)
        assert "can't be used" in parts["database"]["sentence"]
        assert await bot.lives("running")
        assert "The store can't be reached just now." in await bot.asked("subscribe UTC")
        assert "Invented Paper 1" in await bot.asked("latest")
        assert bot.posts() == 0

        resource.prlimit(running.pid, resource.RLIMIT_FSIZE, everything)
        await bot.until_deliveries("sent")
        assert bot.posts() == 1
        await _until_healthy(bot, "running", 200)
        running.send_signal(signal.SIGTERM)
        assert await ended(running) == 0
        assert (await asyncio.to_thread(bot.program, "db", "check")).code == 0


async def test_without_its_platform_it_tries_again(tmp_path: Path, sqlite_url: str) -> None:
    """While Slack answers with errors a delivery waits; then it is looked for, and posted once."""
    async with life(tmp_path, sqlite_url) as bot:
        await bot.ordered()
        bot.slack.fail("chat.postMessage", ServerError(503))
        bot.run("running", module=HURRIED)
        await bot.until_deliveries("retry")
        assert bot.posts() == 0
        await bot.until_deliveries("sent")
        assert bot.posts() == 1
