"""Leases: what one process does for all, such as holding Discord's gateway, and who that is.

No clock stands in the store. Whoever holds a lease counts its heartbeat up; others see it move, or
stand still, and measure by a clock of their own for how long (`bot.coordination.lease_policy`). A
process that holds leases of a group, or would, has a row of the same kind: its own heartbeat.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, or_, select, text, update
from sqlmodel import Session, col

from store.tables.coordination import LeaseRow


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease, or a process's own row, as it is kept; without an owner it is free."""

    name: str
    owner: str | None
    heartbeat: int


@dataclass(frozen=True, slots=True)
class Moves:
    """What a process does about the leases of a group.

    It holds those of `hold` from now on, or goes on to, gives those of `release` back, and takes
    part in the group or, not `present`, no longer does. `forget` are rows of processes that are
    gone.
    """

    hold: tuple[str, ...] = ()
    release: tuple[str, ...] = ()
    forget: tuple[str, ...] = ()
    present: bool = True


Decide = Callable[[Sequence[Lease]], Moves]

_NEW = text("INSERT INTO lease (name, heartbeat) VALUES (:name, 0) ON CONFLICT DO NOTHING")
_BEAT = text(
    "INSERT INTO lease (name, owner, heartbeat) VALUES (:name, :owner, 1)"
    " ON CONFLICT (name) DO UPDATE SET heartbeat = lease.heartbeat + 1"
)
_OWN = (
    update(LeaseRow)
    .where(col(LeaseRow.name).in_(bindparam("names", expanding=True)))
    .values(owner=bindparam("new_owner"), heartbeat=col(LeaseRow.heartbeat) + 1)
)
_DROP = delete(LeaseRow).where(col(LeaseRow.name).in_(bindparam("names", expanding=True)))


def presence(group: str, process: str) -> str:
    """Return the name of a process's own row in a group. Pure."""
    return f"{group}/{process}"


def attend(
    session: Session, group: str, names: Sequence[str], process: str, decide: Decide
) -> tuple[list[Lease], Moves]:
    """Look at the leases of a group and do about them what is decided; return both.

    Nobody else changes them meanwhile, so it is for `Database.write_rows`.

    Args:
        session: where they are stored.
        group: what the names of all processes' rows begin with.
        names: the group's leases.
        process: who asks.
        decide: returns what is done about them as they are; pure, for it may be called again.
    """
    seen = _locked(session, group, names)
    moves = decide(seen)
    connection = session.connection()
    own = presence(group, process)
    if moves.present:
        connection.execute(_BEAT, {"name": own, "owner": process})
    for owner, held in ((process, moves.hold), (None, moves.release)):
        if held:
            connection.execute(_OWN, {"names": held, "new_owner": owner})
    gone = moves.forget if moves.present else (*moves.forget, own)
    if gone:
        connection.execute(_DROP, {"names": gone})
    return seen, moves


def _locked(session: Session, group: str, names: Sequence[str]) -> list[Lease]:
    """Return the rows of a group, made where there is none of a lease yet."""
    found = _rows(session, group, names)
    known = {lease.name for lease in found}
    if missing := [{"name": name} for name in sorted(names) if name not in known]:
        session.connection().execute(_NEW, missing)
        found = _rows(session, group, names)
    return found


def _rows(session: Session, group: str, names: Sequence[str]) -> list[Lease]:
    wanted = or_(
        col(LeaseRow.name).in_(names),
        col(LeaseRow.name).startswith(presence(group, ""), autoescape=True),
    )
    # In one order, so that two who lock some of them never wait for each other.
    query = select(LeaseRow).where(wanted).order_by(col(LeaseRow.name)).with_for_update()
    return [
        Lease(row.name, row.owner, row.heartbeat) for row in session.connection().execute(query)
    ]
