"""The command dismiss: a paper is not for the user; what is no paper is left out otherwise."""

from dataclasses import replace

import pytest

from bot.actor import Role
from bot.app import Broadsheet
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.bot.conftest import READER, FixedClock, answered
from tests.bot.member_channels import bot_over, manager, rooms
from tests.bot.replies.parts import buttons, commands, first_line

SPARSE = "dair:2026-01-05#1"


def _app(database: Database) -> Broadsheet:
    return bot_over(database, FixedClock())


@pytest.mark.parametrize(
    "line", ["never show me this again", "not interested in 1", "less of this", "nah, 1 is boring"]
)
async def test_a_paper_is_dismissed_once_it_is_confirmed(filled: Database, line: str) -> None:
    """Plain words only ask."""
    app = _app(filled)
    await answered(app, "latest", READER)
    await answered(app, "show 1", READER)
    reply = await answered(app, line, READER)
    assert (first_line(reply), commands(reply)[0]) == (
        f"Read as: dismiss {SPARSE}",
        f"dismiss {SPARSE}",
    )
    assert "not for you" not in plain_text(await answered(app, "forget", READER))


@pytest.mark.parametrize("line", ["never show me agents", "dismiss agents", "less agents papers"])
async def test_a_topic_is_left_out_of_posts(filled: Database, line: str) -> None:
    """The answer says what dismiss takes, and offers the channel's posts without the topic."""
    app, asker = _app(filled), manager(rooms())
    reply = await answered(app, line, asker)
    assert "subscribe not:agents" in buttons(reply)["Set up a weekly post"].command
    assert "dismiss takes one paper" in plain_text(reply)
    assert first_line(await answered(app, "subscriptions", asker)) == "#ml gets no posts yet."
    alone = await answered(app, line, replace(READER, role=Role.READER))
    assert "/papers subscribe not:agents" in plain_text(alone)


async def test_who_may_order_no_posts_hears_what_dismiss_takes(filled: Database) -> None:
    """A reader is not told of managers alone, and nothing changes."""
    app, reader = _app(filled), replace(manager(rooms()), role=Role.READER)
    reply = await answered(app, "never show me agents again", reader)
    assert first_line(reply) == "agents is a topic."
    assert "dismiss takes one paper" in plain_text(reply)
    assert commands(reply) == ["topic agents"]
    assert "not for you" not in plain_text(await answered(app, "forget", reader))


async def test_words_that_are_no_paper_are_left_out_of_searches(filled: Database) -> None:
    """The answer says so, and changes nothing."""
    for line in ("dismiss zebras", "never show me zebras again"):
        words = plain_text(await answered(_app(filled), line, READER))
        assert "leave out words: -quantum" in words
