"""A brief in Slack belongs to one reader, with one position on all their devices."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.database import Database
from tests.adapters.common.long_papers import add_long_papers
from tests.adapters.slack.connected_bot import running
from tests.fakes.slack import FakeSlack, Message


@pytest.fixture
def long(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with a week of long papers."""
    path = tmp_path / "long.db"
    path.write_bytes(sqlite_template.read_bytes())
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(add_long_papers(database))
        yield database


def papers(*messages: Message | None) -> list[int]:
    """Return the numbers of the papers that messages show in full, in order."""
    blocks = [block for message in messages if message for block in message.blocks]
    titles = [
        element["text"]
        for block in blocks
        if block["type"] == "rich_text"
        for section in block["elements"]
        for element in section["elements"]
        if element.get("style", {}).get("bold")
    ]
    return [int(title.strip(".").split()[-1]) for title in titles if title.startswith("Long")]


async def test_next_goes_on_and_another_starts_from_the_beginning(long: Database) -> None:
    """A command, a button on it and a direct message are one stream; a colleague has their own."""
    async with FakeSlack() as slack, running(long, slack):
        first = await slack.ask("brief 2")
        assert first.ephemeral_for == "U1"
        assert first.text.startswith("Your brief: 2 minutes, 2 papers")
        await slack.click(first, "Next 2 minutes")
        second = await _newest(slack, 2, "U1")
        other = await slack.command("brief 2", user="U2")
        await slack.direct_message("brief 1")
        third = await _newest(slack, 2, "U1", "D1")
        told = [papers(each) for each in (first, second, other.message, third)]
        assert told == [[1, 2], [3, 4], [1, 2], [5]]


async def test_a_redelivered_command_moves_on_once(long: Database) -> None:
    """Slack brings a command again, to another process: it is answered as it was."""
    async with FakeSlack() as slack, running(long, slack), running(long, slack):
        await slack.connected(2)
        first = await slack.command("brief 2")
        for _ in range(4):
            again = await slack.repeat(first)
            assert again.payload == first.payload
        after = await slack.command("brief 2")
        assert papers(after.message) == [3, 4]


async def _newest(slack: FakeSlack, number: int, user: str, channel: str = "C1") -> Message:
    """Wait until a user sees so many messages; return the last."""

    def seen() -> list[Message]:
        messages = slack.seen(user, channel)
        return messages if len(messages) == number else []

    return (await slack.settled(seen))[-1]
