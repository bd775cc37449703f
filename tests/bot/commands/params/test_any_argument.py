"""Every argument of every command, given what no person means: an answer all the same."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.actor import Role
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.types import Call
from bot.errors import PlotError
from bot.plots.plotter import Picture
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.bot.conftest import EARLIER, REVIEW, WEEK, bot_of
from tests.bot.ingest.imports import take_in
from tests.bot.member_channels import manager, rooms

_BY_NAME = {command.name: command for command in COMMANDS}
_OPERATOR = replace(manager(rooms()), role=Role.OPERATOR)

# Ends of the calendar and of whole numbers, more digits than `int` takes at once, digits of other
# scripts and signs that are digits and no numbers, what no database stores and what turns text.
_ODD = (
    "0", "-1", "0000", "0001", "9999", "10000", "0001-01-01", "0001-W01", "0001-q1", "9999-12-31",
    "9999-W52", "9999-W53", "january 1 0001", "dec 29 - jan 4, 0001", "3000000 weeks ago",
    "9999 weeks ago", "99999w", "99999999999", "9223372036854775808", "9" * 20, "9" * 4301,
    "-" + "9" * 4301, "E" + "9" * 20, "dair:2026-01-05#" + "9" * 20, "0001-01-01#1", "٣", "²",
    "٢٠٢٥-٠١-٠١", "٩:٠٠", "<#" + "9" * 300 + ">", "<@&" + "9" * 300 + ">", "http://[::1", "\0",
    "a:\ud800", "\u202eb\x9b1m", ",,", "none,\0", "Europe/\0", "../etc/passwd", "a" * 5000,
)  # fmt: skip
_TEXTS = st.one_of(st.sampled_from(_ODD), st.text(max_size=20), st.integers().map(str))
_USUAL = {"paper": "1", "words": "attention", "text": "mine", "name": "zone", "value": "UTC"}


@st.composite
def _calls(draw: st.DrawFn) -> Call:
    command = draw(st.sampled_from(COMMANDS))
    usual = {each.name: _USUAL.get(each.name, "1") for each in command.params if each.required}
    names = [each.name for each in command.params]
    odd = draw(st.dictionaries(st.sampled_from(names), _TEXTS, max_size=3)) if names else {}
    return Call(command, {**usual, **odd})


def _call(name: str, **arguments: str) -> Call:
    return Call(_BY_NAME[name], arguments)


class _NoPlots:
    async def png(self, _plot: Picture, _asker: object = None) -> bytes:
        """Draw nothing, as where nothing that draws is installed."""
        raise PlotError("There is nothing that draws.")


class _Errors(logging.Handler):
    """Unhandled errors, as they are logged."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.events: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the event and what was raised."""
        self.events.append(f"{record.getMessage()}: {record.exc_info and record.exc_info[1]!r}")


@pytest.fixture
def app(database: Database) -> Broadsheet:
    """Return a bot over a store with two newsletters and a review, once on each database."""
    for slug, draft in (("dair", EARLIER), ("dair", WEEK), ("paperdive", REVIEW)):
        asyncio.run(database.write(take_in, draft, slug))
    return bot_of(database, plots=_NoPlots())


@pytest.fixture
def errors() -> Iterator[list[str]]:
    """Return what the bot logs as errors while it is asked."""
    handler = _Errors()
    logger = logging.getLogger("bot.app")
    logger.addHandler(handler)
    yield handler.events
    logger.removeHandler(handler)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(_call("top", period="0001"))
@example(_call("consensus", week="0001-01-01"))
@given(_calls())
def test_any_argument_gets_an_answer(app: Broadsheet, errors: list[str], call: Call) -> None:
    """Whatever an argument is, it is read, or refused in words, and so is its completion."""
    errors.clear()  # those of the example before
    said = asyncio.run(_said(app, call))
    assert errors == []
    assert said.strip()


async def _said(app: Broadsheet, call: Call) -> str:
    for param in call.command.params:
        if text := call.arguments.get(param.name):
            await app.options(param, text, _OPERATOR, call.arguments)
    said = plain_text(await app.run(call, _OPERATOR))
    await app.wait()
    return said
