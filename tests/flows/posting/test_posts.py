"""The installed program posts by itself: ordered in Slack and in Discord, once each."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.domain.drafts import EditionDraft, ParsedDocument
from store.database import Database
from store.posting.subscriptions import add_subscription, list_subscriptions
from store.records import Channel, SubscriptionState, Workspace
from tests.adapters.discord.connected_bot import variables_for as discord_variables
from tests.adapters.slack.connected_bot import variables_for as slack_variables
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.formats.newsletter.printer import print_newsletter
from tests.bot.posting.delivery.setup import ORDER
from tests.fakes.discord import FakeDiscord
from tests.fakes.discord.records import Channel as Room
from tests.fakes.discord.users.users import Person
from tests.fakes.faults import Drop
from tests.fakes.slack import FakeSlack
from tests.flows.posting.slack_bot import HURRIED, PATIENCE, deliveries, until
from tests.flows.program import Program

WEEK = edition(
    *(entry(rank, f"Invented Paper {rank}", f"It does thing {rank}.") for rank in range(1, 4)),
    title="The Top AI Papers of the Week (January 5-11)",
)
# A Monday at nine, some seconds from when the program starts.
# https://docs.discord.com/developers/topics/permissions
MANAGE_GUILD = 1 << 5
DUE = datetime(2026, 1, 12, 9, tzinfo=UTC)


def _taken_in(program: Program, week: EditionDraft) -> None:
    """Import a week's newsletter as a file."""
    document = ParsedDocument(week.kind, "dair", "Top AI Papers", (week,))
    (program.folder / "weekly.txt").write_text(print_newsletter(document))
    ran = program("import", "weekly.txt")
    assert ran.code == 0, ran.err


def _offset(seconds: float) -> str:
    """Return the offset by which it is so many seconds before the post is due."""
    return str((DUE - timedelta(seconds=seconds) - datetime.now(UTC)).total_seconds())


def _listed(program: Program, *verb: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(program(*verb, "--json").out)
    return listed


async def _all_sent(program: Program) -> bool:
    return await deliveries(program) == ["sent", "sent"]


def _posts(slack: FakeSlack, discord: FakeDiscord, words: str = "Paper 1") -> tuple[int, int]:
    """Return how many messages with some words everybody sees in each."""
    there = [each for each in slack.seen("U2") if words in each.text]
    here = [each for each in discord.sent() if words in "\n".join(each.texts)]
    return len(there), len([each for each in here if not each.ephemeral])


@dataclass
class Chats:
    """Both platforms with somebody in each, and what the program is told of them."""

    slack: FakeSlack
    discord: FakeDiscord
    room: Room
    ann: Person

    @property
    def settings(self) -> dict[str, str]:
        """What connects the program to both, and has it tick fast."""
        return {
            **slack_variables(self.slack),
            **discord_variables(self.discord),
            "BROADSHEET_TICK_SECONDS": "0.2",
        }

    async def connected(self) -> None:
        """Wait until the program hears of both."""
        await self.slack.settled(lambda: self.slack.sockets.open, seconds=PATIENCE)
        await self.discord.settled(lambda: self.discord.gateway.open, seconds=PATIENCE)

    async def ordered(self, url: str, source: str = "dair") -> None:
        """Have a weekly post of a source in each ordered, as a store says it."""
        assert self.room.guild
        here = Channel(Workspace("discord", str(self.room.guild.id)), str(self.room.id))
        there = Channel(Workspace("slack", "T1"), "C1")
        async with Database(url) as store:
            for channel, owner in ((there, "U1"), (here, str(self.ann.id))):
                order = replace(ORDER, channel=channel, owner=owner, sources=(source,))
                await store.write(add_subscription, order)

    async def subscribed(self) -> None:
        """Order a weekly post in each by a command."""
        ack = await self.slack.ask("subscribe UTC")
        assert "every Monday at 09:00" in ack.text
        answer = await self.ann.asks(self.room, "channel subscribe", zone="UTC")
        assert "every Monday at 09:00" in "\n".join(answer.message.texts)


@asynccontextmanager
async def _chats() -> AsyncIterator[Chats]:
    async with FakeSlack() as slack, FakeDiscord() as discord:
        guild = discord.add_guild("G")
        ml = guild.add_channel("ml")
        yield Chats(slack, discord, ml, guild.add_member("ann", permissions=MANAGE_GUILD))


async def test_a_monday_in_seconds(tmp_path: Path, sqlite_url: str) -> None:
    """Ordered by a command in each, due by an offset clock, posted once each and recorded.

    Killed after both stored their post and before the program heard of it, it finds out after its
    next start, and posts nothing again.
    """
    program, log = Program(tmp_path, sqlite_url), tmp_path / "run.log"
    _taken_in(program, WEEK)
    async with _chats() as chats:
        async with program.serving(log, **chats.settings, BROADSHEET_CLOCK_OFFSET=_offset(60)):
            await chats.connected()
            await chats.subscribed()
        orders = _listed(program, "subscriptions", "list")
        assert [each["next_due_at"] for each in orders] == ["2026-01-12T09:00:00+00:00"] * 2
        assert [each["sources"] for each in orders] == [["dair"], ["dair"]]

        chats.slack.fail("chat.postMessage", Drop())
        chats.discord.fail("POST /channels/{channel_id}/messages", Drop(), times=9)
        at = {"BROADSHEET_CLOCK_OFFSET": _offset(-5)}
        running = program.fork("run", log=log, **chats.settings, **at)
        try:
            await until(lambda: _posts(chats.slack, chats.discord) == (1, 1))
        finally:
            running.kill()
            await asyncio.to_thread(running.communicate)
        assert {*await deliveries(program)} <= {"sending", "retry"}

        async with program.serving(log, HURRIED, **chats.settings, **at):
            await until(lambda: _all_sent(program))
        assert _posts(chats.slack, chats.discord) == (1, 1)
        for delivery in _listed(program, "deliveries", "list"):
            [part] = delivery["parts"]
            assert part["state"] == "sent"
            assert part["message"]


async def test_a_correction_edits_what_stands(tmp_path: Path, sqlite_url: str) -> None:
    """Imported while the program runs, it shows in both within ticks, and nothing is posted anew.

    A channel that is closed afterwards ends its order, and whoever gave it is told in private.
    """
    program, log = Program(tmp_path, sqlite_url), tmp_path / "run.log"
    _taken_in(program, WEEK)
    first, *rest = WEEK.entries
    mended = replace(first, title="Mended Paper 1")
    async with _chats() as chats:
        await chats.ordered(sqlite_url)
        at = {"BROADSHEET_CLOCK_OFFSET": _offset(-5)}
        async with program.serving(log, **chats.settings, **at):
            await until(lambda: _all_sent(program))
            await asyncio.to_thread(_taken_in, program, replace(WEEK, entries=(mended, *rest)))
            await until(lambda: _posts(chats.slack, chats.discord, "Mended") == (1, 1))
        assert _posts(chats.slack, chats.discord) == (1, 1)

        chats.slack.teams["T1"].channels["C1"].archived = True
        chats.room.deleted = True
        next_week = replace(WEEK, first_day=date(2026, 1, 12), last_day=date(2026, 1, 18))
        _taken_in(
            program, replace(next_week, title="The Top AI Papers of the Week (January 12-18)")
        )
        at = {"BROADSHEET_CLOCK_OFFSET": _offset(-7 * 24 * 3600 - 60)}
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
