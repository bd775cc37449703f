"""The fake Discord works with the real library."""

import discord
import pytest

from tests.fakes.discord import FakeDiscord, Permission
from tests.fakes.tests.discord_client import Client, connected


async def test_an_ephemeral_answer_is_visible_to_its_user() -> None:
    """An ephemeral answer is visible to its user."""
    async with FakeDiscord() as fake, connected(fake):
        guild = fake.add_guild()
        channel, ann, bob = (
            guild.add_channel("general"),
            guild.add_member("ann"),
            guild.add_member("bob"),
        )
        answer = await ann.asks(channel, "latest", source="paperdive")
        assert answer.message.texts == ["Newest of paperdive"]
        assert ann.sees(channel) == [answer.message]
        assert bob.sees(channel) == []
        with pytest.raises(AssertionError, match="not seen"):
            await bob.presses(answer.message, "Form")


async def test_interactions_reach_the_bot() -> None:
    """Autocomplete, buttons, modals, selects and message commands reach the bot."""
    async with FakeDiscord() as fake, connected(fake):
        guild = fake.add_guild()
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        assert await ann.completes(channel, "latest", source="da") == [
            {"name": "da…", "value": "da"}
        ]
        answer = await ann.asks(channel)
        opened = await ann.presses(answer.message, "Form")
        with pytest.raises(AssertionError, match="must be filled in"):
            await ann.submits(opened.modal, {})
        assert (await ann.submits(opened.modal, {"Name": "Bo"})).message.texts == ["got Bo"]
        assert (await ann.chooses(answer.message, "One")).message.texts == ["chose ['1']"]
        said = ann.says(channel, "a link")
        assert (await ann.looks_up(said)).message.texts == ["in a link"]


async def test_a_deferred_answer_stays_ephemeral() -> None:
    """The first follow-up edits the deferred answer, which stays ephemeral; the next posts one."""
    async with FakeDiscord() as fake, connected(fake):
        guild = fake.add_guild()
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        answer = await (await ann.asks(channel, "slow")).answered()
        await fake.settled(lambda: len(answer.messages) > 1)
        assert answer.deferred
        shown = [(message.text, message.ephemeral) for message in answer.messages]
        assert shown == [("first", True), ("second", False)]


async def test_missed_events_are_sent_on_resume() -> None:
    """After an aborted connection and after RECONNECT the session resumes and no event is lost."""
    async with FakeDiscord() as fake, connected(fake):
        guild = fake.add_guild()
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        await fake.cut()
        assert (await ann.asks(channel)).message.ephemeral
        await fake.reconnect()
        assert (await ann.asks(channel)).message.ephemeral
        assert (fake.gateway.identified, fake.gateway.resumed) == (1, 2)


async def test_an_invalid_session_identifies_again() -> None:
    """A client identifies again after its session was invalidated."""
    async with FakeDiscord() as fake, connected(fake):
        guild = fake.add_guild()
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        # The library waits up to five seconds before it identifies again: enough to see it gone.
        await fake.invalidate()
        await fake.settled(lambda: not fake.gateway.open)
        assert (await ann.asks(channel)).error == "the application did not respond"


async def test_guild_events_reach_the_client() -> None:
    """Joining, leaving and outages of a guild reach the client as different events."""
    async with FakeDiscord() as fake, connected(fake) as client:
        await client.wait_until_ready()
        guild = fake.add_guild("G")
        await fake.settled(lambda: "joined G" in client.events)
        guild.unavailable()
        guild.back()
        guild.remove_bot()
        guild.add_bot()
        await fake.settled(lambda: client.events[-1:] == ["joined G"] and len(client.events) > 1)
        assert client.events == ["joined G", "lost G", "back G", "left G", "joined G"]


async def test_the_client_caches_channels_and_permissions() -> None:
    """The client has a new channel in its cache, with tags and its own permissions."""
    async with FakeDiscord() as fake, connected(fake) as client:
        guild = fake.add_guild()
        lacking = Permission.SEND_MESSAGES
        forum = guild.add_channel("papers", kind="forum", tags=["agents"], bot_lacks=lacking)
        found = await fake.settled(lambda: client.get_channel(forum.id))
        assert isinstance(found, discord.ForumChannel)
        assert [tag.name for tag in found.available_tags] == ["agents"]
        assert not found.permissions_for(found.guild.me).send_messages
        assert found.permissions_for(found.guild.me).view_channel


async def test_a_user_installed_app() -> None:
    """An app that only the user installed gets interactions from places without the bot."""
    async with FakeDiscord() as fake, connected(fake) as client:
        ann = fake.add_person("ann", installed=True)
        bob = fake.add_person("bob")
        guild, group = fake.add_guild("H", bot=False), fake.add_group(ann, bob)
        channel = guild.add_channel("general")
        guild.add_member(ann)
        guild.add_member(bob)
        for place in (channel, ann.dm, group):
            assert (await ann.asks(place)).message.ephemeral
        contexts = [(i.context.guild, i.context.dm_channel) for i in client.interactions]
        assert contexts == [(True, False), (False, True), (False, False)]
        owners = [(i.is_guild_integration(), i.is_user_integration()) for i in client.interactions]
        assert owners == [(False, True), (False, True), (False, True)]
        with pytest.raises(AssertionError, match="has the app"):
            await bob.asks(channel)


async def test_unregistered_commands_cannot_be_entered() -> None:
    """Unknown commands, unknown options and values of a wrong type can't be entered."""
    async with FakeDiscord() as fake, connected(fake):
        guild = fake.add_guild()
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        with pytest.raises(AssertionError, match="never registered"):
            await ann.asks(channel, "newest")
        with pytest.raises(AssertionError, match="no options"):
            await ann.asks(channel, "latest", week="W02")
        with pytest.raises(AssertionError, match="takes no 3"):
            await ann.asks(channel, "latest", source=3)


async def test_a_wrong_token_cannot_log_in() -> None:
    """Login fails with a token that is not the bot's."""
    async with FakeDiscord() as fake:
        fake.expect_refusals = True
        client = Client()
        async with connected(fake):
            with pytest.raises(discord.LoginFailure):
                await client.login("another")
        await client.close()
        assert [refusal.why for refusal in fake.refused] == ["401: Unauthorized"]


async def test_an_interaction_can_be_repeated() -> None:
    """A repeated interaction is the same; a second first response is refused."""
    async with FakeDiscord() as fake, connected(fake) as client:
        guild = fake.add_guild()
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        answer = await ann.asks(channel)
        await fake.repeat(answer)
        assert [each.id for each in client.interactions] == [answer.id, answer.id]
        callback = "POST /interactions/{interaction_id}/{interaction_token}/callback"
        assert [call.code for call in fake.calls(callback)] == [None, 40060]
        assert len(answer.messages) == 1
