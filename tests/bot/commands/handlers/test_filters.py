"""Filters of lists: topic, source, author and days, in any order, with or without their names."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.app import Broadsheet
from bot.replies.blocks import Button, Choices, Pager, PaperCard
from bot.replies.plain_text import plain_text
from store.database import Database
from store.library import arxiv
from tests.bot.conftest import (
    READER,
    WEEK,
    Ask,
    FixedClock,
    answered,
    bot_of,
    copied_store,
    fill,
)
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.bot.replies.parts import commands, titles
from tests.fakes.arxiv import paper

_NOW = datetime(2026, 1, 20, 12, tzinfo=UTC)
_AUTHORS = {
    "2601.00003": ("Yoshua Bengio", "Ánna Ørsted-Smith"),  # Routing Experts
    "2510.00001": ("Samy Bengio", "Y. LeCun"),  # Agents, part 1
}


def _fill(database: Database) -> None:
    """Import three sources with a dozen papers on agents."""
    fill(database)
    asyncio.run(database.write(take_in, WEEK, "other"))
    entries = (
        entry(rank, f"Agents, part {rank}", links=[f"https://arxiv.org/abs/2510.{rank:05}"])
        for rank in range(1, 13)
    )
    older = edition(*entries, first_day=MONDAY - timedelta(days=70))
    asyncio.run(database.write(take_in, older))


def _sign(database: Database) -> None:
    """Have arXiv name the authors of two papers."""
    told = [paper(arxiv_id, authors=authors) for arxiv_id, authors in _AUTHORS.items()]
    asyncio.run(database.write(arxiv.store_answers, list(_AUTHORS), told, _NOW, _NOW))


def _fill_and_sign(database: Database) -> None:
    _fill(database)
    _sign(database)


@pytest.fixture
def unsigned(sqlite_template: Path, tmp_path: Path) -> Iterator[Ask]:
    """Return a way to ask where no authors are stored."""
    for database in copied_store(sqlite_template, "unsigned.db", _fill, tmp_path / "store.db"):
        yield _asking(database)


@pytest.fixture
def store(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store where the authors of two papers are known."""
    yield from copied_store(sqlite_template, "signed.db", _fill_and_sign, tmp_path / "store.db")


@pytest.fixture
def ask(store: Database) -> Ask:
    """Return a way to ask where arXiv has named the authors of two papers."""
    return _asking(store)


@pytest.fixture
def ask_each(database: Database) -> Ask:
    """Return the same on each database: their words of names are not alike."""
    _fill_and_sign(database)
    return _asking(database)


def _asking(database: Database) -> Ask:
    app = _app(database)
    return lambda text: asyncio.run(answered(app, text, READER))


def _app(database: Database) -> Broadsheet:
    return bot_of(database, FixedClock(_NOW))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("top agents 2025", "top 2025 topic:agents"),
        ("top 2025 agents", "top 2025 topic:agents"),
        ("top jan dair", "top 2026-01 from:dair"),
        ("top my-notes agents", "search my-notes agents"),
        ("top agents last month", "top 2025-12 topic:agents"),
        ("top moe other january 2026", "top 2026-01 topic:mixture-of-experts from:other"),
        ("top the last 3 months agents", "top 2025-10-20..2026-01-20 topic:agents"),
        ("top year author:bengio moe", "top 2026 topic:mixture-of-experts author:bengio"),
        ('top author:"Y. Bengio"', 'top 2026-01 author:"Y. Bengio"'),
        ("latest dair", "week 2026-W02 from:dair"),
        ("latest agents dair", "week 2026-W02 from:dair topic:agents"),
        ("week 2", "week 2026-W02"),
        ("week 2 agents", "week 2026-W02 topic:agents"),
        ("week of jan 5", "week 2026-W02"),
        ("week dair jan 5", "week 2026-W02 from:dair"),
        ("topic rag 2024", "topic retrieval 2024"),
        ("topic agents 2025", "topic agents 2025"),
        ("topic dair agents since:last month", "topic agents from:dair since:2025-12-01"),
        ("search agents since:last year", "search agents since:2025-01-01"),
        ("search until:2025 topic:agents", "search topic:agents until:2025-12-31"),
        ("search author:Bengio", "search author:Bengio"),
        ("saved agents", "saved topic:agents"),
        ("saved dair 2025 as:csv", "saved 2025 from:dair as:csv"),
        ("brief 10 agents", "brief topic:agents of:1"),
    ],
)
def test_words_are_the_filters_that_they_look_like(ask: Ask, text: str, line: str) -> None:
    """Topics, periods and sources need no names and stand in any order; the line names them."""
    assert ask(text).command == line
    assert ask(line).command == line


def test_words_that_are_no_filter_are_told_with_what_was_understood(ask: Ask) -> None:
    """The nearest of each filter that is not there yet are offered."""
    assert commands(ask("top agnets 2025"))[0] == "top 2025 topic:agents"
    reply = ask("top agnets 2025 by:votes")
    assert reply.failed
    assert "I can't read 'agnets' as a topic or source." in plain_text(reply)
    assert "Understood: by votes, period 2025." in plain_text(reply)
    assert commands(reply)[0] == "top 2025 topic:agents by:votes"
    assert ask("latest dair agents now").ran == "topic agents from:dair"


def test_the_best_of_a_topic_keep_their_order(ask: Ask) -> None:
    """A filter chooses papers and changes no ranks; a source's list is its alone."""
    assert titles(ask("top 2025 topic:agents"))[:2] == ["Agents, part 1", "Agents, part 2"]
    assert titles(ask("top 2026 moe author:bengio")) == ["Routing Experts, Early"]
    assert "other" not in plain_text(ask("top 2026 from:dair"))


def test_a_list_keeps_its_filters_over_pages(ask: Ask) -> None:
    """Next and Previous carry every filter."""
    for line in ("topic agents from:dair since:2025-01-01", "top 2025 topic:agents from:dair"):
        [pages] = [block for block in ask(line).blocks if isinstance(block, Pager)]
        assert pages.next == f"{line} page:2"
        [pages] = [block for block in ask(f"{line} page:2").blocks if isinstance(block, Pager)]
        assert pages.previous == line
    [weeks] = [
        b for b in ask("week 2026-W02 from:dair topic:agents").blocks if isinstance(b, Pager)
    ]
    assert weeks.previous == "week 2026-W01 from:dair topic:agents"


def test_an_edition_shows_the_papers_wanted_and_how_many_there_are(ask: Ask) -> None:
    """With none it says so, and leads to the whole edition and to a search."""
    reply = ask("latest surveys")
    assert titles(reply) == ["A Survey of Agents"]
    assert "1 of 3 papers on surveys" in plain_text(reply)
    none = ask("week 2026-W02 from:dair surveys author:bengio")
    assert "none of 3 papers on surveys by bengio" in plain_text(none)
    assert commands(none)[:2] == [
        "week 2026-W02 from:dair",
        "search topic:surveys author:bengio",
    ]
    assert titles(ask("week 2026-W02 moe")) == ["Routing Experts"] * 3  # and the consensus


@pytest.mark.parametrize("name", ["bengio", "BENGIO", "Bengio"])
def test_filters_alone_are_a_search(ask_each: Ask, name: str) -> None:
    """They list papers, each once, newest first, and say how many there are."""
    reply = ask_each(f"search author:{name}")
    assert titles(reply) == ["Routing Experts", "Agents, part 1"]
    assert f"Papers by {name}\n\n2 papers, newest first" in plain_text(reply)
    assert len(titles(ask_each("search topic:agents since:2025"))) == 10


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Yoshua Bengio", ["Routing Experts"]),
        ("bengio yoshua", ["Routing Experts"]),
        ("Y. Bengio", ["Routing Experts"]),
        ("S Bengio", ["Agents, part 1"]),
        ("lecun", ["Agents, part 1"]),
        ("anna ørsted smith", ["Routing Experts"]),
        ("Smith", ["Routing Experts"]),
    ],
)
def test_an_author_is_named_by_parts_of_a_name(ask_each: Ask, name: str, found: list[str]) -> None:
    """Whole words in any order and any case, with or without accents; a letter begins a word."""
    assert titles(ask_each(f'search author:"{name}"')) == found


def test_a_part_of_a_word_names_no_author(ask_each: Ask) -> None:
    """The nearest names are offered, in the same command."""
    reply = ask_each("top 2026 author:beng")
    assert reply.failed
    assert "No stored paper is by 'beng'." in plain_text(reply)
    assert commands(ask_each("top 2026 author:benigo")) == [
        'top 2026 author:"Samy Bengio"',
        'top 2026 author:"Yoshua Bengio"',
    ]
    assert 'search moe author:"Yoshua Bengio"' in commands(
        ask_each('search moe author:"J. Bengio"')
    )


def test_a_name_without_quotes_is_offered_whole(ask: Ask) -> None:
    """Its second word was looked for, and found nothing."""
    assert 'search author:"samy bengio"' in commands(ask("search author:samy bengio"))


@pytest.mark.parametrize("line", ["search author:bengio", "top 2026 moe author:bengio"])
def test_where_no_authors_are_stored_it_says_so(unsigned: Ask, line: str) -> None:
    """Before arXiv was asked no author can be found."""
    reply = unsigned(line)
    assert reply.failed
    assert "No authors are stored yet: arXiv has not been asked" in plain_text(reply)


async def test_authors_are_completed(store: Database, ask: Ask) -> None:
    """By the beginning of any word of a name, as arXiv writes it."""
    del ask  # for its authors
    offered = await _app(store).complete("search author:be", READER)
    assert [each.text for each in offered] == ['"Samy Bengio"', '"Yoshua Bengio"']
    whole = await _app(store).complete('top 2026 author:"yoshua be', READER)
    assert [each.text for each in whole] == ['"Yoshua Bengio"']


def test_chance_keeps_to_filters(ask: Ask) -> None:
    """Every throw is of the only paper that they let through."""
    for _ in range(3):
        [card, *_] = ask("random 2026 author:bengio").blocks
        assert isinstance(card, PaperCard)
        assert card.title == "Routing Experts"
    nothing = ask("random agents 2024")
    assert not nothing.failed
    assert "No paper on agents from Jan 1 – Dec 31, 2024 is stored." in plain_text(nothing)


def test_a_reader_s_list_keeps_to_filters(ask: Ask) -> None:
    """And so do its exports."""
    for ref in ("dair:2026-01-05#3", "dair:2026-01-05#2"):
        ask(f"save {ref}")
    reply = ask("saved author:bengio")
    assert titles(reply) == ["Routing Experts"]
    [menu] = [block for block in reply.blocks if isinstance(block, Choices)]
    assert Button("CSV", "saved author:bengio as:csv") in menu.options
    assert titles(ask("saved dair surveys")) == ["A Survey of Agents"]
    nothing = ask("saved moe 2024")
    said = "Nothing on mixture-of-experts from Jan 1 – Dec 31, 2024 is on your list"
    assert said in plain_text(nothing)


def test_a_brief_keeps_to_filters(ask: Ask) -> None:
    """What it left out is still unseen, and the next brief keeps to them too."""
    reply = ask("brief 1 agents 2025")
    assert "New to you on agents from Jan 1 – Dec 31, 2025 from all sources" in plain_text(reply)
    assert "Survey" not in plain_text(reply)
    assert "You have seen all there is by lecun" in plain_text(ask("brief author:lecun"))
    assert "A Survey of Agents" in plain_text(ask("brief surveys dair"))


def test_what_nothing_meets_is_offered_with_fewer_filters(ask_each: Ask) -> None:
    """The answer says what was asked, and is no error."""
    reply = ask_each("search topic:agents author:lecun since:2026")
    assert not reply.failed
    assert "No paper on agents by lecun since Jan 1, 2026 is stored." in plain_text(reply)
    assert "search topic:agents author:lecun" in commands(reply)
    top = ask_each("top moe 2025")
    assert "No paper on mixture-of-experts stands in an edition that ends in" in plain_text(top)
    assert commands(top) == ["top 2026-01 topic:mixture-of-experts", "top 2025"]
