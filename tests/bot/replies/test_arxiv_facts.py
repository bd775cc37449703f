"""What arXiv says of a paper, as people see it who ask for that paper."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.replies.blocks import Fields, Level, Notice, PaperCard, PaperList, Reply, Text
from bot.replies.naming import marked_title
from bot.replies.papers import short_author_list
from bot.replies.plain_text import plain_text
from bot.replies.wording import shorten
from store.database import Database
from store.library import arxiv
from store.library.arxiv import ArxivPaper
from store.records import Link
from tests.bot.conftest import Ask
from tests.bot.export.editions import entry
from tests.bot.ingest.drafts import edition
from tests.bot.ingest.drafts import entry as drafted
from tests.bot.ingest.imports import NOW, take_in
from tests.fakes.arxiv import paper, withdrawn

# Its entry has no summary in the earlier of two editions.
ROUTING = "2601.00003"
_PLACES = (("dair", 3), ("other", 1))


def _says(filled: Database, said: ArxivPaper) -> None:
    asyncio.run(filled.write(arxiv.store_answers, [said.arxiv_id], [said], NOW, NOW))


def _facts(reply: Reply) -> dict[str, str]:
    return dict(pair for block in reply.blocks if isinstance(block, Fields) for pair in block.pairs)


def _titles(reply: Reply) -> Iterator[str]:
    for block in reply.blocks:
        if isinstance(block, PaperList):
            yield from (paper.title for paper in block.papers)
        elif isinstance(block, PaperCard):
            yield block.title


def test_before_arxiv_was_asked_no_authors_are_named(ask: Ask) -> None:
    """The card says so, as an answer to `who wrote it?`; nothing else stands beside it."""
    assert _facts(ask(f"show {ROUTING}")) == {"Authors": "not stored yet"}


def test_who_wrote_a_paper_and_when_stands_below_its_card(ask: Ask, filled: Database) -> None:
    """Authors, the day of the first version, the categories, and a version after the edition."""
    _says(
        filled,
        paper(
            ROUTING,
            authors=("Ada North", "Ben East", "Cy South", "Di West", "Ed Up"),
            version=3,
            updated_at=datetime(2026, 2, 3, 9, tzinfo=UTC),
        ),
    )
    reply = ask(f"show {ROUTING}")
    assert _facts(reply) == {
        "Authors": "Ada North, Ben East, Cy South and 2 others",
        "Submitted": "Jan 3, 2026",
        "Categories": "cs.RO, cs.LG",
        "New version": "v3 of Feb 3, 2026, after this edition",
    }
    assert isinstance(reply.blocks[0], PaperCard)
    assert "Ada North" in plain_text(reply)


def test_a_version_that_the_edition_knew_is_no_news(ask: Ask, filled: Database) -> None:
    """Nor is the first one."""
    _says(filled, paper(ROUTING, version=2, updated_at=datetime(2026, 1, 4, tzinfo=UTC)))
    assert "New version" not in _facts(ask(f"show {ROUTING}"))


def test_the_abstract_stands_where_the_edition_has_no_summary(ask: Ask, filled: Database) -> None:
    """It is called by its name, for it is the authors' and not the edition's."""
    said = paper(ROUTING)
    _says(filled, said)
    abstract = Text(f"Abstract: {said.abstract}")
    assert abstract in ask("show dair:2025-12-29#1").blocks
    assert abstract not in ask(f"show {ROUTING}").blocks


def test_code_and_project_are_shown_wherever_a_source_named_them(
    ask: Ask, filled: Database
) -> None:
    """Below every mention of the paper, each address once; other links stay where they are."""
    links = (
        Link("Paper", f"https://arxiv.org/abs/{ROUTING}"),
        Link("Code", "https://github.com/kites/routing"),
        Link("Project", "https://routing.example"),
        Link("Tweet", "https://x.example/1"),
    )
    draft = replace(drafted(1, "Routing Experts"), links=links)
    asyncio.run(filled.write(take_in, edition(draft), "other"))
    cards = [ask(f"show {source}:2026-01-05#{rank}").blocks[0] for source, rank in _PLACES]
    assert all(isinstance(card, PaperCard) for card in cards)
    labels = [[link.label for link in card.links] for card in cards if isinstance(card, PaperCard)]
    assert labels == [["Paper", "Code", "Project"], ["Paper", "Code", "Project", "Tweet"]]


def test_links_are_shown_with_the_scheme_in_small_letters(ask: Ask, filled: Database) -> None:
    """A phone makes the first letter of an address large, and not every chat links that."""
    draft = replace(drafted(1, "Kites"), links=(Link("Paper", "Https://Kites.example/A"),))
    asyncio.run(filled.write(take_in, edition(draft), "other"))
    card = ask("show other:2026-01-05#1").blocks[0]
    assert isinstance(card, PaperCard)
    url = "https://Kites.example/A"
    assert (card.url, [link.url for link in card.links]) == (url, [url])


def test_a_withdrawn_paper_says_why_before_anything_else(ask: Ask, filled: Database) -> None:
    """In its authors' words, and its title is marked there as everywhere."""
    said = withdrawn(ROUTING)
    _says(filled, said)
    first, card, *_ = ask(f"show {ROUTING}").blocks
    assert first == Notice(
        Level.WARNING, "This paper was withdrawn from arXiv.", said.comment or ""
    )
    assert isinstance(card, PaperCard)
    assert card.title == "Withdrawn: Routing Experts"


@pytest.mark.parametrize(
    "line", ["latest", "search routing", "topic mixture-of-experts", f"show {ROUTING}"]
)
def test_a_withdrawn_paper_is_marked_in_every_list(ask: Ask, filled: Database, line: str) -> None:
    """Wherever its title stands."""
    _says(filled, withdrawn(ROUTING))
    titles = [title for title in _titles(ask(line)) if "Routing Experts" in title]
    assert titles
    assert all(title.startswith("Withdrawn: Routing Experts") for title in titles)


def test_a_few_authors_are_all_named() -> None:
    """Up to three; then it is said how many others there are."""
    assert short_author_list(["Ada"]) == "Ada"
    assert short_author_list(["Ada", "Ben"]) == "Ada and Ben"
    assert short_author_list(["Ada", "Ben", "Cy"]) == "Ada, Ben and Cy"
    assert short_author_list(["Ada", "Ben", "Cy", "Di"]) == "Ada, Ben, Cy and 1 other"


def test_the_mark_outlasts_every_cut() -> None:
    """It stands in front, where a title that is too long is not cut."""
    long = replace(entry("Kites " * 90), withdrawn=True)
    assert shorten(marked_title(long), 12).startswith("Withdrawn")
