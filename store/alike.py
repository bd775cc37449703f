"""Reading many rows that are mostly alike: whatever they say is parsed once, however many say it.

SQLAlchemy parses each value of each row, which of a batch of deliveries took longer than all else
that is done to take them.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time
from itertools import starmap
from json import loads
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Connection, Date, Enum, Select, Text, Time, cast

from store.prepared import Prepared
from store.types import Instant, Strings


class Alike:
    """A query whose rows are mostly alike; `names` are those of its columns, in order."""

    def __init__(self, query: Select[Any]) -> None:
        columns = query.selected_columns
        self.names = tuple(column.name for column in columns)
        self._parsers = [_parser(column) for column in columns]
        read = zip(columns, self._parsers, strict=True)
        self._query = Prepared(
            query.with_only_columns(
                *(cast(column, Text) if parse else column for column, parse in read)
            )
        )

    def rows(self, connection: Connection, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Return all rows.

        Raises:
            LookupError: where one says what its column does not know.
        """
        found = zip(*self._query.rows(connection, values), strict=True)
        return list(zip(*starmap(_parsed, zip(self._parsers, found, strict=False)), strict=True))


Parser = Callable[[str], Any]


def _parser(column: ColumnElement[Any]) -> Parser | None:
    """Return what makes of a column's text what SQLAlchemy would, `None` where nothing need."""
    if isinstance(column.type, Enum):
        return {member.value: member for member in column.type.enum_class or ()}.__getitem__
    return next((parse for kind, parse in _PARSERS.items() if isinstance(column.type, kind)), None)


def _parsed(parse: Parser | None, column: Sequence[Any]) -> Iterable[Any]:
    if parse is None:
        return column
    known = {each: parse(each) for each in set(column) if each is not None}
    known[None] = () if parse is _strings else None  # as these types say where there is nothing
    return [known[each] for each in column]


def _instant(said: str) -> datetime:
    """Read an instant: Postgres says its offset, SQLite has all of them in UTC."""
    moment = datetime.fromisoformat(said)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _strings(said: str) -> tuple[str, ...]:
    return tuple(loads(said))


# As Postgres says it, and SQLite.
_IS = {"true": True, "false": False, "1": True, "0": False}
_PARSERS: dict[type, Parser] = {
    Instant: _instant,
    Strings: _strings,
    Time: time.fromisoformat,
    Date: date.fromisoformat,
    Boolean: _IS.__getitem__,
}
