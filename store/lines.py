"""Command lines that are too long for a button, kept under the digest that the button carries.

A message is pressed long after it was sent, so lines last for more than a year; each sending of
one renews it.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from zlib import crc32

from sqlalchemy import bindparam, delete, select, text
from sqlmodel import Session

from store.schema import TABLES
from store.types import Instant

_LINE = TABLES["line"]

LASTING = timedelta(days=400)
# One that is sent over and over is written once a day.
_RENEWED = timedelta(days=1)
# One line in so many takes old ones along, as in `store.claims`.
_TAKES_ALONG = 64

_PUT = text(
    "INSERT INTO line (digest, line, at) VALUES (:digest, :line, :at)"
    " ON CONFLICT (digest) DO UPDATE SET at = excluded.at WHERE line.at <= :renewed"
).bindparams(bindparam("at", type_=Instant()), bindparam("renewed", type_=Instant()))
_DROP = delete(_LINE).where(_LINE.c.at <= bindparam("old"))
_FIND = select(_LINE.c.line).where(_LINE.c.digest == bindparam("of_digest"))


def keep(session: Session, lines: Mapping[str, str], at: datetime) -> None:
    """Keep lines by their digests for another 400 days from an instant (aware)."""
    connection = session.connection()
    if any(crc32(digest.encode()) % _TAKES_ALONG == 0 for digest in lines):
        connection.execute(_DROP, {"old": at - LASTING})
    # In one order, whoever keeps them, so that no two writers wait for each other.
    for digest, line in sorted(lines.items()):
        row = {"digest": digest, "line": line, "at": at, "renewed": at - _RENEWED}
        connection.execute(_PUT, row)


def line(session: Session, digest: str) -> str | None:
    """Return the line of a digest, `None` where none is kept."""
    return session.connection().scalar(_FIND, {"of_digest": digest})
