"""Claims: what was done once under a name, so that it is not done again.

Platforms deliver a request twice now and then. Whoever acts on one claims its id in the same
transaction, or before it acts; the second to claim is told that it came second.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zlib import crc32

from sqlalchemy import bindparam, delete, select, text
from sqlmodel import Session, col

from store.database.types import Instant
from store.tables.coordination import RequestClaimRow

# Slack's retries of an event, and a redelivered envelope, come within hours.
LASTING = timedelta(days=2)
# One name in so many takes old claims along. Were it every one, those at the same moment would
# collide on Postgres: four in ten were repeated, and all took four times as long.
_TAKES_ALONG = 64


@dataclass(frozen=True, slots=True)
class Claim:
    """A name, such as `slack:event:Ev123`, claimed at an instant (aware).

    It lasts two days, or less where `lasting` says so.
    """

    key: str
    at: datetime
    lasting: timedelta = LASTING


# One statement, so that of two at the same moment the database lets one wait for the other.
_PUT = text(
    "INSERT INTO request_claim (key, claimed_at) VALUES (:key, :at)"
    " ON CONFLICT (key) DO UPDATE SET claimed_at = excluded.claimed_at"
    " WHERE request_claim.claimed_at <= :ended"
).bindparams(bindparam("at", type_=Instant()), bindparam("ended", type_=Instant()))
_DROP = delete(RequestClaimRow).where(col(RequestClaimRow.claimed_at) <= bindparam("old"))


def claim(session: Session, wanted: Claim) -> bool:
    """Claim a name; return whether nobody did within the time that the claim lasts."""
    connection = session.connection()
    if crc32(wanted.key.encode()) % _TAKES_ALONG == 0:
        connection.execute(_DROP, {"old": wanted.at - LASTING})
    ended = wanted.at - wanted.lasting
    put = connection.execute(_PUT, {"key": wanted.key, "at": wanted.at, "ended": ended})
    return put.rowcount == 1


def is_claimed(session: Session, wanted: Claim) -> bool:
    """Tell whether a name was claimed and the claim lasts; it is left as it is."""
    return claimed_at(session, wanted) is not None


def claimed_at(session: Session, wanted: Claim) -> datetime | None:
    """Return when a name was claimed, `None` where it was not or the claim has ended."""
    since = select(col(RequestClaimRow.claimed_at)).where(
        col(RequestClaimRow.key) == wanted.key,
        col(RequestClaimRow.claimed_at) > wanted.at - wanted.lasting,
    )
    found: datetime | None = session.connection().scalar(since)
    return found
