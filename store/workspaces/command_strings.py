"""Command lines that are too long for a button, kept under the digest that the button carries.

A message is pressed long after it was sent, so lines last for more than a year; each sending of
one renews it. Lines of somebody's own, which may hold a note of theirs, are kept apart, and go with
that person.
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
from store.workspaces.people import member_id

LASTING = timedelta(days=400)
# One that is sent over and over is written once a day.
_RENEWED = timedelta(days=1)
# One line in so many takes old ones along, as in `store.coordination.request_claims`.
_TAKES_ALONG = 64

_PUT = text(
    "INSERT INTO command_string (digest, command, kept_at) VALUES (:digest, :line, :at)"
    " ON CONFLICT (digest) DO UPDATE SET kept_at = excluded.kept_at"
    " WHERE command_string.kept_at <= :renewed"
).bindparams(bindparam("at", type_=Instant()), bindparam("renewed", type_=Instant()))
_PUT_OWN = text(
    "INSERT INTO personal_command_string (person_id, digest, command, kept_at)"
    " VALUES (:member, :digest, :line, :at)"
    " ON CONFLICT (person_id, digest) DO UPDATE SET kept_at = excluded.kept_at"
).bindparams(bindparam("at", type_=Instant()))
_DROPS = tuple(
    delete(row).where(col(row.kept_at) <= bindparam("old"))
    for row in (CommandStringRow, PersonalCommandStringRow)
)
_FINDS = tuple(
    select(col(row.command)).where(col(row.digest) == bindparam("of_digest")).limit(1)
    for row in (CommandStringRow, PersonalCommandStringRow)
)


def keep(session: Session, lines: Mapping[str, str], at: datetime) -> None:
    """Keep lines by their digests for another 400 days from an instant (aware)."""
    connection = session.connection()
    _drop_old(session, lines, at)
    # In one order, whoever keeps them, so that no two writers wait for each other.
    for digest, line in sorted(lines.items()):
        row = {"digest": digest, "line": line, "at": at, "renewed": at - _RENEWED}
        connection.execute(_PUT, row)


def keep_own(session: Session, person: Person, lines: Mapping[str, str], at: datetime) -> None:
    """Keep lines of somebody's own by their digests, as long as others or as that person."""
    connection, member = session.connection(), member_id(session, person)
    _drop_old(session, lines, at)
    for digest, line in sorted(lines.items()):
        row = {"member": member, "digest": digest, "line": line, "at": at}
        connection.execute(_PUT_OWN, row)


def line(session: Session, digest: str) -> str | None:
    """Return the line of a digest, whoever's it is, `None` where none is kept."""
    found = (session.connection().scalar(find, {"of_digest": digest}) for find in _FINDS)
    return next((each for each in found if each is not None), None)


def _drop_old(session: Session, lines: Iterable[str], at: datetime) -> None:
    """Now and then, by chance of the digests that are kept, drop those that nobody kept."""
    if any(crc32(digest.encode()) % _TAKES_ALONG == 0 for digest in lines):
        for drop in _DROPS:
            session.connection().execute(drop, {"old": at - LASTING})
