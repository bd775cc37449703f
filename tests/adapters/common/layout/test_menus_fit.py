"""Menus of lists in answers, and the messages that an answer takes."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from adapters.discord.render import render_message as in_discord
from adapters.slack.render import render_message as in_slack
from bot.replies.blocks import Menu, Pager, PaperLine, PaperList, Reply, Text, Title, Visibility
from bot.replies.paper_actions import ANSWER_MENUS, SAVE_MENUS
from tests.adapters.discord.render.visible_text import components_of

_VOTE = "vote in:words dair:2026-01-05#1"


def _listing(papers: int, longest: int, menus: tuple[Menu, ...]) -> Reply:
    """Return a page of papers whose titles and lines have so many characters."""
    lines = tuple(
        PaperLine(str(place), "Words " * (longest // 6), "x" * longest, f"dair:2026-01-05#{place}")
        for place in range(1, papers + 1)
    )
    pager = Pager("Week 2026-W02", "week 2026-W01", "week 2026-W03")
    return Reply((Title("An edition"), Text("x" * 300), PaperList(lines, menus=menus), pager))


def _slack(reply: Reply) -> tuple[int, str]:
    rendered = in_slack(replace(reply, command="latest"), share=True)
    return rendered.parts, str(rendered.blocks)


def _discord(reply: Reply) -> tuple[int, str]:
    rendered = in_discord(replace(reply, command="latest"), share=True)
    return rendered.parts, str(components_of(rendered))


@pytest.mark.parametrize("lay_out", [_slack, _discord])
def test_a_menu_that_votes_adds_no_part(lay_out: Callable[[Reply], tuple[int, str]]) -> None:
    """A menu is shown if it fits, and left out if it would add a message."""
    short, alone = (lay_out(_listing(3, 60, menus)) for menus in (ANSWER_MENUS, SAVE_MENUS))
    assert short[0] == alone[0]
    assert (_VOTE in short[1], _VOTE in alone[1]) == (True, False)
    for papers in (8, 10, 20):
        for longest in (60, 120, 180):
            parts = _parts(lay_out, papers, longest)
            assert parts[0] <= parts[1], (papers, longest)


@pytest.mark.parametrize("lay_out", [_slack, _discord])
def test_a_post_keeps_its_menus(lay_out: Callable[[Reply], tuple[int, str]]) -> None:
    """A posted message fits with its menus, so that none is dropped silently."""
    posted = replace(_listing(30, 60, ANSWER_MENUS), visibility=Visibility.CHANNEL)
    parts, shown = lay_out(posted)
    assert parts > 1
    assert _VOTE in shown


def _parts(lay_out: Callable[[Reply], tuple[int, str]], papers: int, longest: int) -> Sequence[int]:
    return [lay_out(_listing(papers, longest, menus))[0] for menus in (ANSWER_MENUS, SAVE_MENUS)]
