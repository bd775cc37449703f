"""Answers as HTML: every block is drawn, and nothing that a source says is markup."""

from importlib.resources import files
from typing import get_args

from hypothesis import given
from markupsafe import Markup
from selectolax.lexbor import LexborHTMLParser

from adapters.web.chat.conversations import Conversations, Exchange
from adapters.web.chat.rendering import ChatRenderer
from bot.replies.blocks import (
    Actions,
    Block,
    File,
    PaperLine,
    PaperTable,
    Reply,
)
from tests.any_replies import REPLIES, TURNING, squeezed, texts

_CHAT = ChatRenderer()
_TAGS = {
    "a", "b", "blockquote", "body", "button", "dd", "details", "div", "dl", "dt", "h3", "head",
    "html", "li", "p", "pre", "span", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "aria-label", "class", "data-column", "form", "href", "name", "scope", "tabindex", "value"
}  # fmt: skip
# What is in a button's command or read aloud is not shown, nor what only another platform shows.
_UNSEEN = frozenset({"arxiv_id", "command", "ref", "url", "previous", "next", "name"})


def _drawn(reply: Reply) -> LexborHTMLParser:
    return LexborHTMLParser(str(_CHAT.answer(reply)))


@given(REPLIES)
def test_any_answer_is_drawn_whole_and_as_text(reply: Reply) -> None:
    """No word is lost, no tag or attribute is there but the templates' own, no sign turns text."""
    page = _drawn(reply)
    assert page.body is not None
    nodes = page.css("*")
    assert {node.tag for node in nodes} <= _TAGS
    assert {name for node in nodes for name in node.attributes} <= _ATTRIBUTES
    links = [node.attributes["href"] or "" for node in page.css("a")]
    assert all(each.startswith(("http://", "https://", "trends", "./")) for each in links)
    html = str(_CHAT.answer(reply))
    assert not any(sign in html for sign in TURNING)
    told = squeezed(page.body.text())
    assert [each for each in texts(reply, _UNSEEN) if squeezed(each) not in told] == []


@given(REPLIES)
def test_every_button_posts_its_command(reply: Reply) -> None:
    """Each button of an answer is one of the page, in order."""
    posted = [node.attributes["value"] or "" for node in _drawn(reply).css("button")]
    buttons = [
        b.command for block in reply.blocks if isinstance(block, Actions) for b in block.buttons
    ]
    left = iter(squeezed(each) for each in posted)
    assert all(squeezed(each) in left for each in buttons)


def test_every_kind_of_block_has_a_form() -> None:
    """A new kind of block needs a macro; a table of papers is drawn as their list."""
    template = files("adapters.web.pages").joinpath("templates", "blocks.html").read_text()
    kinds = [each.__name__ for each in get_args(Block)]
    assert [each for each in kinds if f"{{% macro {each}(" not in template] == []
    paper = PaperLine("1", "Sparse Attention", "Attends.", "dair:2026-01-05#1")
    page = _drawn(Reply((PaperTable((paper,), columns=("Share",), cells=(("5%",),)),)))
    assert [node.text() for node in page.css(".title")] == ["1 Sparse Attention"]
    assert page.css("button")[0].attributes["value"] == "show dair:2026-01-05#1"


def test_a_text_file_is_shown_and_a_picture_is_told() -> None:
    """The picture's words stand beside a link to the page that draws it, unless they are said."""
    text = File("saved.csv", "text/csv", b"a,b\n<1>,2", "Two columns")
    picture = File("trends.png", "image/png", b"\x89PNG", "Agents rise")
    page = _drawn(Reply((text, picture)))
    assert page.css("pre")[0].text() == "a,b\n<1>,2"
    assert page.css("p")[0].text() == "Agents rise Trends as lines"
    assert page.css("p a")[0].attributes["href"] == "trends"


def test_old_exchanges_make_room() -> None:
    """Twenty are kept, fewer if they are long, of the last readers, for half a day."""
    at = [0.0]
    kept = Conversations(lambda: at[0])
    for number in range(30):
        kept.add("ann", Exchange(str(number), Markup("short")))
    assert [each.line for each in kept.of("ann")] == [str(n) for n in range(29, 9, -1)]
    kept.add("ann", Exchange("long", Markup("x").join([""] * 300_000)))
    assert [each.line for each in kept.of("ann")] == ["long"]
    for number in range(64):
        kept.add(f"reader {number}", Exchange("hi", Markup("")))
    assert kept.of("ann") == ()
    at[0] = 13 * 3600
    assert kept.of("reader 63") == ()
