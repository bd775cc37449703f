"""The façade: permissions, and errors that nobody foresaw."""

import asyncio
import logging
import re
from dataclasses import replace

import pytest

from bot.app import Broadsheet
from bot.command import Actor, Call, Command, Context, Group, Role
from bot.commands import COMMANDS
from bot.plain import plain_text
from bot.replies import Reply, Text
from store.database import Database
from store.errors import StoreBusy
from tests.bot.conftest import READER, FixedClock

OPERATOR = replace(READER, role=Role.OPERATOR)


async def _break(_context: Context) -> Reply:
    raise RuntimeError("secret token xoxb-1")


async def _busy(_context: Context) -> Reply:
    raise StoreBusy


async def _manage(_context: Context) -> Reply:
    return Reply((Text("managed"),))


BREAK = Command("break", Group.LOOKUP, "Breaks", _break)
BUSY = Command("busy", Group.LOOKUP, "Is busy", _busy)
MANAGE = Command("manage", Group.CHANNEL, "Manages", _manage, role=Role.MANAGER)


def _ask(database: Database, text: str, actor: Actor = READER) -> Reply:
    app = Broadsheet(database, FixedClock(), (*COMMANDS, BREAK, BUSY, MANAGE), "UTC")
    return asyncio.run(app.run_text(text, actor))


def test_an_unforeseen_error_is_logged_and_never_shown(
    filled: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """The asker gets a reference; the log has it, with the traceback."""
    with caplog.at_level(logging.ERROR):
        text = plain_text(_ask(filled, "break"))
    reference = re.search(r"Something went wrong \(ref ([0-9a-f]{4})\)", text)
    assert reference
    assert "xoxb" not in text
    [record] = caplog.records
    assert (record.message, record.__dict__["ref"]) == ("command_failed", reference[1])
    assert "xoxb-1" in str(record.exc_info)


def test_a_busy_store_says_so(filled: Database) -> None:
    """An error that the asker can wait out is told in its own words."""
    assert "Try again in a moment" in plain_text(_ask(filled, "busy"))


def test_what_one_may_not_use_does_not_exist_for_one(filled: Database) -> None:
    """A reader neither runs nor sees a manager's command; an operator does both."""
    assert "There is no command 'manage'" in plain_text(_ask(filled, "manage"))
    assert "manage" not in plain_text(_ask(filled, "help"))
    assert plain_text(_ask(filled, "channel manage", OPERATOR)) == "managed"
    assert "manage" in plain_text(_ask(filled, "help", OPERATOR))


async def test_typed_options_are_checked_too(filled: Database) -> None:
    """A command that arrives by name and not as text meets the same rule."""
    app = Broadsheet(filled, FixedClock(), (MANAGE,), "UTC")
    reply = await app.run(Call(MANAGE, {}), READER)
    assert plain_text(reply) == "manage is for managers."
