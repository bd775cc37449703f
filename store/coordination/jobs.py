"""Runs: what one process at a time does again and again, and which process that is.

A run is claimed like a delivery. Whoever works on it counts its fencing_token up with all that it
notes; a step that names another fencing_token than the stored one changes nothing, so that who was
overtaken finds out. All of this is for `Database.write_rows`: each step is one statement on one
row.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select, text, update
from sqlmodel import Session, col

from store.database.types import Instant
from store.tables.sources import JobRow


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it was read; as `JobRow` says."""

    name: str
    owner: str | None
    fencing_token: int
    next_at: datetime
    failures: int

    @property
    def id(self) -> str:
        """What names it."""
        return self.name


def known(session: Session) -> list[Run]:
    """Return all runs, the one that is due first before the others."""
    rows = session.connection().execute(
        select(*(getattr(JobRow, name) for name in Run.__dataclass_fields__)).order_by(
            col(JobRow.next_at), col(JobRow.name)
        )
    )
    return [Run(*row) for row in rows]


def arrange(session: Session, names: Collection[str], gone: Collection[str], now: datetime) -> None:
    """Have runs of these names, due at once where they are new, and none of those that are gone.

    What somebody is at is left until it ends.
    """
    connection = session.connection()
    if names:
        connection.execute(_ADD, [{"name": name, "now": now} for name in sorted(names)])
    if gone:
        over = col(JobRow.name).in_(gone) & col(JobRow.owner).is_(None)
        connection.execute(delete(JobRow).where(over))


def claim(session: Session, run: Run, owner: str) -> Run | None:
    """Take a run that stands as it was read, whoever had it; return it as it is then.

    `None` means that somebody else noted something of it since.
    """
    return _step(session, run, owner, {})


def take(session: Session, name: str, owner: str, now: datetime) -> Run:
    """Take a run whoever has it, also one that is new; return it as it is then."""
    taken = {"name": name, "owner": owner, "now": now}
    return Run(*session.connection().execute(_TAKE, taken).one())


def renew(session: Session, run: Run) -> Run | None:
    """Say that whoever has it is still at it; `None` where another took it over."""
    return _step(session, run, run.owner, {})


def end(session: Session, run: Run, next_at: datetime, failures: int) -> bool:
    """Let a run go until it is due again; return whether it was still one's own."""
    ended = _step(session, run, None, {"next_at": next_at, "failures": failures})
    return ended is not None


def hasten(session: Session, name: str, now: datetime) -> None:
    """Have a run due now, if there is such.

    One that somebody is at decides by itself, and one that failed is tried again in its time.
    """
    waits = col(JobRow.owner).is_(None) & (col(JobRow.failures) == 0) & (col(JobRow.next_at) > now)
    sooner = update(JobRow).where(col(JobRow.name) == name, waits)
    session.connection().execute(sooner.values(next_at=now))


_ADD = text(
    "INSERT INTO job (name, fencing_token, next_at, failures) VALUES (:name, 0, :now, 0)"
    " ON CONFLICT (name) DO NOTHING"
).bindparams(bindparam("now", type_=Instant()))


_TAKE = (
    text(
        "INSERT INTO job (name, owner, fencing_token, next_at, failures)"
        " VALUES (:name, :owner, 1, :now, 0)"
        " ON CONFLICT (name) DO UPDATE SET owner = excluded.owner,"
        " fencing_token = job.fencing_token + 1"
        " RETURNING name, owner, fencing_token, next_at, failures"
    )
    .bindparams(bindparam("now", type_=Instant()))
    .columns(next_at=Instant())
)


def _step(session: Session, run: Run, owner: str | None, more: dict[str, Any]) -> Run | None:
    values = {"owner": owner, "fencing_token": run.fencing_token + 1, **more}
    as_read = col(JobRow.name) == run.name, col(JobRow.fencing_token) == run.fencing_token
    done = session.connection().execute(update(JobRow).where(*as_read).values(**values))
    if done.rowcount == 0:
        return None
    return Run(
        run.name,
        owner,
        run.fencing_token + 1,
        more.get("next_at", run.next_at),
        more.get("failures", run.failures),
    )
