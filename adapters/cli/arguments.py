"""Parameter types that several subcommands share."""

import click

from store.text import storable

# The largest serial id of Postgres:
# https://www.postgresql.org/docs/current/datatype-numeric.html
_MAX_ROW_ID = 2**31 - 1

ROW_ID = click.IntRange(1, _MAX_ROW_ID)
"""The id of a stored row."""


class _Text(click.ParamType[str]):
    """A text that a database can store; invalid bytes become blanks."""

    name = "text"

    def convert(
        self,
        value: str,
        param: click.Parameter | None,  # noqa: ARG002 - the base class's signature
        ctx: click.Context | None,  # noqa: ARG002 - the same
    ) -> str:
        """Return the text as a database stores it."""
        return storable(value)


TEXT = _Text()
