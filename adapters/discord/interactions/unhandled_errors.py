"""The handler of unhandled errors of the command tree."""

import logging
import secrets
from typing import Any

import aiohttp
import discord
from discord import app_commands

_log = logging.getLogger(__name__)
_OUTDATED = "Discord shows an old form of this command; try again in a minute."


async def on_command_error(
    interaction: discord.Interaction[Any], error: app_commands.AppCommandError
) -> None:
    """Log an unhandled error, and report it to the user in an ephemeral message."""
    sentence = _log_error(interaction, error)
    try:
        await _respond(interaction, sentence)
    except (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError) as send_error:
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
