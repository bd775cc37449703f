"""Saved papers, seen papers and votes follow their papers through corrections and merges."""

import asyncio
import shutil
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select
from sqlmodel import SQLModel, col

from bot.domain.drafts import EditionDraft, EntryDraft
from store.database import Database, Session
from store.imports import merge_papers
from store.library import mentions
from store.library.kept_papers import MOST_TAGS_OF_PAPER
from store.readers import saved, seen, votes
from store.readers.saved import Listing
from store.records import Person, Workspace
from store.tables.library import PaperRow
from store.tables.readers import BriefRow, SeenPaperRow
from store.workspaces import people
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.conftest import few_examples, on_both
from tests.store.consensus.fused_weeks import SECOND
from tests.store.imports.expected_store import wrong
from tests.store.library.test_editions import take_in_sample
from tests.store.readers.votes import kept

pytestmark = pytest.mark.on_sqlite

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)
TEAM = Workspace("slack", "T1")
ANN, BEN = Person(TEAM, "U1"), Person(TEAM, "U2")
_TABLES = ("saved_paper", "seen_paper", "vote")
_KITES = "https://arxiv.org/abs/2601.00001"
_OTHER = "https://arxiv.org/abs/2601.00002"


def _week(*titles: str, second: bool = False) -> EditionDraft:
    entries = [entry(rank, title) for rank, title in enumerate(titles, start=1)]
    return edition(*entries, first_day=SECOND if second else MONDAY)


def _ref(rank: int, *, second: bool = False) -> str:
    return f"dair:{SECOND if second else MONDAY}#{rank}"


def _keep(session: Session, person: Person, ref: str, note: str | None = None) -> None:
    """Save, open and vote for a paper as a person."""
    [mention, *_] = mentions.by_ref(session, ref)
    wanted = Listing(ref, mention.entry.title, NOW)
    saved.save_all(session, person, (wanted,), None)
    if note:
        saved.note(session, person, wanted, note, None)
    seen.open_paper(session, person, ref, NOW)
    votes.toggle(session, person, TEAM, ref, None, NOW)


def _kept(session: Session, person: Person) -> dict[str, list[str | None]]:
    """Return the titles of the papers that a person keeps, `None` for papers without entries."""
    member, titles = people.find_person(session, person), {}
    for name in _TABLES:
        papers = select(SQLModel.metadata.tables[name].c.paper_id).where(
            SQLModel.metadata.tables[name].c.person_id == member
        )
        found = [mentions.of_paper(session, each) for each in session.connection().scalars(papers)]
        titles[name] = [each[0].entry.title if each else None for each in found]
    return titles


def _all(*titles: str | None) -> dict[str, list[str | None]]:
    return {name: [*titles] for name in _TABLES}


async def _keeps(database: Database, *refs: str, person: Person = ANN) -> None:
    for ref in refs:
        await database.write(_keep, person, ref)


async def test_a_paper_that_is_put_in_between_moves_no_rows(database: Database) -> None:
    """Lists, notes, votes and seen papers stay with papers that go down a rank."""
    await database.write(take_in, _week("Kites", "Gliders", "Balloons"))
    await database.write(_keep, ANN, _ref(2), "About gliders.")
    await database.write(_keep, BEN, _ref(3), "About balloons.")
    await database.write(take_in, _week("Kites", "Rockets", "Gliders", "Balloons"))
    for person, title in ((ANN, "Gliders"), (BEN, "Balloons")):
        assert await database.read(_kept, person) == _all(title)
        [paper] = await database.read(saved.list_all, person)
        assert (paper.title, paper.note) == (title, f"About {title.lower()}.")


async def test_papers_that_change_places_keep_their_own(database: Database) -> None:
    """Papers swap ranks in a ring, with ids or without; each person keeps the same papers."""
    linked = [entry(rank, f"Wing {rank}", links=[f"{_KITES[:-1]}{rank}"]) for rank in (4, 5)]
    first = _week("Kites", "Gliders", "Balloons")
    await database.write(take_in, replace(first, entries=(*first.entries, *linked)))
    for rank in range(1, 6):
        person = replace(ANN, external_id=f"U{rank}")
        await _keeps(database, _ref(rank), person=person)
    round_ = _week("Balloons", "Kites", "Gliders")
    swapped = [replace(each, rank=9 - each.rank) for each in linked if each.rank]
    await database.write(take_in, replace(round_, entries=(*round_.entries, *swapped)))
    for rank, title in enumerate(("Kites", "Gliders", "Balloons", "Wing 4", "Wing 5"), start=1):
        assert await database.read(_kept, replace(ANN, external_id=f"U{rank}")) == _all(title)


async def test_a_dropped_entry_leaves_its_paper_to_another_week(database: Database) -> None:
    """A paper that loses an entry is listed under its newest other entry."""
    await database.write(take_in, _week("Kites", "Gliders"))
    await database.write(take_in, _week("Gliders", "Balloons", second=True))
    await _keeps(database, _ref(2))
    await database.write(take_in, _week("Kites"))
    assert await database.read(_kept, ANN) == _all("Gliders")
    [paper] = await database.read(saved.list_all, ANN)
    assert paper.ref == _ref(1, second=True)


async def test_a_paper_without_entries_keeps_its_rows(database: Database) -> None:
    """The paper that takes its place is not saved, seen or voted for; the list keeps the title."""
    await database.write(take_in, _week("Kites", "Gliders"))
    await database.write(_keep, ANN, _ref(2), "Read.")
    await database.write(take_in, _week("Kites", "Rockets"))
    assert await database.read(_kept, ANN) == _all(None)
    [paper] = await database.read(saved.list_all, ANN)
    assert (paper.title, paper.note, paper.mentions) == ("Gliders", "Read.", ())
    assert (
        await database.write_locking_rows(votes.toggle, BEN, TEAM, _ref(2), None, NOW)
    ).votes == 1
    [removed] = await database.write(saved.unsave_all, ANN, (paper.ref,), None)
    assert removed.was_listed


async def test_a_paper_that_returns_has_its_rows(database: Database) -> None:
    """One correction drops a paper, the next imports it at another rank: it is kept as before."""
    first = edition(entry(1, "Kites"), entry(2, "Gliders", links=[_OTHER]))
    await database.write(take_in, first)
    await _keeps(database, _ref(1), _ref(2))
    await database.write(take_in, _week("Rockets"))
    assert await database.read(_kept, ANN) == _all(None, None)
    again = edition(entry(1, "Rockets"), entry(2, "Soaring", links=[_OTHER]), entry(3, "Kites"))
    await database.write(take_in, again)
    kept = await database.read(_kept, ANN)
    assert {name: sorted(map(str, titles)) for name, titles in kept.items()} == {
        name: ["Kites", "Soaring"] for name in _TABLES
    }


async def test_an_entry_with_a_corrected_title_keeps_its_paper(database: Database) -> None:
    """An entry whose title is corrected keeps its paper: a slip, a longer title, one text or id."""
    await database.write(
        take_in,
        edition(
            entry(1, "Steering Tetherd Wings"),
            entry(2, "Kites"),
            entry(3, "Old words", "It soars."),
            entry(4, "Old name", links=[_OTHER]),
        ),
    )
    await _keeps(database, *map(_ref, range(1, 5)))
    mended = [
        entry(1, "Steering Tethered Wings"),
        entry(2, "Kites at Sea"),
        entry(3, "Gliders", "It soars."),
        entry(4, "Balloons", links=[_OTHER]),
    ]
    await database.write(take_in, edition(*mended))
    assert await database.read(_kept, ANN) == _all(*(each.title for each in mended))


@on_both
async def test_rows_of_papers_that_become_one_are_joined(database: Database) -> None:
    """Rows of papers that become one are joined: all notes, ten tags, and the brief's row."""
    await database.write(take_in, _week("Kites", "Gliders"))
    there = _ref(1, second=True)
    soaring = edition(entry(1, "Soaring", links=[_OTHER]), first_day=SECOND)
    await database.write(take_in, soaring)
    await database.write(_keep, ANN, _ref(1), "Old.")
    await database.write(_see_in_brief, ANN, there)
    await database.write_locking_rows(votes.toggle, ANN, TEAM, there, None, NOW)
    later = Listing(there, "Soaring", NOW + timedelta(1))
    await database.write(saved.note, ANN, later, "New.", None)
    many = [f"old{each}" for each in range(MOST_TAGS_OF_PAPER - 1)]
    for one, tags in ((replace(later, ref=_ref(1)), ["rag", *many]), (later, ["new", "rag"])):
        await database.write(saved.save_all, ANN, [one], None, tags)
    await database.write(take_in, edition(entry(1, "Kites", links=[_OTHER]), first_day=SECOND))
    await database.write(take_in, edition(entry(2, "Gliders")))
    [paper] = await database.read(saved.list_all, ANN)
    assert (paper.ref, paper.note, paper.at) == (
        there,
        f"New. · Old. · More tags: {many[-1]}",
        later.at,
    )
    assert paper.tags == ("new", "rag", *many[:-1])
    rows, seen_rows, vote_rows = await database.read(_rows)
    assert (len(rows), len(vote_rows)) == (1, 1)
    assert [row["position"] for row in seen_rows] == [0]


def _see_in_brief(session: Session, person: Person, ref: str) -> None:
    member = people.ensure_person(session, person)
    new = insert(BriefRow).values(person_id=member, minutes=5, asked_at=NOW)
    number = session.connection().execute(new.returning(col(BriefRow.id))).scalar_one()
    listed = {"person_id": member, **kept(session, ref), "brief_id": number, "position": 0}
    session.connection().execute(insert(SeenPaperRow).values(**listed, seen_at=NOW))


@pytest.mark.parametrize(("rank", "title"), [(1, "Kites"), (2, "Gliders")])
@on_both
async def test_a_split_undoes_a_merge(database: Database, rank: int, title: str) -> None:
    """Merged papers share what people keep; after a split, each row goes with its entry."""
    await database.write(take_in, _week("Kites", "Gliders"))
    await _keeps(database, _ref(rank))
    wanted = Listing(_ref(rank), title, NOW)
    await database.write(saved.save_all, ANN, [wanted], None, ["rag"])
    await database.write(_merge, _ref(1), _ref(2))
    [paper] = await database.read(saved.list_all, ANN)
    assert len(paper.mentions) == 2
    await database.write(_split, _ref(2))
    assert await database.read(_kept, ANN) == _all(title)
    [paper] = await database.read(saved.list_all, ANN)
    assert (paper.title, paper.tags) == (title, ("rag",))
    assert await database.read(wrong) == []


async def test_papers_keep_their_rows_as_entries_are_renumbered(database: Database) -> None:
    """Saved papers, seen papers and votes keep their paper ids as entries are renumbered."""
    await database.write(take_in, _week("Kites", "Gliders", "Balloons"))
    await _keeps(database, *map(_ref, (1, 2, 3)))
    before = await database.read(_papers_kept)
    for titles in (("Balloons", "Kites", "Rockets", "Gliders"), ("Rockets",), ("Gliders", "Kites")):
        await database.write(take_in, _week(*titles))
        assert await database.read(_papers_kept) == before


def _papers_kept(session: Session) -> list[set[int]]:
    return [{row["paper_id"] for row in rows} for rows in _rows(session)]


async def test_a_paper_without_rows_goes_with_its_last_entry(database: Database) -> None:
    """A paper without entries stays only while a person keeps anything of it."""
    await database.write(take_in, _week("Kites", "Gliders"))
    await _keeps(database, _ref(1))
    await database.write(take_in, _week("Rockets"))
    assert await database.read(_titles) == ["kites", "rockets"]


def _titles(session: Session) -> list[str]:
    return sorted(session.connection().scalars(select(col(PaperRow.title_key))))


async def test_a_paper_without_entries_gives_up_its_id(database: Database) -> None:
    """A lost paper gives up its id to a stored entry, and returns by its title.

    The entry that has the id now was there before: it does not bring the paper back.
    """
    wings, enzymes = "Steering Tethered Wings", "Folding Cold Enzymes"
    await database.write(take_in, edition(entry(1, wings, links=[_OTHER])))
    await database.write(take_in, edition(entry(1, enzymes, links=[_OTHER]), first_day=SECOND))
    await _keeps(database, _ref(1))
    await database.write(take_in, _week("Rockets"))
    assert await database.read(_kept, ANN) == _all(None)
    [enzyme] = await database.read(mentions.by_arxiv_id, "2601.00002")
    assert enzyme.entry.title == enzymes
    await database.write(take_in, _week("Rockets", wings))
    assert await database.read(_kept, ANN) == _all(wings)


def _merge(session: Session, one: str, other: str) -> None:
    [first], [second] = (mentions.by_ref(session, ref) for ref in (one, other))
    merge_papers.merge(session, first, second, NOW)


def _split(session: Session, ref: str) -> None:
    merge_papers.split(session, mentions.by_ref(session, ref)[0], NOW, is_entry=True)


def _rows(session: Session) -> list[list[dict[str, Any]]]:
    return [
        [
            dict(row)
            for row in session.connection()
            .execute(select(SQLModel.metadata.tables[name]))
            .mappings()
        ]
        for name in _TABLES
    ]


async def test_a_vote_counts_for_the_paper_that_it_was_given(database: Database) -> None:
    """A vote counts for its paper, not for the paper that takes its rank."""
    await database.write(take_in, _week("Kites", "Gliders"))
    await _keeps(database, _ref(1))
    await database.write(take_in, _week("Gliders", "Kites"))
    turned = await database.write_locking_rows(votes.toggle, BEN, TEAM, _ref(1), None, NOW)
    assert turned.votes == 1
    turned = await database.write_locking_rows(votes.toggle, BEN, TEAM, _ref(2), None, NOW)
    assert turned.votes == 2


async def test_papers_of_samples_become_real_papers(database: Database) -> None:
    """Papers of samples become papers of the first real editions, with what people keep."""
    await database.write(take_in_sample, _week("Kites", "Gliders"))
    await _keeps(database, "sample-weekly:2026-01-05#1", "sample-weekly:2026-01-05#2")
    await database.write(take_in, _week("Balloons", "Gliders"))
    kept = await database.read(_kept, ANN)
    assert {name: {*titles} for name, titles in kept.items()} == {
        name: {"Gliders", None} for name in _TABLES
    }
    await database.write(take_in, _week("Kites", second=True))
    kept = await database.read(_kept, ANN)
    assert all({*titles} == {"Gliders", "Kites"} for titles in kept.values())


_WORDS = ("Kites", "Gliders", "Balloons", "Rockets", "Sails", "Turbines")
_LISTS = st.lists(st.sampled_from(_WORDS), unique=True, max_size=len(_WORDS))
_CORRECTIONS = st.lists(st.tuples(st.booleans(), _LISTS), min_size=1, max_size=4)


@settings(max_examples=few_examples(), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_LISTS, _CORRECTIONS, st.sets(st.sampled_from(_WORDS)))
def test_people_keep_their_papers_through_any_corrections(
    sqlite_template: Path,
    tmp_path: Path,
    first: list[str],
    corrections: list[tuple[bool, list[str]]],
    linked: set[str],
) -> None:
    """People keep the same titles after any corrections of two weeks."""
    path = Path(shutil.copy(sqlite_template, tmp_path / "store.db"))
    asyncio.run(_corrected(path, first, corrections, linked))


async def _corrected(
    path: Path, first: list[str], corrections: list[tuple[bool, list[str]]], linked: set[str]
) -> None:
    with closing(Database(f"sqlite:///{path}")) as database:
        await database.write(take_in, _drawn(first, linked, second=False))
        await _keeps(database, *(_ref(rank) for rank in range(1, len(first) + 1)))
        standing = {False: first, True: []}
        for second, titles in corrections:
            await database.write(take_in, _drawn(titles, linked, second=second))
            standing[second] = titles
            still = {*first} & {title for week in standing.values() for title in week}
            for titles_kept in (await database.read(_kept, ANN)).values():
                assert sorted(each for each in titles_kept if each) == sorted(still)
            assert await database.read(wrong) == []


def _drawn(titles: list[str], linked: set[str], *, second: bool) -> EditionDraft:
    drafts = [_drafted(rank, title, linked) for rank, title in enumerate(titles, start=1)]
    return edition(*drafts, first_day=SECOND if second else MONDAY)


def _drafted(rank: int, title: str, linked: set[str]) -> EntryDraft:
    links = [f"{_KITES[:-1]}{_WORDS.index(title)}"] if title in linked else []
    return entry(rank, title, links=links)
