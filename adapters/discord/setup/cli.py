"""`broadsheet discord …`: commands of the terminal that need no connection."""

import json

import click

from bot.commands.handlers import COMMANDS


@click.group()
def discord() -> None:
    """Print what is registered with Discord."""


@discord.command("commands")
def print_commands() -> None:
    """Print the commands as `broadsheet run` registers them, as JSON; it needs no token."""
    # The library takes a while to import, and `broadsheet --help` imports this module.
    from adapters.discord.interactions.command_tree import payload

    click.echo(json.dumps(payload(COMMANDS), indent=2, ensure_ascii=False))
