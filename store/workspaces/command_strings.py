"""Command strings that are too long for a button, stored under the digest that the button carries.

A button may be pressed long after it was sent, so strings last for more than a year; each sending
of one renews it. Strings of one person, which may hold a note of theirs, are stored apart, and are
deleted with that person.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from zlib import crc32

from sqlalchemy import bindparam, delete, select, text
from sqlmodel import Session, col

from store.database.types import Instant
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

_SAVE = text(
    "INSERT INTO command_string (digest, command, kept_at) VALUES (:digest, :command, :at)"
    " ON CONFLICT (digest) DO UPDATE SET kept_at = excluded.kept_at"
    " WHERE command_string.kept_at <= :renewed"
).bindparams(bindparam("at", type_=Instant()), bindparam("renewed", type_=Instant()))
_SAVE_PERSONAL = text(
    "INSERT INTO personal_command_string (person_id, digest, command, kept_at)"
    " VALUES (:person, :digest, :command, :at)"
    " ON CONFLICT (person_id, digest) DO UPDATE SET kept_at = excluded.kept_at"
).bindparams(bindparam("at", type_=Instant()))


def save(session: Session, strings: Mapping[str, str], at: datetime) -> None:
    """Store command strings by their digests for another 400 days from an instant (aware)."""
    _delete_old(session, strings, at)
    # In one order, so that no two writers wait for each other.
    for digest, command in sorted(strings.items()):
        values = {"digest": digest, "command": command, "at": at, "renewed": at - _RENEWED}
        session.connection().execute(_SAVE, values)


def save_personal(
    session: Session, person: Person, strings: Mapping[str, str], at: datetime
) -> None:
    """Store command strings of a person by their digests, as long as that person is stored."""
    owner = ensure_person(session, person)
    _delete_old(session, strings, at)
    for digest, command in sorted(strings.items()):
        values = {"person": owner, "digest": digest, "command": command, "at": at}
        session.connection().execute(_SAVE_PERSONAL, values)


def find(session: Session, digest: str) -> str | None:
    """Return the command string of a digest, `None` where none is stored."""
    for row in _TABLES:
        query = select(col(row.command)).where(col(row.digest) == digest).limit(1)
        command: str | None = session.connection().scalar(query)
        if command is not None:
            return command
    return None


def _delete_old(session: Session, digests: Iterable[str], at: datetime) -> None:
    """Now and then, by chance of the digests, delete the strings that were not renewed."""
    if any(crc32(digest.encode()) % _CLEANUP_EVERY == 0 for digest in digests):
        for row in _TABLES:
            session.connection().execute(delete(row).where(col(row.kept_at) <= at - LIFETIME))
