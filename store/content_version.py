"""What holds for all that was imported: its version, its age, and the rules of its topics."""

import secrets
from datetime import datetime

from sqlalchemy import func, select, text
from sqlmodel import Session, col

from store.tables.library import ContributionRow

_VERSION = text("SELECT version FROM content")
_TOUCH = text(
    "INSERT INTO content (id, version, rules) VALUES (1, :version, '')"
    " ON CONFLICT (id) DO UPDATE SET version = excluded.version"
)
_RULES = text("SELECT rules FROM content")
_SET_RULES = text(
    "INSERT INTO content (id, version, rules) VALUES (1, '', :rules)"
    " ON CONFLICT (id) DO UPDATE SET rules = excluded.rules"
)
_NEWS = select(func.max(col(ContributionRow.imported_at)))


def version(session: Session) -> str:
    """Return a token that is another one after every change; empty before the first."""
    return session.connection().scalar(_VERSION) or ""


def touch(session: Session) -> None:
    """Say that something changed; part of every transaction that changes what was imported."""
    session.connection().execute(_TOUCH, {"version": secrets.token_hex(8)})


def changed_at(session: Session) -> datetime | None:
    """Return when an import last brought something new or corrected, `None` before the first."""
    when: datetime | None = session.connection().scalar(_NEWS)
    return when


def rules(session: Session) -> str:
    """Return the name of the rules by which topics and indexes were made; empty at first."""
    return session.connection().scalar(_RULES) or ""


def set_rules(session: Session, name: str) -> None:
    """Name the rules by which topics and indexes are made from now on."""
    session.connection().execute(_SET_RULES, {"rules": name})
