"""Interactions passed from the library to the listener."""

import logging
import re
from typing import Any

import pytest

from bot.commands.handlers import COMMANDS
from bot.commands.types import Group
from bot.errors import Option
from tests.adapters.discord.interactions.sample_commands import (
    COMMAND_PARAMS,
    command,
    param,
    sample_command,
)
from tests.adapters.discord.recorded_client import RecordingListener, listening_client
from tests.fakes.discord import Drop, FakeDiscord, Person
from tests.fakes.discord.records import Channel

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
SUBSCRIBE = sample_command("subscribe", Group.CHANNEL, "Weekly posts")
OLD = "Discord shows an old form of this command; try again in a minute."


def a_place(fake: FakeDiscord) -> tuple[Person, Channel]:
    """Return a user and a channel of a server."""
    guild = fake.add_guild("G")
    return guild.add_member("ann"), guild.add_channel("general")


async def test_every_option_of_every_command_is_heard() -> None:
    """Each command reaches the listener with its arguments as text, by name."""
    listener, given = RecordingListener(), {"size": 5, "minutes": 20}
    commands = [
        sample_command(name, group, "What it does")
        for group, names in COMMAND_PARAMS.items()
        for name in names
    ]
    async with FakeDiscord() as fake, listening_client(fake, listener, *commands):
        ann, channel = a_place(fake)
        for each in commands:
            inside = "" if each.group is Group.LOOKUP else f"{each.group} "
            options: dict[str, Any] = {p.name: given.get(p.name, f"a {p.name}") for p in each.shown}
            if "channel" in options:
                options["channel"] = channel
            answer = await ann.asks(channel, f"{inside}{each.name}", **options)
            assert answer.message.text == "Heard."
            words = {name: str(value) for name, value in options.items()}
            if "channel" in options:
                words["channel"] = str(channel.id)
            assert listener.asked_for.pop() == (each.name, words)


async def test_what_is_not_given_is_not_there() -> None:
    """An option that was left out, or holds nothing but blanks, is no argument."""
    listener = RecordingListener()
    async with FakeDiscord() as fake, listening_client(fake, listener, *COMMANDS):
        ann, channel = a_place(fake)
        await ann.asks(channel, "search", query=" moe ", topic=" ")
        await ann.asks(channel, "latest")
        assert listener.asked_for == [("search", {"query": " moe "}), ("latest", {})]


async def test_an_argument_completes_itself_while_it_is_typed() -> None:
    """The very argument is asked for by its beginning, and what is found is offered."""
    listener = RecordingListener(Option("dair:2026-01-05#3", "3 · Attention"))
    async with FakeDiscord() as fake, listening_client(fake, listener, *COMMANDS):
        ann, channel = a_place(fake)
        offered = await ann.completes(channel, "show", paper="att")
        assert offered == [{"name": "3 · Attention", "value": "dair:2026-01-05#3"}]
        await ann.completes(channel, "channel subscribe", topic="rag", **{"not": "sur"})
        assert listener.completed == [("show", "paper", "att"), ("subscribe", "not", "sur")]


async def test_nobody_is_told_of_an_error_while_typing(caplog: pytest.LogCaptureFixture) -> None:
    """A completion that fails offers nothing and is logged once, by us."""
    listener = RecordingListener(fault=RuntimeError("no store"))
    async with FakeDiscord() as fake, listening_client(fake, listener, *COMMANDS):
        ann, channel = a_place(fake)
        assert await ann.completes(channel, "show", paper="att") == []
    assert [each.message for each in caplog.records if each.levelno >= logging.ERROR] == [
        "completion_failed"
    ]


async def test_a_message_is_looked_up_from_its_menu() -> None:
    """The message command passes the message on."""
    listener = RecordingListener()
    async with FakeDiscord() as fake, listening_client(fake, listener, *COMMANDS):
        ann, channel = a_place(fake)
        answer = await ann.looks_up(ann.says(channel, "see arxiv.org/abs/1706.03762"))
        assert answer.message.text == "Seen."
        assert listener.messages == ["see arxiv.org/abs/1706.03762"]


async def test_an_error_is_answered_by_its_reference(caplog: pytest.LogCaptureFixture) -> None:
    """The user gets an ephemeral reference, under which the error is logged."""
    listener = RecordingListener(fault=RuntimeError("a secret"))
    async with FakeDiscord() as fake, listening_client(fake, listener, *COMMANDS):
        ann, channel = a_place(fake)
        for answer in (
            await ann.asks(channel, "search", query="moe"),
            await ann.looks_up(ann.says(channel, "see this")),
        ):
            found = re.fullmatch(r"Something went wrong \(ref (\w{4})\)\.", answer.message.text)
            assert found
            assert answer.message.ephemeral
            [record] = [each for each in caplog.records if getattr(each, "ref", "") == found[1]]
            assert record.message == "command_failed"
            assert record.exc_info
            assert record.exc_info[1] is listener.fault


async def test_an_old_form_of_a_command_is_answered_in_a_sentence() -> None:
    """A command, an argument or a group that is no more is answered, whatever was done with it."""
    older = command("gone", Group.LOOKUP), command("help", Group.LOOKUP, param("word"))
    newer = command("help", Group.LOOKUP, param("word", required=True))
    listener = RecordingListener()
    async with (
        FakeDiscord() as fake,
        listening_client(fake, listener, newer, older=(*older, SUBSCRIBE)),
    ):
        ann, channel = a_place(fake)
        for words in ("gone", "help", "channel subscribe"):
            answer = await ann.asks(channel, words)
            assert answer.message.text == OLD
            assert answer.message.ephemeral
        assert await ann.completes(channel, "channel subscribe", day="mon") == []
    assert listener.asked_for == []


async def test_what_can_not_even_be_said_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A refused error message is one log line without a traceback."""
    listener = RecordingListener(fault=RuntimeError("a secret"))
    async with FakeDiscord() as fake, listening_client(fake, listener, *COMMANDS):
        ann, channel = a_place(fake)
        fake.fail(CALLBACK, Drop())
        await ann.asks(channel, "latest")
        await fake.settled(lambda: [each for each in caplog.records if each.msg == "answer_lost"])
