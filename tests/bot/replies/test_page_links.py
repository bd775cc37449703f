"""Links to web pages: only where these are reachable, and never in place of a paper's own page."""

from dataclasses import replace

import pytest

from bot.replies.blocks import PaperCard, PaperLine, PaperList, Reply, WebPage
from bot.replies.papers import with_page_links
from store.records import Link

_URL = "https://papers.example"
_LINE = PaperLine("1", "A Paper", None, "dair:2026-01-05#1")
_CARD = PaperCard("dair:2026-01-05#1", "A Paper", "", None, (), (), None)


def test_without_a_public_url_nothing_changes() -> None:
    """A reply is the same, and its page is no link."""
    reply = Reply((WebPage("/weeks"), PaperList((_LINE,)), _CARD))
    assert with_page_links(reply, None) is reply
    assert with_page_links(reply, "") is reply


def test_a_paper_without_a_page_elsewhere_is_linked_to_its_own() -> None:
    """A title with an address keeps it; the page of the reply itself becomes a link."""
    known = replace(_LINE, url="https://arxiv.org/abs/2601.00001")
    reply = Reply((WebPage("/editions/dair/2026-01-05"), PaperList((_LINE, known))))
    page, listed = with_page_links(reply, f"{_URL}/").blocks
    assert page == WebPage("/editions/dair/2026-01-05", f"{_URL}/editions/dair/2026-01-05")
    assert isinstance(listed, PaperList)
    assert [each.url for each in listed.papers] == [
        f"{_URL}/papers/dair/2026-01-05/1",
        "https://arxiv.org/abs/2601.00001",
    ]


@pytest.mark.parametrize(
    ("arxiv_id", "ref", "path"),
    [
        ("2601.00003", "dair:2026-01-05#3", "/papers/2601.00003"),
        (None, "paperdive:E162", "/papers/paperdive/E162"),
    ],
)
def test_a_card_names_its_page_among_its_links(arxiv_id: str | None, ref: str, path: str) -> None:
    """Whatever else it links to stands before."""
    code = Link("Code", "https://code.example")
    card = replace(_CARD, arxiv_id=arxiv_id, ref=ref, links=(code,))
    [linked] = with_page_links(Reply((card,)), _URL).blocks
    assert isinstance(linked, PaperCard)
    assert linked.links == (code, Link("Web page", _URL + path))


def test_a_paper_of_no_edition_has_no_page() -> None:
    """A saved paper whose edition is gone stays without a link."""
    reply = Reply((PaperList((replace(_LINE, ref="gone:12"),)), replace(_CARD, ref="gone:12")))
    assert with_page_links(reply, _URL) == reply
