"""The sources that are followed: added, enabled, fetched, and removed again."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, exists, insert, select, update
from sqlmodel import Session

from store.records import Source
from store.schema import TABLES

_SOURCE, _EDITION = TABLES["source"], TABLES["edition"]
_FOLLOWED, _ADDRESS = TABLES["followed"], TABLES["address"]


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server said of a document, by which it tells whether that has changed since.

    https://www.rfc-editor.org/rfc/rfc9110#name-validator-fields
    """

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """Where a source is fetched from, and what came of it last; as `AddressRow` says."""

    id: int
    kind: str | None
    url: str
    validators: Validators
    tried_at: datetime | None
    fetched_at: datetime | None
    failing_since: datetime | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Followed:
    """A source that is followed, with its addresses in the order in which they were added."""

    source: Source
    enabled: bool
    addresses: tuple[Address, ...]


def add_address(session: Session, slug: str, url: str, kind: str | None) -> bool:
    """Follow a source at one more address; return whether that was not known.

    One that is new is enabled. What is found at an address that was known is of this kind now, and
    is fetched anew.
    """
    connection = session.connection()
    if not _is_there(session, _SOURCE.c.slug == slug):
        connection.execute(insert(_SOURCE).values(slug=slug, title=slug))
    if not _is_there(session, _FOLLOWED.c.source == slug):
        connection.execute(insert(_FOLLOWED).values(source=slug, enabled=True))
    here = (_ADDRESS.c.source == slug) & (_ADDRESS.c.url == url)
    if _is_there(session, here):
        again = {"kind": kind, "etag": None, "last_modified": None}
        connection.execute(update(_ADDRESS).where(here).values(**again))
        return False
    connection.execute(insert(_ADDRESS).values(source=slug, url=url, kind=kind))
    return True


def remove(session: Session, slug: str) -> None:
    """Follow a source no more; what was taken in of it stays.

    Raises:
        LookupError: where it is not followed.
    """
    connection = session.connection()
    connection.execute(delete(_ADDRESS).where(_ADDRESS.c.source == slug))
    if connection.execute(delete(_FOLLOWED).where(_FOLLOWED.c.source == slug)).rowcount == 0:
        raise LookupError(slug)
    told = exists().where(_EDITION.c.source == slug)
    connection.execute(delete(_SOURCE).where(_SOURCE.c.slug == slug, ~told))


def enable(session: Session, slug: str, *, enabled: bool) -> bool:
    """Have a source fetched by schedule or not; return whether that is new.

    Raises:
        LookupError: where it is not followed.
    """
    connection, own = session.connection(), _FOLLOWED.c.source == slug
    if not _is_there(session, own):
        raise LookupError(slug)
    other = update(_FOLLOWED).where(own, _FOLLOWED.c.enabled != enabled).values(enabled=enabled)
    return connection.execute(other).rowcount == 1


def list_followed(session: Session) -> list[Followed]:
    """Return all sources that are followed, by slug."""
    connection = session.connection()
    query = (
        select(_SOURCE.c.slug, _SOURCE.c.title, _FOLLOWED.c.enabled)
        .join(_FOLLOWED, _FOLLOWED.c.source == _SOURCE.c.slug)
        .order_by(_SOURCE.c.slug)
    )
    addresses: dict[str, list[Address]] = {}
    for row in connection.execute(select(_ADDRESS).order_by(_ADDRESS.c.id)):
        addresses.setdefault(row.source, []).append(_address(row))
    return [
        Followed(Source(row.slug, row.title), row.enabled, tuple(addresses.get(row.slug, ())))
        for row in connection.execute(query)
    ]


def note_fetched(
    session: Session, address: int, validators: Validators, tried_at: datetime
) -> None:
    """Note that what is found at an address was taken in, or is as it was."""
    _note(
        session,
        address,
        etag=validators.etag,
        last_modified=validators.last_modified,
        tried_at=tried_at,
        fetched_at=tried_at,
        failing_since=None,
        error=None,
    )


def note_failed(session: Session, address: int, error: str, tried_at: datetime) -> None:
    """Note why nothing could be taken in from an address, and since when that is so."""
    since = _ADDRESS.c.failing_since
    query = select(since).where(_ADDRESS.c.id == address)
    began: datetime | None = session.connection().scalar(query)
    _note(session, address, tried_at=tried_at, failing_since=began or tried_at, error=error)


def _note(session: Session, address: int, **values: Any) -> None:  # noqa: ANN401 - columns
    session.connection().execute(update(_ADDRESS).where(_ADDRESS.c.id == address).values(**values))


def _is_there(session: Session, which: Any) -> bool:  # noqa: ANN401 - a condition on one table
    return bool(session.connection().scalar(select(exists().where(which))))


def _address(row: Any) -> Address:  # noqa: ANN401 - a row of the table
    return Address(
        id=row.id,
        kind=row.kind,
        url=row.url,
        validators=Validators(row.etag, row.last_modified),
        tried_at=row.tried_at,
        fetched_at=row.fetched_at,
        failing_since=row.failing_since,
        error=row.error,
    )
