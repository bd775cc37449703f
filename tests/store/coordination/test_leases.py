"""Leases as they are stored: whoever looks at them changes them alone, on both databases."""

import asyncio
from collections.abc import Sequence

from store.coordination.leases import Decide, Lease, LeaseDecision, presence_name, update_leases
from store.database import Database

NAMES = ("g:0", "g:1")


def _does(moves: LeaseDecision) -> Decide:
    def decide(_rows: Sequence[Lease]) -> LeaseDecision:
        return moves

    return decide


async def _attends(
    database: Database, process: str, decide: Decide, group: str = "g"
) -> list[Lease]:
    rows, _ = await database.write_locking_rows(update_leases, group, NAMES, process, decide)
    return rows


async def test_a_lease_is_there_before_anybody_held_it(database: Database) -> None:
    """A first look finds them free; the next one finds who looked."""
    assert await _attends(database, "a", _does(LeaseDecision())) == [
        Lease("g:0", None, 0),
        Lease("g:1", None, 0),
    ]
    assert Lease(presence_name("g", "a"), "a", 1) in await _attends(
        database, "b", _does(LeaseDecision())
    )


async def test_each_look_is_a_beat(database: Database) -> None:
    """What is held beats, and whoever looks; what is given back moves once more."""
    for _ in range(2):
        await _attends(database, "a", _does(LeaseDecision(hold=NAMES)))
    rows = await _attends(database, "a", _does(LeaseDecision(("g:0",), ("g:1",))))
    assert rows == [Lease("g/a", "a", 2), Lease("g:0", "a", 2), Lease("g:1", "a", 2)]
    rows = await _attends(database, "a", _does(LeaseDecision(present=False)))
    assert rows == [Lease("g/a", "a", 3), Lease("g:0", "a", 3), Lease("g:1", None, 3)]
    assert presence_name("g", "a") not in {
        row.name for row in await _attends(database, "b", _does(LeaseDecision()))
    }


async def test_rows_of_who_is_gone_are_deleted(database: Database) -> None:
    """Those that are named, and no lease."""
    await _attends(database, "a", _does(LeaseDecision(hold=NAMES)))
    await _attends(database, "b", _does(LeaseDecision(forget=("g/a",))))
    names = [row.name for row in await _attends(database, "b", _does(LeaseDecision()))]
    assert names == ["g/b", *NAMES]


async def test_groups_have_nothing_to_do_with_each_other(database: Database) -> None:
    """The rows of another group are not seen, also where its name begins alike or has a sign."""
    for group in ("g%", "gg", "_"):
        await database.write_locking_rows(
            update_leases, group, ("x",), "a", _does(LeaseDecision(hold=("x",)))
        )
    assert {row.name for row in await _attends(database, "b", _does(LeaseDecision()))} == set(NAMES)


async def test_nobody_looks_while_another_decides(database: Database) -> None:
    """Of many at the same moment each counts on what the one before it left: none takes twice."""

    def take(rows: Sequence[Lease]) -> LeaseDecision:
        free = [row.name for row in rows if row.owner is None and row.name in NAMES]
        return LeaseDecision(hold=tuple(free[:1]))

    found = await asyncio.gather(
        *(
            database.write_locking_rows(update_leases, "g", NAMES, f"p{each}", take)
            for each in range(12)
        )
    )
    taken = [name for _, moves in found for name in moves.hold]
    assert sorted(taken) == list(NAMES)
