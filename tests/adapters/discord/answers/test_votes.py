"""Votes by buttons in posts and answers, counted in each server."""

from store.database import Database
from tests.adapters.common.delivery_worker import sending, until
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import Channel, FakeDiscord, Permission, Person
from tests.fakes.discord.records import Message


async def _posted(ann: Person, channel: Channel) -> Message:
    """Have the newest edition of three papers posted in one message."""
    await ann.asks(channel, "channel subscribe", zone="UTC", layout="compact")
    await ann.asks(channel, "channel deliver")
    await until(lambda: bool(channel.posts))
    [post] = channel.posts
    return post


async def _vote(person: Person, post: Message) -> None:
    """Pick the first paper from the menu of a post that votes."""
    [menu] = [each for each in post.selects if each["placeholder"] == "Vote for a paper"]
    [value] = [each["value"] for each in menu["options"] if each["label"] == "1. Sparse Attention"]
    await person.chooses(post, value)


async def test_votes_pressed_in_a_post_show_in_it(stocked: Database) -> None:
    """No message is sent; the post is updated to the votes of its server.

    A person who is in both servers votes in each.
    """
    async with (
        FakeDiscord() as discord,
        running(stocked, discord) as platform,
        sending(stocked, "discord", platform.channel_client),
    ):
        one, two = discord.add_guild("One"), discord.add_guild("Two")
        person = discord.add_person("ann")
        manage = Permission.MANAGE_GUILD
        ann, bob = one.add_member(person, permissions=manage), one.add_member("bob")
        here, there = one.add_channel("general"), two.add_channel("general")
        two.add_member(person, permissions=manage)
        ours, theirs = [await _posted(ann, channel) for channel in (here, there)]
        before = len(ann.sees(here))
        await _vote(ann, ours)
        await _vote(bob, ours)
        await until(lambda: "2 votes" in ours.text)
        assert len(ann.sees(here)) == before
        assert not theirs.edited
        await _vote(ann, theirs)
        await until(lambda: "1 vote" in theirs.text)
        await _vote(ann, ours)
        await until(lambda: "1 vote" in ours.text)


async def test_a_vote_in_an_answer_shows_there(stocked: Database) -> None:
    """The card is updated in place; direct messages count no votes."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        shown = await ann.asks(channel, "show", paper="1")
        voted = await ann.presses(shown.message, "Vote")
        assert voted.message is shown.message
        assert "Take back vote (1)" in voted.message.buttons
        told = await ann.asks(channel, "list vote", paper="1")
        assert "Your vote for Sparse Attention was removed: 0 votes here." in told.message.text
        ranked = await ann.asks(channel, "top", period="2026", by="votes")
        assert "Nobody here has voted for any of these papers yet." in ranked.message.text
        alone = await ann.asks(ann.dm, "list vote", paper="1")
        assert "A vote counts among the people of a server" in alone.message.text
