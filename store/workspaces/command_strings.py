"""Command strings that are too long for a button, stored under the digest that the button carries.

A button may be pressed long after it was sent, so strings last for more than a year; each sending
of one renews it. Strings of one person, which may hold a note of theirs, are stored apart, and are
deleted with that person.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from zlib import crc32

from sqlalchemy import delete, select
from sqlmodel import Session, col

from store.database.statements import insert_for
from store.records import Person
from store.tables.readers import PersonalCommandStringRow
from store.tables.workspaces import CommandStringRow
from store.workspaces.people import ensure_person

LIFETIME = timedelta(days=400)
# A string that is sent over and over is written once a day.
_RENEWED = timedelta(days=1)
# One string in so many deletes old ones, as in `store.coordination.request_claims`.
_CLEANUP_EVERY = 64
_TABLES = (CommandStringRow, PersonalCommandStringRow)


def save(session: Session, strings: Mapping[str, str], at: datetime) -> None:
    """Store command strings by their digests for another 400 days from an instant (aware)."""
    _save(session, CommandStringRow, {}, strings, at)


def save_personal(
    session: Session, person: Person, strings: Mapping[str, str], at: datetime
) -> None:
    """Store command strings of a person by their digests, as long as that person is stored."""
    owner = {"person_id": ensure_person(session, person)}
    _save(session, PersonalCommandStringRow, owner, strings, at)


def find(session: Session, digest: str) -> str | None:
    """Return the command string of a digest, `None` where none is stored."""
    for row in _TABLES:
        query = select(col(row.command)).where(col(row.digest) == digest).limit(1)
        command: str | None = session.connection().scalar(query)
        if command is not None:
            return command
    return None


def _save(
    session: Session,
    row: type[CommandStringRow | PersonalCommandStringRow],
    owner: Mapping[str, int],
    strings: Mapping[str, str],
    at: datetime,
) -> None:
    _delete_old(session, strings, at)
    # In one order, so that no two writers wait for each other.
    for digest, command in sorted(strings.items()):
        new = insert_for(session, row).values(**owner, digest=digest, command=command, kept_at=at)
        kept = new.on_conflict_do_update(
            index_elements=[*owner, "digest"],
            set_={"kept_at": at},
            where=col(row.kept_at) <= at - _RENEWED,
        )
        session.connection().execute(kept)


def _delete_old(session: Session, digests: Iterable[str], at: datetime) -> None:
    """Now and then, by chance of the digests, delete the strings that were not renewed."""
    if any(crc32(digest.encode()) % _CLEANUP_EVERY == 0 for digest in digests):
        for row in _TABLES:
            session.connection().execute(delete(row).where(col(row.kept_at) <= at - LIFETIME))
