"""Papers that are saved and voted for where they stand: in posts and answers."""

import asyncio

import pytest
from sqlalchemy import Engine

from adapters.discord.adapter import DiscordPlatform
from bot.command import Command, Context, Group
from bot.ports import Message as PostMessage
from bot.replies import Actions, Button, Reply, Text, Visibility
from store.database import Database
from store.records import Channel, Layout, Workspace
from store.votes import counted
from tests.adapters.discord.running import running, until
from tests.bot.posted import REFS, TITLES, posted
from tests.fakes.discord import Channel as Room
from tests.fakes.discord import FakeDiscord, Message, Person, Server


def _people(discord: FakeDiscord) -> tuple[Server, Room, Person, Person]:
    guild = discord.add_guild("G")
    return (
        guild, guild.add_channel("papers"), guild.add_member("ann"), guild.add_member("bob"),
    )  # fmt: skip


async def _post(platform: DiscordPlatform, server: Server, room: Room, layout: Layout) -> Message:
    """Post the last message of the edition in a layout."""
    channel = Channel(Workspace("discord", str(server.id)), str(room.id))
    reply = posted(layout, platform.poster.fits)[-1]
    await platform.poster.send(PostMessage(channel, "key1", reply, kind="text"))
    return room.posts[-1]


async def _saved(person: Person, room: Room) -> list[str]:
    """Return the titles on somebody's list."""
    shown = await (await person.asks(room, "list saved")).answered()
    return [title for title in TITLES if title in shown.message.text]


async def test_save_below_a_card_of_a_post(stocked: Database) -> None:
    """The paper is on the list of who pressed, who alone is told; the post stays as it is."""
    async with FakeDiscord() as discord, running(stocked, discord) as platform:
        server, room, ann, bob = _people(discord)
        post = await _post(platform, server, room, Layout.THREAD)
        assert list(post.buttons) == ["Details 3", "Save", "Vote"]
        told = await ann.presses(post, "Save")
        assert told.message.ephemeral_for is ann.user
        assert "On your list: Routing Experts." in told.message.text
        assert (await _saved(ann, room), await _saved(bob, room)) == ([TITLES[2]], [])
        assert not post.edited


async def test_save_from_the_menu_of_a_post(stocked: Database) -> None:
    """A list has its papers in a menu; what is picked is on the list of who picked it."""
    async with FakeDiscord() as discord, running(stocked, discord) as platform:
        server, room, ann, _ = _people(discord)
        post = await _post(platform, server, room, Layout.COMPACT)
        assert [each["placeholder"] for each in post.selects] == [
            "Save a paper",
            "Vote for a paper",
        ]
        told = await ann.chooses(post, f"save {REFS[1]}")
        assert told.message.ephemeral_for is ann.user
        assert await _saved(ann, room) == [TITLES[1]]


async def test_a_vote_in_a_post_is_quiet(stocked: Database) -> None:
    """Nobody is told anything; the vote counts, and pressed again it is taken back."""
    async with FakeDiscord() as discord, running(stocked, discord) as platform:
        server, room, ann, _ = _people(discord)
        workspace = Workspace("discord", str(server.id))
        post = await _post(platform, server, room, Layout.THREAD)
        for votes in (1, 0):
            pressed = await ann.presses(post, "Vote")
            await _counted(stocked, workspace, votes)
            assert (pressed.error, pressed.messages, pressed.original) == (None, [], post)
        assert ann.sees(room) == [post]
        assert not post.edited


@pytest.mark.parametrize("quiet", [True, False])
async def test_what_takes_long_is_quiet_in_the_end(stocked: Database, quiet: bool) -> None:  # noqa: FBT001 - both ways
    """That the bot is thinking is taken away again, where there is nothing to be said."""

    async def think(_context: Context) -> Reply:
        await asyncio.sleep(1.1)
        return Reply((Text("Thought."),), quiet=quiet)

    slow = Command("think", Group.LOOKUP, "Takes its time", think, examples=("think",))
    async with FakeDiscord() as discord, running(stocked, discord, [slow]) as platform:
        server, room, ann, _ = _people(discord)
        channel = Channel(Workspace("discord", str(server.id)), str(room.id))
        reply = Reply((Actions((Button("Think", "think"),)),), Visibility.CHANNEL)
        await platform.poster.send(PostMessage(channel, "key1", reply, kind="text"))
        [post] = room.posts
        pressed = await ann.presses(post, "Think")
        assert pressed.message.loading

        async def is_over() -> bool:
            return not any(message.loading for message in ann.sees(room))

        await until(is_over)
        assert [each.text for each in ann.sees(room)][1:] == ([] if quiet else ["Thought."])


async def test_a_vote_in_an_answer_shows_there(stocked: Database) -> None:
    """The card that one alone sees is put anew in its place, with the count, each time."""
    async with FakeDiscord() as discord, running(stocked, discord):
        _, room, ann, _ = _people(discord)
        card = (await ann.asks(room, "show", paper=REFS[0])).message
        for label, shown in (("Vote", "Vote (1)"), ("Vote (1)", "Vote")):
            voted = await ann.presses(card, label)
            assert voted.message is card
            assert shown in card.buttons
        assert ann.sees(room) == [card]


async def test_a_vote_in_what_was_shared_leaves_it(stocked: Database) -> None:
    """What all see is not replaced by one's press: the card with the count is for that one."""
    async with FakeDiscord() as discord, running(stocked, discord):
        _, room, ann, bob = _people(discord)
        card = (await ann.asks(room, "show", paper=REFS[0])).message
        shared = (await ann.presses(card, "Share")).message
        told = (await bob.presses(shared, "Vote")).message
        assert (told.ephemeral_for, "Vote (1)" in told.buttons) == (bob.user, True)
        assert not shared.edited


async def test_what_fails_is_never_quiet(stocked: Database) -> None:
    """Whoever voted is told where that came to nothing; a card that was pressed in stays."""
    async with FakeDiscord() as discord, running(stocked, discord) as platform:
        server, room, ann, _ = _people(discord)
        post = await _post(platform, server, room, Layout.THREAD)
        card = (await ann.asks(room, "show", paper=REFS[0])).message
        before = card.text
        await stocked.run(_lose_votes)
        for message in (post, card):
            told = (await ann.presses(message, "Vote")).message
            assert told.text.startswith("❌")
            assert told.ephemeral_for is ann.user
        assert card.text == before


async def _counted(database: Database, workspace: Workspace, votes: int) -> None:
    """Wait until so many votes of a workspace are for the paper that stands last in the post."""

    async def are_there() -> bool:
        return (await database.read(counted, workspace)).refs.get(REFS[2], 0) == votes

    await until(are_there)


def _lose_votes(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE vote")
