"""Deliveries taken by several processes and noted in batches, on both databases."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event, text, update
from sqlmodel import col

from store.database import Database, Session
from store.errors import LeaseLost
from store.posting import claim, queue
from store.posting.claim import ClaimedDelivery, DeliveryClaim, Outcome
from store.posting.deliveries import list_deliveries
from store.posting.editions_to_post import newest_editions
from store.posting.notices import list_notices
from store.posting.queue import ReadyDelivery
from store.posting.subscriptions import list_subscriptions
from store.posting.transitions import (
    AttemptSettled,
    DeliveryCorrected,
    PartBegun,
    PartEdited,
    PartSent,
    Transition,
    record_transitions,
)
from store.records import DeliveryState, Part, Refusal, SubscriptionState
from store.tables.posting import DeliveryRow
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.conftest import on_postgres
from tests.store.posting.delivery_rows import DUE, again, comes, ready, stocked, taken

LATER = DUE + timedelta(minutes=1)
PLACES = [(f"T{channel % 5}", f"C{channel}") for channel in range(20)]


def _planned(work: ClaimedDelivery, count: int = 1) -> tuple[Part, ...]:
    return tuple(Part(number, f"k{work.claim.id}-{number}", ()) for number in range(1, count + 1))


def _begin(work: ClaimedDelivery, count: int = 1) -> PartBegun:
    return PartBegun(work.claim, 1, DUE, work, _planned(work, count))


def _sent(held: DeliveryClaim, number: int = 1) -> PartSent:
    return PartSent(held, Part(number, "", (), place="C", message=f"m{number}", url="u"), LATER)


async def _noted(database: Database, *steps: Transition) -> list[DeliveryClaim]:
    noted = await database.write_locking_rows(record_transitions, steps)
    return [held for held in noted if isinstance(held, DeliveryClaim)]


async def _taken(database: Database, most: int = 9, owner: str = "one") -> list[ClaimedDelivery]:
    found = await database.read(ready)
    return await database.write_locking_rows(claim.claim_deliveries, found, owner, most)


async def _states(database: Database) -> list[str]:
    return [each.state.value for each in await database.read(list_deliveries)]


@contextmanager
def _replicas(url: str) -> Iterator[list[Database]]:
    with ExitStack() as stack:
        replicas = [Database(url) for _ in range(3)]
        for each in replicas:
            stack.callback(each.close)
        yield replicas


@on_postgres
async def test_three_processes_share_out_what_they_all_found(database_url: str) -> None:
    """Each of 300 deliveries is taken once, and no two of a channel are in hands at a time."""
    taken: Counter[int] = Counter()
    with _replicas(database_url) as replicas:
        await comes(replicas[0])
        await replicas[0].write(stocked, *PLACES * 15)
        for _ in range(400):
            found = await replicas[0].read(ready, most=60)
            if not found:
                break
            claims = [
                each.write_locking_rows(claim.claim_deliveries, found, f"p{number}", 7)
                for number, each in enumerate(replicas)
            ]
            hands = [work for works in await asyncio.gather(*claims) for work in works]
            held = await replicas[0].read(queue.list_claimed, ("test",))
            assert {one.id: owner for one, owner in held} == {
                work.claim.id: work.claim.owner for work in hands
            }
            assert len({one.channel for one, _ in held}) == len(held) >= 7
            taken.update(work.claim.id for work in hands)
            begun = await asyncio.gather(
                *(
                    each.write_locking_rows(
                        record_transitions,
                        [_begin(work) for work in hands if work.claim.owner == who],
                    )
                    for who, each in zip(("p0", "p1", "p2"), replicas, strict=True)
                )
            )
            steps = [
                _sent(one) for noted in begun for one in noted if isinstance(one, DeliveryClaim)
            ]
            await replicas[0].write_locking_rows(record_transitions, steps)
        assert taken == dict.fromkeys(range(1, 301), 1)
        assert set(await _states(replicas[0])) == {"sent"}


@on_postgres
async def test_nobody_waits_for_what_another_is_taking(database: Database) -> None:
    """While a claim is under way, what it has not locked is taken by others (Postgres).

    SQLite has one writer at a time.
    """
    await comes(database)
    await database.write(stocked, *[("T1", "C1")] * 2, ("T1", "C2"), ("T1", "C3"))
    found = await database.read(ready)
    locked, finish = threading.Event(), threading.Event()

    def slowly(session: Session) -> list[ClaimedDelivery]:
        works = claim.claim_deliveries(session, found, "slow", 2)
        locked.set()
        finish.wait(20)
        return works

    slow = asyncio.create_task(database.write_locking_rows(slowly))
    await asyncio.to_thread(locked.wait, 20)
    beside = await taken(database, [*found, replace(found[0], id=2)], "quick", 9)
    finish.set()
    assert [[work.claim.id for work in works] for works in (await slow, beside)] == [[1, 3], [4]]


async def test_a_channel_is_worked_on_by_one(database: Database) -> None:
    """What was found before another took one of its channel is not taken, nor two at once."""
    await comes(database)
    await database.write(stocked, *[("T1", "C1")] * 3)
    [first] = await database.read(ready)
    second, third = replace(first, id=2), replace(first, id=3)
    assert len(await taken(database, [second, third])) == 1
    assert await taken(database, [first], "two", 9) == []
    assert await _states(database) == ["pending", "claimed", "pending"]


async def test_what_is_held_is_taken_over(database: Database) -> None:
    """On the token that it was seen on; the one who held it is told so, and harms no other."""
    await comes(database)
    await database.write(stocked, ("T1", "C1"), ("T1", "C2"))
    works = {work.claim.id: work for work in await _taken(database)}
    [(seen, _), _] = await database.read(queue.list_claimed, ("test",))
    stale = replace(seen, fencing_token=seen.fencing_token - 1)
    assert await taken(database, [stale], "two", 1) == []
    [over] = await taken(database, [seen], "two", 1)
    assert (over.claim.owner, over.delivery.attempts) == ("two", 1)
    lost, kept = await database.write_locking_rows(
        record_transitions, [_begin(works[1]), _begin(works[2])]
    )
    assert isinstance(lost, LeaseLost)
    assert (lost.delivery, kept) == (1, DeliveryClaim(2, "one", works[2].claim.fencing_token + 1))
    assert await _states(database) == ["claimed", "sending"]
    assert [len(each.parts) for each in await database.read(list_deliveries)] == [0, 1]


async def test_a_row_that_nobody_can_read_stops_no_other(database: Database) -> None:
    """A claim of several fails with it, and nothing is taken; one at a time the others are."""
    await comes(database)
    await database.write(stocked, ("T1", "C1"), ("T1", "C2"))
    found = await database.read(ready)
    await database.write(_spoil, 1)
    with pytest.raises(LookupError):
        await taken(database, found)
    assert await _states(database) == ["pending", "pending"]
    for each in found:
        if each.id == 1:
            await database.write(queue.postpone, each, LATER, "It can't be read.")
        else:
            assert len(await taken(database, [each], "one", 1)) == 1
    assert await _states(database) == ["pending", "claimed"]
    assert await database.read(ready) == []


def _spoil(session: Session, order: int) -> None:
    """Have an order say what no program wrote."""
    spoil = text("UPDATE subscription SET layout = 'odd' WHERE id = :order")
    session.connection().execute(spoil, {"order": order})


async def test_only_those_are_skipped_that_a_newer_edition_overtook(database: Database) -> None:
    """In one claim, whoever got the newer one is not sent the older, and others are."""
    await comes(database, 0)
    orders = await database.write(stocked, ("T1", "C1"), ("T1", "C2"))
    found = await database.read(ready)
    await comes(database, 1)
    await database.write(again, orders[0])
    [work] = await taken(database, found)
    assert work.delivery.subscription_id == orders[1]
    assert await _states(database) == ["skipped", "claimed", "pending"]
    [skipped, *_] = await database.read(list_deliveries)
    assert skipped.error == "A newer edition came before it was sent."


async def test_a_claim_takes_as_many_statements_for_one_as_for_many(database: Database) -> None:
    """Nothing is asked delivery by delivery, and nothing noted so."""
    await comes(database)
    await database.write(stocked, *PLACES)
    await _taken(database, 1)  # from then on the edition is known
    counts: list[int] = []
    for most in (1, 15):
        with _statements(database) as said:
            works = await _taken(database, most)
            begun = await _noted(database, *map(_begin, works))
            await _noted(database, *map(_sent, begun))
        assert len(works) == most
        counts.append(len(said))
    assert counts[0] == counts[1]


async def test_a_claim_has_the_edition_as_it_is_now(database: Database) -> None:
    """A claim reads what was imported before it."""
    await comes(database)
    await database.write(stocked, *PLACES)
    [first] = await _taken(database, 1)
    [second] = await _taken(database, 1)
    assert second.post.edition == first.post.edition
    changed = edition(entry(1, "Another paper"), first_day=MONDAY)
    await database.write(take_in, changed)
    [third] = await _taken(database, 1)
    assert [each.title for each in first.post.edition.entries] == ["Paper of week 0"]
    assert [each.title for each in third.post.edition.entries] == ["Another paper"]


@contextmanager
def _statements(database: Database) -> Iterator[list[str]]:
    said: list[str] = []

    def hear(*about: object) -> None:
        said.append(str(about[2]))

    event.listen(database.engine, "before_cursor_execute", hear)
    yield said
    event.remove(database.engine, "before_cursor_execute", hear)


async def test_a_delivery_of_two_parts_is_sent_with_the_second(database: Database) -> None:
    """Parts are noted with the first; since when each was sent stays that of the first time."""
    await comes(database)
    await database.write(stocked, ("T1", "C1"), ("T1", "C2"))
    works = await _taken(database)
    first, second = await _noted(database, _begin(works[0], 2), _begin(works[1], 2))
    first, second = await _noted(database, _sent(first), _sent(second))
    assert await _states(database) == ["sending", "sending"]
    assert await database.read(ready) == []
    begun = await _noted(database, *(PartBegun(one, 2, LATER, works[0]) for one in (first, second)))
    again_begun = await _noted(database, *(PartBegun(one, 2, DUE, works[0]) for one in begun))
    await _noted(database, _sent(again_begun[0], 2))
    done, other = await database.read(list_deliveries)
    assert (done.state, done.sent_at, other.state) == ("sent", LATER, "sending")
    assert [(part.state, part.began_at) for part in done.parts] == [("sent", DUE), ("sent", LATER)]
    assert [part.state for part in other.parts] == ["sent", "sending"]
    assert [part.message for part in done.parts] == ["m1", "m2"]


async def test_steps_of_every_kind_are_noted_in_one_batch(database: Database) -> None:
    """Each as if it were alone: one begins, one is sent, one waits, one ends its order."""
    await comes(database)
    orders = await database.write(stocked, *(("T1", f"C{number}") for number in range(6)))
    works = await _taken(database)
    held = await _noted(database, *map(_begin, works))
    await _noted(database, *map(_sent, held[4:]))
    await database.write(queue.enqueue_corrections, [5, 6], LATER)
    await database.write(_ready_again, 5, 6)
    five, six = await _taken(database)
    refusal = Refusal("It is gone.", "Ask.", "gone")
    noted = await _noted(
        database,
        _sent(held[0]),
        AttemptSettled(
            held[1], 1, Outcome(DeliveryState.RETRY, ready_at=LATER, error="Busy."), DUE
        ),
        AttemptSettled(held[2], 1, Outcome(DeliveryState.DEAD, error="Gone."), DUE, refusal, "n1"),
        AttemptSettled(
            held[3], 1, Outcome(DeliveryState.RETRY, DeliveryState.UNKNOWN, stays_claimed=True), DUE
        ),
        PartEdited(five.claim, Part(1, "", (), digest="new", message=None)),
        DeliveryCorrected(six.claim, six.post.changed_at),
    )
    assert [one.id for one in noted] == [1, 2, 3, 4, 5, 6]
    assert await _states(database) == ["sent", "retry", "dead", "retry", "sent", "sent"]
    found = await database.read(list_deliveries)
    assert [each.parts[0].state for each in found[1:4]] == ["pending", "pending", "unknown"]
    assert (found[4].parts[0].digest, found[4].parts[0].message) == ("new", None)
    held_now = await database.read(queue.list_claimed, ("test",))
    assert {one.id for one, _ in held_now} == {4, 5}
    assert [each.id for each in await database.read(ready, at=LATER)] == [2]
    [told] = await database.read(list_notices, DUE)
    refused = {each.id: each.state for each in await database.read(list_subscriptions)}
    assert (told.key, told.refusal.sentence) == ("n1", "It is gone.")
    assert [refused[order] is SubscriptionState.REFUSED for order in orders] == [
        False, False, True, False, False, False,
    ]  # fmt: skip


def _ready_again(session: Session, *ids: int) -> None:
    again = update(DeliveryRow).where(col(DeliveryRow.id).in_(ids)).values(ready_at=DUE)
    session.connection().execute(again)


async def test_what_was_found_is_taken_in_order_and_no_more_of_it(database: Database) -> None:
    """The first that are free, of what was asked for, in that order."""
    await comes(database)
    await database.write(stocked, *PLACES)
    found = await database.read(ready)
    asked: list[ReadyDelivery] = [*reversed(found)]
    await taken(database, [asked[1]], "other", 1)
    works = await taken(database, asked, "one", 3)
    assert [work.claim.id for work in works] == [asked[place].id for place in (0, 2, 3)]
    assert await taken(database, [], "one", 3) == []


async def test_an_edition_that_lay_ahead_overtakes_nothing(database: Database) -> None:
    """What a program before posted of a year that is not yet stops no post since."""
    await comes(database, 0)
    [order] = await database.write(stocked, ("T1", "C1"))
    found = await database.read(ready)
    await comes(database, 300)
    ahead = DUE.date() + 301 * timedelta(weeks=1)

    def posted(session: Session) -> None:
        [last] = newest_editions(session, ahead).values()
        queue.enqueue(session, [order], last.id, DUE, DUE)

    await database.write(posted)
    [work] = await taken(database, found)
    assert work.delivery.first_day == MONDAY


async def test_an_edition_that_lies_ahead_is_never_sent(database: Database) -> None:
    """What a program before owed of a year that is not yet is skipped, with the reason."""
    await comes(database, 0)
    [order] = await database.write(stocked, ("T1", "C1"))
    await comes(database, 300)

    def owed(session: Session) -> None:
        [last] = newest_editions(session, DUE.date() + 301 * timedelta(weeks=1)).values()
        queue.enqueue(session, [order], last.id, DUE, DUE)

    await database.write(owed)
    [first] = await database.read(ready)
    _, wrong = await database.read(list_deliveries)
    asked = [replace(first, id=wrong.id)]
    assert await taken(database, asked) == []
    _, left = await database.read(list_deliveries)
    assert (left.state, left.error) == (DeliveryState.SKIPPED, "Its week lies ahead.")
