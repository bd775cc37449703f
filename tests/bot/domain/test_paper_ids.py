"""Who is who: ids in addresses, and the years they tell."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given

from bot.domain.paper_ids import arxiv_id, bare_arxiv_id, doi, entry_url, web_address
from store.records import Entry, Link
from tests.bot.export.editions import TEXT, entry, folded


@pytest.mark.parametrize(
    ("url", "identifier"),
    [
        ("https://arxiv.org/abs/2301.00704", "2301.00704"),
        ("http://www.arxiv.org/abs/2506.08388v2", "2506.08388"),
        ("https://arxiv.org/pdf/2301.00774.pdf", "2301.00774"),
        ("https://arxiv.org/pdf/2301.00774v1.pdf", "2301.00774"),
        ("https://arxiv.org/html/2501.12948v1#S2", "2501.12948"),
        ("https://arxiv.org/abs/0704.0001", "0704.0001"),
        ("https://arxiv.org/abs/cs/0112017v1", "cs/0112017"),
        ("https://arxiv.org/abs/math.GT/0309136", "math.GT/0309136"),
        ("https://huggingface.co/papers/2501.12948", "2501.12948"),
        ("https://www.alphaxiv.org/abs/2501.12948v1", "2501.12948"),
        ("https://www.alphaxiv.org/overview/2501.12948", "2501.12948"),
        ("https://doi.org/10.48550/arXiv.2501.12948", "2501.12948"),
        ("https://arxiv.org/list/cs.CL/recent", None),
        ("https://arxiv.org/abs/2301.007041", None),
        ("https://example.org/2301.00704", None),
        ("https://notarxiv.org/abs/2301.00704", None),
    ],
)
def test_an_address_names_its_arxiv_id_without_version(url: str, identifier: str | None) -> None:
    """Old and new numbers are read from abs, pdf and html addresses, and nothing else is."""
    assert arxiv_id([Link("Paper", url)]) == identifier


def test_the_paper_link_speaks_before_the_others() -> None:
    """Paper first, then whatever is no tweet, a tweet last of all."""
    first, second, third = (Link("x", f"https://arxiv.org/abs/2301.0000{n}") for n in (1, 2, 3))
    tweet, code, paper = (
        Link("Tweet", first.url),
        Link("Code", second.url),
        Link("Paper", third.url),
    )
    assert arxiv_id([tweet, code, paper]) == "2301.00003"
    assert arxiv_id([tweet, code]) == "2301.00002"
    assert arxiv_id([tweet]) == "2301.00001"
    assert arxiv_id([Link("Paper", "https://example.org/a.pdf"), code]) == "2301.00002"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://doi.org/10.1126/Science.ADO9336", "10.1126/science.ado9336"),
        ("https://www.science.org/doi/10.1126/science.ado9336", "10.1126/science.ado9336"),
        ("https://www.science.org/doi/full/10.1126/science.ado9336?x=1", "10.1126/science.ado9336"),
        ("https://doi.org/10.48550/arXiv.2501.12948", None),
        ("https://example.org/10.1000/1", None),
    ],
)
def test_an_address_names_its_doi(url: str, name: str | None) -> None:
    """DOIs are compared in lower case; arXiv's own are arXiv ids already."""
    assert doi([Link("Paper", url)]) == name


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("2501.12948", "2501.12948"),
        (" arXiv:1706.03762v7 ", "1706.03762"),
        ("cs/0112017", "cs/0112017"),
        ("3", None),
        ("2501.1", None),
    ],
)
def test_a_bare_id_is_read(text: str, identifier: str | None) -> None:
    """An arXiv id may be typed by itself, with prefix and version or without."""
    assert bare_arxiv_id(text) == identifier


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
