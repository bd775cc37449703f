"""The subcommands of `broadsheet`, each imported only when it is called."""

import shlex
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click

# The import path of each subcommand, in the order of the help.
SUBCOMMANDS = {
    "run": "adapters.cli.run:run",
    "chat": "adapters.cli.run:chat",
    "ask": "adapters.cli.ask:ask",
    "import": "adapters.cli.imports:import_documents",
    "sources": "adapters.cli.sources:sources",
    "sync": "adapters.cli.sources:sync",
    "editions": "adapters.cli.lookups:list_editions",
    "show": "adapters.cli.lookups:show_paper",
    "search": "adapters.cli.lookups:search_papers",
    "papers": "adapters.cli.papers:papers",
    "subscriptions": "adapters.cli.posting:subscriptions",
    "deliveries": "adapters.cli.posting:deliveries",
    "export": "adapters.cli.exports:export",
    "site": "adapters.cli.exports:site",
    "doctor": "adapters.cli.doctor:doctor",
    "health": "adapters.cli.health:health",
    "slack": "adapters.slack.setup.cli:slack",
    "discord": "adapters.discord.setup.cli:discord",
    "db": "adapters.cli.db:db",
}


class LazyGroup(click.Group):
    """A group that imports its commands when they are called.

    https://click.palletsprojects.com/en/stable/complex/#lazily-loading-subcommands
    """

    def __init__(self, *args: Any, targets: Mapping[str, str], **kwargs: Any) -> None:  # noqa: ANN401 - click's own arguments
        super().__init__(*args, **kwargs)
        self._targets = targets

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the base class's signature
        """Return the names in the order of their declaration."""
        return list(self._targets)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same
        """Import and return a command, `None` if there is none of that name."""
        if cmd_name not in self._targets:
            return None
        module, _, attribute = self._targets[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments begin with.

        Raises:
            click.NoSuchCommand: if there is none, with the most similar names, or how a chat's
                command is asked.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand:
            # The base class looks for similar names only among the imported commands.
            error = click.NoSuchCommand(args[0], possibilities=self._targets, ctx=ctx)
            if not error.possibilities and (line := chat_line(args)):
                told = f"{error.message} To ask as in a chat: broadsheet ask {shlex.quote(line)}"
                error = click.NoSuchCommand(args[0], told, ctx=ctx)
            raise error from None


def chat_line(args: Sequence[str]) -> str | None:
    """Return the command string of chats that arguments are, or the nearest, if there is one."""
    from bot.commands.handlers import COMMANDS  # here, because hardly any call needs them
    from bot.commands.parser import parse, read_head
    from bot.errors import UserError

    line = " ".join(args)
    if read_head(line, COMMANDS).command:
        return line
    try:
        parse(line, COMMANDS)
    except UserError as error:
        # The last one is a search for the words, whatever they are.
        return error.suggestions[0].command if len(error.suggestions) > 1 else None
    return line
