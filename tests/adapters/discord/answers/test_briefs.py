"""Briefs: one for a user in all servers and in direct messages."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.database import Database
from tests.adapters.common.long_papers import add_long_papers
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import FakeDiscord, Message


@pytest.fixture
def long(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with a week of long papers."""
    path = tmp_path / "long.db"
    path.write_bytes(sqlite_template.read_bytes())
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(add_long_papers(database))
        yield database


def papers(message: Message) -> list[int]:
    """Return the numbers of the papers that a message shows, in order."""
    return [int(number) for number in re.findall(r"### \d+\\?\. Long Paper (\d+)", message.text)]


async def test_a_person_has_one_place_in_servers_and_alone(long: Database) -> None:
    """A server, its button, another server and a direct message go on where the last ended."""
    async with FakeDiscord() as discord, running(long, discord):
        guilds = [discord.add_guild(name) for name in ("G", "H")]
        channels = [guild.add_channel("general") for guild in guilds]
        ann, bob = guilds[0].add_member("ann"), guilds[0].add_member("bob")
        guilds[1].add_member(ann)
        first = await ann.asks(channels[0], "brief", minutes=1)
        assert first.message.ephemeral_for is ann.user
        second = await ann.presses(first.message, "Next 1 minute")
        third = await ann.asks(channels[1], "brief", minutes=1)
        fourth = await ann.asks(ann.dm, "brief", minutes=1)
        other = await bob.asks(channels[0], "brief", minutes=1)
        told = [papers(each.message) for each in (first, second, third, fourth, other)]
        assert told == [[1], [2], [3], [4], [1]]
