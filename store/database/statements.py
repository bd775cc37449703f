"""Statements that are run all the time: written out once, and handed to the driver as they are.

SQLAlchemy takes some 80 µs to run one of its own, four times as long as SQLite does.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import lru_cache, partial
from itertools import starmap
from json import loads
from typing import Any, Self, TypeAlias

from sqlalchemy import (
    ARRAY,
    BindParameter,
    Boolean,
    ColumnElement,
    Connection,
    Date,
    Dialect,
    Enum,
    Integer,
    Select,
    Table,
    Text,
    Time,
    bindparam,
    cast,
    text,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Mapped
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine
from sqlmodel import SQLModel

from store.database.types import Instant, Strings

Values = Mapping[str, Any]
# A query of whatever columns.
Query: TypeAlias = "Select[*tuple[Any, ...]]"
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Value:
    """A value of a statement: one that is given, or `own`, which the statement itself says."""

    name: str
    given: bool
    own: Any
    write: Callable[[Any], Any] | None

    def of(self, values: Values) -> Any:  # noqa: ANN401 - a driver's
        """Return it as the driver takes it."""
        if not self.given:
            return self.own
        value = values[self.name]
        return value if self.write is None else self.write(value)


@dataclass(frozen=True, slots=True)
class _Written:
    """A statement in a database's words, with its values in order, by place or by name."""

    text: str
    values: Sequence[_Value]
    by_place: bool

    def filled(self, values: Values) -> Sequence[Any] | Values:
        """Return the values as the driver takes them."""
        if self.by_place:
            return [each.of(values) for each in self.values]
        return {each.name: each.of(values) for each in self.values}


class Prepared:
    """A statement of SQLAlchemy's that is run by the driver; none with a list of any length.

    What it returns is as the driver gives it: choices as text, SQLite's instants too.

    Args:
        statement: the statement.
    """

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._written: dict[str, _Written] = {}

    def rows(self, connection: Connection, values: Values) -> list[Row]:
        """Run it in the connection's transaction; return all rows.

        Raises:
            KeyError: where a value is missing.
            ValueError: for one that its column does not take.
        """
        found: list[Row] = self._run(connection, values).fetchall()
        return found

    def run(self, connection: Connection, values: Values) -> int:
        """Run it in the connection's transaction; return how many rows were changed.

        Raises:
            KeyError: as `rows`; and so is `ValueError`.
        """
        return int(self._run(connection, values).rowcount)

    def _run(self, connection: Connection, values: Values) -> Any:  # noqa: ANN401 - a driver's cursor
        written = self._written.get(connection.dialect.name)
        if written is None:
            written = self._written[connection.dialect.name] = _write(
                self._statement, connection.dialect
            )
        driver: Any = connection.connection.driver_connection
        return driver.execute(written.text, written.filled(values))


def _write(statement: Executable, dialect: Dialect) -> _Written:
    compiled: SQLCompiler = statement.compile(dialect=dialect)  # type: ignore[attr-defined] # every statement that is executed has it
    known = {compiled.bind_names[each]: each for each in compiled.bind_names}
    order = (compiled.positiontup or ()) if compiled.positional else known
    values = [_value(name, known[name], dialect) for name in order]
    return _Written(compiled.string, values, compiled.positional)


def _value(name: str, bound: BindParameter[Any], dialect: Dialect) -> _Value:
    write = bound.type.dialect_impl(dialect).bind_processor(dialect)
    own = None if bound.required else bound.effective_value
    return _Value(name, bound.required, write(own) if write and not bound.required else own, write)


def among(column: ColumnElement[Any] | Mapped[Any], name: str) -> ColumnElement[bool]:
    """Return the condition that a column of whole numbers or texts is one of those given.

    They are given as a list, by a name.
    """
    expression = as_expression(column)
    of: TypeEngine[Any] = Integer() if isinstance(expression.type, Integer) else Text()
    return _Among(expression, bindparam(name, type_=_Many(of)))


def as_expression(column: ColumnElement[Any] | Mapped[Any]) -> ColumnElement[Any]:
    """Return the column of an attribute of a table class, which has a type and a name."""
    if isinstance(column, ColumnElement):
        return column
    # Every attribute of a table class has one, though SQLAlchemy's types say so of none.
    expression: ColumnElement[Any] = column.expression  # type: ignore[attr-defined]
    return expression


def table_of(row: type[SQLModel]) -> Table:
    """Return the table of a table class, for statements on whichever table is given."""
    table: Table = row.__table__  # type: ignore[attr-defined] # SQLModel declares it for no checker
    return table


class _Many(TypeDecorator[list[Any]]):
    """Values as one: an array on Postgres, which SQLite has as JSON."""

    impl = Text
    cache_ok = True

    def __init__(self, of: TypeEngine[Any]) -> None:
        super().__init__()
        self.of = of

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type of a database."""
        return ARRAY(self.of) if dialect.name == "postgresql" else Text()

    def process_bind_param(self, value: list[Any] | None, dialect: Dialect) -> Any:  # noqa: ANN401 - the base class's signature
        """Write values as the database takes them."""
        return value if dialect.name == "postgresql" else json.dumps(value)


class _Among(FunctionElement[bool]):
    inherit_cache = True
    type = Boolean()

    def self_group(self, against: object = None) -> Self:  # noqa: ARG002 - the base class's signature
        """Stand as it is: by `= 1`, which SQLAlchemy adds, SQLite would look at every row."""
        return self


@compiles(_Among)
def _any(element: _Among, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401 - the library's
    # https://www.postgresql.org/docs/current/functions-comparisons.html
    column, values = (compiler.process(each, **options) for each in element.clauses)
    return f"{column} = ANY ({values})"


@compiles(_Among, "sqlite")
def _in(element: _Among, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401 - the same
    # https://www.sqlite.org/json1.html#jeach
    column, values = (compiler.process(each, **options) for each in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({values}))"  # noqa: S608 - a parameter's mark


class Alike:
    """A query whose rows are mostly alike; `names` are those of its columns, in order."""

    def __init__(self, query: Query) -> None:
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


_INSTANT = Instant()
_MOMENTS = 64
# By JSON on both, which knows rows of different types:
# https://www.sqlite.org/json1.html#jeach
# https://www.postgresql.org/docs/current/functions-json.html#FUNCTIONS-JSON-PROCESSING
_EACH = {
    "sqlite": "json_each(:rows)",
    "postgresql": "jsonb_array_elements(CAST(:rows AS jsonb))",
}


class OfRows:
    """A statement in which `{given}` is the table `given` of the rows that it is run with.

    Args:
        statement: the statement.
        columns: the columns of a row, in order, each with its type on Postgres.
    """

    def __init__(self, statement: str, **columns: str) -> None:
        self._said = {
            name: Prepared(text(statement.format(given=_table(name, columns, each))))
            for name, each in _EACH.items()
        }

    def run(self, connection: Connection, rows: Iterable[Sequence[Any]]) -> int:
        """Run it, instants being aware; return how many rows were changed.

        Raises:
            ValueError: for an instant that is not.
        """
        dialect = connection.dialect
        return self._said[dialect.name].run(connection, _given(rows, dialect))

    def rows(self, connection: Connection, rows: Iterable[Sequence[Any]]) -> list[Row]:
        """Do the same, and return the rows that it returns, as the driver gives them.

        Raises:
            ValueError: as `run`.
        """
        dialect = connection.dialect
        return self._said[dialect.name].rows(connection, _given(rows, dialect))


def _given(rows: Iterable[Sequence[Any]], dialect: Dialect) -> dict[str, str]:
    return {"rows": json.dumps(list(rows), default=partial(_plain, dialect))}


def _table(database: str, columns: dict[str, str], each: str) -> str:
    # SQLite keeps a value as what it is; by a cast it would take an instant for its year.
    read = "CAST(value ->> {place} AS {kind}) AS {name}"
    if database == "sqlite":
        read = "json_extract(value, '$[{place}]') AS {name}"
    listed = ", ".join(
        read.format(place=place, kind=kind, name=name)
        for place, (name, kind) in enumerate(columns.items())
    )
    return f"(SELECT {listed} FROM {each}) AS given"  # noqa: S608 - names of ours, values are bound


@lru_cache(_MOMENTS)
def _plain(dialect: Dialect, value: datetime) -> str:
    """Write an instant as the database does; rows that are given together mostly say the same."""
    moment = _INSTANT.process_bind_param(value, dialect) or value
    return moment.isoformat(" ", "microseconds")
