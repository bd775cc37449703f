"""Exports link to web pages, where these are reachable and there is no other address."""

from dataclasses import replace

import pytest

from bot.domain.page_paths import with_pages
from bot.export import FORMATS
from tests.bot.export.editions import MONDAY, edition, entry

_URL = "https://papers.example"


@pytest.mark.parametrize("form", ["bibtex", "ris", "csv", "atom"])
def test_a_paper_without_an_address_links_to_its_page(form: str) -> None:
    """One that has an address keeps it, and without a public URL nothing is added."""
    paper = entry("Gliders", ref="dair:2026-01-05#1")
    known = replace(entry("Kites", ref="dair:2026-01-05#2"), arxiv_id="2601.00002")
    week = edition(paper, known)
    written = FORMATS[form](with_pages([week], f"{_URL}/"), {})
    assert f"{_URL}/papers/dair/2026-01-05/1" in written.replace("\\_", "_")
    assert f"{_URL}/papers/dair/2026-01-05/2" not in written
    assert with_pages([week], None) == [week]


def test_an_edition_without_an_address_links_to_its_page() -> None:
    """In a feed this is where the entry leads."""
    week = replace(edition(entry("Gliders")), url=None)
    [linked] = with_pages([week], _URL)
    assert linked.url == f"{_URL}/editions/{week.source}/{MONDAY}"
