"""How verbs print: JSON for programs, lines for people, errors in words."""

import json
from typing import Any

import click

from bot.errors import UserError
from bot.plain import printable
from store.errors import BroadsheetError


def print_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print a value as indented JSON, letters of every language as they are."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_error(error: BroadsheetError) -> None:
    """Print an error's sentence, its remedy and its suggestions on standard error."""
    click.echo(f"Error: {printable(error.sentence)}", err=True)
    if error.remedy:
        click.echo(printable(error.remedy), err=True)
    if isinstance(error, UserError):
        for suggestion in error.suggestions:
            click.echo(f"  {printable(suggestion.command)}", err=True)
            if suggestion.label != suggestion.command:
                click.echo(f"    {printable(suggestion.label)}", err=True)
