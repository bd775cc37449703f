"""`broadsheet discord …`: what an operator may want to see of Discord without a connection."""

import json

import click

from bot.commands.handlers import COMMANDS


@click.group()
def discord() -> None:
    """Look at what Discord is told."""


@discord.command("commands")
def print_commands() -> None:
    """Print the commands as `broadsheet run` registers them, as JSON; it needs no token."""
    # The library behind it takes a while to load, and the help of all verbs comes by here.
    from adapters.discord.interactions.command_tree import payload

    click.echo(json.dumps(payload(COMMANDS), indent=2, ensure_ascii=False))
