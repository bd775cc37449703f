"""Parameters that several subcommands share."""

from collections.abc import Collection

import click

from bot.domain.typed_text import DASHES
from store.text import storable

# The largest serial id of Postgres:
# https://www.postgresql.org/docs/current/datatype-numeric.html
_MAX_ROW_ID = 2**31 - 1

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
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


class TypedCommand(click.Command):
    """A subcommand that takes words; dashes of any width before the name of an option are two."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments of which editors and telephones may have joined the hyphens."""
        names = {name for param in self.get_params(ctx) for name in param.opts}
        return super().parse_args(ctx, [_with_hyphens(each, names) for each in args])


def _with_hyphens(argument: str, names: Collection[str]) -> str:
    if argument[:1].isascii():
        return argument
    option = f"--{argument.lstrip(DASHES)}"
    is_dashed = argument[:1] in DASHES and option.partition("=")[0] in names
    return option if is_dashed else argument
