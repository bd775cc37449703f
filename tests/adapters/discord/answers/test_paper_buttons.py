"""Buttons that save papers and vote for them, in posts and answers."""

import asyncio

import pytest

from bot.commands.types import Command, Context, Group
from bot.posting.ports import Message as PostMessage
from bot.replies.blocks import Actions, Button, Reply, Text, Visibility
from store.database import Database
from store.records import Channel, Workspace
from tests.adapters.discord.connected_bot import running, until
from tests.bot.posting.digest.editions import REFS
from tests.fakes.discord import Channel as Room
from tests.fakes.discord import FakeDiscord, Person, Server


def _people(discord: FakeDiscord) -> tuple[Server, Room, Person, Person]:
    guild = discord.add_guild("G")
    return (
        guild, guild.add_channel("papers"), guild.add_member("ann"), guild.add_member("bob"),
    )  # fmt: skip


@pytest.mark.parametrize("quiet", [True, False])
async def test_what_takes_long_is_quiet_in_the_end(stocked: Database, quiet: bool) -> None:  # noqa: FBT001 - both ways
    """The deferred response of a quiet reply is deleted."""

    async def think(_context: Context) -> Reply:
        await asyncio.sleep(1.1)
        return Reply((Text("Thought."),), quiet=quiet)

    slow = Command("think", Group.LOOKUP, "Takes its time", think, examples=("think",))
    async with FakeDiscord() as discord, running(stocked, discord, [slow]) as platform:
        server, room, ann, _ = _people(discord)
        channel = Channel(Workspace("discord", str(server.id)), str(room.id))
        reply = Reply((Actions((Button("Think", "think"),)),), Visibility.CHANNEL)
        await platform.channel_client.send(PostMessage(channel, "key1", reply, kind="text"))
        [post] = room.posts
        pressed = await ann.presses(post, "Think")
        assert pressed.message.loading

        async def is_over() -> bool:
            return not any(message.loading for message in ann.sees(room))

        await until(is_over)
        assert [each.text for each in ann.sees(room)][1:] == ([] if quiet else ["Thought."])


async def test_where_no_vote_counts_nothing_votes(stocked: Database) -> None:
    """Direct messages have no votes; papers can be saved there."""
    async with FakeDiscord() as discord, running(stocked, discord):
        _, _, ann, _ = _people(discord)
        card = (await ann.asks(ann.dm, "show", paper=REFS[0])).message
        assert "Save" in card.buttons
        assert "Vote" not in card.buttons
        listed = (await ann.asks(ann.dm, "latest")).message
        assert [each["placeholder"] for each in listed.selects] == ["Save a paper"]
