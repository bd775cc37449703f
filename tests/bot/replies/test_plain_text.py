"""Replies as plain text: every block, and nothing in it that isn't text."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.replies.blocks import (
    Actions,
    Button,
    Fields,
    File,
    Level,
    Moments,
    Notice,
    Pager,
    PaperCard,
    PaperLine,
    PaperList,
    Quote,
    Reply,
    Text,
    Title,
    TopicMark,
    Verbatim,
    to_json,
)
from bot.replies.plain_text import plain_text, printable
from store.records import Highlight, Link

EVERYTHING = Reply(
    (
        Title("Papers"),
        Text("One paragraph,\nwrapped.\n\n\n\nAnother one."),
        Notice(Level.ERROR, "That went wrong.", "Do this instead."),
        Fields(
            (
                ("show PAPER", "All about one paper"),
                ("latest", "The newest"),
                ("a name that is longer than most", "Below it"),
            )
        ),
        Moments((("next", datetime(2026, 1, 12, 8, 0, tzinfo=UTC)),), "Europe/Berlin"),
        PaperList((PaperLine("3", "A Title", "A line.", "dair:2026-01-05#3", "Somewhere"),)),
        PaperList(
            (PaperLine("9", "Nine", None, "x#9"), PaperLine("10", "Ten", None, "x#10", "There"))
        ),
        PaperList((PaperLine("3", "A Title", None, "x#3"),), numbered=False),
        PaperCard(
            "dair:2026-01-05#3", "A Title", "Number 3", "A summary.",
            (Highlight("Lead", "and text"), Highlight(None, "no lead")),
            (Link("Paper", "https://arxiv.org/abs/2601.00003"),), "2601.00003",
            (TopicMark("agents", ("agent", "tools")), TopicMark("code", ("code",))),
        ),
        Quote("A sentence.", "dair:2026-01-05#3", "A Title", "Number 3"),
        Actions((Button("Details 3", "show 3"), Button("latest", "latest"))),
        Pager("Page 2", "search x page:1", "search x page:3"),
    )
)  # fmt: skip


def test_every_block_is_text() -> None:
    """Each block has its place, blank lines between, buttons as the commands that they type."""
    assert plain_text(EVERYTHING).splitlines() == [
        "Papers",
        "",
        "One paragraph, wrapped.",
        "",
        "Another one.",
        "",
        "That went wrong.",
        "Do this instead.",
        "",
        "show PAPER  All about one paper",
        "latest      The newest",
        "a name that is longer than most",
        "            Below it",
        "",
        "next  Monday, Jan 12, 2026, 09:00 (Europe/Berlin)",
        "",
        "3  A Title",
        "   A line.",
        "   Somewhere · dair:2026-01-05#3",
        "",
        " 9  Nine",
        "    x#9",
        "10  Ten",
        "    There · x#10",
        "",
        "•  A Title",
        "   x#3",
        "",
        "A Title",
        "Number 3 · dair:2026-01-05#3",
        "",
        "A summary.",
        "",
        "• Lead: and text",
        "• no lead",
        "",
        "Paper: https://arxiv.org/abs/2601.00003",
        "",
        "Topics: agents, code",
        "",
        "> A sentence.",
        "  A Title · Number 3",
        "",
        "  > show 3",
        "    Details 3",
        "  > latest",
        "",
        "Page 2",
        "  > search x page:1",
        "    Previous",
        "  > search x page:3",
        "    Next",
    ]


def test_a_block_of_nothing_leaves_no_gap() -> None:
    """Blocks without lines take no room between the others."""
    nothing = (Text(" \n\n "), PaperList(()), Fields(()), Moments((), "UTC"), Actions(()))
    assert plain_text(Reply((Title("One"), *nothing, Title("Two")))) == "One\n\nTwo"


def test_a_file_is_its_name_and_what_it_holds() -> None:
    """What can't be read aloud is told in one line, and in JSON it is whole."""
    file = File("a.png", "image/png", b"\x89PNG", "Two\nlines.")
    assert plain_text(Reply((file,))) == "a.png: Two lines."
    told = {
        "name": "a.png",
        "media_type": "image/png",
        "data": "iVBORw==",
        "alt": "Two\nlines.",
        "chart": None,
    }
    assert to_json(Reply((file,))) == [{"type": "file", **told}]


def test_a_reason_stands_before_the_place_and_is_in_json_only_where_there_is_one() -> None:
    """Posts made before there were reasons keep the digests of their content."""
    bare = PaperLine("1", "One", None, "x#1", "There")
    explained = replace(bare, reason="because you saved Two")
    shown = Reply((PaperList((explained,)),))
    assert plain_text(shown) == "1  One\n   because you saved Two · There · x#1"
    told: dict[str, object] = {
        "number": "1",
        "title": "One",
        "line": None,
        "ref": "x#1",
        "where": "There",
        "heading": None,
        "votes": 0,
        "url": None,
        "topics": [],
    }
    [[before], [after]] = (
        to_json(Reply((PaperList((each,)),)))[0]["papers"] for each in (bare, explained)
    )
    assert before == told
    assert after == told | {"reason": "because you saved Two"}


def test_kept_text_stands_as_it_is() -> None:
    """Its blanks and breaks stay, for it is to be copied; what steers a screen does not."""
    reply = Reply((Text("One."), Verbatim("@misc{a,\n  title = {\x1b[31mA  b}\r\n\n}\n")))
    assert plain_text(reply) == "One.\n\n@misc{a,\n  title = {[31mA  b}\n\n}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain – and “fancy” 深度", "plain – and “fancy” 深度"),
        ("\x1b[31mred\x07\x00", "[31mred"),
        ("a\tb\r\nc\x0bd\x85e\u2028f", "a b  c d e f"),
        ("\u202egnp.exe\u202c and \u2067x\u2069", "gnp.exe and x"),
        ("\x9b2J\x7f", "2J"),
        ("👩‍🚀 e\u0301 \u200fשלום", "👩‍🚀 e\u0301 \u200fשלום"),
    ],
)
def test_text_is_made_printable(text: str, expected: str) -> None:
    """Control and turning signs are gone, every line end is a blank, and the rest stays."""
    assert printable(text) == expected


def test_no_text_breaks_a_line() -> None:
    """A fact is one line, whatever stands in it."""
    card = PaperCard("r", "A\nB", "w\x1b[2J", None, (Highlight("L\n", "t\tu"),), (), None)
    assert plain_text(Reply((card,))).splitlines() == ["A B", "w[2J · r", "", "• L : t u"]
