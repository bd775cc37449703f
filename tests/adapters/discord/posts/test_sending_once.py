"""Posts are sent once, whatever fails on the way to Discord and back."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from adapters.discord.channels.resolver import PostTarget
from bot.errors import Gone, NotAllowed, OutcomeUnknown, Rejected, RetryLater
from bot.posting.ports import PostedMessage
from tests.adapters.discord.post_senders import (
    CREATE,
    KEY,
    POST,
    REPLY,
    Poster,
    place_of,
    poster_for,
    posts,
    target,
)
from tests.chaos.faults.partition import Target, Way
from tests.fakes.discord import Channel, Drop, FakeDiscord, RateLimited, Refuse, ServerError, Slow


@dataclass(frozen=True)
class Spot:
    """A kind of place to post to, and the request that does it."""

    name: str
    request: str
    make: Callable[[FakeDiscord], PostTarget]

    def __str__(self) -> str:
        """Return what pytest calls it."""
        return self.name


def _channel(fake: FakeDiscord, kind: str = "text") -> Channel:
    return fake.add_guild().add_channel("papers", kind=kind)


def _thread(fake: FakeDiscord) -> PostTarget:
    guild = fake.add_guild()
    return target(guild.add_thread(guild.add_channel("general"), "Week 2"))


TEXT = Spot("text", POST, lambda fake: target(_channel(fake)))
ANNOUNCEMENT = Spot("announcement", POST, lambda fake: target(_channel(fake, "announcement")))
IN_THREAD = Spot("thread", POST, _thread)
FORUM = Spot("forum", CREATE, lambda fake: target(_channel(fake, "forum")))
DIRECT = Spot("direct", POST, lambda fake: PostTarget(fake.add_person("ann").id, direct=True))
SPOTS = (TEXT, ANNOUNCEMENT, IN_THREAD, FORUM, DIRECT)

# Each is one try; of several the answers are lost one after the other.
FAULTS: tuple[tuple[Any, ...], ...] = (
    (ServerError(500),),
    (ServerError(500, stored=True),),
    (ServerError(503),),
    (ServerError(503, stored=True),),
    (Drop(stored=False),),
    (Drop(stored=True),),
    (RateLimited(after=0.05),),
    (RateLimited(after=0.05, is_global=True),),
    (Drop(stored=False), ServerError(503, stored=True), Drop(stored=True)),
)


async def sent_to(poster: Poster, where: PostTarget, key: str = KEY) -> PostedMessage:
    """Post to a place."""
    return await poster.sender.send(where, REPLY, key, title="Top AI papers")


@pytest.mark.parametrize("spot", SPOTS, ids=str)
async def test_one_post_stands_there_after_faults(spot: Spot) -> None:
    """One post exists after any of them, and the sender knows its id."""
    async with FakeDiscord() as fake:
        where = spot.make(fake)
        async with poster_for(fake) as poster:
            for number, faults in enumerate(FAULTS):
                for fault in faults:
                    fake.fail(spot.request, fault)
                sent = await sent_to(poster, where, f"key-{number}")
                found = await poster.sender.find(place_of(sent), f"key-{number}")
                assert found, faults
                assert found.message == sent.message == str(posts(fake)[-1].id), faults
                assert len(posts(fake)) == number + 1, faults


@pytest.mark.parametrize("spot", SPOTS, ids=str)
async def test_what_stays_unclear_is_said_to_be_and_found_later(spot: Spot) -> None:
    """The outcome is unknown if all responses are lost; `find` tells it later."""
    async with FakeDiscord() as fake:
        where = spot.make(fake)
        fake.fail(spot.request, ServerError(503), times=6)
        async with poster_for(fake) as poster:
            with pytest.raises(OutcomeUnknown):
                await sent_to(poster, where)
            assert await poster.sender.find(where, KEY) is None
            fake.fail(spot.request, Drop(stored=True), times=6)
            if spot is FORUM:
                # It looks for itself, and nothing else can tell it apart from a new one.
                assert (await sent_to(poster, where)).message == str(posts(fake)[0].id)
            else:
                with pytest.raises(OutcomeUnknown):
                    await sent_to(poster, where)
            found = await poster.sender.find(where, KEY)
        assert found
        assert [str(message.id) for message in posts(fake)] == [found.message]


async def test_a_refused_connection_does_not_undo_what_a_500_may_have_done() -> None:
    """The library repeats a message after a 500, and finds nobody: the first may stand there."""
    async with FakeDiscord() as fake, AsyncExitStack() as way_there:
        where = TEXT.make(fake)
        fake.fail(POST, ServerError(500, stored=True))
        port = int(fake.url.rpartition(":")[2])
        way = await way_there.enter_async_context(Way(Target(port)))
        fake.url = f"http://{way.host}"
        async with poster_for(fake, gateway=False) as poster:
            sending = asyncio.create_task(sent_to(poster, where))
            await fake.settled(lambda: [call for call in fake.calls(POST) if call.status])
            await asyncio.sleep(0.1)  # the answer arrives, well before the repetition
            await way_there.aclose()
            with pytest.raises(OutcomeUnknown):
                await sending
        assert len(posts(fake)) == 1


@pytest.mark.parametrize("spot", [TEXT, IN_THREAD, DIRECT], ids=str)
async def test_the_same_key_sent_again_gives_the_same_post(spot: Spot) -> None:
    """A process that was killed between sending and noting it may send again, for some minutes."""
    async with FakeDiscord() as fake:
        where = spot.make(fake)
        async with poster_for(fake) as poster:
            first = await sent_to(poster, where)
        async with poster_for(fake) as another:
            second = await sent_to(another, where)
            third = await sent_to(another, where, "another-key")
        assert second == first
        assert [str(message.id) for message in posts(fake)] == [first.message, third.message]


async def test_a_long_rate_limit_is_for_later() -> None:
    """Nothing is sent, and the sender learns when to retry."""
    async with FakeDiscord() as fake:
        places = [(spot, spot.make(fake)) for spot in SPOTS]
        async with poster_for(fake) as poster:
            for spot, where in places:
                fake.fail(spot.request, RateLimited(after=600))
                with pytest.raises(RetryLater) as caught:
                    await sent_to(poster, where)
                assert caught.value.after == 600, spot
        assert posts(fake) == []


async def test_what_fails_before_anything_is_sent_is_for_later() -> None:
    """A conversation that could not be opened leaves nothing open about the post."""
    async with FakeDiscord() as fake:
        ann = fake.add_person("ann")
        fake.fail("POST /users/@me/channels", Drop(stored=True))
        async with poster_for(fake) as poster:
            with pytest.raises(RetryLater):
                await sent_to(poster, PostTarget(ann.id, direct=True))
        assert fake.calls(POST) == []


async def test_a_forum_that_can_not_be_looked_through_gets_no_second_post() -> None:
    """The outcome stays unknown without Read Message History."""
    async with FakeDiscord() as fake:
        forum = fake.add_guild().add_channel("papers", kind="forum")
        fake.fail(CREATE, Drop(stored=True))
        fake.fail("GET /guilds/{guild_id}/threads/active", Refuse(403, 50001), times=9)
        async with poster_for(fake) as poster:
            with pytest.raises(OutcomeUnknown):
                await sent_to(poster, target(forum))
        assert len(fake.calls(CREATE)) == 1
        assert len(posts(fake)) == 1


async def test_a_slow_post_is_one_post() -> None:
    """A request that takes its time is waited for."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        fake.fail(POST, Slow(0.3))
        async with poster_for(fake) as poster:
            await sent_to(poster, target(channel))
        assert len(fake.calls(POST)) == len(channel.posts) == 1


async def test_what_means_act_is_not_tried_again() -> None:
    """A closed or deleted channel, and a form that is not taken, are reported after one request."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        async with poster_for(fake) as poster:
            for status, code, kind in (
                (403, 50001, NotAllowed),
                (403, 50013, NotAllowed),
                (404, 10003, Gone),
                (400, 50006, Rejected),
            ):
                before = len(fake.calls(POST))
                fake.fail(POST, Refuse(status, code))
                with pytest.raises(kind):
                    await sent_to(poster, target(channel))
                assert len(fake.calls(POST)) == before + 1
