"""The channel client as the delivery worker uses it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.discord.posts.channel_client import SEND_SECONDS, DiscordChannelClient
from bot.errors import Gone, NotAllowed, OutcomeUnknown, RetryLater
from bot.posting.ports import Message, PostedMessage
from bot.replies.blocks import Actions, Button, Reply, Text, Visibility
from store.database import Database
from store.records import Channel, Workspace
from tests.adapters.discord.connected_bot import running
from tests.adapters.discord.post_senders import (
    LONG_LINE,
    POST,
    PUBLISH,
    THREAD,
    poster_for,
    posts,
)
from tests.fakes.discord import (
    Channel as Room,
)
from tests.fakes.discord import (
    Drop,
    FakeDiscord,
    Refuse,
    ServerError,
)

CROSSPOSTED = 1 << 0
TITLE = "Top AI papers, Jan 5–11"
OPEN_DM = "POST /users/@me/channels"


@asynccontextmanager
async def poster(fake: FakeDiscord, *, gateway: bool = True) -> AsyncIterator[DiscordChannelClient]:
    """Yield a channel client, each time a new one as after a restart."""
    async with poster_for(fake, gateway=gateway) as made:
        yield DiscordChannelClient(made.sender)


def saying(text: str) -> Reply:
    """Return what one message says."""
    return Reply((Text(text),), visibility=Visibility.CHANNEL)


def message_to(room: Room, number: int = 1) -> Message:
    """Return a message of a post to a channel."""
    server = Workspace("discord", str(room.guild.id) if room.guild else "@1")
    key = f"key-{room.id % 100_000}-{number}"
    return Message(
        Channel(server, str(room.id)),
        key,
        saying(f"Message {number}"),
        title=TITLE,
        topics=("agents",),
    )


async def reply_to(
    made: DiscordChannelClient,
    room: Room,
    root: PostedMessage,
    number: int,
    thread: str | None = None,
) -> PostedMessage:
    """Send a reply of a post to its root."""
    message = replace(message_to(room, number), root=root, threaded=True, thread=thread)
    return await made.send(message)


def now() -> datetime:
    """Return the time by which the outbox notes when it began to send."""
    return datetime.now(UTC)


def said(room: Room) -> list[str]:
    """Return the texts in a channel."""
    return [message.text for message in room.posts]


async def test_where_there_are_no_threads_replies_follow() -> None:
    """Inside of a thread and in direct messages a post with replies is one after another."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        thread = guild.add_thread(guild.add_channel("general"), "Papers")
        direct = fake.add_person("ann").dm
        async with poster(fake) as made:
            for room in (thread, direct):
                root = await made.send(message_to(room))
                message = replace(message_to(room, 2), root=root, threaded=True)
                assert await made.find(message, now()) is None
                assert await made.send(message) == await made.find(message, now())
        assert said(thread) == said(direct) == ["Message 1", "Message 2"]


async def test_announcements_are_published_and_their_replies_are_not() -> None:
    """The post is published; the messages of its thread are not."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("news", kind="announcement")
        async with poster(fake) as made:
            root = await made.send(message_to(room))
            await reply_to(made, room, root, 2)
        assert len(fake.calls(PUBLISH)) == 1
        assert [each.flags & CROSSPOSTED for each in room.posts] == [CROSSPOSTED]


async def test_a_thread_that_was_opened_unnoticed_is_opened_once() -> None:
    """A lost answer to that is no unclear message: it is made sure of, and then replied in."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        async with poster(fake) as made:
            root = await made.send(message_to(room))
            fake.fail(THREAD, ServerError(503), times=6)
            with pytest.raises(RetryLater):
                await reply_to(made, room, root, 2)
            fake.fail(THREAD, Drop(stored=True))
            await reply_to(made, room, root, 2)
        [thread] = fake.threads_of(room)
        assert said(thread) == ["Message 2"]


async def test_where_the_place_is_gone_nothing_stands_there() -> None:
    """A channel or thread that was deleted is certain to hold no post; sending says it is gone."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        room, other = guild.add_channel("papers"), guild.add_channel("other")
        async with poster(fake) as made:
            root = await made.send(message_to(room))
            first = await reply_to(made, room, root, 2)
            [thread] = fake.threads_of(room)
            guild.remove_channel(thread)
            guild.remove_channel(other)
            message = replace(message_to(room, 3), root=root, threaded=True, thread=first.place)
            for gone in (message, message_to(other)):
                assert await made.find(gone, now()) is None
                with pytest.raises(Gone):
                    await made.send(gone)


async def test_a_root_that_somebody_removed_gets_no_thread() -> None:
    """The replies to a deleted root are not posted elsewhere."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        async with poster(fake) as made:
            root = await made.send(message_to(room))
            room.posts[0].deleted = True
            again = await made.send(message_to(room))
            assert again == PostedMessage(str(room.id), None)
            for each in (root, again):
                with pytest.raises(Gone):
                    await reply_to(made, room, each, 2)
        assert posts(fake) == []


async def test_a_person_is_told_once() -> None:
    """A repeated notification is searched for first; if that fails, it is sent again."""
    async with FakeDiscord() as fake:
        server = Workspace("discord", str(fake.add_guild().id))
        ann, bob = fake.add_person("ann"), fake.add_person("bob", closed=True)
        eve = fake.add_person("eve")
        async with poster(fake) as made:
            began = now()
            await made.notify_user(server, str(ann.id), saying("It ended."), "n7", None)
            fake.pass_time(3600)
            await made.notify_user(server, str(ann.id), saying("It ended."), "n7", began)
            assert said(ann.dm) == ["It ended."]
            fake.fail("GET /channels/{channel_id}/messages", Refuse(403, 50001))
            await made.notify_user(server, str(ann.id), saying("It ended."), "n7", began)
            assert said(ann.dm) == ["It ended.", "It ended."]
            with pytest.raises(NotAllowed):
                await made.notify_user(server, str(bob.id), saying("It ended."), "n8", None)
            fake.fail(OPEN_DM, ServerError(503))
            with pytest.raises(RetryLater):
                await made.notify_user(server, str(eve.id), saying("It ended."), "n9", None)


async def test_the_platform_posts_by_it(stocked: Database) -> None:
    """The running platform posts, with stored command strings too."""
    long = replace(saying("Papers"), blocks=(Actions((Button("Search", LONG_LINE),)),))
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        room, ann = guild.add_channel("papers"), guild.add_member("ann")
        async with running(stocked, fake) as platform:
            await platform.channel_client.send(replace(message_to(room), reply=long))
            answer = await ann.presses(room.posts[0], "Search")
            assert answer.message.ephemeral
            assert "mixture of experts" in answer.message.text


async def test_it_ends_by_itself_before_the_sender_gives_up() -> None:
    """A failing Discord is an error within the time, its waits counted too."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        fake.fail(POST, ServerError(503), times=20)
        async with poster_for(fake, window=SEND_SECONDS) as made:
            with pytest.raises(OutcomeUnknown):
                await DiscordChannelClient(made.sender).send(message_to(room))
            assert made.slept == [1.0, 2.0, 5.0, 10.0, 20.0]


async def test_a_server_that_the_bot_left_is_told_from_a_closed_channel() -> None:
    """The error says that the bot was removed, not that a permission is missing."""
    async with FakeDiscord() as discord:
        discord.expect_refusals = True
        guild = discord.add_guild("G")
        room = guild.add_channel("ml")
        guild.bot_in = False
        guild.members.pop(discord.bot.id, None)
        discord.add_guild("H")
        async with poster(discord, gateway=False) as made:
            with pytest.raises(NotAllowed) as raised:
                await made.send(message_to(room))
            assert raised.value.code == "removed"
        guild.add_bot()
        discord.fail("POST /channels/{channel_id}/messages", Refuse(403, 50001))
        async with poster(discord, gateway=False) as made:
            with pytest.raises(NotAllowed) as raised:
                await made.send(message_to(room))
            assert raised.value.code == "50001"
