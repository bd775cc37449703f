"""How verbs print: JSON for programs, lines for people, errors in words."""

import json
from typing import Any

import click

from bot.domain.untrusted_text import escaped
from bot.errors import ArgumentError, UserError
from bot.replies.plain_text import printable
from store.errors import BroadsheetError


def print_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print a value as indented JSON."""
    click.echo(escaped(json.dumps(value, ensure_ascii=False, indent=2)))


def print_line(text: str, *, err: bool = False) -> None:
    """Print a text, in which foreign words may stand, on one line."""
    click.echo(printable(text), err=err)


def print_error(error: BroadsheetError) -> None:
    """Print an error's sentence, its remedy and its suggestions on standard error."""
    print_line(f"Error: {error.sentence}", err=True)
    if error.remedy:
        print_line(error.remedy, err=True)
    for text, label in _offers(error):
        print_line(f"  {text}", err=True)
        if label not in {"", text}:
            print_line(f"    {label}", err=True)


def _offers(error: BroadsheetError) -> list[tuple[str, str]]:
    """Return what may have been meant, and words that tell what it is."""
    if isinstance(error, ArgumentError):
        return [(each.value, each.label) for each in error.nearest]
    if isinstance(error, UserError):
        return [(each.command, each.label) for each in error.suggestions]
    return []
