"""The installed program posts by itself: ordered in Slack and in Discord, once each."""

import asyncio
import json
import signal
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.ingest.drafts import ParsedDocument
from tests.adapters.discord.running import variables_for as discord_variables
from tests.adapters.slack.running import variables_for as slack_variables
from tests.bot.ingest.drafting import edition, entry
from tests.bot.ingest.print_newsletter import print_newsletter
from tests.fakes.discord import FakeDiscord
from tests.fakes.discord.faults import Drop
from tests.fakes.slack import FakeSlack
from tests.fakes.slack.faults import Drop as SlackDrop
from tests.flows.program import Program

WEEK = edition(
    *(entry(rank, f"Invented Paper {rank}", f"It does thing {rank}.") for rank in range(1, 4)),
    title="The Top AI Papers of the Week (January 5-11)",
)
# A Monday at nine, some seconds from when the program starts.
# https://docs.discord.com/developers/topics/permissions
MANAGE_GUILD = 1 << 5
DUE = datetime(2026, 1, 12, 9, tzinfo=UTC)


def _offset(seconds: float) -> str:
    """Return the offset by which it is so many seconds before the post is due."""
    return str((DUE - timedelta(seconds=seconds) - datetime.now(UTC)).total_seconds())


async def _until(holds: Callable[[], Any], seconds: float) -> Any:
    async with asyncio.timeout(seconds):
        while not (found := await asyncio.to_thread(holds)):  # noqa: ASYNC110 - another process has no event
            await asyncio.sleep(0.2)
        return found


def _listed(program: Program, *verb: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(program(*verb, "--json").out)
    return listed


def _all_sent(program: Program) -> bool:
    deliveries = _listed(program, "deliveries", "list")
    return len(deliveries) == 2 and all(each["state"] == "sent" for each in deliveries)


def _posts(slack: FakeSlack, discord: FakeDiscord) -> tuple[int, int]:
    """Return how many messages with the newest paper everybody sees in each."""
    there = [each for each in slack.seen("U2") if "Invented Paper 1" in each.text]
    here = [each for each in discord.sent() if "Invented Paper 1" in "\n".join(each.texts)]
    return len(there), len([each for each in here if not each.ephemeral])


async def test_a_monday_in_seconds(tmp_path: Path) -> None:
    """Ordered by a command in each, due by an offset clock, posted once each and recorded.

    Killed after both stored their post and before the program heard of it, it finds out after its
    next start, and posts nothing again.
    """
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    log = tmp_path / "run.log"
    week = ParsedDocument(WEEK.kind, "dair", "Top AI Papers", (WEEK,))
    (tmp_path / "weekly.txt").write_text(print_newsletter(week))
    assert program("import", "weekly.txt").code == 0
    async with FakeSlack() as slack, FakeDiscord() as discord:
        guild = discord.add_guild("G")
        ml = guild.add_channel("ml")
        ann = guild.add_member("ann", permissions=MANAGE_GUILD)
        settings = {
            **slack_variables(slack),
            **discord_variables(discord),
            "BROADSHEET_TICK_SECONDS": "0.2",
        }
        running = program.start("run", log=log, **settings, BROADSHEET_CLOCK_OFFSET=_offset(60))
        try:
            await slack.settled(lambda: slack.sockets.open, seconds=30)
            await discord.settled(lambda: discord.gateway.open, seconds=30)
            ack = await slack.command("subscribe UTC")
            assert ack.message is not None
            assert "every Monday at 09:00" in ack.message.text
            answer = await ann.asks(ml, "channel subscribe", zone="UTC")
            assert "every Monday at 09:00" in "\n".join(answer.message.texts)
        finally:
            running.send_signal(signal.SIGTERM)
            await asyncio.to_thread(running.communicate)
        orders = _listed(program, "subscriptions", "list")
        assert [each["next_due_at"] for each in orders] == ["2026-01-12T09:00:00+00:00"] * 2
        assert [each["sources"] for each in orders] == [["dair"], ["dair"]]

        slack.fail("chat.postMessage", SlackDrop())
        discord.fail("POST /channels/{channel_id}/messages", Drop(), times=9)
        running = program.start("run", log=log, **settings, BROADSHEET_CLOCK_OFFSET=_offset(-5))
        try:
            await _until(lambda: _posts(slack, discord) == (1, 1), 30)
        finally:
            running.kill()
            await asyncio.to_thread(running.communicate)
        states = {each["state"] for each in _listed(program, "deliveries", "list")}
        assert states <= {"sending", "retry", "sent"}

        async with program.serving(log, **settings, BROADSHEET_CLOCK_OFFSET=_offset(-120)):
            await _until(lambda: _all_sent(program), 150)
        assert _posts(slack, discord) == (1, 1)
        for delivery in _listed(program, "deliveries", "list"):
            [part] = delivery["parts"]
            assert part["state"] == "sent"
            assert part["message"]
