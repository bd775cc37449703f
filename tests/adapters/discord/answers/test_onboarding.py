"""The onboarding message of a user and the welcome of a server."""

import asyncio
from functools import partial

from store.database import Database
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import Channel, FakeDiscord, Message, Permission, Person

LINE = "Broadsheet has the top AI papers of each week."
THERE = "shows what is settled here"
HERE = "Welcome to Broadsheet"
QUIET = 0.3


def told(person: Person, place: Channel) -> list[Message]:
    """Return the onboarding messages that a user sees in a channel."""
    return [each for each in person.sees(place) if LINE in each.text]


async def test_a_server_is_told_where_newcomers_are_greeted_and_no_manager_after(
    stocked: Database,
) -> None:
    """Once: a server that was away, and a bot that starts again, are no news."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild("G", bot=False)
        lobby = guild.system_channel = guild.add_channel("lobby")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        async with running(stocked, fake, welcomes=True):
            await _all_known(fake)
            guild.add_bot()
            await fake.settled(lambda: lobby.posts)
            await ann.asks(lobby, "latest")
            [news] = await fake.settled(lambda: told(ann, lobby))
            assert THERE not in news.text
        async with running(stocked, fake, welcomes=True):
            await _all_known(fake, 2)
            guild.back()
            await asyncio.sleep(QUIET)
            assert [HERE in each.text for each in lobby.posts] == [True]


async def test_a_server_that_cannot_be_told_is_by_its_first_manager(stocked: Database) -> None:
    """Without a channel for newcomers, or where the bot may not post there, nothing is posted."""
    async with FakeDiscord() as fake:
        guilds = [fake.add_guild(name, bot=False) for name in ("G", "H")]
        mute = guilds[1].add_channel("mute", bot_lacks=Permission.SEND_MESSAGES)
        guilds[1].system_channel = mute
        async with running(stocked, fake, welcomes=True):
            await _all_known(fake)
            for number, guild in enumerate(guilds):
                guild.add_bot()
                room = guild.add_channel("papers")
                ann = guild.add_member(f"ann{number}", permissions=Permission.MANAGE_GUILD)
                await asyncio.sleep(QUIET)
                await ann.asks(room, "latest")
                [news] = await fake.settled(partial(told, ann, room))
                assert THERE in news.text
                assert "/papers channel subscribe" in news.text
            assert mute.posts == []


async def _all_known(fake: FakeDiscord, times: int = 1) -> None:
    """Wait until the bot knows its servers: what comes after that is news."""
    await fake.settled(lambda: len(fake.calls("GET /users/@me/guilds")) >= times, seconds=8)
    await asyncio.sleep(QUIET)
