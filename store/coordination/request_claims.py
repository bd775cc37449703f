"""Claims of requests, so that a repeated request is not carried out again.

Platforms deliver a request twice now and then. Its id is claimed in the transaction that carries
it out, or before; the second claim fails.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zlib import crc32

from sqlalchemy import delete, select
from sqlmodel import Session, col

from store.database.statements import insert_for
from store.tables.coordination import RequestClaimRow

# Slack's retries of an event, and a redelivered envelope, come within hours.
LIFETIME = timedelta(days=2)
# One key in so many deletes old claims. Were it every one, those at the same moment would collide
# on Postgres: four in ten were repeated, and all took four times as long.
_CLEANUP_EVERY = 64


@dataclass(frozen=True, slots=True)
class Claim:
    """A key, such as `slack:event:Ev123`, and when it is claimed (aware)."""

    key: str
    at: datetime
    lifetime: timedelta = LIFETIME


def claim(session: Session, request: Claim) -> bool:
    """Claim a key; return whether it was not claimed within the lifetime before."""
    connection = session.connection()
    if crc32(request.key.encode()) % _CLEANUP_EVERY == 0:
        is_old = col(RequestClaimRow.claimed_at) <= request.at - LIFETIME
        connection.execute(delete(RequestClaimRow).where(is_old))
    # One statement, so that of two at the same moment the database lets one wait for the other.
    new = insert_for(session, RequestClaimRow).values(key=request.key, claimed_at=request.at)
    claimed = new.on_conflict_do_update(
        index_elements=["key"],
        set_={"claimed_at": request.at},
        where=col(RequestClaimRow.claimed_at) <= request.at - request.lifetime,
    )
    return connection.scalar(claimed.returning(col(RequestClaimRow.key))) is not None


def take(session: Session, request: Claim) -> bool:
    """Give up a claim within its lifetime; return whether there was one."""
    taken = delete(RequestClaimRow).where(
        col(RequestClaimRow.key) == request.key,
        col(RequestClaimRow.claimed_at) > request.at - request.lifetime,
    )
    return session.connection().scalar(taken.returning(col(RequestClaimRow.key))) is not None


def is_claimed(session: Session, request: Claim) -> bool:
    """Tell whether a key is claimed, without claiming it."""
    return claimed_at(session, request) is not None


def claimed_at(session: Session, request: Claim) -> datetime | None:
    """Return when a key was claimed, `None` where it was not or the claim has ended."""
    query = select(col(RequestClaimRow.claimed_at)).where(
        col(RequestClaimRow.key) == request.key,
        col(RequestClaimRow.claimed_at) > request.at - request.lifetime,
    )
    found: datetime | None = session.connection().scalar(query)
    return found
