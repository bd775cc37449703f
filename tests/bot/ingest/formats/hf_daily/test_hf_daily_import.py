"""Importing daily papers into a real store: once, again, and as votes and lists move."""

from bot.domain.drafts import DocumentKind
from bot.ingest.pipeline import ImportOptions, ingest
from bot.ingest.report import DocumentReport
from store.database import Database
from store.library.editions import export_editions
from store.library.mentions import by_arxiv_id
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.formats.hf_daily.test_hf_daily import answer, listed
from tests.bot.ingest.imports import NOW, take_in


async def _import(database: Database, text: str) -> DocumentReport:
    report = await ingest(database, "papers.json", text.encode(), ImportOptions(), NOW)
    assert report.error is None
    return report


def _counts(report: DocumentReport) -> list[tuple[str, int, int, int, int]]:
    counts = [(edition.outcome, edition.entries) for edition in report.editions]
    return [(outcome, c.new, c.changed, c.unchanged, c.removed) for outcome, c in counts]


async def _refs(database: Database) -> list[tuple[str, int | None]]:
    [stored] = await database.read(export_editions)
    return [(each.ref, each.rank) for each in stored.entries]


async def test_votes_that_swap_two_papers_change_these_two(database: Database) -> None:
    """Ranks move with the votes and refs stay; who keeps the rank is unchanged."""
    await _import(database, answer(*(listed(f"2603.0000{n}", 9 - n) for n in (1, 2, 3))))
    votes = {1: 8, 2: 11, 3: 6}
    moved = answer(*(listed(f"2603.0000{n}", count) for n, count in votes.items()))
    assert _counts(await _import(database, moved)) == [("changed", 0, 2, 1, 0)]
    assert await _refs(database) == [("2603.00002", 1), ("2603.00001", 2), ("2603.00003", 3)]


async def test_votes_that_move_no_rank_change_nothing(database: Database) -> None:
    """More votes in the same order are nothing to a reader, so nothing is written."""
    await _import(database, answer(listed("2603.00001", 5), listed("2603.00002", 3)))
    report = await _import(database, answer(listed("2603.00001", 50), listed("2603.00002", 30)))
    assert _counts(report) == [("unchanged", 0, 0, 2, 0)]


async def test_a_paper_that_comes_later_moves_those_below(database: Database) -> None:
    """A new paper is new, those that it pushes down are changed, those above are not."""
    first = [listed("2603.00001", 9), listed("2603.00002", 5)]
    await _import(database, answer(*first))
    report = await _import(database, answer(*first, listed("2603.00003", 7)))
    assert _counts(report) == [("changed", 1, 1, 1, 0)]


async def test_a_paper_that_left_the_list_is_removed(database: Database) -> None:
    """One from the middle lets the others move up; the last alone is no sign of a cut document."""
    papers = [listed(f"2603.0000{n}", 9 - n) for n in range(1, 5)]
    await _import(database, answer(*papers))
    middle = await _import(database, answer(papers[0], *papers[2:]))
    assert _counts(middle) == [("changed", 0, 2, 1, 1)]
    last = await _import(database, answer(papers[0], papers[2]))
    assert _counts(last) == [("changed", 0, 0, 2, 1)]
    assert await _refs(database) == [("2603.00001", 1), ("2603.00003", 2)]


async def test_a_listed_paper_is_the_paper_of_other_sources(database: Database) -> None:
    """A newsletter's entry with the same arXiv link is another mention of the same paper."""
    await _import(database, answer(listed("2603.00001")))
    draft = edition(
        entry(3, "The Same Under Another Title", links=["https://arxiv.org/pdf/2603.00001v2"]),
        kind=DocumentKind.NEWSLETTER,
    )
    await database.write(take_in, draft)
    found = await database.read(by_arxiv_id, "2603.00001")
    assert {each.edition.source for each in found} == {"dair", "hf-daily"}
    assert len({each.paper_id for each in found}) == 1
