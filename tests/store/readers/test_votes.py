"""Votes for papers: one per person, counted in each workspace, on both databases."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from store.coordination.request_claims import Claim
from store.database import Database, Session
from store.imports import merge_papers
from store.library import mentions
from store.readers import votes
from store.readers.votes import VoteResult
from store.records import Person, Workspace
from store.workspaces.workspaces import delete_left, mark_left
from tests.bot.ingest.drafts import edition
from tests.bot.ingest.imports import take_in
from tests.store.consensus.fused_weeks import SECOND, paper, takes_in, week
from tests.store.posting.delivery_rows import DUE
from tests.store.readers.votes import OURS, THEIRS, counted, person, turns

FIRST, OTHER, AGAIN = "dair:2026-01-05#1", "dair:2026-01-05#2", "dair:2026-01-12#2"


async def _papers(database: Database) -> None:
    """Import two weeks: the first paper of the one is the second of the other."""
    await takes_in(database, ("dair", week(1, 2)), ("dair", week(3, 1, first_day=SECOND)))


async def test_a_second_press_takes_a_vote_back(database: Database) -> None:
    """A person casts and withdraws their own vote; the result has the number of votes."""
    await _papers(database)
    assert await turns(database, "ann", FIRST) == VoteResult(has_voted=True, votes=1)
    assert await turns(database, "bob", FIRST) == VoteResult(has_voted=True, votes=2)
    assert await turns(database, "ann", FIRST) == VoteResult(has_voted=False, votes=1)
    assert await turns(database, "ann", OTHER) == VoteResult(has_voted=True, votes=1)
    assert await counted(database) == {FIRST: 1, AGAIN: 1, OTHER: 1}


async def test_a_paper_is_one_by_whichever_ref(database: Database) -> None:
    """A vote by one ref of a paper counts for all its refs, and is withdrawn by any."""
    await _papers(database)
    await turns(database, "ann", FIRST)
    await turns(database, "bob", AGAIN)
    assert await counted(database) == {FIRST: 2, AGAIN: 2}
    assert await turns(database, "ann", AGAIN) == VoteResult(has_voted=False, votes=1)
    assert await counted(database) == {FIRST: 1, AGAIN: 1}


async def test_workspaces_count_apart(database: Database) -> None:
    """A vote counts in its workspace only; a person may vote in several."""
    await _papers(database)
    known = Person(Workspace("test", "@ann"), "ann")
    for place in (OURS, THEIRS):
        voted = await database.write_locking_rows(votes.toggle, known, place, FIRST, None, DUE)
        assert voted == VoteResult(has_voted=True, votes=1)
    await turns(database, "bob", OTHER, THEIRS)
    assert await counted(database) == {FIRST: 1, AGAIN: 1}
    assert await counted(database, THEIRS) == {FIRST: 1, AGAIN: 1, OTHER: 1}
    assert await counted(database, Workspace("test", "T3")) == {}
    assert await database.read(votes.list_voting_workspaces) == {OURS, THEIRS}


async def test_votes_are_counted_by_refs_and_entries(database: Database) -> None:
    """Votes are counted by refs or by entries of any number; entries of one paper agree."""
    await _papers(database)
    await turns(database, "ann", FIRST)
    await turns(database, "bob", AGAIN)
    await turns(database, "bob", OTHER)
    nothing = [f"dair:2025-01-06#{rank}" for rank in range(70_000)]
    found = await database.read(votes.of_refs, OURS, [*nothing, AGAIN])
    assert found == {AGAIN: 2}
    by_id = await database.read(votes.of_entries, OURS, range(1, 70_001))
    assert sorted(by_id.values()) == [1, 2, 2]
    one, *_ = by_id
    assert await database.read(votes.of_entries, OURS, [one]) == {one: by_id[one]}


async def test_a_request_that_comes_again_turns_nothing(database: Database) -> None:
    """A repeated request returns the current vote."""
    await _papers(database)
    request = Claim("slack:1", DUE)
    assert await turns(database, "ann", FIRST, request=request) == VoteResult(
        has_voted=True, votes=1
    )
    assert await turns(database, "ann", FIRST, request=request) == VoteResult(
        has_voted=True, votes=1
    )
    second = replace(request, key="slack:2")
    assert await turns(database, "ann", FIRST, request=second) == VoteResult(
        has_voted=False, votes=0
    )
    assert await turns(database, "ann", FIRST, request=request) == VoteResult(
        has_voted=False, votes=0
    )


async def test_votes_follow_papers_as_imports_regroup_them(database: Database) -> None:
    """Joined papers have the votes of both, one per person; split ones have their own."""
    apart = edition(replace(paper(2, 1), title="Paper 1 once more", links=()), first_day=SECOND)
    await takes_in(database, ("dair", week(1, 2)), ("dair", apart))
    await turns(database, "ann", FIRST)
    await turns(database, "ann", AGAIN)
    await turns(database, "bob", AGAIN)
    assert await counted(database) == {FIRST: 1, AGAIN: 2}
    await takes_in(database, ("dair", edition(paper(2, 1), first_day=SECOND)))
    assert await counted(database) == {FIRST: 2, AGAIN: 2}
    assert await turns(database, "ann", FIRST) == VoteResult(has_voted=False, votes=1)
    await takes_in(database, ("dair", apart))
    assert await counted(database) == {AGAIN: 1}


async def test_a_paper_that_left_its_edition_keeps_its_votes(database: Database) -> None:
    """Votes for a paper without entries are not counted until it returns."""
    await takes_in(database, ("dair", week(1, 2)))
    await turns(database, "ann", OTHER)
    await takes_in(database, ("dair", week(1)))
    assert await counted(database) == {}
    await takes_in(database, ("dair", week(2)))
    assert await counted(database) == {FIRST: 1}


def _drop(session: Session) -> None:
    """Import an edition without its second paper."""
    take_in(session, week(1), "dair")


def _merge(session: Session) -> None:
    """Say that both papers of an edition are one."""
    [one], [other] = (mentions.by_ref(session, ref) for ref in (FIRST, OTHER))
    merge_papers.merge(session, one, other, DUE)


@pytest.mark.parametrize(
    ("change", "votes_now"), [(_drop, {}), (_merge, {FIRST: 1, OTHER: 1})], ids=["drop", "merge"]
)
async def test_a_vote_for_a_paper_that_goes_meanwhile_is_kept(
    database: Database, change: Callable[[Session], None], votes_now: dict[str, int]
) -> None:
    """Neither the vote nor the import fails, and the vote is there when the paper returns."""
    await takes_in(database, ("dair", week(1, 2)))
    voted, finish = threading.Event(), threading.Event()

    def slowly(session: Session) -> None:
        votes.toggle(session, person("ann"), OURS, OTHER, None, DUE)
        voted.set()
        finish.wait(20)

    vote = asyncio.create_task(database.write_locking_rows(slowly))
    await asyncio.to_thread(voted.wait, 20)
    changed = asyncio.create_task(database.write(change))
    await asyncio.sleep(0.3)
    finish.set()
    await asyncio.gather(vote, changed)
    assert await counted(database) == votes_now
    await takes_in(database, ("dair", week(1, 2)))
    assert (await counted(database))[OTHER] == 1


async def test_votes_of_a_person_are_deleted(database: Database) -> None:
    """All votes of a person are deleted, in all workspaces, and none of others."""
    await _papers(database)
    known = Person(Workspace("test", "@ann"), "ann")
    for place in (OURS, THEIRS):
        await database.write_locking_rows(votes.toggle, known, place, FIRST, None, DUE)
    await turns(database, "bob", FIRST)
    assert await database.write(votes.delete_all, known, DUE) == 2
    assert await database.write(votes.delete_all, known, DUE) == 0
    assert await database.write(votes.delete_all, person("nobody"), DUE) == 0
    assert await counted(database) == {FIRST: 1, AGAIN: 1}
    assert await database.read(votes.list_voting_workspaces) == {OURS}


async def test_a_workspace_that_is_forgotten_takes_its_votes_along(database: Database) -> None:
    """A deleted workspace has no votes when the bot returns."""
    await _papers(database)
    await turns(database, "ann", FIRST)
    await database.write(mark_left, OURS, DUE)
    await database.write(delete_left, OURS.platform, DUE)
    assert await counted(database) == {}
    assert await turns(database, "bob", FIRST) == VoteResult(has_voted=True, votes=1)


@pytest.mark.parametrize("papers", [(FIRST, FIRST), (FIRST, AGAIN)])
async def test_two_presses_at_once_are_two(database: Database, papers: tuple[str, str]) -> None:
    """Two presses at the same moment cast a vote and withdraw it."""
    await _papers(database)
    for _ in range(6):
        both = await asyncio.gather(*(turns(database, "ann", ref) for ref in papers))
        assert {each.has_voted for each in both} == {True, False}
        assert await counted(database) == {}


async def test_many_who_vote_at_once_are_all_counted(database_url: str) -> None:
    """Presses from two processes all count, in whatever order they arrive."""
    one, two = Database(database_url), Database(database_url)
    try:
        await _papers(one)
        # Those with an odd number press three times, the others twice.
        presses = [(each, place) for each in range(24) for place in range(2 + each % 2)]
        await asyncio.gather(
            *(
                turns(two if place else one, f"u{each}", (FIRST, AGAIN)[place % 2])
                for each, place in presses
            )
        )
        assert await counted(two) == {FIRST: 12, AGAIN: 12}
        stands = [await turns(one, f"u{each}", FIRST) for each in range(24)]
        assert [each.has_voted for each in stands] == [each % 2 == 0 for each in range(24)]
    finally:
        one.close()
        two.close()
