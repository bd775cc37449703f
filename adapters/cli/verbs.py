"""The verbs of `broadsheet`, each imported when it is called: asking loads no importer."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

# The verb and where it is declared, in the order of the help.
VERBS = {
    "run": "adapters.cli.run:run",
    "chat": "adapters.cli.run:chat",
    "ask": "adapters.cli.lookups:ask",
    "import": "adapters.cli.imports:import_documents",
    "sources": "adapters.cli.sources:sources",
    "sync": "adapters.cli.sources:sync",
    "editions": "adapters.cli.lookups:list_editions",
    "show": "adapters.cli.lookups:show_paper",
    "search": "adapters.cli.lookups:search_papers",
    "papers": "adapters.cli.papers:papers",
    "subscriptions": "adapters.cli.posts:orders",
    "deliveries": "adapters.cli.posts:deliveries",
    "export": "adapters.cli.exports:export",
    "doctor": "adapters.cli.doctor:doctor",
    "health": "adapters.cli.health:health",
    "slack": "adapters.slack.setup.cli:slack",
    "discord": "adapters.discord.setup.cli:discord",
    "db": "adapters.cli.db:db",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are needed.

    https://click.palletsprojects.com/en/stable/complex/#lazily-loading-subcommands
    """

    def __init__(self, *args: Any, places: Mapping[str, str], **kwargs: Any) -> None:  # noqa: ANN401 - click's own arguments
        super().__init__(*args, **kwargs)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the base class's signature
        """Return the names in the order in which they were declared."""
        return list(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same
        """Import a command; `None` if there is no such."""
        if cmd_name not in self._places:
            return None
        module, _, attribute = self._places[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments begin with.

        Raises:
            click.NoSuchCommand: if there is none, with the names most like it.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand:
            # The base class looks for like names among the commands that were imported.
            raise click.NoSuchCommand(args[0], possibilities=self._places, ctx=ctx) from None
