"""Column types: instants that refuse naive values, and frozen records stored as JSON."""

from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

from sqlalchemy import JSON, DateTime, Dialect, Enum, String
from sqlalchemy.types import TypeDecorator

R = TypeVar("R")

# Text in the order of its bytes, so that an index finds a prefix. SQLite compares so by itself,
# Postgres by the rules of a language.
# https://www.postgresql.org/docs/current/collation.html
BYTEWISE = String().with_variant(String(collation="C"), "postgresql")


class Instant(TypeDecorator[datetime]):
    """A point in time, UTC inside the database and aware outside it.

    SQLite drops the offset of an aware datetime and returns another instant, so it is converted
    when it is written, and gets its zone back when it is read.

    Raises:
        ValueError: for a naive datetime.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC, on SQLite without an offset."""
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError(f"{value!r} has no zone: instants are aware")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the instant in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class Records(TypeDecorator[tuple[R, ...]], Generic[R]):
    """A tuple of flat frozen records of one class, stored as a JSON array of objects."""

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
    """A tuple of strings, stored as a JSON array."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: Iterable[str] | None, dialect: Dialect) -> list[str]:  # noqa: ARG002 - the base class's signature
        """Turn the tuple into an array."""
        return list(value or ())

    def process_result_value(self, value: list[str] | None, dialect: Dialect) -> tuple[str, ...]:  # noqa: ARG002 - the same
        """Turn the array into a tuple."""
        return tuple(value or ())


def choice(values: type[StrEnum]) -> Enum:
    """Return a column type that stores the values of an enumeration and refuses other text.

    A plain `Enum` column stores the member's name, becomes a native type on Postgres that
    migrations can't alter, and lets SQLite store any text.
    """
    return Enum(
        values,
        native_enum=False,
        values_callable=lambda members: [member.value for member in members],
        validate_strings=True,
        length=32,
    )
