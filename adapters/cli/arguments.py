"""Types of arguments that several verbs take."""

import click

from store.text import storable

# The greatest that Postgres numbers rows by:
# https://www.postgresql.org/docs/current/datatype-numeric.html
_MOST_ROWS = 2**31 - 1

ROW_ID = click.IntRange(1, _MOST_ROWS)
"""The number under which something is stored."""


class _Text(click.ParamType[str]):
    """Any words, which reach a database: bytes that were no text are blanks in them."""

    name = "text"

    def convert(
        self,
        value: str,
        param: click.Parameter | None,  # noqa: ARG002 - the base class's signature
        ctx: click.Context | None,  # noqa: ARG002 - the same
    ) -> str:
        """Return the words as a database stores them."""
        return storable(value)


TEXT = _Text()
