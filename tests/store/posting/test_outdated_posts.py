"""Votes mark the posts that show their papers for correction, on both databases."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from store.database import Database, Session
from store.imports import merge_papers
from store.library import mentions
from store.posting import claim, editions_to_post, queue
from store.posting.claim import ClaimedDelivery, Outcome
from store.posting.deliveries import list_deliveries
from store.posting.queue import enqueue
from store.posting.subscriptions import add_subscription
from store.posting.transitions import AttemptSettled, DeliveryCorrected, PartBegun, PartSent
from store.readers import votes
from store.readers.votes import DELAY, INTERVAL
from store.records import Channel, DeliveryState, Part, Subscription, Workspace
from tests.bot.ingest.drafts import edition
from tests.bot.ingest.imports import take_in
from tests.store.consensus.fused_weeks import SECOND, paper, takes_in, week
from tests.store.posting.delivery_rows import DUE, ORDER, claimed, noted, ready, taken
from tests.store.readers.votes import OURS, THEIRS, person, turns

FIRST = "dair:2026-01-05#1"
HOUR = timedelta(hours=1)
LATER = DUE + HOUR
LONG_AFTER = date(2026, 6, 1)


def _ordered(session: Session, place: Workspace, name: str, source: str = "dair") -> int:
    """Subscribe a channel, enqueue the newest edition for it, and return the delivery."""
    _owes(session, add_subscription(session, _order(place, name)), source)
    return list_deliveries(session)[-1].id


def _order(place: Workspace, name: str) -> Subscription:
    return replace(ORDER, channel=Channel(place, name))


def _owes(session: Session, order: int, source: str = "dair") -> None:
    enqueue(
        session, [order], editions_to_post.newest_editions(session, LONG_AFTER)[source].id, DUE, DUE
    )


def _takes(session: Session) -> list[ClaimedDelivery]:
    """Claim all ready deliveries."""
    return claim.claim_deliveries(session, ready(session), "here", 9)


def _begins(session: Session, delivery: int, number: int = 1, parts: int = 1) -> ClaimedDelivery:
    """Claim a delivery and begin to send one of its planned parts."""
    [found] = [each for each in ready(session, at=LATER + HOUR) if each.id == delivery]
    work = claimed(session, found)
    planned = tuple(Part(each, f"{delivery}-{each}", ()) for each in range(1, parts + 1))
    held = noted(session, PartBegun(work.claim, number, DUE, work, planned))
    return replace(work, claim=held)


def _sent(session: Session, work: ClaimedDelivery, number: int = 1) -> ClaimedDelivery:
    stands = Part(number, "", (), digest="d", place="C", message=f"m{number}", url="u")
    return replace(work, claim=noted(session, PartSent(work.claim, stands, DUE)))


def _posted(session: Session, place: Workspace, name: str, source: str = "dair") -> int:
    """Post the newest edition in a channel, and return the delivery."""
    delivery = _ordered(session, place, name, source)
    _sent(session, _begins(session, delivery))
    return delivery


def _corrects(session: Session, at: datetime) -> ClaimedDelivery:
    """Claim the delivery that is ready for correction."""
    [found] = ready(session, at=at)
    return claimed(session, found)


def _done(session: Session, work: ClaimedDelivery) -> None:
    noted(session, DeliveryCorrected(work.claim, work.post.changed_at))


def _next(session: Session, at: datetime) -> tuple[list[int], datetime | None]:
    """Return the deliveries that are ready at an instant, and the next instant."""
    found = queue.find_ready(session, ("test",), at, 9)
    return [each.id for each in found.ready], found.next_at


async def test_a_vote_has_what_shows_the_paper_looked_through_soon(database: Database) -> None:
    """A marked post is claimed with its votes; after its correction nothing is left to do."""
    await takes_in(database, ("dair", week(1, 2)))
    posted = await database.write(_posted, OURS, "C1")
    assert await database.read(_next, LATER) == ([], None)
    await turns(database, "ann", FIRST, at=LATER)
    assert await database.read(_next, LATER) == ([], LATER + DELAY)
    assert await database.read(_next, LATER + DELAY) == ([posted], None)
    work = await database.write_locking_rows(_corrects, LATER + DELAY)
    assert (work.is_correction, work.post.votes, work.post.votes_changed) == (
        True,
        {FIRST: 1},
        False,
    )
    await database.write_locking_rows(_done, work)
    assert await database.read(_next, LATER + HOUR) == ([], None)


async def test_many_votes_are_few_corrections(database: Database) -> None:
    """Votes before the claim cause one correction; the next follows some seconds later."""
    await takes_in(database, ("dair", week(1)))
    await database.write(_posted, OURS, "C1")
    for number in range(5):
        await turns(database, f"u{number}", FIRST, at=LATER + number * DELAY / 5)
    work = await database.write_locking_rows(_corrects, LATER + DELAY)
    assert work.post.votes == {FIRST: 5}
    await database.write_locking_rows(_done, work)
    again = LATER + 2 * DELAY
    await turns(database, "u9", FIRST, at=again)
    await turns(database, "u8", FIRST, at=again + DELAY)
    assert await database.read(_next, again + DELAY) == ([], again + INTERVAL)


async def test_posts_that_do_not_show_it_are_left_alone(database: Database) -> None:
    """Posts of other workspaces and of other editions stay as they are."""
    await takes_in(database, ("dair", week(1, 2)))
    await database.write(_posted, THEIRS, "C2")
    shows = await database.write(_posted, OURS, "C1")
    await takes_in(database, ("dair", week(3, first_day=SECOND)))
    await database.write(_posted, OURS, "C3")
    await turns(database, "ann", FIRST, at=LATER)
    assert await database.read(_next, LATER + HOUR) == ([shows], None)


async def test_every_edition_that_has_the_paper_shows_the_vote(database: Database) -> None:
    """A vote for one entry shows in all editions of the paper, also in the consensus."""
    await takes_in(database, ("dair", week(1, 2)), ("other", week(2, 1)))
    delivered = [
        await database.write(_posted, OURS, "C1"),
        await database.write(_posted, OURS, "C2", "other"),
        await database.write(_posted, OURS, "C3", "consensus"),
    ]
    await turns(database, "ann", FIRST, at=LATER)
    found, _ = await database.read(_next, LATER + HOUR)
    assert sorted(found) == delivered
    works = [
        await database.write_locking_rows(claimed, each)
        for each in await database.read(ready, "test", at=LATER + HOUR)
    ]
    shown = {work.post.edition.source: work.post.votes for work in works}
    assert shown == {
        "dair": {FIRST: 1},
        "other": {"other:2026-01-05#2": 1},
        "consensus": {FIRST: 1},
    }


async def test_what_waits_because_the_platform_asked_for_it_waits(database: Database) -> None:
    """A vote does not shorten the wait of a delivery, which then has the vote."""
    await takes_in(database, ("dair", week(1)))
    await database.write(_posted, OURS, "C1")
    await turns(database, "ann", FIRST, at=LATER)
    work = await database.write_locking_rows(_corrects, LATER + DELAY)
    put_off = AttemptSettled(
        work.claim, None, Outcome(DeliveryState.SENT, ready_at=LATER + HOUR), LATER
    )
    await database.write_locking_rows(noted, put_off)
    await turns(database, "bob", FIRST, at=LATER + DELAY)
    assert await database.read(_next, LATER + DELAY) == ([], LATER + HOUR)
    assert (await database.write_locking_rows(_corrects, LATER + HOUR)).post.votes == {FIRST: 2}


async def test_a_vote_during_a_correction_has_another_one_follow(database: Database) -> None:
    """A vote during a correction causes another correction some seconds later."""
    await takes_in(database, ("dair", week(1)))
    await database.write(_posted, OURS, "C1")
    await turns(database, "ann", FIRST, at=LATER)
    work = await database.write_locking_rows(_corrects, LATER + DELAY)
    await turns(database, "bob", FIRST, at=LATER + DELAY)
    await database.write_locking_rows(_done, work)
    at = LATER + DELAY + INTERVAL
    assert await database.read(_next, LATER + DELAY) == ([], at)
    assert (await database.write_locking_rows(_corrects, at)).post.votes == {FIRST: 2}


async def test_a_first_post_has_the_votes_that_are_there(database: Database) -> None:
    """Votes before the claim are in the first post, which is not marked for them."""
    await takes_in(database, ("dair", week(1)))
    delivery = await database.write(_ordered, OURS, "C1")
    await turns(database, "ann", FIRST, at=LATER)
    work = await database.write_locking_rows(_begins, delivery)
    assert (work.post.votes, work.post.votes_changed) == ({FIRST: 1}, False)
    await database.write_locking_rows(_sent, work)
    assert await database.read(_next, LATER + HOUR) == ([], None)


async def test_a_vote_while_a_post_is_being_sent_shows_at_once_after_it(
    database: Database,
) -> None:
    """A vote while a post is sent, before or after its first message, corrects it at once."""
    await takes_in(database, ("dair", week(1)))
    delivery = await database.write(_ordered, OURS, "C1")
    [found] = await database.read(ready)
    work = await database.write_locking_rows(claimed, found)
    await turns(database, "ann", FIRST, at=LATER)
    planned = (Part(1, "k", (FIRST,)),)
    held = await database.write_locking_rows(noted, PartBegun(work.claim, 1, DUE, work, planned))
    await database.write_locking_rows(_sent, replace(work, claim=held))
    assert await database.read(_next, LATER) == ([delivery], None)
    assert (await database.write_locking_rows(_corrects, LATER)).post.votes == {FIRST: 1}


async def test_the_next_owner_knows_that_votes_changed(database: Database) -> None:
    """`votes_changed` tells the next owner that the sent messages show other votes."""
    await takes_in(database, ("dair", week(1)))
    delivery = await database.write(_ordered, OURS, "C1")
    begun = await database.write_locking_rows(_begins, delivery, parts=2)
    one = await database.write_locking_rows(_sent, begun)
    await turns(database, "ann", FIRST, at=LATER)
    [(held, _)] = (await database.read(queue.find_ready, ("test",), LATER, 9)).claimed
    [work] = await taken(database, [held], "there", 1)
    assert (work.delivery.state, work.post.votes, work.post.votes_changed) == (
        DeliveryState.SENDING,
        {FIRST: 1},
        True,
    )
    assert one.claim.fencing_token < work.claim.fencing_token
    second = await database.write_locking_rows(noted, PartBegun(work.claim, 2, DUE, work))
    await database.write_locking_rows(_sent, replace(work, claim=second), 2)
    assert await database.read(_next, LATER) == ([delivery], None)


async def test_posts_lose_the_votes_of_an_erased_person(database: Database) -> None:
    """The erasure of a person marks the posts that show the person's votes."""
    await takes_in(database, ("dair", week(1)))
    posted = await database.write(_posted, OURS, "C1")
    await turns(database, "ann", FIRST, at=LATER)
    await database.write_locking_rows(
        _done, await database.write_locking_rows(_corrects, LATER + DELAY)
    )
    assert await database.write(votes.delete_all, person("ann"), LATER + HOUR) == 1
    assert await database.read(_next, LATER + HOUR) == ([], LATER + HOUR + DELAY)
    work = await database.write_locking_rows(_corrects, LATER + HOUR + DELAY)
    assert (work.delivery.id, work.post.votes) == (posted, {})


async def test_posts_are_marked_where_an_import_joins_papers(database: Database) -> None:
    """An import that joins two papers adds up their votes in the posts of both."""
    apart = edition(replace(paper(1, 1), title="Another title", links=()), first_day=SECOND)
    await takes_in(database, ("dair", week(1)))
    first = await database.write(_posted, OURS, "C1")
    await takes_in(database, ("dair", apart))
    other = await database.write(_posted, OURS, "C2")
    await turns(database, "ann", FIRST, at=LATER)
    await turns(database, "bob", "dair:2026-01-12#1", at=LATER)
    for found in await database.read(ready, "test", at=LATER + HOUR):
        work = await database.write_locking_rows(claimed, found)
        assert set(work.post.votes.values()) == {1}
        await database.write_locking_rows(_done, work)
    one = edition(replace(paper(1, 1), title="Another title"), first_day=SECOND)
    await takes_in(database, ("dair", one))
    again, _ = await database.read(_next, LATER + HOUR)
    assert first in again
    # The edition that was imported is corrected for that by the next tick.
    await database.write_locking_rows(queue.enqueue_corrections, [other], LATER)
    for each in await database.read(ready, "test", at=LATER + HOUR):
        work = await database.write_locking_rows(claimed, each)
        assert set(work.post.votes.values()) == {2}


def _untied(session: Session) -> None:
    """Import the entry that joined the two others without its link."""
    take_in(session, edition(replace(paper(1, 1), links=())), "third", LATER)


def _split(session: Session) -> None:
    """Split the entry off as an operator."""
    [entry] = mentions.by_ref(session, FIRST)
    assert (
        merge_papers.split(session, entry, LATER, is_entry=True).outcome
        is merge_papers.MergeOutcome.SPLIT
    )


@pytest.mark.parametrize("leaves", [_untied, _split])
async def test_posts_are_marked_where_a_vote_leaves_their_paper(
    database: Database, leaves: Callable[[Session], None]
) -> None:
    """A vote that follows its entry to another paper leaves the posts of the first one."""
    by_title = edition(replace(paper(1, 1), links=()))
    by_link = edition(replace(paper(1, 1), title="Another title"))
    await takes_in(database, ("dair", by_title), ("other", by_link), ("third", week(1)))
    posted = await database.write(_posted, OURS, "C1", "other")
    await turns(database, "ann", FIRST, at=LATER)
    work = await database.write_locking_rows(_corrects, LATER + HOUR)
    assert work.post.votes == {"other:2026-01-05#1": 1}
    await database.write_locking_rows(_done, work)
    await database.write(leaves)
    work = await database.write_locking_rows(_corrects, LATER + HOUR)
    assert (work.delivery.id, work.post.votes) == (posted, {})


async def test_a_delivery_that_is_enqueued_during_a_vote_has_the_vote(database: Database) -> None:
    """A delivery that is enqueued during a vote waits for the vote to commit."""
    await takes_in(database, ("dair", week(1)))
    await database.write(_posted, OURS, "C1")
    order = await database.write(add_subscription, _order(OURS, "C2"))
    looked, finish = threading.Event(), threading.Event()

    def slowly(session: Session) -> None:
        votes.toggle(session, person("ann"), OURS, FIRST, None, DUE)
        looked.set()
        finish.wait(20)

    slow = asyncio.create_task(database.write_locking_rows(slowly))
    await asyncio.to_thread(looked.wait, 20)
    if database.is_sqlite:  # there is one writer at a time
        finish.set()
    await database.write_locking_rows(_owes, order)
    if not database.is_sqlite:
        assert await database.write_locking_rows(_takes) == []
        finish.set()
    await slow
    [work] = await database.write_locking_rows(_takes)
    assert (work.is_correction, work.post.votes) == (False, {FIRST: 1})
