"""What arXiv says of papers: what it is to be asked, and what becomes of its answers."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import select
from sqlmodel import col

from bot.domain.drafts import EntryDraft
from bot.ingest.decide import contribute, decide
from store import content_version
from store.database import Database, Session
from store.imports import apply_edition, merge_papers
from store.library import arxiv, editions, entries, mentions
from store.records import Edition, Mention, Source
from store.tables.library import EditionRow
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import NOW, take_in
from tests.fakes.arxiv import paper, withdrawn

# The two clocks: what is noted of answers goes by the wall, what is said of editions by the other.
WALL = datetime(2026, 1, 20, 6, tzinfo=UTC)
TODAY = date(2026, 1, 20)
LATER = NOW + timedelta(hours=3)


def _linked(rank: int, arxiv_id: str) -> EntryDraft:
    return entry(rank, f"Paper {arxiv_id}", links=[f"https://arxiv.org/abs/{arxiv_id}"])


async def _takes_in(database: Database, *ids: str, week: int = 0, source: str = "dair") -> None:
    """Import the edition of a week in which papers of these ids stand."""
    first_day = MONDAY + timedelta(weeks=week)
    drafts = [_linked(rank, each) for rank, each in enumerate(ids, start=1)]
    await database.write(take_in, edition(*drafts, first_day=first_day), source)


async def _due(database: Database, now: datetime = WALL, most: int = 100) -> list[str]:
    return await database.read(arxiv.due, now, TODAY, most)


async def _note(
    database: Database, asked: list[str], *told: arxiv.ArxivPaper, now: datetime = WALL
) -> bool:
    return await database.write(arxiv.store_answers, asked, told, now, LATER)


def _changed_at(session: Session) -> dict[str, datetime]:
    rows = session.connection().execute(select(col(EditionRow.source), col(EditionRow.changed_at)))
    return {row.source: row.changed_at for row in rows}


async def test_papers_never_asked_about_come_first_the_newest_before(database: Database) -> None:
    """By the newest edition that has them, each once, and none without an arXiv id."""
    await _takes_in(database, "2601.00001", "2601.00002")
    await _takes_in(database, "2601.00003", "2601.00001", week=1)
    await database.write(take_in, edition(entry(1, "No id"), first_day=MONDAY), "other")
    assert await _due(database) == ["2601.00001", "2601.00003", "2601.00002"]
    assert await _due(database, most=2) == ["2601.00001", "2601.00003"]


async def test_samples_are_not_asked_about(database: Database) -> None:
    """They go with the first import, and a store that was only looked at asks nobody."""

    def take_in_sample(session: Session) -> None:
        draft = edition(_linked(1, "2601.00001"))
        change = decide("dair", draft, contribute(draft, sample=True), None).change
        assert change is not None
        apply_edition.apply(session, Source("dair", "Dair"), change, None, NOW)

    await database.write(take_in_sample)
    assert await _due(database) == []


async def test_what_was_told_is_kept_as_it_was_said(database: Database) -> None:
    """All of it, under the id, and by the paper."""
    await _takes_in(database, "2601.00001")
    said = paper(
        "2601.00001", comment="12 pages", journal_ref="Kites 3 (2026) 1", doi="10.1234/kites.1"
    )
    assert await _note(database, ["2601.00001"], said)
    assert await database.read(arxiv.known) == {"2601.00001": said}
    assert await database.read(arxiv.known, ["2601.00002"]) == {}
    [mention] = await database.read(mentions.by_arxiv_id, "2601.00001")
    assert await database.read(arxiv.of_paper, mention.paper_id) == said


async def test_new_papers_are_asked_about_again_sooner_than_old_ones(database: Database) -> None:
    """After three days while an edition of the last sixty has them, else after ninety."""
    await _takes_in(database, "2601.00001")
    await _takes_in(database, "2509.00001", week=-12)
    both = ["2601.00001", "2509.00001"]
    await _note(database, both, *map(paper, both))
    assert await _due(database) == []
    assert await _due(database, WALL + timedelta(days=2)) == []
    assert await _due(database, WALL + timedelta(days=4)) == ["2601.00001"]
    assert await _due(database, WALL + timedelta(days=91)) == both


async def test_what_is_missing_twice_rests_like_the_old(database: Database) -> None:
    """After the first time it is asked about within hours, then it passes for unknown."""
    await _takes_in(database, "2601.00001", "2601.99999")
    both = ["2601.00001", "2601.99999"]
    await _note(database, both, paper("2601.00001"))
    assert await _due(database) == []
    soon = WALL + timedelta(hours=2)
    assert await _due(database, soon) == ["2601.99999"]
    assert not await _note(database, ["2601.99999"], now=soon)
    assert await _due(database, WALL + timedelta(days=5)) == ["2601.00001"]
    assert "2601.99999" in await _due(database, soon + timedelta(days=91))
    assert list(await database.read(arxiv.known)) == ["2601.00001"]


async def test_what_is_missing_once_stays_as_it_was_told(database: Database) -> None:
    """An answer that leaves a paper out takes nothing back, and one that has it counts anew."""
    await _takes_in(database, "2601.00001")
    await _note(database, ["2601.00001"], withdrawn("2601.00001"))
    assert not await _note(database, ["2601.00001"])
    assert (await database.read(arxiv.known))["2601.00001"].withdrawn
    await _note(database, ["2601.00001"], withdrawn("2601.00001"))
    await _note(database, ["2601.00001"])
    assert await _due(database, WALL + timedelta(hours=2)) == ["2601.00001"]


async def test_what_was_noted_by_a_clock_ahead_is_asked_about_now(database: Database) -> None:
    """Else it would rest until that time has come."""
    await _takes_in(database, "2601.00001")
    await _note(database, ["2601.00001"], paper("2601.00001"), now=WALL + timedelta(days=400))
    assert await _due(database) == ["2601.00001"]


async def test_news_replace_the_content_and_nothing_else_does(database: Database) -> None:
    """Whoever keeps what was read finds out, and keeps it where nothing new was said."""
    await _takes_in(database, "2601.00001")
    before = await database.read(content_version.version)
    await _note(database, ["2601.00001"], paper("2601.00001"))
    told = await database.read(content_version.version)
    assert told != before
    assert not await _note(database, ["2601.00001"], paper("2601.00001"))
    assert await database.read(content_version.version) == told
    assert await _note(database, ["2601.00001"], paper("2601.00001", version=2))
    assert await database.read(content_version.version) != told


async def test_a_withdrawal_changes_the_editions_that_have_the_paper(database: Database) -> None:
    """So does its end; nothing else that arXiv says does, and no other edition is touched."""
    await _takes_in(database, "2601.00001", "2601.00002")
    await _takes_in(database, "2601.00001", source="other")
    await _takes_in(database, "2601.00002", source="third")
    await _note(database, ["2601.00001"], paper("2601.00001"))
    assert set((await database.read(_changed_at)).values()) == {NOW}
    await _note(database, ["2601.00001"], withdrawn("2601.00001"))
    changed = await database.read(_changed_at)
    # Of the two newsletters with the paper there is a consensus.
    having = {"dair": LATER, "other": LATER, "consensus": LATER}
    assert changed == {**having, "third": NOW}
    await database.write(
        arxiv.store_answers,
        ["2601.00001"],
        [paper("2601.00001", version=3)],
        WALL,
        LATER + timedelta(1),
    )
    assert (await database.read(_changed_at))["other"] == LATER + timedelta(1)


async def test_a_withdrawn_paper_is_marked_wherever_it_is_read(database: Database) -> None:
    """In each of its entries, however these are found, and in no other."""
    await _takes_in(database, "2601.00001", "2601.00002")
    await _note(database, ["2601.00001"], withdrawn("2601.00001"))
    newest = await database.read(editions.newest_edition)
    assert newest is not None
    assert _marks(newest) == [True, False]
    [exported] = await database.read(editions.export_editions)
    assert _marks(exported) == [True, False]
    [of_week] = await database.read(editions.of_week, "2026-W02")
    assert _marks(of_week) == [True, False]
    found: list[Mention] = await database.read(mentions.by_arxiv_id, "2601.00001")
    assert [each.entry.withdrawn for each in found] == [True]
    other: list[Mention] = await database.read(mentions.by_ref, "dair:2026-01-05#2")
    assert [each.entry.withdrawn for each in other] == [False]


async def test_a_withdrawn_paper_is_marked_in_the_consensus(database: Database) -> None:
    """Which has no entries of its own, and shows those of its sources."""
    await _takes_in(database, "2601.00001", "2601.00002")
    await _takes_in(database, "2601.00002", source="other")
    await _note(database, ["2601.00002"], withdrawn("2601.00002"))
    [newest] = await database.read(editions.export_editions, "consensus")
    marks = {each.arxiv_id: each.withdrawn for each in newest.entries}
    assert marks == {"2601.00001": False, "2601.00002": True}
    assert await database.read(editions.newest_edition, "consensus") == newest


async def test_an_import_knows_nothing_of_withdrawals(database: Database) -> None:
    """The same document again changes nothing, and a corrected one only what it corrects."""
    await _takes_in(database, "2601.00001", "2601.00002")
    await _note(database, ["2601.00001"], withdrawn("2601.00001"))
    drafts = [_linked(1, "2601.00001"), _linked(2, "2601.00002")]
    same = await database.write(take_in, edition(*drafts))
    assert same.outcome == "unchanged"
    mended = replace(drafts[1], summary="It flies.")
    corrected = await database.write(take_in, edition(drafts[0], mended))
    assert (corrected.entries.changed, corrected.entries.unchanged) == (1, 1)
    [stored] = await database.read(editions.export_editions)
    assert _marks(stored) == [True, False]


async def test_tagging_anew_leaves_the_marks(database: Database) -> None:
    """They stand with the paper, not with its entries."""
    await _takes_in(database, "2601.00001")
    await _note(database, ["2601.00001"], withdrawn("2601.00001"))
    await database.write(entries.retag, lambda _: ("agents",))
    [stored] = await database.read(editions.export_editions)
    assert (_marks(stored), stored.entries[0].topics) == ([True], ("agents",))


async def test_a_paper_that_comes_after_it_was_withdrawn_is_marked(database: Database) -> None:
    """What arXiv said outlasts the entries."""
    await _note(database, ["2601.00001"], withdrawn("2601.00001"))
    await _takes_in(database, "2601.00001")
    [stored] = await database.read(editions.export_editions)
    assert _marks(stored) == [True]


async def test_who_turns_out_to_mention_a_withdrawn_paper_changes(database: Database) -> None:
    """An entry known by its title gets the mark when another import tells the id, and loses it."""
    untitled = edition(entry(1, "Paper 2601.00001"))
    await database.write(take_in, untitled, "other")
    await _note(database, ["2601.00001"], withdrawn("2601.00001"))
    told = edition(_linked(1, "2601.00001"))
    for number, (draft, marks) in enumerate([(told, [True, True]), (untitled, [False, False])], 1):
        at = NOW + timedelta(minutes=number)
        await database.write(take_in, draft, "dair", at)
        found = await database.read(editions.export_editions)
        assert [each.entries[0].withdrawn for each in found] == marks
        assert await database.read(_changed_at) == dict.fromkeys(("dair", "other", "consensus"), at)


async def test_a_merge_with_a_withdrawn_paper_changes_its_editions(database: Database) -> None:
    """So does taking the merge back, wherever either of them stands."""

    def judge(session: Session, *, split: bool, at: datetime) -> None:
        [one], [other] = (mentions.by_ref(session, f"{name}:2026-01-05#1") for name in ("a", "b"))
        if split:
            merge_papers.split(session, other, at, is_entry=False)
        else:
            merge_papers.merge(session, one, other, at)

    await _takes_in(database, "2601.00001", source="a")
    await database.write(take_in, edition(entry(1, "Another")), "b")
    await _note(database, ["2601.00001"], withdrawn("2601.00001"))
    for number, split in enumerate((False, True), 1):
        at = LATER + timedelta(minutes=number)
        await database.write(judge, split=split, at=at)
        _, other = await database.read(editions.export_editions)
        assert other.entries[0].withdrawn is not split
        changed_at = await database.read(_changed_at)
        assert (changed_at["b"], changed_at["consensus"]) == (at, at)


def _marks(stored: Edition) -> list[bool]:
    return [each.withdrawn for each in stored.entries]
