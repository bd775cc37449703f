"""The installed program follows a source: added, fetched, and posted where it was ordered."""

import asyncio
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from bot.domain.drafts import EditionDraft
from store.database import Database
from store.sources import Validators, list_followed, note_fetched
from tests.bot.ingest.formats.feed.printer import Printed, print_markup, print_rss
from tests.fakes.web_sites import Answer, serve_site
from tests.flows.posting.chats import both_chats, count_posts, offset
from tests.flows.posting.slack_bot import WEEK, until
from tests.flows.program import Program
from tests.flows.sources.following import follow

FIRST = "Spoons of the Week (January 5-11)"
LAST_WEEK = replace(
    WEEK,
    title="Spoons of the Week (December 29-January 4)",
    first_day=WEEK.first_day - timedelta(days=7),
    last_day=WEEK.last_day - timedelta(days=7),
    entries=tuple(replace(each, title=f"Older Paper {each.rank}") for each in WEEK.entries),
)


def _feed(*weeks: EditionDraft) -> Answer:
    """Return a feed of these weeks, each published on its last day."""
    posts = (Printed(print_markup(week), published_on=week.last_day) for week in weeks)
    body = print_rss(*posts).encode()
    return Answer(body, headers={"ETag": f'"{len(weeks)}"', "Content-Type": "application/rss+xml"})


async def test_what_is_followed_is_fetched_and_posted(tmp_path: Path, sqlite_url: str) -> None:
    """Added by its address and fetched; what is new the next time is posted once where ordered.

    Fetched again it is as it was, and nothing is asked of it that it had said before.
    """
    program, log = Program(tmp_path, sqlite_url), tmp_path / "run.log"
    here = {"BROADSHEET_FETCH_ALLOW": "127.0.0.1"}
    async with serve_site() as site, both_chats() as chats:
        site.put("/feed", _feed(LAST_WEEK))

        async def ran(*words: str) -> str:
            done = await asyncio.to_thread(program, *words, **here)
            assert done.code == 0, done.err
            return done.out

        await ran("sources", "add", "weekly", site.url("/feed"))
        assert "1 edition new" in await ran("sync", "weekly")
        site.put("/feed", _feed(replace(WEEK, title=FIRST), LAST_WEEK))
        async with program.serving(log, **chats.settings, BROADSHEET_CLOCK_OFFSET=offset(-5)):
            assert "1 edition new" in await ran("sync", "weekly")
            await chats.ordered(sqlite_url, "weekly")
            await until(lambda: count_posts(chats.slack, chats.discord, "Invented") == (1, 1))
            assert "as it was" in await ran("sync", "weekly")
        assert [each.headers.get("If-None-Match") for each in site.requests] == [None, '"1"', '"2"']
    assert count_posts(chats.slack, chats.discord, "Invented") == (1, 1)
    assert count_posts(chats.slack, chats.discord, "Older") == (0, 0)


async def test_what_fails_is_told_since_when(tmp_path: Path, sqlite_url: str) -> None:
    """The others are fetched, the exit code says that one failed, and the list why."""
    program = Program(tmp_path, sqlite_url)
    here = {"BROADSHEET_FETCH_ALLOW": "127.0.0.1"}
    async with serve_site() as site:
        site.put("/feed", _feed(WEEK))
        site.put("/away", Answer(status=503))
        for slug, path in (("broken", "/away"), ("weekly", "/feed")):
            added = await asyncio.to_thread(program, "sources", "add", slug, site.url(path))
            assert added.code == 0, added.err
        done = await asyncio.to_thread(program, "sync", "weekly", "broken", **here)
        assert done.code == 1
        assert "weekly" in done.out
        assert "broken" in done.err
        assert "failing since" in done.err
    listed = program("sources", "list")
    assert "failing since" in listed.out
    async with Database(sqlite_url) as database:
        known = {each.source.slug: each for each in await database.read(list_followed)}
    broken, weekly = known["broken"], known["weekly"]
    assert broken.addresses[0].error
    assert weekly.addresses[0].fetched_at


_BY_ITSELF = {
    "BROADSHEET_SYNC": "on",
    "BROADSHEET_FETCH_ALLOW": "127.0.0.1",
    "BROADSHEET_TICK_SECONDS": "0.2",
    "BROADSHEET_ARXIV_URL": "",
}


async def test_sources_are_fetched_by_themselves(tmp_path: Path, sqlite_url: str) -> None:
    """By one of two processes on a store, once until it is time again; health names who fails.

    What comes by itself is posted where it was ordered.
    """
    program = Program(tmp_path, sqlite_url)
    logs = [tmp_path / f"{name}.log" for name in ("one", "other")]
    async with serve_site() as site, both_chats() as chats:
        site.put("/feed", _feed(replace(WEEK, title=FIRST)))
        site.put("/away", Answer(status=503))
        await follow(program, weekly=site.url("/feed"), broken=site.url("/away"))
        await chats.ordered(sqlite_url, "weekly")
        settings = {**_BY_ITSELF, "BROADSHEET_CLOCK_OFFSET": offset(-5)}
        async with (
            program.serving(logs[0], **{**chats.settings, **settings}),
            program.serving(logs[1], **settings),
        ):
            await until(lambda: count_posts(chats.slack, chats.discord, "Invented") == (1, 1))
            failing = await until(lambda: _health(logs[1]).get("sources"))
        asked = [each.target for each in site.requests]
    assert sorted(asked) == ["/away", "/feed"]
    assert failing == {"state": "ok", "sentence": "2 sources followed; failing: broken."}


def _health(log: Path) -> dict[str, Any]:
    """Return what a process says of its parts, from where its log says that it listens."""
    found = re.search(r"http://[0-9.:]+", log.read_text())
    if found is None:
        return {}
    with urlopen(f"{found[0]}/healthz", timeout=5) as answer:  # noqa: S310 - an address of this machine
        parts: dict[str, Any] = json.load(answer)
    return parts


def test_what_comes_with_the_program_is_disabled_not_removed(broadsheet: Program) -> None:
    """The answer says how; enabled again it is as before."""
    removed = broadsheet("sources", "remove", "dair")
    assert removed.code == 1
    assert "broadsheet sources disable dair" in removed.err
    assert broadsheet("sources", "disable", "dair").code == 0
    assert "dair, Top AI Papers of the Week (disabled)" in broadsheet("sources", "list").out
    assert broadsheet("sources", "enable", "dair").code == 0
    assert (
        "dair, Top AI Papers of the Week, usually on Sundays" in broadsheet("sources", "list").out
    )


async def test_a_week_that_was_left_is_listed(tmp_path: Path, sqlite_url: str) -> None:
    """With the command that replaces it, for people and for programs; it is no failure."""
    program = Program(tmp_path, sqlite_url)
    assert program("sources", "add", "weekly", "https://weekly.example/feed?a=1").code == 0
    async with Database(sqlite_url) as database:
        [weekly] = [e for e in await database.read(list_followed) if e.source.slug == "weekly"]
        note = (weekly.addresses[0].id, Validators(), datetime(2026, 3, 2, tzinfo=UTC), "One left.")
        await database.write(note_fetched, *note)
    command = "broadsheet import 'https://weekly.example/feed?a=1' --source weekly --replace"
    assert f"    One left. To replace it: {command}" in program("sources", "list").out.splitlines()
    told = json.loads(program("sources", "list", "--json").out)[-1]["addresses"][0]
    assert (told["refused"], told["error"], told["failing_since"]) == ("One left.", None, None)
    asked = program("ask", "sources").out
    assert "weekly: One left." in asked
    assert "--source weekly --replace" in asked


def test_a_source_can_be_given_its_hour(broadsheet: Program) -> None:
    """In UTC, on a day or on every one; another address leaves it as it is."""
    add = ("sources", "add", "weekly", "https://weekly.example/feed")
    assert broadsheet(*add, "--day", "tuesday", "--hour", "17:30").code == 0
    assert broadsheet(*add[:3], "https://weekly.example/more").code == 0
    assert "weekly, usually on Tuesdays from 17:30 UTC" in broadsheet("sources", "list").out
    weekly = json.loads(broadsheet("sources", "list", "--json").out)[-1]
    assert (weekly["day"], weekly["hour"]) == ("tuesday", "17:30")
