"""The installed program fetches sources while sites, others and its own end get in the way."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from store.coordination import jobs
from store.database import Database
from store.library.editions import list_editions
from tests.fakes.arxiv import query_url
from tests.fakes.web_sites import SILENCE, Ending, Site, serve_site
from tests.flows.posting.slack_bot import Life, ended, life, until
from tests.flows.sources.following import follow
from tests.flows.sources.test_arxiv import IDS, PAPERS
from tests.flows.sources.test_sync import FIRST, _feed

_FEED = _feed(replace(PAPERS, title=FIRST))
_STALLS = replace(_FEED, body=_FEED.body[:1000], length=len(_FEED.body), ending=Ending.STALL)


@asynccontextmanager
async def _following(folder: Path, database_url: str) -> AsyncIterator[tuple[Life, Site]]:
    """Give a bot that follows one feed, which stalls in its midst at first; arXiv says nothing."""
    async with serve_site() as site, life(folder, database_url) as bot:
        site.put("/feed", _STALLS, _FEED)
        site.put(query_url(*IDS, api="/api"), SILENCE)
        await follow(bot.program, weekly=site.url("/feed"))
        bot.settings |= {
            "BROADSHEET_SYNC": "on",
            "BROADSHEET_FETCH_ALLOW": "127.0.0.1",
            "BROADSHEET_ARXIV_URL": site.url("/api"),
        }
        yield bot, site


def _logged(bot: Life, name: str, event: str) -> list[str]:
    """Return the jobs of which a process logged an event."""
    return [each["job"] for each in bot.events(name) if each["event"] == event]


async def _editions(bot: Life) -> list[str]:
    async with Database(bot.program.database_url) as database:
        stored = await database.read(list_editions)
        return [each.source for each in stored if each.source == "weekly"]


async def test_a_site_that_stalls_holds_nobody_up(tmp_path: Path, sqlite_url: str) -> None:
    """Commands are answered, and `sync` takes the source over; told to end the bot does, in time.

    Then arXiv says nothing either. Whatever was under way is nobody's, so that it is due at once.
    """
    async with _following(tmp_path, sqlite_url) as (bot, site):
        running = bot.run("running", due_in=3600)
        await bot.connected()
        await site.reached(1)
        assert "Invented Paper 1" in await bot.asked("latest")
        _, parts = await bot.healthy("running")
        assert parts["sources"] == {"state": "ok", "sentence": ""}
        synced = await asyncio.to_thread(
            bot.program, "sync", "weekly", BROADSHEET_FETCH_ALLOW="127.0.0.1"
        )
        assert (synced.code, synced.err) == (0, "")
        assert "1 edition new" in synced.out
        await site.reached(3)  # the last one is arXiv
        await until(lambda: _logged(bot, "running", "job_taken_over") == ["source:weekly"], 20)
        told = monotonic()
        running.send_signal(signal.SIGTERM)
        assert await ended(running) == 0
        assert monotonic() - told < 10
        async with Database(bot.program.database_url) as database:
            left = await database.read(jobs.list_jobs)
        assert {each.name for each in left} >= {"arxiv", "source:weekly"}
        assert [each.name for each in left if each.owner is not None] == []
        assert [each.target for each in site.requests[:2]] == ["/feed", "/feed"]
        assert await _editions(bot) == ["weekly"]


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_what_a_killed_process_left_is_done_by_another(
    tmp_path: Path, database_url: str
) -> None:
    """As soon as its claim ran out; what it finds is there once, and posted once."""
    async with _following(tmp_path, database_url) as (bot, site):
        bot.settings["BROADSHEET_TICK_SECONDS"] = "1"  # half a minute of nothing else
        await bot.ordered(source="weekly")
        first = bot.run("first")
        await site.reached(1)
        bot.run("second")
        await until(lambda: "web_listening" in (tmp_path / "second.log").read_text())
        first.kill()
        killed = monotonic()
        await bot.until_deliveries("sent")
        assert monotonic() - killed > 20
        assert bot.posts() == 1
        assert _logged(bot, "second", "job_stale") == ["source:weekly"]
        assert await _editions(bot) == ["weekly"]
        assert [each.target for each in site.requests].count("/feed") == 2
