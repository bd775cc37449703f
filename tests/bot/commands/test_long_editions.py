"""Answers about an edition of very many papers: a page of it at a time."""

import asyncio
from datetime import timedelta

from bot.replies.blocks import Pager, PaperList, Reply
from store.database import Database
from tests.bot.conftest import READER, answered, bot_of
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in

_PAPERS = 120
_NEXT_WEEK = MONDAY + timedelta(days=7)


def _asked(database: Database, *lines: str) -> list[Reply]:
    papers = (entry(rank, f"Agents, part {rank}") for rank in range(1, _PAPERS + 1))
    few = edition(entry(1, "A later one"), first_day=_NEXT_WEEK + timedelta(days=7))
    asyncio.run(database.write(take_in, few, "long"))
    asyncio.run(database.write(take_in, edition(*papers, first_day=_NEXT_WEEK), "long"))
    app = bot_of(database)

    async def ask() -> list[Reply]:
        return [await answered(app, line, READER) for line in lines]

    return asyncio.run(ask())


def _numbers(reply: Reply) -> list[str]:
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    return [paper.number for block in lists for paper in block.papers]


def _pager(reply: Reply) -> Pager:
    [pager] = [block for block in reply.blocks if isinstance(block, Pager)]
    return pager


def test_a_long_edition_is_shown_page_by_page(filled: Database) -> None:
    """Numbers go on over pages; before the first and behind the last are the other weeks."""
    week = "week 2026-W03 from:long"
    pages = _asked(filled, week, f"{week} page:2", f"{week} page:3")
    assert [len(_numbers(page)) for page in pages] == [50, 50, 20]
    numbers = [number for page in pages for number in _numbers(page)]
    assert numbers == [str(number) for number in range(1, _PAPERS + 1)]
    assert [(_pager(page).previous, _pager(page).next) for page in pages] == [
        (None, f"{week} page:2"),
        (week, f"{week} page:3"),
        (f"{week} page:2", "week 2026-W04 from:long"),
    ]
    assert _pager(pages[1]).position == "Week 2026-W03, 51\u2013100 of 120"


def test_more_turns_the_page(filled: Database) -> None:
    """The words for the next page, and a number of it, are understood as in any list."""
    *_, more, shown = _asked(filled, "week 2026-W03 from:long", "more", "show 51")
    assert _numbers(more)[0] == "51"
    assert shown.command == "show long:2026-01-12#51"


def test_a_page_too_far_is_said(filled: Database) -> None:
    """An edition has no page behind its last one."""
    [reply] = _asked(filled, "week 2026-W03 from:long page:4")
    assert reply.failed
