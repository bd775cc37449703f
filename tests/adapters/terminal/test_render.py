"""Replies on a terminal: width, style, and nothing that a source could smuggle in."""

import re

from hypothesis import given
from hypothesis import strategies as st

from adapters.terminal.render import render
from bot.replies import (
    Actions,
    Button,
    Fields,
    Level,
    Notice,
    Pager,
    PaperCard,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
)
from store.records import Highlight, Link

EVERYTHING = Reply(
    (
        Title("Papers"),
        Text("One paragraph.\n\nAnother one."),
        Notice(Level.ERROR, "That went wrong.", "Do this instead."),
        Fields((("show PAPER", "All about one paper"),)),
        PaperList((PaperLine("3", "A Title", "A line.", "dair:2026-01-05#3", "Somewhere"),)),
        PaperCard(
            "dair:2026-01-05#3", "A Title", "Number 3", "A summary.",
            (Highlight("Lead", "and text"), Highlight(None, "no lead")),
            (Link("Paper", "https://arxiv.org/abs/2601.00003"),), "2601.00003",
        ),
        Actions((Button("Details 3", "show 3"),)),
        Pager("Page 2", "search x page:1", "search x page:3"),
    )
)  # fmt: skip


def test_every_block_is_printed() -> None:
    """Each block has its place, blank lines between, buttons as the commands that they type."""
    assert render(EVERYTHING, 80, styled=False).splitlines() == [
        "Papers",
        "",
        "One paragraph.",
        "",
        "Another one.",
        "",
        "That went wrong.",
        "Do this instead.",
        "",
        "show PAPER",
        "    All about one paper",
        "",
        "3  A Title",
        "   A line.",
        "   Somewhere · dair:2026-01-05#3",
        "",
        "A Title",
        "Number 3 · dair:2026-01-05#3",
        "",
        "A summary.",
        "• Lead: and text",
        "• no lead",
        "",
        "Paper: https://arxiv.org/abs/2601.00003",
        "",
        "  > show 3",
        "    Details 3",
        "",
        "Page 2",
        "  > search x page:1",
        "    Previous",
        "  > search x page:3",
        "    Next",
    ]


def test_lines_are_wrapped_and_addresses_are_not_broken() -> None:
    """Text keeps within the width; an address that is longer stays in one piece."""
    url = "https://example.org/" + "a" * 60
    reply = Reply(
        (Text("word " * 40), PaperCard("r", "t", "w", None, (), (Link("Paper", url),), None))
    )
    lines = render(reply, 50, styled=False).splitlines()
    assert all(len(line) <= 50 for line in lines if url not in line)
    assert any(url in line for line in lines)


def test_style_adds_nothing_but_style() -> None:
    """Without its codes a styled reply is the plain one."""
    styled = render(EVERYTHING, 80, styled=True)
    assert "\x1b[1mPapers\x1b[0m" in styled
    assert re.sub(r"\x1b\[\d*m", "", styled) == render(EVERYTHING, 80, styled=False)


@given(st.text())
def test_no_text_reaches_the_terminal_as_a_command(text: str) -> None:
    """Whatever a source wrote, no control character but line ends is printed."""
    card = PaperCard("r", text, text, text, (Highlight(text, text),), (Link(text, text),), None)
    printed = render(Reply((Title(text), Text(text), card)), 80, styled=False)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", printed)
