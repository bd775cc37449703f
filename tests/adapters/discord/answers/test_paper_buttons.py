"""Buttons that save papers and vote for them, in posts and answers."""

import asyncio

import pytest
from sqlalchemy import Engine

from adapters.discord.platform import DiscordPlatform
from bot.commands.types import Command, Context, Group
from bot.posting.ports import Message as PostMessage
from bot.replies.blocks import Actions, Button, Reply, Text, Visibility
from store.database import Database
from store.readers.votes import of_refs
from store.records import Channel, Layout, Workspace
from tests.adapters.discord.connected_bot import running, until
from tests.bot.posting.digest.post_replies import REFS, TITLES, posted
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
    reply = posted(layout, platform.channel_client.fits)[-1]
    await platform.channel_client.send(PostMessage(channel, "key1", reply, kind="text"))
    return room.posts[-1]


async def _saved(person: Person, room: Room) -> list[str]:
    """Return the titles on a user's list."""
    shown = await (await person.asks(room, "list saved")).answered()
    return [title for title in TITLES if title in shown.message.text]


async def test_save_below_a_card_of_a_post(stocked: Database) -> None:
    """The paper is on the user's list, the reply is ephemeral, and the post does not change."""
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
            "Open a paper",
            "Save a paper",
            "Vote for a paper",
        ]
        told = await ann.chooses(post, f"save {REFS[1]}")
        assert told.message.ephemeral_for is ann.user
        assert await _saved(ann, room) == [TITLES[1]]


async def test_a_vote_in_a_post_is_quiet(stocked: Database) -> None:
    """The vote counts without a message; a second press removes it."""
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


async def test_a_vote_in_an_answer_shows_there(stocked: Database) -> None:
    """The card is updated in place; direct messages count no votes."""
    async with FakeDiscord() as discord, running(stocked, discord):
        _, room, ann, _ = _people(discord)
        card = (await ann.asks(room, "show", paper=REFS[0])).message
        for label, shown in (("Vote", "Take back vote (1)"), ("Take back vote (1)", "Vote")):
            voted = await ann.presses(card, label)
            assert voted.message is card
            assert shown in card.buttons
        assert ann.sees(room) == [card]


async def test_a_vote_in_what_was_shared_shows_there(stocked: Database) -> None:
    """Its button shows the new count, the rest does not change, and no message is sent.

    Who shared it had voted, which it does not say.
    """
    async with FakeDiscord() as discord, running(stocked, discord):
        _, room, ann, _ = _people(discord)
        card = (await ann.asks(room, "show", paper=REFS[0])).message
        await ann.presses(card, "Vote")
        shared = (await ann.presses(card, "Share")).message
        before, text = ann.sees(room), shared.text
        for now, then in (("Vote (1)", "Vote"), ("Vote", "Vote (1)")):
            pressed = await ann.presses(shared, now)
            assert (pressed.messages, pressed.original) == ([], shared)
            assert then in shared.buttons
            assert shared.text == text
        assert f"Shared by <@{ann.user.id}>" in text
        assert ann.sees(room) == before


async def test_a_shared_card_shows_the_votes_of_others_too(stocked: Database) -> None:
    """The edit shows the store's count."""
    async with FakeDiscord() as discord, running(stocked, discord):
        _, room, ann, bob = _people(discord)
        card = (await ann.asks(room, "show", paper=REFS[0])).message
        shared = (await ann.presses(card, "Share")).message
        await bob.asks(room, "list vote", paper=REFS[0])
        await ann.presses(shared, "Vote")
        assert "Vote (2)" in shared.buttons


async def test_a_vote_from_a_list_is_told_to_who_votes(stocked: Database) -> None:
    """In one's own answer and in one that all see, which stay as they are."""
    async with FakeDiscord() as discord, running(stocked, discord):
        _, room, ann, bob = _people(discord)
        listed = (await ann.asks(room, "latest")).message
        shared = (await ann.presses(listed, "Share")).message
        for message, words in ((listed, "You voted for"), (shared, "was removed")):
            told = (await ann.chooses(message, f"vote in:words {REFS[0]}")).message
            assert words in told.text
            assert told.ephemeral_for is ann.user
        question = (await bob.chooses(shared, f"vote in:words {REFS[0]}")).message
        assert f"/papers vote {REFS[0]}\n" in question.text
        told = (await bob.presses(question, "Vote")).message
        assert "You voted for Sparse Attention: 1 vote here." in told.text
        assert told.ephemeral_for is bob.user
        assert not shared.edited


async def test_where_no_vote_counts_nothing_votes(stocked: Database) -> None:
    """Direct messages have no votes; papers can be saved there."""
    async with FakeDiscord() as discord, running(stocked, discord):
        _, _, ann, _ = _people(discord)
        card = (await ann.asks(ann.dm, "show", paper=REFS[0])).message
        assert "Save" in card.buttons
        assert "Vote" not in card.buttons
        listed = (await ann.asks(ann.dm, "latest")).message
        assert [each["placeholder"] for each in listed.selects] == ["Save a paper"]


async def test_what_fails_is_never_quiet(stocked: Database) -> None:
    """The user reads why a vote failed, and the card does not change."""
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
    """Wait until the last paper of the post has so many votes of a workspace."""

    async def are_there() -> bool:
        return (await database.read(of_refs, workspace, REFS)).get(REFS[2], 0) == votes

    await until(are_there)


def _lose_votes(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE vote")
