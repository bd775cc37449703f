"""Where nothing is found: the nearest that finds something, an alert, and arXiv's page."""

import asyncio
from dataclasses import replace

import pytest

from bot.commands.types import LineOrigin
from bot.replies.blocks import Actions, Button, Reply, WebPage
from store.database import Database
from tests.bot.conftest import READER, Ask, bot_of
from tests.bot.member_channels import rooms
from tests.bot.replies.parts import commands

_ALERT = "Tell me when one appears"
_MEMBER = replace(READER, channels=rooms())


def _buttons(reply: Reply) -> list[Button]:
    rows = (block.buttons for block in reply.blocks if isinstance(block, Actions))
    return [button for row in rows for button in row]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("search routing since:2027",
         ["search routing since:2026-01-01 until:2026-01-31", "search routing"]),
        ("search exploration since:2026-01-05 from:dair",
         ["search exploration from:dair since:2026-01-01 until:2026-01-31",
          "search exploration from:dair"]),
        ("search exploration from:paperdive", ["search exploration"]),
        ("search exploration from:paperdive since:2027", ["search exploration"]),
        ("random agents until:2020",
         ["random topic:agents since:2026-01-01 until:2026-01-31", "random topic:agents"]),
        ("topic agents from:paperdive", ["topic from:paperdive", "topic agents"]),
        ("latest from:paperdive topic:agents",
         ["week 2025-W52 from:paperdive", "search topic:agents"]),
        ("week 2025-W52 topic:agents",
         ["week 2026-W02 topic:agents", "week 2025-W52 from:paperdive", "search topic:agents"]),
    ],
)  # fmt: skip
def test_what_is_offered_finds_something(two_sources: Ask, line: str, offered: list[str]) -> None:
    """Another period, the search without the filter that emptied it: each finds papers."""
    lines = [each for each in commands(two_sources(line)) if each != "latest"]
    assert lines[: len(offered)] == offered
    for each in lines:
        assert "No paper" not in str(two_sources(each).blocks), each


@pytest.mark.parametrize(
    ("line", "alert"),
    [
        ("search zebra", "alert zebra"),
        ("search zebra from:dair since:2026 topic:agents", "alert zebra topic:agents from:dair"),
        ("zebras in the wild", "alert zebras in the wild"),
        ("topic agents from:paperdive", "alert topic:agents from:paperdive"),
        ("top agents 2020", "alert topic:agents"),
        ("latest from:paperdive topic:agents", "alert topic:agents"),
        ("search the since:2030", None),
        ("search 2401.99999", None),
        ("topic since:2030", None),
    ],
)
def test_an_alert_for_the_words_is_offered(filled: Database, line: str, alert: str | None) -> None:
    """It is filled in, for whoever asked; not where an alert would say too little."""
    reply = asyncio.run(bot_of(filled).run_text(line, _MEMBER))
    offered = [each for each in _buttons(reply) if each.label == _ALERT]
    assert [each.command for each in offered] == ([alert] if alert else [])
    assert all(each.by == _MEMBER.user for each in offered)


def test_where_there_are_no_direct_messages_no_alert_is_offered(two_sources: Ask) -> None:
    """It could be told nowhere."""
    assert all(each.label != _ALERT for each in _buttons(two_sources("search zebra")))


def test_who_did_not_write_the_words_is_asked_first(filled: Database) -> None:
    """The button in a shared answer adds nothing for another presser."""
    other = replace(_MEMBER, user="other")
    origin = LineOrigin(typed=False, by=_MEMBER.user)
    app = bot_of(filled)
    pressed = asyncio.run(app.run_text("alert zebra", other, origin=origin))
    assert "Nothing has changed yet." in str(pressed.blocks)
    listed = asyncio.run(app.run_text("alerts", other))
    assert "You have no alerts." in str(listed.blocks)


@pytest.mark.parametrize("line", ["show 2401.99999", "search 2401.99999", "2401.99999v2"])
def test_an_id_that_is_not_stored_leads_to_arxiv(two_sources: Ask, line: str) -> None:
    """A paper that no round-up has is at arXiv all the same."""
    pages = [each for each in two_sources(line).blocks if isinstance(each, WebPage)]
    assert pages == [WebPage("", "https://arxiv.org/abs/2401.99999", "2401.99999 on arXiv")]
