"""The list of a user: the same in every server and in direct messages."""

from collections.abc import Awaitable

from sqlalchemy import select
from sqlmodel import SQLModel

from store.database import Database, Session
from tests.adapters.discord.connected_bot import running
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.fakes.discord import FakeDiscord, Interaction, Message


async def test_a_person_has_one_list_everywhere(stocked: Database) -> None:
    """In two servers, in direct messages, and where the bot is no member."""
    async with FakeDiscord() as discord, running(stocked, discord):
        one, two = discord.add_guild("One"), discord.add_guild("Two")
        person = discord.add_person("ann", installed=True)
        ann = one.add_member(person)
        two.add_member(person)
        here, there = one.add_channel("general"), two.add_channel("general")
        two.remove_bot()
        await ann.asks(here, "list save", paper="1")
        await ann.asks(ann.dm, "list note", paper="2", text="from home")
        await ann.asks(there, "list save", paper="3")
        for place in (here, there, ann.dm):
            listed = (await ann.asks(place, "list saved")).message.text
            assert "3 papers" in listed
            assert "Your note: from home" in listed


async def test_a_page_of_the_list_is_one_message(stocked: Database) -> None:
    """With papers before it and after it, all its buttons and its menu fit beside each other."""
    titles = [f"Kites, part {rank}: {'steering ' * 9}" for rank in range(1, 21)]
    await stocked.write(take_in, edition(*(entry(n, each) for n, each in enumerate(titles, 1))))
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        for rank in range(1, 21):
            await ann.asks(channel, "list save", paper=f"2026-01-05#{rank}")
        first = (await ann.asks(channel, "list saved")).message
        second = (await ann.presses(first, "Next")).message
        assert {"Previous", "Next"} <= {*second.buttons}
        assert "Share" not in second.buttons
        for message in (first, second):
            assert "More" not in message.buttons


async def test_words_behind_buttons_are_forgotten_too(database: Database) -> None:
    """After `forget` no table holds a note that a button was to write; another's buttons work."""
    secret = "what I think of my own boss and of this " * 3
    titles = ("Sparse Kites", "Sparse Rain")
    await database.write(take_in, edition(*(entry(n, each) for n, each in enumerate(titles, 1))))
    async with FakeDiscord() as discord, running(database, discord):
        guild = discord.add_guild("G")
        channel, people = guild.add_channel("general"), [*map(guild.add_member, ("ann", "ben"))]
        asked = [
            await _answer(each.asks(channel, "list note", paper="sparse", text=secret))
            for each in people
        ]
        ann, ben = people
        assert secret.strip() in await database.read(_all_text)
        told = await _answer(ann.asks(channel, "list forget"))
        assert "2 long commands behind buttons" in told.text
        await _answer(ann.presses(told, "Delete all of it"))
        [rain] = (each for each in asked[1].buttons if each.startswith("Sparse Rain"))
        noted = await _answer(ben.presses(asked[1], rain))
        assert secret.strip() in noted.text
        told = await _answer(ben.asks(channel, "list forget"))
        await _answer(ben.presses(told, "Delete all of it"))
        assert "my own boss" not in await database.read(_all_text)
        lost = await _answer(ben.presses(asked[1], rain))
        assert "What that stood for is no longer known." in lost.text


async def _answer(asked: Awaitable[Interaction]) -> Message:
    """Return the message that an interaction ends with, however long that takes."""
    return (await (await asked).answered()).message


def _all_text(session: Session) -> str:
    """Return every value of every table."""
    connection = session.connection()
    return "\n".join(
        str(value)
        for table in SQLModel.metadata.tables.values()
        for row in connection.execute(select(table))
        for value in row
    )
