"""Who is who: ids in addresses, and the years they tell."""

import pytest

from bot.domain.paper_ids import arxiv_id, bare_arxiv_id, doi
from store.records import Link


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
