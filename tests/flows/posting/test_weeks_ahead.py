"""The installed program over a store that an older one filled with weeks of years to come."""

import asyncio
import json
from datetime import date
from pathlib import Path

from store.database import Database
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.flows.posting.chats import both_chats, count_posts, import_week, offset
from tests.flows.posting.slack_bot import HURRIED, WEEK, deliveries, until
from tests.flows.program import Program

ASKED = ("latest", "latest from:dair", "trends", "top", "consensus", "brief", "status", "sources")
FAR = (date(2027, 1, 4), date(2062, 1, 2))


async def _filled(program: Program) -> None:
    async with Database(program.database_url) as store:
        for source in ("dair", "other"):
            for day in FAR:
                await store.write(take_in, edition(entry(1, "Far Matter"), first_day=day), source)


async def test_what_is_newest_lies_not_ahead(tmp_path: Path, sqlite_url: str) -> None:
    """Answers and lists begin with the right week; the wrong ones are there to be looked up."""
    program, at = Program(tmp_path, sqlite_url), {"BROADSHEET_CLOCK_OFFSET": offset(60)}
    await _filled(program)
    import_week(program, WEEK, **at)
    for line in (
        "latest",
        "latest from:dair",
        "trends",
        "top",
        "consensus",
        "brief",
        "status",
        "sources",
    ):
        told = program("ask", line, **at).out
        assert "2027" not in told
        assert "2062" not in told
    assert "No edition of other" in program("ask", "latest from:other", **at).err
    assert "Far Matter" in program("ask", "week 2062-W01", **at).out
    listed = json.loads(program("editions", "--json", **at).out)["editions"]
    exported = json.loads(program("export", **at).out)["editions"]
    for found in (listed, exported):
        days = [each["first_day"] for each in found]
        assert days == ["2026-01-05", *("2062-01-02",) * 2, *("2027-01-04",) * 2]


async def test_a_right_week_is_posted_over_wrong_ones(tmp_path: Path, sqlite_url: str) -> None:
    """The edition that comes is posted once in each chat, the weeks ahead never."""
    program, log = Program(tmp_path, sqlite_url), tmp_path / "run.log"
    await _filled(program)
    async with both_chats() as chats:
        await chats.ordered(sqlite_url)
        await chats.ordered(sqlite_url, "other")
        at = {"BROADSHEET_CLOCK_OFFSET": offset(-5)}
        async with program.serving(log, HURRIED, **chats.settings, **at):
            await chats.connected()
            await asyncio.to_thread(import_week, program, WEEK, **at)
            await until(lambda: count_posts(chats.slack, chats.discord) == (1, 1))
            await asyncio.sleep(1)  # some ticks
        assert count_posts(chats.slack, chats.discord) == (1, 1)
        assert count_posts(chats.slack, chats.discord, "Far Matter") == (0, 0)
    assert await deliveries(program) == ["sent", "sent"]
