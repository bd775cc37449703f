"""`consensus` and `top`, asked as a reader asks and read as a screen reader reads."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.app import Broadsheet
from bot.domain.drafts import DocumentKind, EditionDraft
from bot.ingest.samples import add_samples
from bot.replies.blocks import Pager
from bot.replies.plain_text import plain_text
from store.database import Database
from store.posting.subscriptions import list_subscriptions
from tests.bot.conftest import READER, Ask, FixedClock, answered, bot_of
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import NOW
from tests.bot.member_channels import bot_over, manager, rooms
from tests.bot.replies.parts import commands, titles
from tests.store.consensus.fused_weeks import SECOND, paper, takes_in, week

_SUNDAY = datetime(2026, 1, 11, 23, tzinfo=UTC)
_THIRD = SECOND + timedelta(days=7)


def _review(*numbers: int, first_day: date = MONDAY) -> EditionDraft:
    """Draft a review, which ranks nothing, of papers in this order."""
    episodes = (
        replace(paper(place, number), rank=None, episode=f"E{number}")
        for place, number in enumerate(numbers, start=1)
    )
    return replace(edition(*episodes, first_day=first_day), kind=DocumentKind.REVIEW)


@pytest.fixture
def store(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with a week of three sources, a week of one, and a week of two."""
    path = tmp_path / "weeks.db"
    path.write_bytes(sqlite_template.read_bytes())
    with closing(Database(f"sqlite:///{path}")) as database:
        pairs = (
            ("dair", week(1, 2, 3)),
            ("other", week(3, 4, 5, 1)),
            ("paperdive", _review(1, 6)),
            ("dair", week(7, first_day=SECOND)),
            ("dair", week(8, 9, first_day=_THIRD)),
            ("other", week(9, first_day=_THIRD)),
        )
        asyncio.run(takes_in(database, *pairs))
        yield database


def _app(database: Database, at: datetime = NOW) -> Broadsheet:
    return bot_of(database, FixedClock(at))


def _asking(database: Database, at: datetime = NOW) -> Ask:
    app = _app(database, at)
    return lambda text: asyncio.run(answered(app, text, READER))


def test_a_week_is_shown_by_what_is_agreed_on_had_alone_and_disputed(store: Database) -> None:
    """Papers 1 and 3 are agreed on; 2, 4 and 5, and 6 stand in one source; each has its places.

    Paper 1 is first of three and last of four, paper 3 last of three and first of four. Numbers go
    on over the lists, and a paper that stands in two has one.
    """
    assert plain_text(_asking(store)("consensus 2026-W02")).splitlines() == [
        "Consensus of the Week · Jan 5–11, 2026",
        "",
        "Merged from dair, paperdive and other, which agree on 2 of 6 papers.",
        "",
        "1  Paper 1",
        "   dair #1 · other #4 · paperdive E1",
        "   dair:2026-01-05#1",
        "2  Paper 3",
        "   other #1 · dair #3",
        "   other:2026-01-05#1",
        "",
        "Only in dair, 1 paper:",
        "",
        "3  Paper 2",
        "   dair #2",
        "   dair:2026-01-05#2",
        "",
        "Only in paperdive, 1 paper:",
        "",
        "4  Paper 6",
        "   paperdive E6",
        "   paperdive:E6",
        "",
        "Only in other, 2 papers:",
        "",
        "5  Paper 4",
        "   other #2",
        "   other:2026-01-05#2",
        "6  Paper 5",
        "   other #3",
        "   other:2026-01-05#3",
        "",
        "Most disputed:",
        "",
        "1  Paper 1",
        "   dair #1 · other #4 · paperdive E1",
        "   dair:2026-01-05#1",
        "2  Paper 3",
        "   other #1 · dair #3",
        "   other:2026-01-05#1",
        "",
        "  > week 2026-W02 from:consensus",
        "    All papers in order",
        "  > week 2026-W02 from:dair",
        "    dair, Jan 5–11, 2026",
        "  > week 2026-W02 from:paperdive",
        "    paperdive, Jan 5–11, 2026",
        "  > week 2026-W02 from:other",
        "    other, Jan 5–11, 2026",
        "",
        "Week 2026-W02",
        "  > consensus 2026-W04",
        "    Next",
    ]


def test_without_a_week_it_is_the_newest_that_ended(store: Database) -> None:
    """An open edition is shown, as so far, if it is asked for or there is no other."""
    assert _asking(store)("consensus").command == "consensus 2026-W04"
    in_the_last_week = _asking(store, datetime(2026, 1, 21, tzinfo=UTC))
    assert in_the_last_week("consensus").command == "consensus 2026-W02"
    growing = plain_text(in_the_last_week("consensus this week"))
    assert growing.splitlines()[0] == "Consensus of the Week · Jan 19–25, 2026, so far"


def test_one_that_is_alone_is_shown_so_far(sqlite_template: Path, tmp_path: Path) -> None:
    """In the very first week of two sources there is no closed one."""
    path = tmp_path / "first.db"
    path.write_bytes(sqlite_template.read_bytes())
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(takes_in(database, ("dair", week(1)), ("other", week(1))))
        reply = _asking(database, _SUNDAY)("consensus")
    assert plain_text(reply).startswith("Consensus of the Week · Jan 5–11, 2026, so far")


def test_a_week_without_one_says_who_covers_it_and_offers_the_nearest(store: Database) -> None:
    """The buttons lead to the weeks that have one, and to the edition that there is."""
    reply = _asking(store)("consensus 2026-W03")
    assert "no consensus: only dair covers it." in plain_text(reply)
    assert commands(reply) == [
        "consensus 2026-W02",
        "consensus 2026-W04",
        "week 2026-W03 from:dair",
    ]
    nobody = _asking(store)("consensus 2026-W05")
    assert "no consensus: no source covers it." in plain_text(nobody)
    assert commands(nobody) == ["consensus 2026-W04"]


def test_weeks_of_one_source_are_not_offered(store: Database) -> None:
    """A week that can't be read is answered with the newest that several cover."""
    assert commands(_asking(store)("consensus 2026-W99")) == ["consensus 2026-W04"]
    beginning = "consensus 2026-W"
    offered = asyncio.run(_app(store).complete(beginning, READER))
    assert [each.text for each in offered] == ["2026-W04", "2026-W02"]


def test_where_no_week_has_one_it_says_what_that_takes(ask: Ask) -> None:
    """With one source at a time there is nothing to agree on, and that is no error."""
    reply = ask("consensus")
    assert not reply.failed
    assert "it takes two sources with papers in the same week" in plain_text(reply)
    assert commands(reply) == ["latest", "sources"]
    assert plain_text(ask("consensus jan 5")) == plain_text(reply)


@pytest.mark.parametrize("text", ["latest from:consensus", "week jan 5 from:consensus"])
def test_it_is_a_source_before_there_is_one(ask: Ask, text: str) -> None:
    """Asked for by its slug, the error says what it takes, not that the source is unknown."""
    reply = ask(text)
    assert reply.failed
    assert "it takes two sources with papers in the same week" in plain_text(reply)


def test_an_empty_store_has_none(empty_app: Broadsheet) -> None:
    """Before anything was imported, importing is what helps."""
    for text in ("consensus", "consensus jan 5", "top", "top 2025"):
        reply = asyncio.run(empty_app.run_text(text, READER))
        assert reply.failed
        assert "No edition is stored yet." in plain_text(reply)


def test_much_agreement_comes_in_pages(sqlite_template: Path, tmp_path: Path) -> None:
    """Ten papers at a time; the pages say where they are, and further on there is none."""
    path = tmp_path / "many.db"
    path.write_bytes(sqlite_template.read_bytes())
    many = edition(*(entry(rank, f"On the matter {rank}") for rank in range(1, 13)))
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(takes_in(database, ("dair", many), ("other", many)))
        ask = _asking(database)
        first, second, third = (
            ask(f"consensus 2026-W02{page}") for page in ("", " page:2", " page:3")
        )
    assert len(titles(first)) == 10
    assert commands(first)[0] == "consensus 2026-W02 page:2"
    assert titles(second) == ["On the matter 11", "On the matter 12"]
    [pager] = [block for block in second.blocks if isinstance(block, Pager)]
    assert (pager.previous, pager.next) == ("consensus 2026-W02", None)
    assert third.failed
    assert "has no page so far on" in plain_text(third)


def test_the_edition_of_a_week_leads_to_what_is_agreed_on(store: Database) -> None:
    """It lists all papers in order, under their numbers there, and comes after its sources."""
    whole = _asking(store)("week 2026-W02 from:consensus")
    assert titles(whole)[:3] == ["Paper 1", "Paper 3", "Paper 6"]
    assert "from consensus · 6 papers" in plain_text(whole)
    assert commands(whole)[0] == "consensus 2026-W02"
    week_of = plain_text(_asking(store)("week 2026-W02"))
    assert week_of.index("from other") < week_of.index("from consensus")
    assert _asking(store)("latest").command == "week 2026-W04 from:dair"
    assert _asking(store)("latest from:consensus").command == "week 2026-W04 from:consensus"


async def test_a_channel_may_order_it_by_name_alone(store: Database) -> None:
    """It is never what a bare order follows, and the preview is of the newest that ended."""
    bot = bot_over(store, FixedClock(NOW))
    bare = plain_text(await bot.run_text("subscribe", manager(rooms())))
    assert "from consensus" not in bare
    named = plain_text(await bot.run_text("subscribe from:consensus", manager(rooms())))
    assert "consensus, Jan 19–25, 2026" in named
    found = await store.read(list_subscriptions)
    assert [each.sources for each in found] == [("dair",), ("consensus",)]


def test_a_ref_is_the_sources_own(store: Database) -> None:
    """A paper of the consensus is shown as the source has it that ranks it highest."""
    shown = plain_text(_asking(store)("show other:2026-01-05#1"))
    assert "#1 in other" in shown
    assert "consensus" not in shown


def test_the_best_of_a_period_are_those_that_were_featured_most(store: Database) -> None:
    """Each edition counts: paper 1 has 1/61 + 1/64 + 1/61.5, paper 3 and paper 9 two of them."""
    reply = _asking(store)("top 2026-01")
    lines = plain_text(reply).splitlines()
    assert lines[:3] == [
        "Top papers · Jan 1–31, 2026",
        "",
        "9 papers, the best over all sources first.",
    ]
    assert titles(reply)[:3] == ["Paper 1", "Paper 9", "Paper 3"]
    where = "#1 in dair, #4 in other, E1 in paperdive, Jan 5–11, 2026"
    assert f"   {where} · dair:2026-01-05#1" in lines
    assert "consensus" not in plain_text(reply)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("top", "top 2026-01"),
        ("top month", "top 2026-11"),
        ("top year", "top 2026"),
        ("top 2026-q1", "top 2026-Q1"),
        ("top 2026-W02", "top 2026-W02"),
        ("top jan 11", "top 2026-W02"),
        ("top 2026-01-11", "top 2026-01-11"),
    ],
)
def test_a_period_has_one_name(store: Database, text: str, line: str) -> None:
    """Whatever it is asked by; without one it is this month or the last that has papers."""
    assert _asking(store)(text).command == line


def test_a_period_without_papers_offers_the_nearest(store: Database) -> None:
    """The months before and after it in which an edition ends."""
    reply = _asking(store)("top 2025")
    assert not reply.failed
    assert "No edition ends in Jan 1 – Dec 31, 2025." in plain_text(reply)
    assert commands(reply) == ["top 2026-01"]
    assert commands(_asking(store)("top 2026-02")) == ["top 2026-01"]


def test_a_day_between_two_editions_of_a_month_offers_that_once(store: Database) -> None:
    """The editions before and after it end in one month: one button."""
    reply = _asking(store)("top 2026-01-14")
    assert "No edition ends on Jan 14, 2026." in plain_text(reply)
    assert commands(reply) == ["top 2026-01"]


def test_what_still_grows_is_not_among_the_best(sqlite_template: Path, tmp_path: Path) -> None:
    """Votes of a week that goes on may change; they count once it ended."""
    path = tmp_path / "growing.db"
    path.write_bytes(sqlite_template.read_bytes())
    votes = replace(week(1), kind=DocumentKind.HF_DAILY)
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(takes_in(database, ("hf-daily", votes), ("dair", week(2))))
        before = titles(_asking(database, _SUNDAY)("top 2026"))
        after = titles(_asking(database, _SUNDAY + timedelta(hours=1))("top 2026"))
    assert (before, after) == (["Paper 2"], ["Paper 2", "Paper 1"])


def test_the_samples_show_a_consensus(sqlite_template: Path, tmp_path: Path) -> None:
    """A new install has two weeks in which two sources name some of the same papers."""
    path = tmp_path / "samples.db"
    path.write_bytes(sqlite_template.read_bytes())
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(add_samples(database, NOW))
        text = plain_text(_asking(database)("consensus"))
        ranked = plain_text(_asking(database)("top"))
    assert "This is a bundled sample" in text
    assert "Merged from sample-review and sample-weekly, which agree on 2 of 14 papers." in text
    assert "Top papers · Jun 1–30, 2025" in ranked
