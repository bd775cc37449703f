"""Papers: who is joined with whom, on both databases, in whatever order they are met."""

import asyncio
from itertools import permutations

import pytest
from sqlalchemy import text

from bot.ingest.drafts import EditionDraft
from store.database import Database, Session
from tests.bot.ingest.drafting import MONDAY, edition, entry
from tests.bot.ingest.importing import take_in

ID, OTHER_ID = "https://arxiv.org/abs/2601.00001", "https://arxiv.org/abs/2601.00002"
DOI = "https://doi.org/10.1000/example.1"


def _groups(session: Session) -> set[frozenset[str]]:
    """Return which sources share a paper."""
    rows = session.connection().execute(text("SELECT paper_id, ref FROM entry")).all()
    papers: dict[int, set[str]] = {}
    for paper, ref in rows:
        papers.setdefault(paper, set()).add(ref.split(":")[0])
    assert session.scalar(text("SELECT count(*) FROM paper")) == len(papers), "a paper nobody names"
    return {frozenset(sources) for sources in papers.values()}


async def _joined(database: Database, *weeks: tuple[str, EditionDraft]) -> set[frozenset[str]]:
    for slug, draft in weeks:
        await database.write(take_in, draft, slug)
    return await database.read(_groups)


def _week(title: str, *links: str) -> EditionDraft:
    return edition(entry(1, title, links=list(links)))


async def test_one_arxiv_id_is_one_paper_under_any_title(database: Database) -> None:
    """Two sources that link to one arXiv number speak of one paper, version or not."""
    weeks = ("a", _week("A Title", ID)), ("b", _week("Another", f"{ID}v3"))
    assert await _joined(database, *weeks) == {frozenset("ab")}


async def test_one_title_with_two_ids_is_two_papers(database: Database) -> None:
    """A title alone joins nothing where the ids differ."""
    weeks = ("a", _week("Survey", ID)), ("b", _week("Survey", OTHER_ID))
    assert await _joined(database, *weeks) == {frozenset("a"), frozenset("b")}


async def test_title_and_year_join_where_one_has_no_id(database: Database) -> None:
    """Spelled alike and of one year, an entry without id is the paper that has one."""
    weeks = ("a", _week("Long-Context Models", ID)), ("b", _week("long context models"))
    assert await _joined(database, *weeks) == {frozenset("ab")}


async def test_another_year_is_another_paper(database: Database) -> None:
    """The same title a year apart, without ids, is two papers."""
    earlier = edition(entry(1, "Survey"), first_day=MONDAY.replace(year=2024))
    weeks = ("a", _week("Survey")), ("b", earlier)
    assert await _joined(database, *weeks) == {frozenset("a"), frozenset("b")}


@pytest.mark.parametrize("order", list(permutations("abc")))
async def test_the_order_of_mentions_never_matters(database: Database, order: str) -> None:
    """One with an id, one with the title alone, one with both titles: joined in all orders."""
    weeks = {"a": _week("Title", ID), "b": _week("Title"), "c": _week("Other title", ID)}
    joined = await _joined(database, *((slug, weeks[slug]) for slug in order))
    assert joined == {frozenset("abc")}


@pytest.mark.parametrize("order", list(permutations("abc")))
async def test_between_two_ids_nobody_decides(database: Database, order: str) -> None:
    """Where two papers share title and year, an entry without id is joined with neither."""
    weeks = {"a": _week("Title", ID), "b": _week("Title"), "c": _week("Title", OTHER_ID)}
    joined = await _joined(database, *((slug, weeks[slug]) for slug in order))
    assert joined == {frozenset("a"), frozenset("b"), frozenset("c")}


@pytest.mark.parametrize("order", list(permutations("abc")))
async def test_an_entry_with_both_ids_unites_those_with_one(database: Database, order: str) -> None:
    """An arXiv number and a DOI on one entry show that two mentions are of one paper."""
    weeks = {"a": _week("One", ID), "b": _week("Two", DOI), "c": _week("Three", ID, DOI)}
    joined = await _joined(database, *((slug, weeks[slug]) for slug in order))
    assert joined == {frozenset("abc")}


async def test_where_ids_contradict_the_arxiv_id_decides(database: Database) -> None:
    """Two arXiv numbers under one DOI are two papers, in one edition or in two."""
    week = edition(entry(1, "One", links=[ID, DOI]), entry(2, "Two", links=[OTHER_ID, DOI]))
    weeks = ("a", week), ("b", _week("Three", OTHER_ID, DOI)), ("c", _week("Four", ID))
    assert await _joined(database, *weeks) == {frozenset("ac"), frozenset("ab")}


@pytest.mark.parametrize("order", list(permutations("abc")))
async def test_a_second_doi_replaces_none(database: Database, order: str) -> None:
    """A paper with another DOI elsewhere is still the paper of its arXiv number."""
    other_doi = DOI.replace("example", "elsewhere")
    weeks = {"a": _week("One", ID, DOI), "b": _week("Two", ID, other_doi), "c": _week("3", ID)}
    joined = await _joined(database, *((slug, weeks[slug]) for slug in order))
    assert joined == {frozenset("abc")}


async def test_a_corrected_link_parts_what_it_joined(database: Database) -> None:
    """When the link that joined two papers is corrected, they are two again."""
    weeks = ("a", _week("Title", ID)), ("b", _week("Other", ID)), ("b", _week("Other", OTHER_ID))
    assert await _joined(database, *weeks) == {frozenset("a"), frozenset("b")}


async def test_a_corrected_title_parts_what_it_joined(database: Database) -> None:
    """An entry without id leaves the paper whose title it no longer has."""
    weeks = ("a", _week("Title", ID)), ("b", _week("Title")), ("b", _week("Other"))
    assert await _joined(database, *weeks) == {frozenset("a"), frozenset("b")}


async def test_eight_writers_of_one_paper_make_one(database: Database) -> None:
    """Eight sources that name one new paper at the same moment end with one paper."""
    weeks = [(slug, _week("Title", ID)) for slug in "abcdefgh"]
    await asyncio.gather(*(database.write(take_in, draft, slug) for slug, draft in weeks))
    assert await database.read(_groups) == {frozenset("abcdefgh")}
