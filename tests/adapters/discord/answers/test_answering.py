"""Answers while Discord fails: repeated, sent once, and not lost."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.commands.types import Command, Context, Group
from bot.errors import UserError
from bot.replies.blocks import Reply, Text
from store.database import Database
from tests.adapters.discord.connected_bot import running
from tests.fakes.discord import (
    Channel,
    Drop,
    FakeDiscord,
    Interaction,
    Person,
    RateLimited,
    Refuse,
    ServerError,
)

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
EDIT = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"


async def _slow(_context: Context) -> Reply:
    await asyncio.sleep(1.2)
    return Reply((Text("Here at last."),), command="slow")


class _Moody:
    """A command that answers at once, and the next time fails slowly."""

    def __init__(self) -> None:
        self.asked = 0

    async def __call__(self, _context: Context) -> Reply:
        self.asked += 1
        if self.asked == 1:
            return Reply((Text("All is well."),), command="moody")
        await asyncio.sleep(1.2)
        raise UserError("It changed its mind.")


SLOW = Command("slow", Group.LOOKUP, "Takes its time", _slow, examples=("slow",))


def place(discord: FakeDiscord) -> tuple[Channel, Person]:
    """Return a channel and a user in it."""
    guild = discord.add_guild("G")
    return guild.add_channel("general"), guild.add_member("ann")


async def once(channel: Channel, answer: Interaction, number: int) -> None:
    """Assert that an interaction has one message that can be read, after so many before."""
    await answer.answered()
    await asyncio.sleep(0.1)
    assert len(channel.messages) == number + 1
    assert channel.messages[-1].texts
    assert not channel.messages[-1].loading


async def test_a_first_response_in_trouble(stocked: Database) -> None:
    """The first response is repeated while its outcome is unknown, and appears once."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann = place(discord)
        for number, fault in enumerate(
            (
                Drop(stored=False),
                Drop(stored=True),
                ServerError(500, stored=False),
                ServerError(500, stored=True),
                ServerError(503, stored=False),
                ServerError(503, stored=True),
                RateLimited(0.2),
            )
        ):
            discord.fail(CALLBACK, fault)
            await once(channel, await ann.asks(channel, "latest"), number)


async def test_a_late_answer_in_trouble(stocked: Database) -> None:
    """An edit of a deferred response is repeated too, and appears once."""
    async with FakeDiscord() as discord, running(stocked, discord, [SLOW]):
        channel, ann = place(discord)
        for number, fault in enumerate((Drop(stored=False), Drop(stored=True), RateLimited(0.2))):
            discord.fail(EDIT, fault)
            await once(channel, await ann.asks(channel, "slow"), number)


async def test_sharing_in_trouble(stocked: Database) -> None:
    """A shared answer is posted once, however the connection broke off."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann = place(discord)
        answer = await ann.asks(channel, "latest")
        for number, fault in enumerate((Drop(stored=False), Drop(stored=True)), start=1):
            discord.fail(CALLBACK, fault)
            await ann.presses(answer.message, "Share")
            await asyncio.sleep(0.5)
            assert len(channel.posts) == number


async def test_what_is_refused_for_its_form_is_excused(stocked: Database) -> None:
    """The user reads an apology where components or a form are not accepted."""
    async with FakeDiscord() as discord, running(stocked, discord, [SLOW]):
        channel, ann = place(discord)
        for word, request, text in (
            ("latest", CALLBACK, "In data.components.0.type: no"),
            ("slow", EDIT, "Invalid Form Body"),
        ):
            discord.fail(request, Refuse(400, 50035, text))
            answer = await (await ann.asks(channel, word)).answered()
            assert "Something went wrong" in answer.message.text
            assert not answer.message.loading
        answer = await ann.asks(channel, "search", query="attention")
        discord.fail(CALLBACK, Refuse(400, 50035, "Invalid Form Body"))
        pressed = await ann.presses(answer.message, "Refine")
        assert "Something went wrong" in pressed.message.text


async def test_a_page_that_is_refused_leaves_the_one_before(stocked: Database) -> None:
    """The user of a refused page reads an apology below it."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann = place(discord)
        answer = await ann.asks(channel, "latest")
        before = answer.message.text
        discord.fail(CALLBACK, Refuse(400, 50035, "Invalid Form Body"))
        turned = await ann.presses(answer.message, "Previous")
        assert "Something went wrong" in turned.message.text
        assert answer.message.text == before


async def test_a_form_that_is_not_understood_leaves_the_answer(stocked: Database) -> None:
    """The error is a message below, and the answer keeps its buttons."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann = place(discord)
        answer = await ann.asks(channel, "search", query="attention")
        before = answer.message.text
        opened = await ann.presses(answer.message, "Refine")
        wrong = await ann.submits(opened.modal, {"query": "attention", "since": "zzz"})
        assert "since: I can't read 'zzz' as a period." in wrong.message.text
        assert wrong.message is not answer.message
        assert (wrong.message.ephemeral, answer.message.text) == (True, before)


async def test_a_button_that_means_nothing_is_answered(stocked: Database) -> None:
    """A button of an older version is answered with a remedy."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann = place(discord)
        button = {"type": 2, "style": 2, "label": "Old", "custom_id": "old"}
        row = {"flags": 1 << 15, "components": [{"type": 1, "components": [button]}]}
        answer = await ann.presses(discord.post(channel, row), "Old")
        assert "no longer known" in answer.message.text


async def test_what_fails_while_it_is_shared(stocked: Database) -> None:
    """Everybody saw that an answer was being made; its sentence takes that place."""
    moody = Command("moody", Group.LOOKUP, "Changes", _Moody(), examples=("moody",))
    async with FakeDiscord() as discord, running(stocked, discord, [moody]):
        channel, ann = place(discord)
        answer = await ann.asks(channel, "moody")
        shared = await ann.presses(answer.message, "Share")
        assert shared.deferred
        await shared.answered()
        assert ["It changed its mind." in post.text for post in channel.posts] == [True]


async def test_an_interaction_that_is_too_old_ends_quietly(
    stocked: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """An expired interaction is one line in the log, without a traceback."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann = place(discord)
        discord.fail(CALLBACK, Refuse(404, 10062, "Unknown interaction"))
        await ann.asks(channel, "latest")
    lost = [record for record in caplog.records if record.msg == "answer_lost"]
    assert [(each.levelname, each.exc_info) for each in lost] == [("ERROR", None)]


async def test_an_embed_becomes_components_again(stocked: Database) -> None:
    """A page turned in an answer that an older version sent as an embed leaves none of that."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann = place(discord)
        button = {"type": 2, "style": 2, "label": "Next", "custom_id": "t1.1..latest"}
        row = {"type": 1, "components": [button]}
        embed = {"flags": 1 << 6, "embeds": [{"description": "x"}], "components": [row]}
        before = discord.post(channel, embed, to=ann.user)
        turned = await ann.presses(before, "Next")
        assert turned.message is before
        assert (before.embeds, bool(before.flags & 1 << 15)) == ([], True)


async def test_an_answer_that_has_to_be_kept_is_announced_in_time(
    stocked: Database, tmp_path: Path
) -> None:
    """The response is deferred while a locked store delays the command strings."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann = place(discord)
        with closing(sqlite3.connect(tmp_path / "stocked.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answer = await ann.asks(channel, "search", query="attention " + "word " * 30)
            assert answer.deferred
        assert "attention" in (await answer.answered()).message.text


async def test_typing_that_fails_is_no_error_in_the_log(
    stocked: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """Autocomplete that is too late logs no error: each letter asks again."""
    async with FakeDiscord() as discord, running(stocked, discord):
        channel, ann = place(discord)
        discord.fail(CALLBACK, Refuse(404, 10062, "Unknown interaction"))
        with pytest.raises(AssertionError):
            await ann.completes(channel, "show", paper="att")
        assert await ann.completes(channel, "show", paper="atte")
    assert [each.levelname for each in caplog.records if each.levelname == "ERROR"] == []
