"""Followed sources: adding, enabling, fetching and removing them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, time
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, insert, select, update
from sqlmodel import Session, col

from store import content_version
from store.database.statements import execute_each
from store.records import Source
from store.tables.library import EditionRow, FollowedSourceRow, SourceAddressRow, SourceRow

# The source that is merged from the others; nothing is imported under its name.
CONSENSUS = "consensus"
# These take precedence in this order, then all others by slug.
PREFERRED = ("dair", "paperdive", "hf-daily")


@dataclass(frozen=True, slots=True)
class Validators:
    """A server's validators of a document, which tell whether it has changed since.

    https://www.rfc-editor.org/rfc/rfc9110#name-validator-fields
    """

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """An address of a source, and the result of its last fetch; fields as in `SourceAddressRow`."""

    id: int
    kind: str | None
    url: str
    validators: Validators
    tried_at: datetime | None
    fetched_at: datetime | None
    failing_since: datetime | None
    error: str | None
    predefined: bool = False

    @property
    def left(self) -> str | None:
        """The part of an imported document that was left out, `None` if nothing was."""
        return None if self.failing_since else self.error


@dataclass(frozen=True, slots=True)
class UsualTime:
    """The time when a source usually publishes, in UTC.

    `weekday` counts from Monday, 0; it is `None` for every day. `hour` is `None` if unknown.
    """

    weekday: int | None = None
    hour: time | None = None


@dataclass(frozen=True, slots=True)
class FollowedSource:
    """A followed source, with its addresses in the order they were added."""

    source: Source
    enabled: bool
    addresses: tuple[Address, ...]
    usual: UsualTime = UsualTime()

    @property
    def failing(self) -> tuple[Address, ...]:
        """The addresses whose fetches fail at present."""
        return tuple(address for address in self.addresses if address.failing_since)

    @property
    def predefined(self) -> bool:
        """True if it came with the program, and so can't be removed."""
        return any(address.predefined for address in self.addresses)


@dataclass(frozen=True, slots=True)
class PredefinedSource:
    """A source that comes with the program: its addresses are kinds and URLs."""

    source: Source
    enabled: bool
    usual: UsualTime
    addresses: tuple[tuple[str | None, str], ...]


@lru_cache(1024)  # a store has some dozens
def precedence(source: str) -> tuple[int, str]:
    """Return a sort key of a slug."""
    return PREFERRED.index(source) if source in PREFERRED else len(PREFERRED), source


def add_address(
    session: Session, slug: str, url: str, kind: str | None, usual: UsualTime | None = None
) -> bool:
    """Follow a source at one more address; return whether the address is new.

    A new source is enabled. A known address gets this kind and is fetched again. `usual` is stored
    unless it is `None`.
    """
    _follow(session, Source(slug, slug), UsualTime(), enabled=True)
    if usual:
        _set_usual_time(session, slug, usual)
    return _put_address(session, slug, url, kind=kind, etag=None, last_modified=None)


def add_linked(session: Session, slug: str, kind: str, urls: Sequence[str]) -> None:
    """Follow a source also at the addresses that one of its pages links to."""
    connection = session.connection()
    of_source = select(col(SourceAddressRow.url)).where(col(SourceAddressRow.source) == slug)
    known = set(connection.scalars(of_source))
    new = (url for url in urls if url not in known)
    rows = [{"source": slug, "kind": kind, "url": url} for url in new]
    execute_each(connection, insert(SourceAddressRow), rows)


def predefine(session: Session, sources: Sequence[PredefinedSource]) -> None:
    """Follow the sources that come with the program, at their present addresses.

    An operator's changes stay: whether a source is enabled, and further addresses.
    """
    connection = session.connection()
    for predefined in sources:
        slug = predefined.source.slug
        _follow(session, predefined.source, predefined.usual, enabled=predefined.enabled)
        _set_usual_time(session, slug, predefined.usual)
        outdated = (
            (col(SourceAddressRow.source) == slug)
            & col(SourceAddressRow.predefined)
            & col(SourceAddressRow.url).not_in([url for _, url in predefined.addresses])
        )
        connection.execute(delete(SourceAddressRow).where(outdated))
        for kind, url in predefined.addresses:
            _put_address(session, slug, url, kind=kind, predefined=True)


def is_predefined(known: Sequence[FollowedSource], sources: Sequence[PredefinedSource]) -> bool:
    """Tell whether the followed sources include all predefined ones, unchanged. Pure."""
    by_slug = {followed.source.slug: followed for followed in known}
    return all(
        (followed := by_slug.get(predefined.source.slug))
        and followed.usual == predefined.usual
        and {(a.kind, a.url) for a in followed.addresses if a.predefined} == {*predefined.addresses}
        for predefined in sources
    )


def remove(session: Session, slug: str) -> None:
    """Stop following a source; its editions stay.

    Raises:
        LookupError: if it is not followed.
    """
    connection = session.connection()
    connection.execute(delete(SourceAddressRow).where(col(SourceAddressRow.source) == slug))
    followed = delete(FollowedSourceRow).where(col(FollowedSourceRow.source) == slug)
    if connection.execute(followed).rowcount == 0:
        raise LookupError(slug)
    has_editions = exists().where(col(EditionRow.source) == slug)
    connection.execute(delete(SourceRow).where(col(SourceRow.slug) == slug, ~has_editions))
    content_version.touch(session)


def enable(session: Session, slug: str, *, enabled: bool) -> bool:
    """Have a source fetched by schedule or not; return whether that is a change.

    Raises:
        LookupError: if it is not followed.
    """
    this = col(FollowedSourceRow.source) == slug
    if not _exists(session, this):
        raise LookupError(slug)
    changed = update(FollowedSourceRow).where(this, col(FollowedSourceRow.enabled) != enabled)
    return session.connection().execute(changed.values(enabled=enabled)).rowcount == 1


def list_followed(session: Session) -> list[FollowedSource]:
    """Return all followed sources, by slug."""
    connection = session.connection()
    query = (
        select(
            col(SourceRow.slug),
            col(SourceRow.title),
            col(FollowedSourceRow.enabled),
            col(FollowedSourceRow.weekday),
            col(FollowedSourceRow.hour),
        )
        .join(FollowedSourceRow, col(FollowedSourceRow.source) == col(SourceRow.slug))
        .order_by(col(SourceRow.slug))
    )
    addresses: dict[str, list[Address]] = {}
    for row in connection.execute(select(SourceAddressRow).order_by(col(SourceAddressRow.id))):
        addresses.setdefault(row.source, []).append(_address(row))
    return [
        FollowedSource(
            Source(row.slug, row.title),
            row.enabled,
            tuple(addresses.get(row.slug, ())),
            UsualTime(row.weekday, row.hour),
        )
        for row in connection.execute(query)
    ]


def note_fetched(
    session: Session,
    address: int,
    validators: Validators,
    tried_at: datetime,
    left: str | None = None,
) -> None:
    """Store that an address was imported or is unchanged, and which part was left out."""
    news = {"tried_at": tried_at, "fetched_at": tried_at, "failing_since": None, "error": left}
    _update_address(session, address, **asdict(validators), **news)


def note_replaced(session: Session, url: str) -> None:
    """Store that no part of an address is left out any more."""
    this = (col(SourceAddressRow.url) == url) & col(SourceAddressRow.failing_since).is_(None)
    session.connection().execute(update(SourceAddressRow).where(this).values(error=None))


def note_failed(session: Session, address: int, error: str, tried_at: datetime) -> None:
    """Store why an address could not be imported, and since when."""
    query = select(col(SourceAddressRow.failing_since)).where(col(SourceAddressRow.id) == address)
    since: datetime | None = session.connection().scalar(query)
    _update_address(
        session, address, tried_at=tried_at, failing_since=since or tried_at, error=error
    )


def _follow(session: Session, source: Source, usual: UsualTime, *, enabled: bool) -> None:
    """Follow a source unless it is followed."""
    connection, slug = session.connection(), source.slug
    if not _exists(session, col(SourceRow.slug) == slug):
        connection.execute(insert(SourceRow).values(slug=slug, title=source.title))
    if not _exists(session, col(FollowedSourceRow.source) == slug):
        values = {"source": slug, "enabled": enabled, "weekday": usual.weekday, "hour": usual.hour}
        connection.execute(insert(FollowedSourceRow).values(**values))
        content_version.touch(session)


def _set_usual_time(session: Session, slug: str, usual: UsualTime) -> None:
    this = update(FollowedSourceRow).where(col(FollowedSourceRow.source) == slug)
    session.connection().execute(this.values(weekday=usual.weekday, hour=usual.hour))


def _update_address(session: Session, address: int, **values: Any) -> None:  # noqa: ANN401 - columns
    this = update(SourceAddressRow).where(col(SourceAddressRow.id) == address)
    session.connection().execute(this.values(**values))


def _put_address(session: Session, slug: str, url: str, **values: Any) -> bool:  # noqa: ANN401 - columns
    """Add or change an address; return whether it is new."""
    connection = session.connection()
    known = update(SourceAddressRow).filter_by(source=slug, url=url).values(**values)
    if connection.execute(known).rowcount:
        return False
    connection.execute(insert(SourceAddressRow).values(source=slug, url=url, **values))
    return True


def _exists(session: Session, condition: ColumnElement[bool]) -> bool:
    return bool(session.connection().scalar(select(exists().where(condition))))


def _address(row: Any) -> Address:  # noqa: ANN401 - a row of the table
    return Address(
        row.id,
        row.kind,
        row.url,
        Validators(row.etag, row.last_modified),
        row.tried_at,
        row.fetched_at,
        row.failing_since,
        row.error,
        row.predefined,
    )
