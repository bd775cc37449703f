"""Column types: instants that refuse naive values, and frozen records kept as JSON."""

from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

from sqlalchemy import JSON, Connection, DateTime, Dialect, Enum, String, Table, text
from sqlalchemy.types import TypeDecorator

R = TypeVar("R")

# Text in the order of its bytes, so that whatever begins alike stands together in an index. SQLite
# compares so by itself, Postgres by the rules of a language.
# https://www.postgresql.org/docs/current/collation.html
BYTEWISE = String().with_variant(String(collation="C"), "postgresql")


class Instant(TypeDecorator[datetime]):
    """A point in time, UTC inside the database and aware outside it.

    SQLite drops the offset of an aware datetime and gives another instant back, so it is
    converted on the way in and its zone put back on the way out.

    Raises:
        ValueError: for a naive datetime.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC, without offset where the database knows none."""
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError(f"{value!r} has no zone: instants are aware")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the instant back in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class Records(TypeDecorator[tuple[R, ...]], Generic[R]):
    """A tuple of one kind of flat frozen record, kept as a JSON array of objects."""

    impl = JSON
    cache_ok = True

    def __init__(self, record: type[R]) -> None:
        self.record = record
        self._names = tuple(field.name for field in fields(record))  # type: ignore[arg-type] # R is a dataclass
        super().__init__()

    def process_bind_param(self, value: Iterable[Any] | None, dialect: Dialect) -> Any:  # noqa: ANN401, ARG002 - the base class's signature
        """Turn the records into objects."""
        return [{name: getattr(record, name) for name in self._names} for record in value or ()]

    def process_result_value(self, value: list[dict[str, Any]] | None, dialect: Dialect) -> Any:  # noqa: ANN401, ARG002 - the same
        """Turn the objects into records."""
        return tuple([self.record(**facts) for facts in value]) if value else ()


class Strings(TypeDecorator[tuple[str, ...]]):
    """A tuple of strings, kept as a JSON array."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: Iterable[str] | None, dialect: Dialect) -> list[str]:  # noqa: ARG002 - the base class's signature
        """Turn the tuple into an array."""
        return list(value or ())

    def process_result_value(self, value: list[str] | None, dialect: Dialect) -> tuple[str, ...]:  # noqa: ARG002 - the same
        """Turn the array into a tuple."""
        return tuple(value or ())


def choice(values: type[StrEnum]) -> Enum:
    """Return a column type that keeps a member's value and refuses any other text.

    A plain `Enum` column stores the member's name, becomes a native type on Postgres that
    migrations can't alter, and lets SQLite keep whatever it is given.
    """
    return Enum(
        values,
        native_enum=False,
        values_callable=lambda members: [member.value for member in members],
        validate_strings=True,
        length=32,
    )


def next_ids(connection: Connection, table: Table, count: int) -> list[int]:
    """Return so many ids that no row of a table has or will be given by anyone else.

    SQLite has one writer, who holds the file since the transaction began; Postgres takes
    them from the table's sequence.
    """
    if not count:
        return []
    if connection.dialect.name == "sqlite":
        last = connection.execute(_LAST[table.name]).scalar_one()
        return list(range(last + 1, last + 1 + count))
    taken = connection.execute(_TAKE, {"table": table.name, "count": count})
    return list(taken.scalars())


_LAST = {
    name: text(f"SELECT coalesce(max(id), 0) FROM {name}")  # noqa: S608 - our own names
    for name in ("entry", "paper")
}
_TAKE = text("SELECT nextval(pg_get_serial_sequence(:table, 'id')) FROM generate_series(1, :count)")
