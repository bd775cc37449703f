"""Statements and conditions that SQLAlchemy has no short form of for both databases."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Self, TypeAlias

from sqlalchemy import (
    ARRAY,
    Boolean,
    ColumnElement,
    Connection,
    Dialect,
    Executable,
    Integer,
    Select,
    Table,
    Text,
    and_,
    bindparam,
    func,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Mapped
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine
from sqlmodel import Session, SQLModel

_LAST_CHARACTER = "\U0010ffff"
# A query of any columns.
Query: TypeAlias = "Select[*tuple[Any, ...]]"


def table_of(row: type[SQLModel]) -> Table:
    """Return the table of a table class, for statements on any table."""
    table: Table = row.__table__  # type: ignore[attr-defined] # SQLModel declares it for no checker
    return table


def insert_for(session: Session, row: type[SQLModel]) -> "postgresql.Insert | sqlite.Insert":
    """Return an insert into a table that may say what to do on conflict."""
    return insert_by(session.get_bind().dialect.name, row)


def insert_by(dialect: str, row: type[SQLModel]) -> "postgresql.Insert | sqlite.Insert":
    """Return the same for a database by the name of its dialect."""
    return sqlite.insert(row) if dialect == "sqlite" else postgresql.insert(row)


def insert_new(session: Session, row: type[SQLModel]) -> "postgresql.Insert | sqlite.Insert":
    """Return an insert that leaves rows alone whose keys exist."""
    return insert_for(session, row).on_conflict_do_nothing()


def execute_each(
    connection: Connection, statement: Executable, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Execute a statement with each of the rows; without any, not once.

    SQLAlchemy takes an empty list of parameters for a statement that has none.
    """
    if rows:
        connection.execute(statement, rows)


def next_ids(connection: Connection, row: type[SQLModel], count: int) -> list[int]:
    """Return so many new ids for rows of a table.

    SQLite has one writer, which has locked the file since its transaction began; Postgres takes
    them from the table's sequence.
    """
    table = table_of(row)
    if connection.dialect.name == "sqlite":
        last = connection.scalar(select(func.max(table.c.id))) or 0
        return list(range(last + 1, last + 1 + count))
    taken = text("SELECT nextval(pg_get_serial_sequence(:table, 'id')) FROM generate_series(1, :n)")
    return list(connection.scalars(taken, {"table": table.name, "n": count}))


def in_list(
    column: ColumnElement[Any] | Mapped[Any], values: str | Collection[Any]
) -> ColumnElement[bool]:
    """Return the condition that a column of integers or texts has a value of a list.

    The list, or the one of a parameter's name, is one parameter of any length; SQLite takes 32,766
    parameters at most.
    """
    # Every attribute of a table class has an expression, which SQLAlchemy's types don't tell.
    expression: ColumnElement[Any] = (
        column if isinstance(column, ColumnElement) else column.expression  # type: ignore[attr-defined]
    )
    of = _List(Integer() if isinstance(expression.type, Integer) else Text())
    if isinstance(values, str):
        return _InList(expression, bindparam(values, type_=of))
    return _InList(expression, bindparam("list", [*values], type_=of, unique=True))


def begins(column: Any, text: str) -> ColumnElement[bool]:  # noqa: ANN401 - a column of texts
    """Return the condition that a text begins so; an index in the order of bytes serves it."""
    return and_(column >= text, column < text + _LAST_CHARACTER)


class _List(TypeDecorator[list[Any]]):
    """A list as one value: an array on Postgres, JSON on SQLite."""

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


class _InList(FunctionElement[bool]):
    inherit_cache = True
    type = Boolean()

    def self_group(self, against: object = None) -> Self:  # noqa: ARG002 - the base class's signature
        """Keep it as it is: for `= 1`, which SQLAlchemy adds, SQLite would read every row."""
        return self


@compiles(_InList)
def _equals_any(element: _InList, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401 - the library's
    # https://www.postgresql.org/docs/current/functions-comparisons.html
    column, values = (compiler.process(clause, **options) for clause in element.clauses)
    return f"{column} = ANY ({values})"


@compiles(_InList, "sqlite")
def _in_json(element: _InList, compiler: SQLCompiler, **options: Any) -> str:  # noqa: ANN401 - the same
    # https://www.sqlite.org/json1.html#jeach
    column, values = (compiler.process(clause, **options) for clause in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({values}))"  # noqa: S608 - a parameter's mark
