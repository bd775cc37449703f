"""Lists have a paper once, whichever entry it was saved by, on both databases."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel

from bot.domain.drafts import EditionDraft
from store.coordination.request_claims import Claim
from store.database import Database, Session
from store.library.kept_papers import MOST_TAGS_OF_PAPER
from store.readers import saved
from store.readers.saved import (
    MOST_TAGS,
    Listing,
    NoteResult,
    SavedPaper,
    SaveResult,
    TooManyTags,
    UnsaveResult,
)
from store.records import Person, Workspace
from store.search import EVERYTHING, Filters
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)
ANN = Person(Workspace("slack", "T1"), "U1")
_ARXIV = "https://arxiv.org/abs/2601.0000"
KITES, GLIDERS, BALLOONS = (f"dair:2026-01-05#{rank}" for rank in (1, 2, 3))


def _week(*titles: str, first_day: datetime | None = None, known: bool = True) -> EditionDraft:
    """Draft an edition of papers; those that are known have an arXiv id by their first letter."""
    entries = (
        entry(rank, title, links=[f"{_ARXIV}{ord(title[0]) % 10}"] if known else ())
        for rank, title in enumerate(titles, start=1)
    )
    return edition(*entries, first_day=first_day.date() if first_day else MONDAY)


async def _stored(database: Database) -> None:
    await database.write(take_in, _week("Kites", "Gliders", "Balloons"))


async def _save(
    database: Database,
    ref: str,
    person: Person = ANN,
    minutes: int = 0,
    key: str | None = None,
) -> SaveResult:
    request = Claim(key, NOW) if key else None
    wanted = Listing(ref, f"Title of {ref}", NOW + timedelta(minutes=minutes))
    [listed] = await database.write(saved.save_all, person, (wanted,), request)
    return listed


async def _unsave(
    database: Database, person: Person, ref: str, request: Claim | None = None
) -> UnsaveResult:
    [removed] = await database.write(saved.unsave_all, person, (ref,), request)
    return removed


async def _note(
    database: Database, ref: str, text: str | None, key: str | None = None
) -> NoteResult:
    request = Claim(key, NOW) if key else None
    return await database.write(saved.note, ANN, Listing(ref, "A title", NOW), text, request)


async def _list(database: Database, person: Person = ANN) -> list[SavedPaper]:
    return await database.read(saved.list_all, person)


def _refs(papers: Sequence[SavedPaper]) -> list[str]:
    return [paper.ref for paper in papers]


async def test_a_list_has_the_last_saved_first(database: Database) -> None:
    """A list has each paper with its entries and the time that it was saved."""
    await _stored(database)
    for minutes, ref in enumerate((GLIDERS, KITES)):
        assert await _save(database, ref, minutes=minutes) == SaveResult(
            is_listed=True, is_new=True
        )
    kites, gliders = await _list(database)
    assert (kites.title, kites.at, kites.note) == ("Kites", NOW + timedelta(minutes=1), None)
    assert [mention.entry.ref for mention in gliders.mentions] == [GLIDERS]


async def test_to_save_again_changes_nothing(database: Database) -> None:
    """A second save changes neither the place nor the note."""
    await _stored(database)
    await _save(database, KITES)
    await _note(database, KITES, "Fly.")
    before = await _list(database)
    assert await _save(database, KITES, minutes=5) == SaveResult(is_listed=True, is_new=False)
    assert await _list(database) == before


async def test_people_have_own_lists(database: Database) -> None:
    """People of one workspace have own lists, as has one id in two workspaces or platforms."""
    await _stored(database)
    others = (
        replace(ANN, external_id="U2"),
        replace(ANN, workspace=Workspace("slack", "T2")),
        replace(ANN, workspace=Workspace("discord", "T1")),
    )
    await _save(database, KITES)
    await _note(database, KITES, "Secret.")
    for other in others:
        assert await _list(database, other) == []
        assert await database.read(saved.note_on, other, KITES) is None
        assert await _unsave(database, other, KITES) == UnsaveResult(was_listed=False)
    assert _refs(await _list(database)) == [KITES]


async def test_a_paper_is_one_by_whichever_entry_it_was_saved(database: Database) -> None:
    """A paper is listed under its newest entry, saved once, and removed as a whole."""
    await _stored(database)
    await _save(database, KITES)
    later = _week("Kites, Again", first_day=NOW)
    await database.write(take_in, later)
    newest = "dair:2026-01-12#1"
    assert await _save(database, newest) == SaveResult(is_listed=True, is_new=False)
    [kites] = await _list(database)
    assert (kites.ref, kites.title) == (newest, "Kites, Again")
    assert [mention.entry.ref for mention in kites.mentions] == [newest, KITES]
    assert (await _unsave(database, ANN, newest)).was_listed
    assert await _list(database) == []


async def test_papers_that_became_one_show_once_with_both_notes(database: Database) -> None:
    """A correction that joins two papers keeps both notes."""
    await database.write(take_in, _week("Kites", "Gliders"))
    await database.write(take_in, _week("Kytes", first_day=NOW, known=False))
    other = "dair:2026-01-12#1"
    await _note(database, KITES, "Old.")
    await database.write(saved.note, ANN, Listing(other, "Kytes", NOW + timedelta(1)), "New.", None)
    assert len(await _list(database)) == 2
    await database.write(take_in, _week("Kytes", first_day=NOW))
    [paper] = await _list(database)
    assert (paper.ref, paper.note) == (other, "New. · Old.")
    assert await _note(database, KITES, "Both.") == NoteResult(
        "New. · Old.", "Both.", was_listed=True
    )
    assert [each.note for each in await _list(database)] == ["Both."]


async def test_a_paper_without_entries_stays_on_the_list(database: Database) -> None:
    """A paper without entries stays on the list, and can be removed by its ref."""
    await _stored(database)
    await _save(database, BALLOONS)
    await _note(database, BALLOONS, "Up.")
    await database.write(take_in, _week("Kites", "Gliders"))
    [gone] = await _list(database)
    assert gone == SavedPaper(gone.ref, f"Title of {BALLOONS}", NOW, "Up.", ())
    assert await _unsave(database, ANN, gone.ref) == UnsaveResult(True, "Up.")  # noqa: FBT003 - a record's field
    assert await _list(database) == []


async def test_a_page_tells_how_many_there_are(database: Database) -> None:
    """Counts are those of the whole list, or of all papers of the topic that is asked for."""
    titles = "A Survey of Agents", "Agents for Kites", "Balloons"
    await database.write(take_in, _week(*titles, known=False))
    for minutes, ref in enumerate((KITES, GLIDERS, BALLOONS)):
        await _save(database, ref, minutes=minutes)
    await _note(database, KITES, "Fly.")
    page = await database.read(saved.list_page, ANN, EVERYTHING, 2, 1)
    assert (_refs(page.papers), page.total, page.notes) == ([GLIDERS, KITES], 3, 1)
    agents = await database.read(saved.list_page, ANN, Filters("agents"), 1)
    assert (_refs(agents.papers), agents.total, agents.notes) == ([GLIDERS], 2, 1)
    none = await database.read(saved.list_page, ANN, Filters("moe"), 10)
    assert (none.papers, none.total) == ((), 0)


async def test_a_note_saves_its_paper_and_is_replaced_by_another(database: Database) -> None:
    """The result has the note before; without a note the paper stays on the list."""
    await _stored(database)
    assert await _note(database, KITES, "One.") == NoteResult(None, "One.", was_listed=False)
    assert await _note(database, KITES, "Two.") == NoteResult("One.", "Two.", was_listed=True)
    assert await database.read(saved.note_on, ANN, KITES) == "Two."
    assert await _note(database, KITES, None) == NoteResult("Two.", None, was_listed=True)
    assert [(each.ref, each.note) for each in await _list(database)] == [(KITES, None)]
    assert await _note(database, GLIDERS, None) == NoteResult(None, None, was_listed=False)
    assert len(await _list(database)) == 1


async def test_a_request_that_comes_again_changes_nothing(database: Database) -> None:
    """A repeated request is answered as before while the answer still holds."""
    await _stored(database)
    await _save(database, KITES, key="save")
    assert await _save(database, KITES, key="save") == SaveResult(is_listed=True, is_new=True)
    await _note(database, KITES, "One.", key="note")
    await _note(database, KITES, "Two.")
    assert (await _note(database, KITES, "One.", key="note")).after == "Two."
    request = Claim("unsave", NOW)
    assert (await _unsave(database, ANN, KITES, request)).was_listed
    assert (await _unsave(database, ANN, KITES, request)).was_listed
    assert await _save(database, KITES, key="save") == SaveResult(is_listed=False, is_new=False)
    await _save(database, KITES)
    assert not (await _unsave(database, ANN, KITES, request)).was_listed
    assert _refs(await _list(database)) == [KITES]


async def test_saves_at_the_same_moment_leave_one_row(database: Database) -> None:
    """Of eight saves at once by a new person, one is the first."""
    await _stored(database)
    found = await asyncio.gather(*(_save(database, KITES) for _ in range(8)))
    assert sorted(each.is_new for each in found) == [False] * 7 + [True]
    rows = await database.read(lambda session: _count(session, "saved_paper", "person"))
    assert rows == [1, 1]


def _count(session: Session, *tables: str) -> list[int]:
    return [
        len(session.connection().execute(SQLModel.metadata.tables[name].select()).all())
        for name in tables
    ]


async def _tag(
    database: Database,
    *refs: str,
    tags: Sequence[str],
    person: Person = ANN,
    key: str | None = None,
) -> list[SaveResult]:
    request = Claim(key, NOW) if key else None
    wanted = [Listing(ref, f"Title of {ref}", NOW) for ref in refs]
    return await database.write(saved.save_all, person, wanted, request, tags)


async def _tagged(database: Database, *tags: str, person: Person = ANN) -> dict[str, list[str]]:
    """Return the tags of each paper of a list that has any of some tags."""
    found = await database.read(saved.list_all, person, EVERYTHING, tags)
    return {paper.ref: [*paper.tags] for paper in found}


async def test_tags_are_added_to_those_that_a_paper_has(database: Database) -> None:
    """Each paper that is saved with tags has them once; the result tells which are new to it."""
    await _stored(database)
    await _save(database, KITES)
    assert await _tag(database, KITES, GLIDERS, tags=["rag"]) == [
        SaveResult(is_listed=True, is_new=False, tags=("rag",), added=("rag",)),
        SaveResult(is_listed=True, is_new=True, tags=("rag",), added=("rag",)),
    ]
    assert await _tag(database, GLIDERS, tags=["agents", "rag"]) == [
        SaveResult(is_listed=True, is_new=False, tags=("rag", "agents"), added=("agents",))
    ]
    await _save(database, GLIDERS)
    assert await _tagged(database) == {KITES: ["rag"], GLIDERS: ["rag", "agents"]}
    assert await _tagged(database, "agents", "other") == {GLIDERS: ["rag", "agents"]}
    assert await database.read(saved.count_tags, ANN) == {"rag": 2, "agents": 1}


async def test_tags_are_a_persons_own(database: Database) -> None:
    """Nobody else has them, nor the same id in another workspace."""
    await _stored(database)
    elsewhere = replace(ANN, workspace=Workspace("slack", "T2"))
    for person in (ANN, elsewhere):
        await _tag(database, KITES, tags=[person.workspace.external_id.lower()], person=person)
    assert await _tagged(database) == {KITES: ["t1"]}
    assert await _tagged(database, person=elsewhere) == {KITES: ["t2"]}
    assert await database.read(saved.count_tags, replace(ANN, external_id="U2")) == {}


async def test_tags_are_taken_off_alone_or_with_the_paper(database: Database) -> None:
    """Without them the paper stays; the results tell what there was, so that it can come back."""
    await _stored(database)
    await _tag(database, KITES, tags=["rag", "agents"])

    async def untag(*refs: str, key: str | None = None) -> list[UnsaveResult]:
        request = Claim(key, NOW) if key else None
        return await database.write(saved.untag_all, ANN, refs, ["rag", "moe"], request)

    lost = UnsaveResult(was_listed=True, tags=("rag",), left=("agents",))
    nothing = UnsaveResult(was_listed=False)
    assert await untag(KITES, GLIDERS, key="first") == [lost, nothing]
    assert await untag(KITES) == [UnsaveResult(was_listed=True, left=("agents",))]
    await _tag(database, KITES, tags=["rag"])
    assert (await untag(KITES, key="first"))[0].was_listed
    assert await _tagged(database) == {KITES: ["agents", "rag"]}
    removed = await _unsave(database, ANN, KITES)
    assert removed == UnsaveResult(was_listed=True, tags=("agents", "rag"))
    await _save(database, KITES)
    assert await _tagged(database) == {KITES: []}


async def test_tags_of_a_request_that_comes_again_are_told_once(database: Database) -> None:
    """It changes nothing, whatever was done between."""
    await _stored(database)
    first = await _tag(database, KITES, tags=["rag"], key="one")
    assert await _tag(database, KITES, tags=["rag"], key="one") == first
    await database.write(saved.untag_all, ANN, [KITES], ["rag"], None)
    [again] = await _tag(database, KITES, tags=["rag"], key="one")
    assert again == SaveResult(is_listed=True, is_new=True)
    assert await _tagged(database) == {KITES: []}


async def test_tags_are_bounded(database: Database) -> None:
    """A paper has ten and a person a hundred; what would be more changes nothing at all."""
    titles = [f"{chr(65 + number)}ing" for number in range(11)]
    await database.write(take_in, _week(*titles, known=False))
    refs = [f"dair:2026-01-05#{rank}" for rank in range(1, 12)]
    for place, ref in enumerate(refs[:10]):
        await _tag(database, ref, tags=[f"{place}-{each}" for each in range(MOST_TAGS_OF_PAPER)])
    counted = await database.read(saved.count_tags, ANN)
    assert len(counted) == MOST_TAGS
    for refused in (refs[:1], refs[10:]):
        with pytest.raises(TooManyTags) as raised:
            await _tag(database, *refused, tags=["another"])
        assert raised.value.title == (f"Title of {refs[0]}" if refused == refs[:1] else None)
    await _tag(database, refs[10], tags=["0-0"])
    assert await database.read(saved.count_tags, ANN) == {**counted, "0-0": 2}
    await _tag(database, refs[0], tags=["another"], person=replace(ANN, external_id="U2"))


async def test_tags_given_at_the_same_moment_all_stay(database: Database) -> None:
    """Two replicas that tag one paper lose neither's tag."""
    await _stored(database)
    await _save(database, KITES)
    async with Database(database.url.render_as_string(hide_password=False)) as other:
        await asyncio.gather(
            *(
                _tag([database, other][number % 2], KITES, tags=[f"tag-{number}"])
                for number in range(8)
            )
        )
    assert await database.read(saved.count_tags, ANN) == {f"tag-{n}": 1 for n in range(8)}


async def test_what_a_program_of_before_saved_has_no_tags(database: Database) -> None:
    """It writes rows without them while this one runs."""
    await _stored(database)
    await _save(database, KITES)

    def save(session: Session) -> None:
        names = "person_id, paper_id, entry_id, title, saved_at, note"
        row = session.connection().execute(text(f"SELECT {names} FROM saved_paper")).one()  # noqa: S608 - names of ours
        session.connection().execute(text("DELETE FROM saved_paper"))
        given = ", ".join(f":{name}" for name in row._fields)
        session.connection().execute(
            text(f"INSERT INTO saved_paper ({names}) VALUES ({given})"),  # noqa: S608 - the same
            row._asdict(),
        )

    await database.write(save)
    assert await _tagged(database) == {KITES: []}
    await _tag(database, KITES, tags=["rag"])
    assert await _tagged(database, "rag") == {KITES: ["rag"]}
