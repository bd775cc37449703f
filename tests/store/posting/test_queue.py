"""What is found to be done: fair between workspaces, one to a channel, on both databases."""

from collections import Counter
from datetime import timedelta

from store.database import Database, Session
from store.posting import queue
from store.posting.queue import Queue
from store.workspaces.workspaces import mark_left, start_cooldown
from tests.store.posting.delivery_rows import DUE, ORDER, comes, stocked, taken

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def _found(session: Session, most: int = 10, *, after: timedelta = timedelta()) -> Queue:
    return queue.find_ready(session, ("test",), DUE + after, most)


def _of(team: str, count: int) -> list[tuple[str, str]]:
    return [(team, f"{team}-{number}") for number in range(count)]


async def test_many_for_one_workspace_keep_no_other_waiting(database: Database) -> None:
    """The first of each come before the second of any, whoever was owed sooner."""
    await comes(database)
    await database.write(stocked, *_of("T1", 30))
    await database.write(stocked, *_of("T2", 2), ready=MINUTE)
    await database.write(stocked, *_of("T3", 1), ready=2 * MINUTE)
    found = await database.read(_found, 6, after=HOUR)
    first, second, third = (found.ready[place].workspace for place in (0, 1, 2))
    assert len({first, second, third}) == 3
    assert [each.workspace for each in found.ready] == [first, second, third, first, second, first]


async def test_of_many_workspaces_others_come_first_each_time(database: Database) -> None:
    """However much those that were owed first still have, each of the others is soon found."""
    await comes(database)
    places = [place for number in range(40) for place in _of(f"T{number}", 3)]
    await database.write(stocked, *places)
    found: set[int] = set()
    for spin in range(0, 40 * 7919, 7919):
        offered = (await database.read(queue.find_ready, ("test",), DUE, 8, rotation=spin)).ready
        assert len({each.workspace for each in offered}) == 8
        found |= {each.workspace for each in offered}
    assert len(found) == 40


async def test_of_a_platform_that_is_closed_what_is_held_is_found(database: Database) -> None:
    """Whoever has no room for more watches over what others hold all the same."""
    await comes(database)
    await database.write(stocked, *_of("T1", 2))
    found = await database.read(_found)
    await taken(database, found.ready[:1], "one", 1)
    closed = await database.read(queue.find_ready, ("test",), DUE, 9, closed=["test"])
    assert (closed.ready, [owner for _, owner in closed.claimed]) == ([], ["one"])


async def test_of_a_channel_the_first_is_found(database: Database) -> None:
    """However many it is owed, it has one at a time, and those behind it have theirs."""
    await comes(database)
    await database.write(stocked, *[("T1", "C1")] * 40, ("T1", "C2"), ("T1", "C3"))
    found = await database.read(_found, 3)
    assert [each.id for each in found.ready] == [1, 41, 42]
    [alone] = (await database.read(_found, 1)).ready
    assert alone.id == 1


async def test_a_channel_in_which_one_is_held_is_left_out(database: Database) -> None:
    """Whoever holds it, nobody finds another there; nor in those that are named."""
    await comes(database)
    await database.write(stocked, *[("T1", "C1")] * 2, ("T1", "C2"), ("T2", "C3"))
    found = await database.read(_found)
    await taken(database, found.ready[:1], "one", 1)
    second = await database.read(_found)
    assert [each.id for each in second.ready] == [3, 4]
    assert [(each.id, owner) for each, owner in second.claimed] == [(1, "one")]
    others = {each.id: each for each in second.ready}
    left_out = await database.read(
        queue.find_ready, ("test",), DUE, 9, busy=[others[3].channel], full=[others[4].workspace]
    )
    assert left_out.ready == []


async def test_a_workspace_that_rests_is_left_alone(database: Database) -> None:
    """Until it has rested, which is when to look again; the longest rest counts."""
    await comes(database)
    await database.write(stocked, *_of("T1", 2), *_of("T2", 1))
    places = Counter(each.workspace for each in (await database.read(_found)).ready)
    busy = max(places, key=lambda each: places[each])
    for minutes in (2, 5, 3):
        await database.write(start_cooldown, busy, DUE + minutes * MINUTE)
    found = await database.read(_found)
    assert [each.workspace for each in found.ready] == [each for each in places if each != busy]
    assert found.next_at == DUE + 5 * MINUTE
    rested = await database.read(_found, after=5 * MINUTE)
    assert (len(rested.ready), rested.next_at) == (3, None)


async def test_a_rest_reckoned_by_a_clock_that_was_ahead_is_not_believed(
    database: Database,
) -> None:
    """No rest is longer than an hour, and the next one replaces what was not believed."""
    await comes(database)
    await database.write(stocked, *_of("T1", 1))
    [ready] = (await database.read(_found)).ready
    await database.write(start_cooldown, ready.workspace, DUE + 3 * HOUR)
    assert (await database.read(_found)).ready == [ready]
    await database.write(start_cooldown, ready.workspace, DUE + MINUTE)
    found = await database.read(_found)
    assert (found.ready, found.next_at) == ([], DUE + MINUTE)


async def test_what_is_not_ready_yet_says_when_it_is(database: Database) -> None:
    """Unless its workspace rests until later, or the bot left it."""
    await comes(database)
    await database.write(stocked, *_of("T1", 1), ready=3 * MINUTE)
    await database.write(stocked, *_of("T2", 1), ready=5 * MINUTE)
    assert (await database.read(_found)).next_at == DUE + 3 * MINUTE
    first = (await database.read(_found, after=4 * MINUTE)).ready[0]
    await database.write(start_cooldown, first.workspace, DUE + 9 * MINUTE)
    assert (await database.read(_found)).next_at == DUE + 5 * MINUTE
    await database.write(start_cooldown, first.workspace, DUE + MINUTE)
    await database.write(mark_left, ORDER.channel.workspace, DUE)
    assert (await database.read(_found, after=10 * MINUTE)).ready != []
    assert [each.id for each in (await database.read(_found, after=10 * MINUTE)).ready] == [2]
