"""Jobs that one process at a time runs again and again, and which process that is.

A job is claimed like a delivery: each step counts its fencing token up, and a step that names an
older token changes nothing. All steps are for `Database.write_locking_rows`: each is one statement
on one row.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select, update
from sqlmodel import Session, col

from store.database.statements import execute_each, insert_for, insert_new
from store.tables.coordination import JobRow


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job as it was read; the fields are those of `JobRow`."""

    name: str
    owner: str | None
    fencing_token: int
    next_at: datetime
    failures: int

    @property
    def id(self) -> str:
        """The name."""
        return self.name


_COLUMNS = [getattr(JobRow, field.name) for field in fields(StoredJob)]


def list_jobs(session: Session) -> list[StoredJob]:
    """Return all jobs, the one that is due first before the others."""
    query = select(*_COLUMNS).order_by(col(JobRow.next_at), col(JobRow.name))
    return [StoredJob(*row) for row in session.connection().execute(query)]


def ensure_jobs(
    session: Session, names: Collection[str], gone: Collection[str], now: datetime
) -> None:
    """Add jobs, due at once where they are new, and delete those that are gone and not running."""
    connection = session.connection()
    new = [{"name": name, "next_at": now} for name in sorted(names)]
    execute_each(connection, insert_new(session, JobRow), new)
    idle = col(JobRow.name).in_(gone) & col(JobRow.owner).is_(None)
    connection.execute(delete(JobRow).where(idle))


def claim(session: Session, job: StoredJob, owner: str) -> StoredJob | None:
    """Claim a job that is still as it was read, also from another owner; `None` where it is not."""
    return _step(session, job, owner)


def take_over(session: Session, name: str, owner: str, now: datetime) -> StoredJob:
    """Claim a job from any owner, also one that is new; return it as it is then."""
    new = insert_for(session, JobRow).values(name=name, owner=owner, fencing_token=1, next_at=now)
    taken = new.on_conflict_do_update(
        index_elements=["name"],
        set_={"owner": owner, "fencing_token": col(JobRow.fencing_token) + 1},
    )
    return StoredJob(*session.connection().execute(taken.returning(*_COLUMNS)).one())


def renew(session: Session, job: StoredJob) -> StoredJob | None:
    """Renew the lease of a running job; `None` where another process took it over."""
    return _step(session, job, job.owner)


def release(session: Session, job: StoredJob, next_at: datetime, failures: int) -> bool:
    """Release a job until it is due again; return whether it was still claimed by its owner."""
    return _step(session, job, None, next_at=next_at, failures=failures) is not None


def run_soon(session: Session, name: str, now: datetime) -> None:
    """Make a job due now, unless it is running or failed the last time."""
    waits = col(JobRow.owner).is_(None) & (col(JobRow.failures) == 0) & (col(JobRow.next_at) > now)
    sooner = update(JobRow).where(col(JobRow.name) == name, waits)
    session.connection().execute(sooner.values(next_at=now))


def _step(session: Session, job: StoredJob, owner: str | None, **values: Any) -> StoredJob | None:  # noqa: ANN401 - columns
    as_read = col(JobRow.name) == job.name, col(JobRow.fencing_token) == job.fencing_token
    step = (
        update(JobRow)
        .where(*as_read)
        .values(owner=owner, fencing_token=job.fencing_token + 1, **values)
    )
    if session.connection().execute(step).rowcount == 0:
        return None
    return replace(job, owner=owner, fencing_token=job.fencing_token + 1, **values)
