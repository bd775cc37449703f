"""The version of all imported content, its age, and the rules by which it was indexed."""

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from sqlalchemy import func, select
from sqlmodel import Session, col

from store.database.statements import insert_for
from store.tables.library import ContentRow, ContributionRow

T = TypeVar("T")

# Built once: it is read before every search and claim.
_VERSION = select(col(ContentRow.version))
# The version that a transaction has read.
_SEEN = "content_version"


def version(session: Session) -> str:
    """Return a token that changes with every change of the content; empty before the first."""
    return session.connection().scalar(_VERSION) or ""


def cache(session: Session, kind: type[T], make: Callable[[str], T]) -> T:
    """Return the connection's cache of a kind, made anew for each version of the content.

    The version is read once in a transaction, unless that changes it.
    """
    info, current = session.connection().info, session.info.get(_SEEN)
    if current is None:
        current = session.info[_SEEN] = version(session)
    kept: tuple[str, T] | None = info.get(kind)
    if kept is None or kept[0] != current:
        kept = info[kind] = (current, make(current))
    return kept[1]


def touch(session: Session) -> None:
    """Change the version; part of every transaction that changes imported content."""
    session.info.pop(_SEEN, None)
    _put(session, version=secrets.token_hex(8))


def changed_at(session: Session) -> datetime | None:
    """Return when an import last added or corrected something, `None` before the first."""
    return session.connection().scalar(select(func.max(col(ContributionRow.imported_at))))


def rules(session: Session) -> str:
    """Return the name of the rules by which topics and indexes were made; empty at first."""
    return session.connection().scalar(select(col(ContentRow.rules))) or ""


def set_rules(session: Session, name: str) -> None:
    """Store the name of the rules by which topics and indexes are made."""
    _put(session, rules=name)


def _put(session: Session, **values: str) -> None:
    new = insert_for(session, ContentRow).values({"id": 1, "version": "", "rules": "", **values})
    changed = new.on_conflict_do_update(index_elements=["id"], set_=values)
    session.connection().execute(changed)
