"""How verbs print: JSON for programs, lines for people, errors in words."""

import json
from typing import Any

import click

from bot.errors import ArgumentError, UserError
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
    for text, label in _offers(error):
        click.echo(f"  {printable(text)}", err=True)
        if label not in {"", text}:
            click.echo(f"    {printable(label)}", err=True)


def _offers(error: BroadsheetError) -> list[tuple[str, str]]:
    """Return what may have been meant, and words that tell what it is."""
    if isinstance(error, ArgumentError):
        return [(each.value, each.label) for each in error.nearest]
    if isinstance(error, UserError):
        return [(each.command, each.label) for each in error.suggestions]
    return []
