"""The sources that are followed: added, enabled, fetched, and removed again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from functools import lru_cache
from typing import Any

from sqlalchemy import delete, exists, insert, select, update
from sqlmodel import Session, col

from store import content_version
from store.records import Source
from store.tables.library import EditionRow, SourceRow
from store.tables.sources import FollowedSourceRow, SourceAddressRow

_FACTS = ("enabled", "weekday", "hour")


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server said of a document, by which it tells whether that has changed since.

    https://www.rfc-editor.org/rfc/rfc9110#name-validator-fields
    """

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """Where a source is fetched from, and what came of it last; as `SourceAddressRow` says."""

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
        """What was left of a document that was taken in otherwise, `None` where nothing was."""
        return None if self.failing_since else self.error


@dataclass(frozen=True, slots=True)
class Usual:
    """When a source usually has news, in UTC.

    `weekday` counts from Monday, 0; where it is `None` it has some every day, and where `hour` is,
    nobody knows when.
    """

    weekday: int | None = None
    hour: time | None = None


@dataclass(frozen=True, slots=True)
class Followed:
    """A source that is followed, with its addresses in the order in which they were added."""

    source: Source
    enabled: bool
    addresses: tuple[Address, ...]
    usual: Usual = Usual()

    @property
    def failing(self) -> tuple[Address, ...]:
        """The addresses that nothing can be taken in from at the moment."""
        return tuple(each for each in self.addresses if each.failing_since)

    @property
    def predefined(self) -> bool:
        """Whether it came with the program, and so can't be removed."""
        return any(each.predefined for each in self.addresses)


@dataclass(frozen=True, slots=True)
class Predefined:
    """A source that comes with the program: its addresses are kinds and URLs."""

    source: Source
    enabled: bool
    usual: Usual
    addresses: tuple[tuple[str | None, str], ...]


def add_address(
    session: Session, slug: str, url: str, kind: str | None, usual: Usual | None = None
) -> bool:
    """Follow a source at one more address; return whether that was not known.

    One that is new is enabled. What is found at an address that was known is of this kind now, and
    is fetched anew. `usual` is when the source usually has news, where that is to be noted.
    """
    _follow(session, Source(slug, slug), Usual(), enabled=True)
    if usual:
        _have(session, slug, usual)
    connection, here = (
        session.connection(),
        (col(SourceAddressRow.source) == slug) & (col(SourceAddressRow.url) == url),
    )
    if _is_there(session, here):
        again = {"kind": kind, "etag": None, "last_modified": None}
        connection.execute(update(SourceAddressRow).where(here).values(**again))
        return False
    connection.execute(insert(SourceAddressRow).values(source=slug, url=url, kind=kind))
    return True


def add_found(session: Session, slug: str, kind: str, urls: Sequence[str]) -> None:
    """Follow a source that is followed also where one of its pages leads to."""
    connection = session.connection()
    of_source = select(col(SourceAddressRow.url)).where(col(SourceAddressRow.source) == slug)
    known = set(connection.scalars(of_source))
    if new := [url for url in urls if url not in known]:
        rows = [{"source": slug, "kind": kind, "url": url} for url in new]
        connection.execute(insert(SourceAddressRow), rows)


def predefine(session: Session, sources: Sequence[Predefined]) -> None:
    """Follow the sources that come with the program, at the addresses that they have now.

    What an operator said of one of them stays: whether it is enabled, and further addresses.
    """
    connection = session.connection()
    for each in sources:
        slug = each.source.slug
        _follow(session, each.source, each.usual, enabled=each.enabled)
        _have(session, slug, each.usual)
        urls = [url for _, url in each.addresses]
        old = (
            (col(SourceAddressRow.source) == slug)
            & col(SourceAddressRow.predefined)
            & col(SourceAddressRow.url).not_in(urls)
        )
        connection.execute(delete(SourceAddressRow).where(old))
        for kind, url in each.addresses:
            here = (col(SourceAddressRow.source) == slug) & (col(SourceAddressRow.url) == url)
            values = {"source": slug, "kind": kind, "url": url, "predefined": True}
            if _is_there(session, here):
                connection.execute(update(SourceAddressRow).where(here).values(**values))
            else:
                connection.execute(insert(SourceAddressRow).values(**values))


def is_predefined(known: Sequence[Followed], sources: Sequence[Predefined]) -> bool:
    """Tell whether what is followed holds all that comes with the program, as that has it. Pure."""
    by_slug = {each.source.slug: each for each in known}
    return all(
        (found := by_slug.get(each.source.slug))
        and found.usual == each.usual
        and {(a.kind, a.url) for a in found.addresses if a.predefined} == {*each.addresses}
        for each in sources
    )


def remove(session: Session, slug: str) -> None:
    """Follow a source no more; what was taken in of it stays.

    Raises:
        LookupError: where it is not followed.
    """
    connection = session.connection()
    connection.execute(delete(SourceAddressRow).where(col(SourceAddressRow.source) == slug))
    if (
        connection.execute(
            delete(FollowedSourceRow).where(col(FollowedSourceRow.source) == slug)
        ).rowcount
        == 0
    ):
        raise LookupError(slug)
    told = exists().where(col(EditionRow.source) == slug)
    connection.execute(delete(SourceRow).where(col(SourceRow.slug) == slug, ~told))
    content_version.touch(session)


def enable(session: Session, slug: str, *, enabled: bool) -> bool:
    """Have a source fetched by schedule or not; return whether that is new.

    Raises:
        LookupError: where it is not followed.
    """
    connection, own = session.connection(), col(FollowedSourceRow.source) == slug
    if not _is_there(session, own):
        raise LookupError(slug)
    other = (
        update(FollowedSourceRow)
        .where(own, col(FollowedSourceRow.enabled) != enabled)
        .values(enabled=enabled)
    )
    return connection.execute(other).rowcount == 1


def list_followed(session: Session) -> list[Followed]:
    """Return all sources that are followed, by slug."""
    connection = session.connection()
    columns = (
        col(SourceRow.slug),
        col(SourceRow.title),
        *(getattr(FollowedSourceRow, name) for name in _FACTS),
    )
    query = (
        select(*columns)
        .join(FollowedSourceRow, col(FollowedSourceRow.source) == col(SourceRow.slug))
        .order_by(col(SourceRow.slug))
    )
    addresses: dict[str, list[Address]] = {}
    for row in connection.execute(select(SourceAddressRow).order_by(col(SourceAddressRow.id))):
        addresses.setdefault(row.source, []).append(_address(row))
    return [
        Followed(
            Source(row.slug, row.title),
            row.enabled,
            tuple(addresses.get(row.slug, ())),
            Usual(row.weekday, row.hour),
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
    """Note that what is found at an address was taken in, or is as it was, and what was left."""
    _note(
        session,
        address,
        etag=validators.etag,
        last_modified=validators.last_modified,
        tried_at=tried_at,
        fetched_at=tried_at,
        failing_since=None,
        error=left,
    )


def note_replaced(session: Session, url: str) -> None:
    """Note that nothing is left any more of what is found at an address."""
    here = (col(SourceAddressRow.url) == url) & col(SourceAddressRow.failing_since).is_(None)
    session.connection().execute(update(SourceAddressRow).where(here).values(error=None))


def note_failed(session: Session, address: int, error: str, tried_at: datetime) -> None:
    """Note why nothing could be taken in from an address, and since when that is so."""
    since = col(SourceAddressRow.failing_since)
    query = select(since).where(col(SourceAddressRow.id) == address)
    began: datetime | None = session.connection().scalar(query)
    _note(session, address, tried_at=tried_at, failing_since=began or tried_at, error=error)


def _follow(session: Session, source: Source, usual: Usual, *, enabled: bool) -> None:
    """Follow a source that is not followed yet."""
    connection, slug = session.connection(), source.slug
    if not _is_there(session, col(SourceRow.slug) == slug):
        connection.execute(insert(SourceRow).values(slug=slug, title=source.title))
    if not _is_there(session, col(FollowedSourceRow.source) == slug):
        values = {"source": slug, "enabled": enabled, **_usual(usual)}
        connection.execute(insert(FollowedSourceRow).values(**values))
        content_version.touch(session)


def _have(session: Session, slug: str, usual: Usual) -> None:
    own = update(FollowedSourceRow).where(col(FollowedSourceRow.source) == slug)
    session.connection().execute(own.values(**_usual(usual)))


def _usual(usual: Usual) -> dict[str, Any]:
    return {"weekday": usual.weekday, "hour": usual.hour}


def _note(session: Session, address: int, **values: Any) -> None:  # noqa: ANN401 - columns
    session.connection().execute(
        update(SourceAddressRow).where(col(SourceAddressRow.id) == address).values(**values)
    )


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
        predefined=row.predefined,
    )


# The source that is fused from the others; nothing is imported under its name.
CONSENSUS = "consensus"
# These in this order, then all others by slug.
FIRST = ("dair", "paperdive", "hf-daily")


@lru_cache(1024)  # a store has some dozens
def precedence(source: str) -> tuple[int, str]:
    """Return a sort key of a slug."""
    return FIRST.index(source) if source in FIRST else len(FIRST), source
