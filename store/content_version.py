"""The version of all imported content, its age, and the rules by which it was indexed."""

import secrets
from datetime import datetime

from sqlalchemy import func, select, text
from sqlmodel import Session, col

from store.tables.library import ContentRow, ContributionRow

_TOUCH = text(
    "INSERT INTO content (id, version, rules) VALUES (1, :version, '')"
    " ON CONFLICT (id) DO UPDATE SET version = excluded.version"
)
_SET_RULES = text(
    "INSERT INTO content (id, version, rules) VALUES (1, '', :rules)"
    " ON CONFLICT (id) DO UPDATE SET rules = excluded.rules"
)
_VERSION = select(col(ContentRow.version))


def version(session: Session) -> str:
    """Return a token that changes with every change of the content; empty before the first."""
    return session.connection().scalar(_VERSION) or ""


def touch(session: Session) -> None:
    """Change the version; part of every transaction that changes imported content."""
    session.connection().execute(_TOUCH, {"version": secrets.token_hex(8)})


def changed_at(session: Session) -> datetime | None:
    """Return when an import last added or corrected something, `None` before the first."""
    return session.connection().scalar(select(func.max(col(ContributionRow.imported_at))))


def rules(session: Session) -> str:
    """Return the name of the rules by which topics and indexes were made; empty at first."""
    return session.connection().scalar(select(col(ContentRow.rules))) or ""


def set_rules(session: Session, name: str) -> None:
    """Store the name of the rules by which topics and indexes are made."""
    session.connection().execute(_SET_RULES, {"rules": name})
