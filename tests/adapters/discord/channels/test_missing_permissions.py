"""Missing permissions, found before a call."""

from typing import cast

import pytest

from adapters.discord.api.permissions import PERMISSIONS
from adapters.discord.channels.channel_state import (
    Action,
    can_manage_threads,
    permission_error,
    required_permissions,
)
from adapters.discord.channels.resolver import PostableChannel, PostTarget
from bot.errors import NotAllowed, RetryLater, SendError
from tests.adapters.discord.post_senders import KEY, POST, REPLY, Poster, poster_for, target
from tests.fakes.discord import Channel, FakeDiscord, Permission


def held(poster: Poster, channel: Channel) -> PostableChannel:
    """Return a channel as the client holds it."""
    return cast("PostableChannel", poster.client.get_channel(channel.id))


def sentence(poster: Poster, channel: Channel, *needs: Action) -> str | None:
    """Return the sentence of the permission error."""
    lack = permission_error(held(poster, channel), *needs)
    return lack.sentence if lack else None


async def test_everything_that_is_missing_is_named_in_one_sentence() -> None:
    """The error names all missing permissions by Discord's labels, and the channel."""
    threads, history = Permission.CREATE_PUBLIC_THREADS, Permission.READ_MESSAGE_HISTORY
    three = "Send Messages, Create Public Threads and Read Message History"
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        talk = guild.add_channel("talk", bot_lacks=Permission.SEND_MESSAGES | threads | history)
        hidden = guild.add_channel("hidden", bot_lacks=Permission.VIEW_CHANNEL)
        open_ = guild.add_channel("open")
        async with poster_for(fake) as poster:
            assert [
                sentence(poster, talk, Action.POST),
                sentence(poster, talk, Action.POST, Action.FIND),
                sentence(poster, talk, Action.POST, Action.THREAD, Action.FIND),
                sentence(poster, hidden, Action.POST),
                sentence(poster, open_, *Action),
            ] == [
                "Broadsheet may not Send Messages in #talk.",
                "Broadsheet may not Send Messages and Read Message History in #talk.",
                f"Broadsheet may not {three} in #talk.",
                "Broadsheet may not View Channels in #hidden.",
                None,
            ]
            lack = permission_error(held(poster, talk), Action.POST)
            assert lack
            assert lack.remedy == "A manager allows it: Edit Channel, Permissions, Broadsheet."


async def test_in_threads_the_permissions_are_those_of_their_channel() -> None:
    """A thread has none of its own; posting in it takes another one than posting in the channel."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        lists = guild.add_channel("lists", bot_lacks=Permission.SEND_MESSAGES_IN_THREADS)
        talk = guild.add_channel("talk", bot_lacks=Permission.SEND_MESSAGES)
        in_lists, in_talk = guild.add_thread(lists, "A"), guild.add_thread(talk, "B")
        async with poster_for(fake) as poster:
            assert [
                sentence(poster, in_lists, Action.POST),
                sentence(poster, in_talk, Action.POST),
                sentence(poster, lists, Action.POST),
                sentence(poster, lists, Action.THREAD),
            ] == [
                "Broadsheet may not Send Messages in Threads in #lists.",
                None,
                None,
                "Broadsheet may not Send Messages in Threads in #lists.",
            ]


async def test_what_is_allowed_to_a_role_of_the_bot_or_to_an_owner_counts() -> None:
    """Permissions are computed as Discord does, from everyone's, the roles' and the channel's."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        closed = guild.add_channel("closed", deny=Permission.VIEW_CHANNEL)
        mine = {
            guild.id: (0, int(Permission.VIEW_CHANNEL)),
            fake.bot.id: (int(Permission.VIEW_CHANNEL | Permission.MANAGE_THREADS), 0),
        }
        ours = guild.add_channel("ours", overwrites=mine)
        async with poster_for(fake) as poster:
            assert permission_error(held(poster, closed), Action.POST)
            assert permission_error(held(poster, ours), Action.POST) is None
            assert can_manage_threads(held(poster, ours))
            assert not can_manage_threads(held(poster, closed))


async def test_a_change_of_permissions_is_seen() -> None:
    """The client receives the change, and the next post is sent."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        channel = guild.add_channel("general", bot_lacks=Permission.SEND_MESSAGES)
        async with poster_for(fake) as poster:
            with pytest.raises(NotAllowed):
                await poster.sender.send(target(channel), REPLY, KEY)
            guild.forbid_bot(channel, 0)
            await fake.settled(lambda: permission_error(held(poster, channel), Action.POST) is None)
            await poster.sender.send(target(channel), REPLY, KEY)
        assert len(fake.calls(POST)) == len(channel.posts) == 1


async def test_nothing_is_sent_where_something_is_missing() -> None:
    """No request is spent on what Discord is sure to refuse; it bans those who make too many."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        quiet = guild.add_channel("quiet", bot_lacks=Permission.SEND_MESSAGES)
        blind = guild.add_channel("blind", bot_lacks=Permission.READ_MESSAGE_HISTORY)
        flat = guild.add_channel("flat", bot_lacks=Permission.CREATE_PUBLIC_THREADS)
        async with poster_for(fake) as poster:
            sender = poster.sender
            root = await sender.send(target(flat), REPLY, KEY)
            said: list[str] = []
            for attempt in (
                sender.send(target(quiet), REPLY, "key-1"),
                sender.find(target(blind), "key-3"),
                sender.open_thread(target(flat), root, "Replies"),
            ):
                with pytest.raises(SendError) as caught:
                    await attempt
                said.append(caught.value.sentence)
        assert said == [
            "Broadsheet may not Send Messages in #quiet.",
            "Broadsheet may not Read Message History in #blind.",
            "Broadsheet may not Create Public Threads in #flat.",
        ]
        assert len(fake.calls(POST)) == 1


async def test_of_what_the_client_does_not_know_nothing_is_claimed() -> None:
    """Direct messages, an outage and a process without the gateway have no known error."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        channel = guild.add_channel("general", bot_lacks=Permission.SEND_MESSAGES)
        async with poster_for(fake, gateway=False) as poster:
            with pytest.raises(NotAllowed) as caught:
                await poster.sender.send(PostTarget(channel.id), REPLY, KEY)
            assert caught.value.sentence == "Broadsheet lacks a permission there."
        assert len(fake.calls(POST)) == 1


def test_all_that_is_needed_is_asked_for() -> None:
    """Each required permission is among those that the invite URL requests."""
    needed = {
        flag
        for need in Action
        for thread in (True, False)
        for flag in required_permissions(need, in_thread=thread)
    }
    assert needed <= {permission.flag for permission in PERMISSIONS}


async def test_a_time_out_is_waited_for() -> None:
    """A moderator's time-out closes no channel: it ends, and what is posted then gets through."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild()
        talk = guild.add_channel("talk")
        async with poster_for(fake) as poster:
            me = poster.client.guilds[0].me
            guild.time_out_bot(90)
            await fake.settled(me.is_timed_out)
            with pytest.raises(RetryLater) as raised:
                await poster.sender.send(target(talk), REPLY, KEY)
            assert raised.value.after
            assert 80 < raised.value.after <= 90
            guild.time_out_bot(0)
            await fake.settled(lambda: not me.is_timed_out())
            await poster.sender.send(target(talk), REPLY, KEY)
        assert len(fake.calls(POST)) == 1
