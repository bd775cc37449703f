"""Slack and Discord, with somebody in each, beside the program that posts to both."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bot.domain.drafts import EditionDraft
from store.database import Database
from store.posting.subscriptions import add_subscription
from store.records import Channel, Workspace
from tests.adapters.discord.connected_bot import variables_for as discord_variables
from tests.adapters.slack.connected_bot import variables_for as slack_variables
from tests.bot.posting.delivery.setup import DUE, ORDER
from tests.fakes.discord import FakeDiscord
from tests.fakes.discord.records import Channel as Room
from tests.fakes.discord.users.users import Person
from tests.fakes.slack import FakeSlack
from tests.flows.posting.slack_bot import PATIENCE
from tests.flows.program import Program, write_week

# https://docs.discord.com/developers/topics/permissions
MANAGE_GUILD = 1 << 5


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
async def both_chats() -> AsyncIterator[Chats]:
    """Give both platforms, empty, until the block ends."""
    async with FakeSlack() as slack, FakeDiscord() as discord:
        guild = discord.add_guild("G")
        ml = guild.add_channel("ml")
        yield Chats(slack, discord, ml, guild.add_member("ann", permissions=MANAGE_GUILD))


def import_week(program: Program, week: EditionDraft, **settings: str) -> None:
    """Import a week's newsletter as a file."""
    ran = program("import", write_week(program.folder, week).name, **settings)
    assert ran.code == 0, ran.err


def offset(seconds: float) -> str:
    """Return the offset by which it is so many seconds before the post is due."""
    return str((DUE - timedelta(seconds=seconds) - datetime.now(UTC)).total_seconds())


def count_posts(slack: FakeSlack, discord: FakeDiscord, words: str = "Paper 1") -> tuple[int, int]:
    """Return how many messages with some words everybody sees in each."""
    there = [each for each in slack.seen("U2") if words in each.text]
    here = [each for each in discord.sent() if words in "\n".join(each.texts)]
    return len(there), len([each for each in here if not each.ephemeral])
