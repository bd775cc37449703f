"""Requests that the library may not retry."""

from typing import TYPE_CHECKING, cast

import pytest

from adapters.discord.api.calls import RepeatError, once
from tests.adapters.discord.post_senders import CREATE, poster_for
from tests.fakes.discord import FakeDiscord, RateLimited, ServerError

if TYPE_CHECKING:
    from discord import ForumChannel


async def test_a_request_that_may_have_been_carried_out_is_not_repeated() -> None:
    """The library's retry is stopped before it is sent; other requests go on."""
    async with FakeDiscord() as fake:
        forum = fake.add_guild().add_channel("papers", kind="forum")
        async with poster_for(fake) as poster:
            fake.fail(CREATE, ServerError(500, stored=True))
            channel = cast("ForumChannel", await poster.client.fetch_channel(forum.id))
            with once(), pytest.raises(RepeatError):
                await channel.create_thread(name="Week 2", content="Papers")
            assert len(fake.calls(CREATE)) == 1
            await poster.client.fetch_channel(forum.id)
            await poster.client.fetch_channel(forum.id)


async def test_a_rate_limit_is_waited_out() -> None:
    """A request that got 429 was not carried out, and is made again."""
    async with FakeDiscord() as fake:
        forum = fake.add_guild().add_channel("papers", kind="forum")
        async with poster_for(fake) as poster:
            fake.fail(CREATE, RateLimited(after=0.05), times=2)
            channel = cast("ForumChannel", await poster.client.fetch_channel(forum.id))
            with once():
                await channel.create_thread(name="Week 2", content="Papers")
        assert [call.status for call in fake.calls(CREATE)] == [429, 429, 200]


async def test_outside_of_it_the_library_repeats_as_it_likes() -> None:
    """Only requests inside `once` are limited to one."""
    async with FakeDiscord() as fake:
        channel = fake.add_guild().add_channel("general")
        name = "GET /channels/{channel_id}"
        async with poster_for(fake, gateway=False) as poster:
            fake.fail(name, ServerError(500))
            await poster.client.fetch_channel(channel.id)
        assert [call.status for call in fake.calls(name)] == [500, 200]
