"""The version of all that was imported, by which caches tell whether they still hold."""

import secrets

from sqlalchemy import text
from sqlmodel import Session

_VERSION = text("SELECT version FROM content")
_TOUCH = text(
    "INSERT INTO content (id, version, rules) VALUES (1, :version, '')"
    " ON CONFLICT (id) DO UPDATE SET version = excluded.version"
)


def version(session: Session) -> str:
    """Return a token that is another one after every change; empty before the first."""
    return session.connection().scalar(_VERSION) or ""


def touch(session: Session) -> None:
    """Say that something changed; part of every transaction that changes what was imported."""
    session.connection().execute(_TOUCH, {"version": secrets.token_hex(8)})
