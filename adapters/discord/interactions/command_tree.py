"""The application commands, made from the declarations: `/papers`, and a message command.

https://docs.discord.com/developers/interactions/application-commands
"""

import logging
import secrets
from collections.abc import Callable, Coroutine, Sequence
from inspect import Parameter, Signature
from typing import Any

import discord
from discord import app_commands

from adapters.discord.api.errors import NETWORK_ERRORS
from adapters.discord.interactions.listener import listener_of
from adapters.discord.interactions.options import transformer
from adapters.discord.interactions.sync import local_commands
from bot.commands.types import Command, Group, Param

LOOK_UP = "Look up papers"
_NAME = "papers"
_SUMMARY = "Look up the top AI papers of each week"

_Interaction = discord.Interaction[Any]
_Callback = Callable[..., Coroutine[Any, Any, None]]


def add_commands(tree: app_commands.CommandTree[Any], commands: Sequence[Command]) -> None:
    """Add the commands and the handler of unhandled errors to a tree."""
    tree.add_command(_papers(commands))
    tree.add_command(_look_up())
    tree.error(on_command_error)


def payload(commands: Sequence[Command]) -> list[dict[str, Any]]:
    """Return the commands as registered with Discord, without a token or a connection."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    add_commands(tree, commands)
    return local_commands(tree)


def _papers(commands: Sequence[Command]) -> app_commands.Group:
    """Return `/papers`, with lookups directly below it and the rest in subcommand groups."""
    papers = app_commands.Group(
        name=_NAME,
        description=_SUMMARY,
        allowed_installs=_all_installs(),
        allowed_contexts=_all_contexts(),
    )
    parents = {Group.LOOKUP: papers}
    for command in commands:
        if command.group not in parents:
            parents[command.group] = app_commands.Group(
                name=command.group.value, description=command.group.heading, parent=papers
            )
        parents[command.group].add_command(_command(command))
    return papers


def _look_up() -> app_commands.ContextMenu:
    async def look_up(interaction: _Interaction, message: discord.Message) -> None:
        await listener_of(interaction).on_message_command(interaction, message)

    return app_commands.ContextMenu(
        name=LOOK_UP,
        callback=look_up,
        allowed_installs=_all_installs(),
        allowed_contexts=_all_contexts(),
    )


def _command(command: Command) -> app_commands.Command[Any, ..., None]:
    return app_commands.Command(
        name=command.name, description=command.summary, callback=_callback(command)
    )


def _callback(command: Command) -> _Callback:
    """Return the callback of a command, whose signature the library reads the options from."""

    async def run(interaction: _Interaction, **values: str | None) -> None:
        texts = {param.name: values[_identifier(param)] for param in command.shown}
        # A blank argument counts as none.
        arguments = {name: text for name, text in texts.items() if text and text.strip()}
        await listener_of(interaction).on_command(interaction, command, arguments)

    params = [_parameter(command, param) for param in command.shown]
    first = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=_Interaction)
    run.__signature__ = Signature([first, *params])  # type: ignore[attr-defined]  # PEP 362's
    run = app_commands.rename(**{_identifier(each): each.name for each in command.shown})(run)
    return app_commands.describe(**{_identifier(each): each.summary for each in command.shown})(run)


def _parameter(command: Command, param: Param) -> Parameter:
    return Parameter(
        _identifier(param),
        Parameter.KEYWORD_ONLY,
        default=Parameter.empty if param.required else None,
        annotation=app_commands.Transform[str, transformer(command, param)],
    )


def _identifier(param: Param) -> str:
    """Return the name of a parameter in Python, where `not` is a keyword."""
    return f"{param.name}_"


def _all_installs() -> app_commands.AppInstallationType:
    return app_commands.AppInstallationType(guild=True, user=True)


def _all_contexts() -> app_commands.AppCommandContext:
    return app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)


_log = logging.getLogger(__name__)
_OUTDATED = "Discord shows an old form of this command; try again in a minute."


async def on_command_error(
    interaction: discord.Interaction[Any], error: app_commands.AppCommandError
) -> None:
    """Log an unhandled error, and report it to the user in an ephemeral message."""
    sentence = _log_error(interaction, error)
    try:
        await _respond(interaction, sentence)
    except NETWORK_ERRORS as send_error:
        _log.warning("answer_lost", extra={"reason": str(send_error)})


def _log_error(interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> str:
    """Log an error and return the sentence for the user."""
    if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        _log.warning("old_command_asked", extra={"reason": str(error)})
        return _OUTDATED
    reference = secrets.token_hex(2)
    command = interaction.command.qualified_name if interaction.command else None
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    _log.error("command_failed", exc_info=cause, extra={"ref": reference, "command": command})
    return f"Something went wrong (ref {reference})."


async def _respond(interaction: discord.Interaction[Any], sentence: str) -> None:
    if interaction.type is discord.InteractionType.autocomplete:
        # Autocomplete has no room for a sentence.
        if not interaction.response.is_done():
            await interaction.response.autocomplete([])
    elif interaction.response.is_done():
        await interaction.followup.send(sentence, ephemeral=True)
    else:
        await interaction.response.send_message(sentence, ephemeral=True)
