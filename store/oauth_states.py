"""Installations that were begun: each comes back once, in time, or not at all."""

from datetime import datetime

from sqlalchemy import delete, insert
from sqlmodel import Session

from store.schema import TABLES

_STATE = TABLES["oauth_state"]


def issue(session: Session, state: str, now: datetime, expires_at: datetime) -> None:
    """Remember a state until it expires (aware instants); what expired before is forgotten."""
    connection = session.connection()
    connection.execute(delete(_STATE).where(_STATE.c.expires_at <= now))
    connection.execute(insert(_STATE).values(state=state, expires_at=expires_at))


def consume(session: Session, state: str, now: datetime) -> bool:
    """Forget a state; return whether it was remembered and had not expired."""
    alive = (_STATE.c.state == state) & (_STATE.c.expires_at > now)
    return session.connection().execute(delete(_STATE).where(alive)).rowcount == 1
