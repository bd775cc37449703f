"""Every command, asked as a reader asks and read as a screen reader reads."""

import asyncio

import pytest

from bot.app import Broadsheet
from bot.plain import plain_text
from bot.replies import Actions, PaperCard, PaperList, Reply, to_json
from tests.bot.conftest import READER, Ask


def _titles(reply: Reply) -> list[str]:
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    return [paper.title for block in lists for paper in block.papers]


def _buttons(reply: Reply) -> list[str]:
    actions = [block for block in reply.blocks if isinstance(block, Actions)]
    return [button.command for block in actions for button in block.buttons]


@pytest.mark.parametrize("text", ["", "latest", "LATEST", "/latest", "lookup latest"])
def test_latest_shows_the_newest_edition(ask: Ask, text: str) -> None:
    """Nothing at all, the name in any case, and the group with the name are one command."""
    assert plain_text(ask(text)).splitlines() == [
        "Top Papers of the Week · Jan 5–11, 2026",
        "",
        "from dair · 3 papers · year inferred from the weekday",
        "",
        "1  Sparse Attention",
        "   Attends to few tokens.",
        "   dair:2026-01-05#1",
        "2  A Survey of Agents",
        "   Attention, tools and memory.",
        "   dair:2026-01-05#2",
        "3  Routing Experts",
        "   Routes tokens.",
        "   dair:2026-01-05#3",
    ]


def test_latest_of_a_source_is_that_sources(ask: Ask) -> None:
    """`from:` bounds the newest to one source, with its overview, minutes and headings."""
    text = plain_text(ask("latest from:paperdive"))
    assert "from paperdive · 1 paper · 12 minutes" in text
    assert "An overview." in text
    assert "E31  When to stop" in text
    assert "Search · paperdive:E31" in text


@pytest.mark.parametrize(
    "text",
    [
        "show 3",
        "show #3",
        "show 2026-01-05#3",
        "show dair:2026-01-05#3",
        "show 2601.00003",
        "show arXiv:2601.00003v2",
        "show https://arxiv.org/pdf/2601.00003v1",
        "show routing experts",
        "show Routing",
    ],
)
def test_a_paper_has_many_names(ask: Ask, text: str) -> None:
    """Number, day and number, ref, arXiv id or address, title or its words: one paper."""
    if text == "show Routing":  # its two titles are of one paper
        text = "show routing experts"
    [card, *_] = ask(text).blocks
    assert isinstance(card, PaperCard)
    assert card.ref == "dair:2026-01-05#3"


def test_show_says_where_else_a_paper_was_featured(ask: Ask) -> None:
    """A paper that two editions name is shown with its other place."""
    text = plain_text(ask("show 3"))
    assert "Also featured:" in text
    assert "Number 1 in dair, Dec 29, 2025 – Jan 4, 2026" in text
    assert "Paper: https://arxiv.org/abs/2601.00003" in text


def test_show_names_heading_and_section_of_an_episode(ask: Ask) -> None:
    """A card of a review says under which theme and section it stood."""
    text = plain_text(ask("show e31"))
    assert "Episode E31 in paperdive, Dec 22–28, 2025 · Search · Stopping" in text


def test_several_papers_that_fit_are_offered(ask: Ask) -> None:
    """Words of two titles get a question with a button for each."""
    reply = ask("show sparse")
    assert reply.failed
    assert "Several papers fit 'sparse'." in plain_text(reply)
    assert sorted(_buttons(reply)) == ["show dair:2025-12-29#2", "show dair:2026-01-05#1"]


@pytest.mark.parametrize(
    ("text", "sentence", "button"),
    [
        (
            "show 12",
            "The newest edition has no paper 12; it has 3 papers.",
            "show dair:2026-01-05#3",
        ),
        (
            "show sparse zebras",
            "No title holds the words 'sparse zebras'.",
            "show dair:2026-01-05#1",
        ),
        ("show 2601.99999", "No paper is known as 2601.99999.", None),
        ("show E99", "No paper is known as E99.", None),
        ("show 2026-13-45#1", "2026-13-45 is no day of the calendar.", None),
        ("show", "show needs a paper.", "show 3"),
        ("latest from:diar", "There is no source 'diar'.", "latest from:dair"),
        ("latest from:dair from:dair", "from: is given twice.", None),
        ("latest now", "latest has no place for 'now'.", None),
        ("serach moe", "There is no command 'serach'.", "search moe"),
        ("search", "search needs a query.", "search attention"),
        ("search ?!", "There is no word to look for in '?!'.", "search reasoning"),
        ("search moe since:soon", "since: takes a day, month or year, not 'soon'.", None),
        ("search moe until:2026-02-30", "until: takes a day, month or year", None),
        ("search moe page:0", "page: takes a number from 1, not '0'.", None),
        ("help dance", "There is no command 'dance'.", None),
        ("help serach", "There is no command 'serach'.", "help search"),
        ('latest from:""', "There is no source ''.", None),
        ('search moe page:""', "page: takes a number from 1, not ''.", None),
        (f"search moe page:{'9' * 5000}", "page: takes a number from 1", None),
    ],
)
def test_a_wrong_argument_gets_a_sentence_and_the_nearest_right_thing(
    ask: Ask, text: str, sentence: str, button: str | None
) -> None:
    """What was understood, what was expected, and what may have been meant."""
    reply = ask(text)
    assert reply.failed
    assert sentence in plain_text(reply)
    if button:
        assert button in _buttons(reply)


def test_search_lists_hits_with_their_reason(ask: Ask) -> None:
    """Each hit says where it stood and shows the sentence that holds the words."""
    reply = ask("search memory tools")
    assert _titles(reply) == ["A Survey of Agents"]
    text = plain_text(reply)
    assert "Attention, tools and memory." in text
    assert "Number 2 in dair, Jan 5–11, 2026 · dair:2026-01-05#2" in text


def test_search_takes_filters_anywhere(ask: Ask) -> None:
    """Filters may stand before, between and after the words."""
    assert _titles(ask("search from:paperdive longer look")) == ["When to stop"]
    assert _titles(ask("search sparse until:2026-01-04")) == ["Sparse Rewards"]
    assert _titles(ask("search sparse since:2026-01-05")) == ["Sparse Attention"]
    assert _titles(ask("search sparse -rewards")) == ["Sparse Attention"]


def test_search_that_finds_nothing_offers_the_newest(ask: Ask) -> None:
    """No hit is no failure: the answer says so and shows a way on."""
    reply = ask("search zebra")
    assert not reply.failed
    assert "No paper matches zebra." in plain_text(reply)
    assert _buttons(reply) == ["latest"]


def test_help_lists_what_may_be_asked(ask: Ask) -> None:
    """Every command stands there with its usage, hidden arguments left out."""
    text = plain_text(ask("help"))
    for usage in ("latest [from:SOURCE]", "show PAPER", "search QUERY", "help [COMMAND]"):
        assert usage in text
    assert "page:" not in text


def test_help_of_a_command_says_all_about_it(ask: Ask) -> None:
    """Usage, arguments and examples of one command."""
    text = plain_text(ask("help search"))
    assert "search QUERY [from:SOURCE] [since:SINCE] [until:UNTIL]" in text
    assert '"a phrase"' in text
    assert "> search attention" in text


@pytest.mark.parametrize("text", ["latest", "show 1", "show some words"])
def test_an_empty_store_says_what_to_do(empty_app: Broadsheet, text: str) -> None:
    """Before anything is imported every lookup answers in words."""
    reply = asyncio.run(empty_app.run_text(text, READER))
    assert reply.failed
    assert "broadsheet import FILE" in plain_text(reply) or "No title holds" in plain_text(reply)


def test_blocks_travel_as_json(ask: Ask) -> None:
    """Each block is an object with its type, lists as arrays, and nothing but JSON values."""
    blocks = to_json(ask("show 3"))
    assert [block["type"] for block in blocks] == ["paper_card", "text", "paper_list"]
    assert blocks[0]["links"] == [{"label": "Paper", "url": "https://arxiv.org/abs/2601.00003"}]
