"""Posts in channels of every type, with the real client."""

import json
from typing import Any

import discord
import pytest

from adapters.discord.api.calls import Calls
from adapters.discord.channels.resolver import PostTarget
from adapters.discord.posts.post_sender import PostSender
from bot.errors import Gone, NotAllowed, Rejected, RetryLater, SendError
from bot.operations.metrics import Metrics
from bot.posting.ports import PostedMessage
from bot.replies.blocks import Actions, Button, Reply
from tests.adapters.discord.post_senders import (
    CREATE,
    EDIT,
    KEY,
    LONG_LINE,
    POST,
    PUBLISH,
    REPLY,
    THREAD,
    place_of,
    poster_for,
    target,
)
from tests.fakes.discord import Drop, FakeDiscord, Permission, RateLimited, Refuse

CROSSPOSTED, SUPPRESS_EMBEDS, COMPONENTS_V2 = 1 << 0, 1 << 2, 1 << 15


async def test_a_post_is_components_that_ping_nobody_and_carry_its_key() -> None:
    """A text channel gets one message in the newer layout, which an edit leaves it in.

    Discord knows a repeat by its nonce; the bot finds the message by the ids of its buttons. An
    edit drops the flags that it leaves out.
    """
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        async with poster_for(fake) as poster:
            sent = await poster.sender.send(target(channel), REPLY, KEY)
            await poster.sender.edit(sent, REPLY, KEY)
        (message,) = channel.posts
        assert (sent.place, sent.message) == (str(channel.id), str(message.id))
        assert sent.url.endswith(f"/{channel.id}/{message.id}")
        assert message.flags == COMPONENTS_V2 | SUPPRESS_EMBEDS
        created, edited = fake.calls(POST)[0].body, fake.calls(EDIT)[0].body
    assert (created["nonce"], created["enforce_nonce"]) == (KEY, True)
    assert "nonce" not in edited
    assert (edited["content"], edited["embeds"]) == (None, [])
    for body in (created, edited):
        assert body["flags"] == COMPONENTS_V2 | SUPPRESS_EMBEDS
        assert body["allowed_mentions"]["parse"] == []
        assert _has_its_key(body["components"])


def _has_its_key(components: list[Any]) -> bool:
    """Tell whether the key stands in every custom id, of which there are some."""
    ids = json.dumps(components)
    return ids.count(KEY) == ids.count('"custom_id"') > 0


async def test_a_key_that_discord_would_not_take_is_a_mistake_of_ours() -> None:
    """A key that can't be a nonce raises `ValueError`."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        async with poster_for(fake) as poster:
            for key in ("", "a" * 26, "a.b", "ä"):
                with pytest.raises(ValueError, match=f"^{key}$"):
                    await poster.sender.send(target(channel), REPLY, key)
        assert fake.calls(POST) == []


async def test_a_line_too_long_for_an_id_is_kept_before_it_is_sent() -> None:
    """The command string is stored before the button is sent."""
    long = Reply((Actions((Button("Search", LONG_LINE),)),), command="help")
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        fake.fail(POST, Refuse(403, 50013))
        async with poster_for(fake) as poster:
            with pytest.raises(NotAllowed):
                await poster.sender.send(target(channel), long, KEY)
            assert poster.kept == [LONG_LINE]


async def test_a_post_that_can_not_be_published_is_a_post() -> None:
    """A failed publication does not fail the post."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("news", kind="announcement")
        async with poster_for(fake) as poster:
            faults = (RateLimited(after=600), Refuse(403, 50013), Drop(stored=False))
            for number, fault in enumerate(faults):
                fake.fail(PUBLISH, fault)
                sent = await poster.sender.send(target(channel), REPLY, f"{KEY}-{number}")
                assert str(channel.posts[-1].id) == sent.message
        assert len(channel.posts) == len(faults)


async def test_a_forum_gets_a_thread_with_its_topics_as_tags() -> None:
    """A post of a forum has a title and those tags that exist; further parts go into its thread."""
    async with FakeDiscord() as fake:
        forum = fake.add_guild().add_channel(
            "papers", kind="forum", tags=["Agents", "Long Context"]
        )
        async with poster_for(fake) as poster:
            topics = ["long-context", "safety", "agents"]
            first = await poster.sender.send(
                target(forum), REPLY, KEY, title="Top AI papers, Jan 5–11", topics=topics
            )
            second = await poster.sender.send(place_of(first), REPLY, "part-2")
            there = place_of(first)
            assert await poster.sender.open_thread(there, first, "Replies") == there
        (thread,) = fake.threads_of(forum)
        assert thread.name == "Top AI papers, Jan 5–11"
        assert thread.applied_tags == [forum.tags["Long Context"], forum.tags["Agents"]]
        assert [str(message.id) for message in thread.posts] == [first.message, second.message]
        assert first.place == first.message == str(thread.id)
        [call] = fake.calls(CREATE)
        assert "nonce" not in call.body["message"]  # Discord has none for threads
        assert _has_its_key(call.body["message"]["components"])


async def test_a_forum_that_demands_a_tag_gets_one_or_says_that_it_has_none() -> None:
    """A demanded tag is never the reason why a post fails at Discord."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        forum = guild.add_channel("papers", kind="forum", tags=["News", "Talk"], require_tag=True)
        bare = guild.add_channel("bare", kind="forum", require_tag=True)
        async with poster_for(fake) as poster:
            await poster.sender.send(target(forum), REPLY, KEY, title="Papers")
            with pytest.raises(NotAllowed) as caught:
                await poster.sender.send(target(bare), REPLY, KEY, title="Papers")
        (thread,) = fake.threads_of(forum)
        assert thread.applied_tags == [forum.tags["News"]]
        assert caught.value.code == "40066"


async def test_a_closed_thread_is_opened_by_the_post() -> None:
    """Discord opens a thread that is posted to; the library does not know of closed ones."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        thread = guild.add_thread(guild.add_channel("general"), "Old", archived=True)
        async with poster_for(fake) as poster:
            await poster.sender.send(target(thread), REPLY, KEY)
        assert len(thread.posts) == 1
        assert not thread.archived


async def test_a_locked_thread_is_for_moderators() -> None:
    """Nothing is tried where only moderators may post; one that is a moderator posts."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        general = guild.add_channel("general")
        mine = {fake.bot.id: (int(Permission.MANAGE_THREADS), 0)}
        watched = guild.add_channel("watched", overwrites=mine)
        for archived in (False, True):
            guild.add_thread(general, "Done", archived=archived, locked=True)
            guild.add_thread(watched, "Done too", archived=archived, locked=True)
        async with poster_for(fake) as poster:
            for thread in fake.threads_of(general):
                with pytest.raises(NotAllowed) as caught:
                    await poster.sender.send(target(thread), REPLY, KEY)
                assert caught.value.sentence == "The thread Done is locked."
                assert thread.posts == []
            for number, other in enumerate(fake.threads_of(watched)):
                await poster.sender.send(target(other), REPLY, f"{KEY}-{number}")
                assert len(other.posts) == 1


async def test_a_direct_message_goes_to_a_person() -> None:
    """A user gets it by their id; closed direct messages are `NotAllowed`."""
    async with FakeDiscord() as fake:
        ann, bob = fake.add_person("ann"), fake.add_person("bob", closed=True)
        async with poster_for(fake) as poster:
            sent = await poster.sender.send(PostTarget(ann.id, direct=True), REPLY, KEY)
            there = place_of(sent)
            assert await poster.sender.open_thread(there, sent, "Replies") == there
            with pytest.raises(NotAllowed) as caught:
                await poster.sender.send(PostTarget(bob.id, direct=True), REPLY, KEY)
        assert [str(message.id) for message in ann.dm.posts] == [sent.message]
        assert caught.value.code == "50007"


async def test_a_post_gets_one_thread() -> None:
    """The thread of a post is made once, also where the answer to making it was lost."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        fake.fail(THREAD, Drop(stored=True))
        async with poster_for(fake) as poster:
            root = await poster.sender.send(target(channel), REPLY, KEY)
            title = "Top AI papers"
            thread = await poster.sender.open_thread(target(channel), root, title)
            assert await poster.sender.open_thread(target(channel), root, title) == thread
            await poster.sender.send(thread, REPLY, "reply-1")
        (made,) = fake.threads_of(channel)
        assert (made.id, made.name, len(made.posts)) == (thread.id, "Top AI papers", 1)


async def test_a_post_that_was_sent_as_an_embed_becomes_components() -> None:
    """An older version sent some so; an edit leaves nothing of the embed behind."""
    button = {"type": 2, "style": 2, "label": "Details 1", "custom_id": f"r1.1.{KEY}.show 1"}
    before = {"embeds": [{"description": "x"}], "components": [{"type": 1, "components": [button]}]}
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        fake.post(channel, before)
        async with poster_for(fake) as poster:
            found = await poster.sender.find(target(channel), KEY)
            assert found
            await poster.sender.edit(found, REPLY, KEY)
        (message,) = channel.posts
        assert (message.embeds, bool(message.flags & 1 << 15)) == ([], True)


async def test_a_correction_reaches_a_closed_thread_and_leaves_it_closed() -> None:
    """A message of an archived thread is edited, and the thread is archived again."""
    async with FakeDiscord() as fake:
        forum = fake.add_guild().add_channel("papers", kind="forum")
        async with poster_for(fake) as poster:
            sent = await poster.sender.send(target(forum), REPLY, KEY, title="Week 2")
            thread = fake.channels[int(sent.place)]
            thread.archived = True
            fake.fail(EDIT, Refuse(400, 50083))
            await poster.sender.edit(sent, REPLY, KEY)
        assert [message.edited for message in thread.posts] == [True]
        assert thread.archived


async def test_places_that_take_no_posts_say_so() -> None:
    """A channel that is gone, hidden or of another kind is an error in words, never a crash."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        category = guild.add_channel("Papers", kind="category")
        hidden = guild.add_channel("hidden", bot_lacks=Permission.VIEW_CHANNEL)
        async with poster_for(fake, gateway=False) as poster:
            kinds: list[type[SendError]] = []
            for channel_id in (category.id, hidden.id, 1234):
                with pytest.raises(SendError) as caught:
                    await poster.sender.send(PostTarget(channel_id), REPLY, KEY)
                kinds.append(type(caught.value))
        assert kinds == [Rejected, NotAllowed, Gone]


async def test_while_a_connection_is_made_posts_are_for_later() -> None:
    """A client that isn't logged in, or is closed, has sent nothing."""
    client = discord.Client(intents=discord.Intents.none())

    async def keep(_lines: tuple[str, ...]) -> None:
        pass

    sender = PostSender(lambda: client, Calls(Metrics()), keep)
    with pytest.raises(RetryLater):
        await sender.send(PostTarget(1), REPLY, KEY)
    await client.close()
    with pytest.raises(RetryLater):
        await sender.edit(PostedMessage("1", "2"), REPLY, KEY)
