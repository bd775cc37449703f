"""Leases on work that one process does for all, such as holding Discord's gateway.

The store has no clock. The owner of a lease counts its heartbeat up; other processes measure by
their own clocks for how long it has not changed (`bot.coordination.leases`). A process that
takes part in a group of leases has a row of the same kind: its own heartbeat.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, or_, select, update
from sqlmodel import Session, col

from store.database.statements import execute_each, insert_for, insert_new
from store.tables.coordination import LeaseRow


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease, or the own row of a process; a free one has no owner."""

    name: str
    owner: str | None
    heartbeat: int


@dataclass(frozen=True, slots=True)
class LeaseDecision:
    """The decision of a process on the leases of a group.

    It takes or keeps those of `hold` and gives those of `release` back; where it is not `present`,
    it leaves the group. `forget` are rows of processes that are gone.
    """

    hold: tuple[str, ...] = ()
    release: tuple[str, ...] = ()
    forget: tuple[str, ...] = ()
    present: bool = True


Decide = Callable[[Sequence[Lease]], LeaseDecision]


def presence_name(group: str, process: str) -> str:
    """Return the name of the own row of a process in a group. Pure."""
    return f"{group}/{process}"


def update_leases(
    session: Session, group: str, names: Sequence[str], process: str, decide: Decide
) -> tuple[list[Lease], LeaseDecision]:
    """Read the leases of a group and carry out what is decided on them; return both.

    No other process changes them meanwhile: it is for `Database.write_locking_rows`. `group` is the
    prefix of the names of all processes' own rows, `names` are its leases. `decide` is pure, for it
    may be called again.
    """
    leases = _lock(session, group, names)
    decision = decide(leases)
    connection = session.connection()
    own = presence_name(group, process)
    if decision.present:
        new = insert_for(session, LeaseRow).values(name=own, owner=process, heartbeat=1)
        counted = {"heartbeat": col(LeaseRow.heartbeat) + 1}
        connection.execute(new.on_conflict_do_update(index_elements=["name"], set_=counted))
    for owner, changed in ((process, decision.hold), (None, decision.release)):
        if changed:
            connection.execute(
                update(LeaseRow)
                .where(col(LeaseRow.name).in_(changed))
                .values(owner=owner, heartbeat=col(LeaseRow.heartbeat) + 1)
            )
    gone = decision.forget if decision.present else (*decision.forget, own)
    if gone:
        connection.execute(delete(LeaseRow).where(col(LeaseRow.name).in_(gone)))
    return leases, decision


def _lock(session: Session, group: str, names: Sequence[str]) -> list[Lease]:
    """Lock and return the rows of a group; leases that have no row yet get one."""
    connection = session.connection()
    new = [{"name": name, "heartbeat": 0} for name in sorted(names)]
    execute_each(connection, insert_new(session, LeaseRow), new)
    in_group = or_(
        col(LeaseRow.name).in_(names),
        col(LeaseRow.name).startswith(presence_name(group, ""), autoescape=True),
    )
    # In one order, so that two who lock some of them never wait for each other.
    query = select(LeaseRow).where(in_group).order_by(col(LeaseRow.name)).with_for_update()
    return [Lease(row.name, row.owner, row.heartbeat) for row in connection.execute(query)]
