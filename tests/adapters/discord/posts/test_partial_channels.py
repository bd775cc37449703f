"""Posts of a process without the gateway, which does not fetch known channels."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.discord.posts.channel_client import DiscordChannelClient
from bot.errors import Gone, NotAllowed, Rejected
from tests.adapters.discord.post_senders import POST, PUBLISH, THREAD, message_to, poster_for
from tests.fakes.discord import FakeDiscord, Permission

CROSSPOSTED = 1 << 0
FORUM_POST = "POST /channels/{channel_id}/threads"
FETCH = "GET /channels/{channel_id}"


@asynccontextmanager
async def poster(
    fake: FakeDiscord, *, gateway: bool = False
) -> AsyncIterator[DiscordChannelClient]:
    """Yield a channel client."""
    async with poster_for(fake, gateway=gateway) as made:
        yield DiscordChannelClient(made.sender)


async def test_a_post_is_one_request() -> None:
    """A post takes one request, and another to publish it; it is found at its URL."""
    async with FakeDiscord() as fake, poster(fake) as made:
        for kind in ("text", "news", "voice", "public_thread"):
            guild = fake.add_guild()
            room = guild.add_channel("papers", kind={"news": "announcement"}.get(kind, "text"))
            if kind == "public_thread":
                room = guild.add_thread(room, "Week 2")
            message = message_to(room, kind=kind)
            before, began = len(fake.calls()), datetime.now(UTC)
            posted = await made.send(message)
            asked = [call.name for call in fake.calls()[before:]]
            assert await made.find(message, began) == posted
            assert asked == ([POST, PUBLISH] if kind == "news" else [POST])
            [standing] = room.posts
            assert posted.url == f"https://discord.com/channels/{guild.id}/{room.id}/{standing.id}"
            assert bool(standing.flags & CROSSPOSTED) is (kind == "news")


async def test_what_was_not_published_is_when_it_is_found() -> None:
    """An announcement whose process ended before it was published goes out all the same."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers", kind="announcement")
        async with poster(fake) as made:
            began = datetime.now(UTC)
            await made.send(message_to(room, kind="text"))
            assert not room.posts[0].flags & CROSSPOSTED
            assert await made.find(message_to(room, kind="news"), began)
        assert room.posts[0].flags & CROSSPOSTED


async def test_both_sorts_of_process_tell_the_same_place() -> None:
    """The URL of a post does not depend on the client's cache."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        urls = []
        for number, gateway in enumerate((True, False)):
            async with poster(fake, gateway=gateway) as made:
                posted = await made.send(message_to(room, number))
                urls.append(posted.url.replace(str(posted.message), "the message"))
        assert urls[0] == urls[1]


async def test_a_thread_of_ten_is_ten_requests_and_one_that_opens_it() -> None:
    """No request is spent on the root, its thread, or the types of either."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        async with poster(fake) as made:
            before, thread = len(fake.calls()), None
            root = await made.send(message_to(room))
            for number in range(2, 12):
                message = replace(message_to(room, number), root=root, threaded=True, thread=thread)
                thread = (await made.send(message)).place
            asked = [call.name for call in fake.calls()[before:]]
        assert asked == [POST, THREAD, *[POST] * 10]
        [opened] = fake.threads_of(room)
        assert len(opened.posts) == 10


async def test_a_post_of_a_forum_takes_what_the_forum_is() -> None:
    """Its tags are looked up; what follows in its thread is one request each."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers", kind="forum")
        async with poster(fake) as made:
            before = len(fake.calls())
            root = await made.send(message_to(room, kind="forum"))
            await made.send(replace(message_to(room, 2, "forum"), root=root, threaded=True))
            await made.send(replace(message_to(room, 3, "forum"), root=root))
            asked = [call.name for call in fake.calls()[before:]]
        assert asked == [FETCH, FORUM_POST, POST, POST]


async def test_a_channel_that_is_not_what_it_was_is_asked_what_it_is() -> None:
    """A forum stored as another type gets its thread."""
    async with FakeDiscord() as fake, poster(fake) as made:
        fake.expect_refusals = True
        for kind in ("text", "news", "public_thread"):
            room = fake.add_guild().add_channel("papers", kind="forum")
            posted = await made.send(message_to(room, kind=kind))
            [thread] = fake.threads_of(room)
            assert (posted.place, posted.message) == (str(thread.id), str(thread.posts[0].id))


async def test_a_category_takes_no_posts_whatever_it_was_taken_for() -> None:
    """A channel that takes no messages is tried once."""
    async with FakeDiscord() as fake:
        fake.expect_refusals = True
        room = fake.add_guild().add_channel("papers", kind="category")
        async with poster(fake) as made:
            with pytest.raises(Rejected):
                await made.send(message_to(room))
        assert len(fake.calls(POST)) == 1


async def test_what_the_bot_may_not_do_is_told_by_discord() -> None:
    """A refusal by Discord is the same error as one that the client knows before."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        mute = guild.add_channel("mute", bot_lacks=Permission.SEND_MESSAGES)
        flat = guild.add_channel("flat", bot_lacks=Permission.CREATE_PUBLIC_THREADS)
        async with poster(fake) as made:
            with pytest.raises(NotAllowed):
                await made.send(message_to(mute))
            root = await made.send(message_to(flat))
            with pytest.raises(NotAllowed):
                await made.send(replace(message_to(flat, 2), root=root, threaded=True))
            flat.deleted = True
            with pytest.raises(Gone):
                await made.send(message_to(flat, 3))
            assert await made.find(message_to(flat, 3), datetime.now(UTC)) is None


async def test_a_message_counts_in_the_limit_of_its_channel() -> None:
    """The limit of the bot is kept for each request by itself."""
    async with FakeDiscord() as fake:
        room = fake.add_guild().add_channel("papers")
        async with poster(fake) as made:
            lanes = made.rate_limits(message_to(room).channel)
        assert [lane.key for lane in lanes] == [f"discord:{room.id}"]
