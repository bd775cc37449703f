"""Where an entry's paper is read, and what may stand as an address."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given

from bot.domain.paper_urls import entry_url, web_address
from store.records import Entry, Link
from tests.bot.export.editions import TEXT, entry, folded

_CODE = Link("Code", "https://code.org/k")
_PAPER = Link("paper", "https://paper.org/k")
_SHOUTED = Link("Paper", "Https://Paper.org/K")
_SCRIPT = Link("Paper", "javascript:alert(1)")


@pytest.mark.parametrize(
    ("told", "url"),
    [
        (
            entry("K", arxiv_id="2601.00001", doi="10.1/k", links=(_PAPER,)),
            "https://arxiv.org/abs/2601.00001",
        ),
        (entry("K", arxiv_id="hep-th/9901001"), "https://arxiv.org/abs/hep-th/9901001"),
        (entry("K", doi="10.1234/a(b)<c>#d", links=(_PAPER,)),
            "https://doi.org/10.1234/a(b)%3Cc%3E%23d"),
        (entry("K", links=(_CODE, _PAPER)), "https://paper.org/k"),
        (entry("K", links=(_CODE,)), "https://code.org/k"),
        (entry("K", links=(_SCRIPT, _CODE)), "https://code.org/k"),
        (entry("K", links=(_SHOUTED,)), "https://Paper.org/K"),
        (entry("K", links=(_SCRIPT,)), None),
        (entry("K"), None),
    ],
)  # fmt: skip
def test_the_best_address_of_an_entry(told: Entry, url: str | None) -> None:
    """Its arXiv page, else its DOI's, else the link labelled Paper, else the first, else none."""
    assert entry_url(told) == url


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://k.org/a?b=c&d=%7Ee#f", "https://k.org/a?b=c&d=%7Ee#f"),
        ("HTTP://k.org", "HTTP://k.org"),
        (" https://k.org/a\n", "https://k.org/a"),
        ("https://k.org/a b{c}\\d|é", "https://k.org/a%20b%7Bc%7D%5Cd%7C%C3%A9"),
        ("https://k.org/100%", "https://k.org/100%25"),
        ("https://[k", "https://%5Bk"),
        ("https://", None),
        ("https:///a", None),
        ("ftp://k.org", None),
        ("kite.org/5", None),
        ("data:text/html,<b>", None),
    ],
)
def test_an_address_is_one_of_the_web_in_its_own_signs(url: str, address: str | None) -> None:
    """What no address may hold is percent-encoded; what is no web address is none."""
    assert web_address(url) == address


@given(TEXT)
def test_whatever_the_text_an_address_is_plain_and_means_the_same(text: str) -> None:
    """It is ASCII without blanks, can be taken apart, and decodes to what it was made from."""
    url = f"https://k.org/{text}"
    address = web_address(url)
    assert address is not None
    assert address.isascii()
    assert address.split() == [address]
    assert urlsplit(address).hostname == "k.org"
    assert unquote(address) == unquote(folded(url))
