"""The installed program posts by itself: ordered in Slack and in Discord, once each."""

import asyncio
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from store.database import Database
from store.posting.subscriptions import list_subscriptions
from store.records import SubscriptionState
from tests.fakes.faults import Drop
from tests.flows.posting.chats import both_chats, count_posts, import_week, offset
from tests.flows.posting.slack_bot import HURRIED, WEEK, deliveries, until
from tests.flows.program import Program


def _listed(program: Program, *verb: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(program(*verb, "--json").out)
    return listed


async def _all_sent(program: Program) -> bool:
    return await deliveries(program) == ["sent", "sent"]


async def test_a_monday_in_seconds(tmp_path: Path, sqlite_url: str) -> None:
    """Ordered by a command in each, due by an offset clock, posted once each and recorded.

    Killed after both stored their post and before the program heard of it, it finds out after its
    next start, and posts nothing again.
    """
    program, log = Program(tmp_path, sqlite_url), tmp_path / "run.log"
    import_week(program, WEEK)
    async with both_chats() as chats:
        async with program.serving(log, **chats.settings, BROADSHEET_CLOCK_OFFSET=offset(60)):
            await chats.connected()
            await chats.subscribed()
        orders = _listed(program, "subscriptions", "list")
        assert [each["next_due_at"] for each in orders] == ["2026-01-12T09:00:00+00:00"] * 2
        assert [each["sources"] for each in orders] == [["dair"], ["dair"]]

        chats.slack.fail("chat.postMessage", Drop())
        chats.discord.fail("POST /channels/{channel_id}/messages", Drop(), times=9)
        at = {"BROADSHEET_CLOCK_OFFSET": offset(-5)}
        running = program.fork("run", log=log, **chats.settings, **at)
        try:
            await until(lambda: count_posts(chats.slack, chats.discord) == (1, 1))
        finally:
            running.kill()
            await asyncio.to_thread(running.communicate)
        assert {*await deliveries(program)} <= {"sending", "retry"}

        async with program.serving(log, HURRIED, **chats.settings, **at):
            await until(lambda: _all_sent(program))
        assert count_posts(chats.slack, chats.discord) == (1, 1)
        for delivery in _listed(program, "deliveries", "list"):
            [part] = delivery["parts"]
            assert part["state"] == "sent"
            assert part["message"]


async def test_a_correction_edits_what_stands(tmp_path: Path, sqlite_url: str) -> None:
    """Imported while the program runs, it shows in both within ticks, and nothing is posted anew.

    A channel that is closed afterwards ends its order, and whoever gave it is told in private.
    """
    program, log = Program(tmp_path, sqlite_url), tmp_path / "run.log"
    import_week(program, WEEK)
    first, *rest = WEEK.entries
    mended = replace(first, title="Mended Paper 1")
    async with both_chats() as chats:
        await chats.ordered(sqlite_url)
        at = {"BROADSHEET_CLOCK_OFFSET": offset(-5)}
        async with program.serving(log, **chats.settings, **at):
            await until(lambda: _all_sent(program))
            await asyncio.to_thread(import_week, program, replace(WEEK, entries=(mended, *rest)))
            await until(lambda: count_posts(chats.slack, chats.discord, "Mended") == (1, 1))
        assert count_posts(chats.slack, chats.discord) == (1, 1)

        chats.slack.teams["T1"].channels["C1"].archived = True
        chats.room.deleted = True
        next_week = replace(WEEK, first_day=date(2026, 1, 12), last_day=date(2026, 1, 18))
        import_week(
            program, replace(next_week, title="The Top AI Papers of the Week (January 12-18)")
        )
        at = {"BROADSHEET_CLOCK_OFFSET": offset(-7 * 24 * 3600 - 60)}
        async with program.serving(log, **chats.settings, **at):
            await until(lambda: _all_refused(program))
            await until(lambda: len(chats.slack.seen("U1", "D1")) == 1)
            await until(lambda: len(chats.ann.sees(chats.ann.dm)) == 1)
    told = chats.slack.seen("U1", "D1")[0].text
    assert "archived" in told
    assert "no longer" in "\n".join(chats.ann.sees(chats.ann.dm)[0].texts)


async def _all_refused(program: Program) -> bool:
    async with Database(program.database_url) as store:
        states = {each.state for each in await store.read(list_subscriptions)}
    return states == {SubscriptionState.REFUSED}
