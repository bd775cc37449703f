"""One of many ids, or refs: a condition that is said alike however many there are.

SQLAlchemy writes an `IN` anew for each number of values, which took longer than what it asked for.
"""

import json
from typing import Any, Self

from sqlalchemy import ARRAY, Boolean, ColumnElement, Dialect, Integer, Text, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine


def among(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Return the condition that a column of whole numbers or texts is one of those given.

    They are given as a list, by a name.
    """
    of: TypeEngine[Any] = Integer() if isinstance(column.type, Integer) else Text()
    return _Among(column, bindparam(name, type_=_Many(of)))


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
