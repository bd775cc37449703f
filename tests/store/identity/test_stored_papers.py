"""Papers: who is joined with whom, in whatever order they are met."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta
from itertools import permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, text

from bot.domain.drafts import DocumentKind, EditionDraft
from bot.ingest.rebuild import rebuild_if_outdated
from store import content_version
from store.database import Database, Session
from store.identity import candidates, overrides
from store.identity.overrides import Merge
from store.library import editions, entries, mentions, papers
from store.readers import saved
from store.readers.saved import Listing
from store.records import Person, Workspace
from store.tables.library import EntryWordRow
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import NOW, take_in
from tests.conftest import few_examples, on_both

pytestmark = pytest.mark.on_sqlite

ID, OTHER_ID = "https://arxiv.org/abs/2601.00001", "https://arxiv.org/abs/2601.00002"
DOI = "https://doi.org/10.1000/example.1"
ANN = Person(Workspace("slack", "T1"), "U1")
WINGS, ENZYMES = "Steering Tethered Wings", "Folding Cold Enzymes"
_IN_ALL_ORDERS = pytest.mark.parametrize("order", [*permutations("abc")])


def _groups(session: Session) -> set[frozenset[str]]:
    """Return which sources share a paper."""
    rows = session.connection().execute(text("SELECT paper_id, ref FROM entry")).all()
    found: dict[int, set[str]] = {}
    for paper, ref in rows:
        found.setdefault(paper, set()).add(ref.split(":")[0])
    assert session.scalar(text("SELECT count(*) FROM paper")) == len(found), "a paper nobody names"
    return {frozenset(sources) for sources in found.values()}


def _ranks_together(session: Session) -> set[frozenset[str]]:
    """Return which entries share a paper, each by its source and rank."""
    found: dict[int, set[str]] = {}
    for paper, ref, rank in session.connection().execute(
        text("SELECT paper_id, ref, rank FROM entry")
    ):
        found.setdefault(paper, set()).add(f"{ref[0]}{rank}")
    return set(map(frozenset, found.values()))


async def _joined(database: Database, *weeks: tuple[str, EditionDraft]) -> set[frozenset[str]]:
    for slug, draft in weeks:
        await database.write(take_in, draft, slug)
    return await database.read(_groups)


@on_both
async def test_any_number_of_entries_is_found(database: Database) -> None:
    """More than a database takes as values of their own; in the order that they are asked for."""
    await database.write(take_in, edition(entry(1, "Kites"), entry(2, "Boats")), "dair")
    found = await database.read(mentions.of_entries, [*range(70_000, 0, -1)])
    assert [each.entry.title for each in found] == ["Boats", "Kites"]


async def test_an_edition_that_moves_takes_its_titles_along(database: Database) -> None:
    """When better dates end it in another year its titles are of that year, too."""
    early = edition(entry(1, "Survey"), first_day=MONDAY - timedelta(days=14))
    late = edition(entry(1, "Survey"), first_day=MONDAY - timedelta(days=7))
    short = replace(late, last_day=late.first_day)
    apart, together = {frozenset("a"), frozenset("b")}, {frozenset("ab")}
    assert await _joined(database, ("a", early), ("b", short)) == together
    assert await _joined(database, ("b", late)) == apart
    assert await _joined(database, ("b", short)) == together


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


@_IN_ALL_ORDERS
async def test_the_order_of_mentions_never_matters(database: Database, order: str) -> None:
    """One with an id, one with the title alone, one with both titles: joined in all orders."""
    weeks = {"a": _week("Title", ID), "b": _week("Title"), "c": _week("Other title", ID)}
    joined = await _joined(database, *((slug, weeks[slug]) for slug in order))
    assert joined == {frozenset("abc")}


@_IN_ALL_ORDERS
async def test_between_two_ids_nobody_decides(database: Database, order: str) -> None:
    """Where two papers share title and year, an entry without id is joined with neither."""
    weeks = {"a": _week("Title", ID), "b": _week("Title"), "c": _week("Title", OTHER_ID)}
    joined = await _joined(database, *((slug, weeks[slug]) for slug in order))
    assert joined == {frozenset("a"), frozenset("b"), frozenset("c")}


@_IN_ALL_ORDERS
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


@_IN_ALL_ORDERS
async def test_a_second_doi_replaces_none(database: Database, order: str) -> None:
    """A paper with another DOI elsewhere is still the paper of its arXiv number."""
    other_doi = DOI.replace("example", "elsewhere")
    weeks = {"a": _week("One", ID, DOI), "b": _week("Two", ID, other_doi), "c": _week("3", ID)}
    joined = await _joined(database, *((slug, weeks[slug]) for slug in order))
    assert joined == {frozenset("abc")}


@on_both
async def test_a_corrected_link_parts_what_it_joined(database: Database) -> None:
    """When the link that joined two papers is corrected, they are two again."""
    weeks = ("a", _week("Title", ID)), ("b", _week("Other", ID)), ("b", _week("Other", OTHER_ID))
    assert await _joined(database, *weeks) == {frozenset("a"), frozenset("b")}


async def test_a_corrected_title_parts_what_it_joined(database: Database) -> None:
    """An entry without id leaves the paper whose title it no longer has."""
    weeks = ("a", _week("Title", ID)), ("b", _week("Title")), ("b", _week("Other"))
    assert await _joined(database, *weeks) == {frozenset("a"), frozenset("b")}


@on_both
async def test_eight_writers_of_one_paper_make_one(database: Database) -> None:
    """Eight sources that name one new paper at the same moment end with one paper."""
    weeks = [(slug, _week("Title", ID)) for slug in "abcdefgh"]
    await asyncio.gather(*(database.write(take_in, draft, slug) for slug, draft in weeks))
    assert await database.read(_groups) == {frozenset("abcdefgh")}


@_IN_ALL_ORDERS
async def test_a_wrong_link_joins_nothing(database: Database, order: str) -> None:
    """An entry of quite another title and text is not of the paper whose link it carries."""
    wrong = edition(entry(1, ENZYMES, "How hinges cool down.", links=[ID]))
    weeks = {"a": _week(WINGS, ID), "b": wrong, "c": _week("Tethered Wings, Steered", ID)}
    joined = await _joined(database, *((slug, weeks[slug]) for slug in order))
    assert joined == {frozenset("ac"), frozenset("b")}


async def test_a_renamed_paper_is_told_by_its_text(database: Database) -> None:
    """A title that shares no word stays with its id where the text tells of the same."""
    renamed = edition(entry(1, "Kite Pilots", "It is about steering wings.", links=[ID]))
    weeks = ("a", _week(WINGS, ID)), ("b", renamed)
    assert await _joined(database, *weeks) == {frozenset("ab")}


@_IN_ALL_ORDERS
async def test_a_bare_name_is_its_paper(database: Database, order: str) -> None:
    """What one calls by the name before the colon only is the paper that another has an id for."""
    weeks = {"a": _week("KiteNet: Wings on a Line", ID), "b": _week("KiteNet"), "c": _week("Kites")}
    joined = await _joined(database, *((slug, weeks[slug]) for slug in order))
    assert joined == {frozenset("ab"), frozenset("c")}


async def test_a_second_paper_of_a_name_parts_what_it_joined(database: Database) -> None:
    """Where two papers have one name before the colon nobody can tell which is meant."""
    weeks = (
        ("a", _week("KiteNet: Wings on a Line", ID)),
        ("b", _week("KiteNet")),
        ("c", _week("KiteNet: Nets for Kites", OTHER_ID)),
    )
    assert await _joined(database, *weeks) == {frozenset(slug) for slug in "abc"}


HARBOUR = "Ropes pull pilots over windy hills."
RETOLD = "Over windy hills pilots pull ropes and rudders."
FAIRS = "Kites sold at fairs."
PAGE = "https://example.org/kites.pdf"


@_IN_ALL_ORDERS
async def test_a_title_with_another_page_is_told_by_its_text(
    database: Database, order: str
) -> None:
    """An id and a page under one title are two papers, unless the summaries say that they are one.

    An entry that could be of either goes with the one that it says the same as, in any order.
    """
    weeks = {
        "a": edition(entry(1, "Kites", FAIRS, links=[ID])),
        "b": edition(entry(1, "Kites", HARBOUR, links=[PAGE])),
        "c": edition(entry(1, "Kites", RETOLD)),
    }
    joined = await _joined(database, *((slug, weeks[slug]) for slug in order))
    assert joined == {frozenset("a"), frozenset("bc")}
    [doubt] = await database.read(papers.doubtful)
    assert doubt.one.ref == "a:2026-01-05#1"


@on_both
async def test_a_paper_is_found_again_under_another_title(database: Database) -> None:
    """A name in brackets, or how a title begins, finds what another year says in other words."""
    first = edition(
        entry(1, "How Boats Fly (KiteNet)", HARBOUR, links=[ID]),
        entry(2, "Steering the Long Kites by Wire", FAIRS + HARBOUR, links=[OTHER_ID]),
    )
    later = edition(
        entry(1, "On Flying", f"Somebody proposes KiteNet. {RETOLD}", links=[PAGE]),
        entry(2, "Steered Long Kites by Wire in Storms", FAIRS + RETOLD, links=[PAGE]),
        first_day=MONDAY.replace(year=2027),
    )
    await _joined(database, ("a", first), ("b", later))
    assert await database.read(_ranks_together) == {
        frozenset({"a1", "b1"}),
        frozenset({"a2", "b2"}),
    }
    assert await database.read(papers.doubtful) == []


# A week in two wordings of one archive, and a later week about the same work.
_BRAIN_WEEKS = {
    "first": edition(
        entry(
            1,
            "LLMs Predict Neuroscience Results",
            "Puts forward a test of guesses, BrainBench, where abstracts hide outcomes.",
            links=["https://arxiv.org/abs/2403.03230"],
        ),
        first_day=date(2024, 3, 11),
        kind=DocumentKind.ARCHIVE,
    ),
    "reworded": edition(
        entry(
            1,
            "LLMs Predict Neuroscience Results (BrainBench)",
            "Neurologists guess outcomes that abstracts hide; BrainGPT guesses better.",
            links=["https://arxiv.org/abs/2403.03230"],
        ),
        first_day=date(2024, 3, 11),
        kind=DocumentKind.ARCHIVE,
    ),
    "later": edition(
        entry(
            1,
            "LLM Surpass Human Experts in Predicting Neuroscience Results",
            "Introduces BrainBench: neurologists and BrainGPT guess outcomes that abstracts hide.",
            links=["https://www.nature.com/articles/s41562-024-02046-9"],
        ),
        first_day=date(2024, 11, 25),
        kind=DocumentKind.ARCHIVE,
    ),
}


@pytest.mark.parametrize("order", [*permutations(_BRAIN_WEEKS)], ids=" ".join)
async def test_one_paper_whatever_wording_came_first(
    database: Database, order: tuple[str, ...]
) -> None:
    """A work that two summaries introduce by name is one, in either wording of a week."""
    for name in order:
        await database.write(take_in, _BRAIN_WEEKS[name])
    (paper,) = {week.entries[0].paper for week in await database.read(editions.export_editions)}
    assert paper
    assert await database.read(papers.doubtful) == []


@on_both
async def test_people_keep_what_they_kept_where_papers_are_parted_anew(database: Database) -> None:
    """A store of older rules is put right at the next start, and lists go with the entries."""
    second = "b:2026-01-05#1"

    def as_before(session: Session) -> None:
        execute = session.connection().execute
        execute(text("UPDATE entry SET paper_id = (SELECT min(paper_id) FROM entry)"))
        execute(text("DELETE FROM paper WHERE id NOT IN (SELECT paper_id FROM entry)"))
        execute(text("DELETE FROM entry_word WHERE word LIKE '=%' OR word LIKE '<%'"))
        content_version.set_rules(session, content_version.rules(session).replace("/2.", "/1."))
        saved.note(session, ANN, Listing(second, "Kites", NOW), "to read", None)

    weeks = {
        "a": edition(entry(1, "Kites", FAIRS, links=[ID])),
        "b": edition(entry(1, "Kites", HARBOUR, links=[PAGE])),
    }
    await _joined(database, *weeks.items())
    await rebuild_if_outdated(database, NOW)
    await database.write(as_before)
    assert await database.read(_groups) == {frozenset("ab")}
    await rebuild_if_outdated(database, NOW)
    assert await database.read(_groups) == {frozenset("a"), frozenset("b")}
    [kept] = await database.read(saved.list_all, ANN)
    assert ([each.entry.ref for each in kept.mentions], kept.note) == ([second], "to read")


async def test_the_first_holder_of_an_id_may_go(database: Database) -> None:
    """A wrong link becomes the right one where the entry that spoke against it is corrected."""
    weeks = ("a", _week(WINGS, ID)), ("b", _week(ENZYMES, ID)), ("a", _week(WINGS, OTHER_ID))
    await _joined(database, *weeks)
    [found] = await database.read(mentions.by_arxiv_id, "2601.00001")
    assert found.entry.title == ENZYMES


async def test_papers_of_an_older_program_are_found_anew(database: Database) -> None:
    """What was joined by other rules, or by none yet, is joined by these at the next start."""

    def as_before(session: Session) -> None:
        for statement in (
            "UPDATE entry SET name_key = NULL",
            "UPDATE entry SET paper_id = (SELECT max(paper_id) FROM entry)",
            "DELETE FROM paper WHERE id NOT IN (SELECT paper_id FROM entry)",
        ):
            session.connection().execute(text(statement))
        content_version.set_rules(session, "older")

    weeks = {"a": _week("KiteNet: Wings on a Line", ID), "b": _week("KiteNet"), "c": _week("Kites")}
    await _joined(database, *weeks.items())
    await database.write(as_before)
    assert await database.read(_groups) == {frozenset("abc")}
    await rebuild_if_outdated(database, NOW)
    assert await database.read(_groups) == {frozenset("ab"), frozenset("c")}


async def test_what_an_older_program_wrote_meanwhile_is_found_at_the_next_start(
    database: Database,
) -> None:
    """Its entries have no keys, although the rules are these already."""

    def as_older(session: Session) -> None:
        session.connection().execute(delete(EntryWordRow).where(candidates.IS_KEY))

    await _joined(database, ("a", _week("KiteNet: Wings on a Line", ID)))
    await rebuild_if_outdated(database, NOW)
    await database.write(as_older)
    assert await _joined(database, ("b", _week("KiteNet"))) == {frozenset("a"), frozenset("b")}
    assert await rebuild_if_outdated(database, NOW)
    assert await database.read(_groups) == {frozenset("ab")}
    assert not await rebuild_if_outdated(database, NOW)


async def test_a_paper_that_two_turn_out_to_be_is_one_in_every_week(database: Database) -> None:
    """What shows that two papers of an earlier week are one changes the consensus of that week."""
    later = edition(entry(1, "One", links=[ID, DOI]), first_day=MONDAY + timedelta(weeks=1))
    await _joined(database, ("a", _week("One", ID)), ("b", _week("Two", DOI)))
    before = await database.read(editions.of_week, "2026-W02", "consensus")
    await database.write(take_in, later, "c")
    after = await database.read(editions.of_week, "2026-W02", "consensus")
    assert [len(each.entries) for each in (*before, *after)] == [2, 1]


_TITLES = ("KiteNet", "KiteNet: Wings on a Line", "KiteNet: Nets for Kites", WINGS, ENZYMES)
_ENTRY = st.tuples(
    st.sampled_from(_TITLES),
    st.lists(st.sampled_from((ID, OTHER_ID, DOI, "https://example.org/")), max_size=2),
)
_WEEK = st.tuples(st.sampled_from("abcd"), st.lists(_ENTRY, max_size=2))
_NAMES = ("arxiv:2601.00001", "arxiv:2601.00002", "doi:10.1000/example.1", "title:2026:kitenet")
_MERGE = st.lists(st.sampled_from(_NAMES), min_size=2, max_size=2, unique=True)
_SPLIT = st.sampled_from(("a:2026-01-05#1", "b:2026-01-05#1", "b:2026-01-05#2"))


@settings(max_examples=few_examples(), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_WEEK | _MERGE | _SPLIT, min_size=1, max_size=8))
def test_the_way_there_never_matters(database: Database, steps: list[Any]) -> None:
    """Imports, corrections, merges and splits in any order end as if all came at once.

    A list of weeks may hold one edition twice: the later one corrects the earlier.
    """
    asyncio.run(_walk(database, steps))


async def _walk(database: Database, steps: list[Any]) -> None:
    await database.write(_empty)
    for step in steps:
        if isinstance(step, tuple):
            slug, drafted = step
            drafts = [entry(rank, title, links=its) for rank, (title, its) in enumerate(drafted, 1)]
            await database.write(take_in, edition(*drafts), slug)
        else:
            await database.write(_say, step)
    before = await database.read(_groups_and_names)
    await database.write(papers.place_all)
    assert await database.read(_groups_and_names) == before


def _say(session: Session, said: list[str] | str) -> None:
    known = overrides.read(session)
    if isinstance(said, list):
        if tuple(sorted(said)) not in {(each.one, each.other) for each in known.merges}:
            one, other = sorted(said)
            overrides.add_merge(session, Merge(one, other, NOW))
    elif said not in {each.ref for each in known.splits}:
        overrides.add_split(session, said, NOW)
    every = session.connection().scalars(text("SELECT id FROM paper"))
    papers.place_again(session, list(every))


def _empty(session: Session) -> None:
    for row in session.connection().execute(text("SELECT id FROM edition")).all():
        session.connection().execute(text("DELETE FROM consensus_rank"))
        entries.drop_of_edition(session, row.id)
    for table in ("contribution", "edition", "paper_merge", "paper_split"):
        session.connection().execute(text(f"DELETE FROM {table}"))  # noqa: S608 - names of ours


def _groups_and_names(session: Session) -> set[tuple[Any, ...]]:
    rows = session.connection().execute(
        text(
            "SELECT paper.arxiv_id, paper.doi, paper.title_key, paper.year, entry.ref, paper.id"
            " FROM paper LEFT JOIN entry ON entry.paper_id = paper.id"
        )
    )
    found: dict[tuple[Any, ...], set[str]] = {}
    for *known, ref, paper in rows:
        found.setdefault((paper, *known), set()).add(ref)
    return {(*known, frozenset(refs)) for (_, *known), refs in found.items()}
