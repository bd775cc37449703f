"""What is said and logged where a command could not even be handed on."""

import logging
import secrets
from typing import Any

import aiohttp
import discord
from discord import app_commands

_log = logging.getLogger(__name__)
_OLD = "Discord shows an old form of this command; try again in a minute."


async def answer_mishap(
    interaction: discord.Interaction[Any], error: app_commands.AppCommandError
) -> None:
    """Log what the library raised, and say so to the asker alone."""
    sentence = _logged(interaction, error)
    try:
        await _say(interaction, sentence)
    except (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError) as failure:
        _log.warning("answer_lost", extra={"reason": str(failure)})


def _logged(interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> str:
    """Log an error and return what to say of it."""
    if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        _log.warning("old_command_asked", extra={"reason": str(error)})
        return _OLD
    reference = secrets.token_hex(2)
    command = interaction.command.qualified_name if interaction.command else None
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    _log.error("command_failed", exc_info=cause, extra={"ref": reference, "command": command})
    return f"Something went wrong (ref {reference})."


async def _say(interaction: discord.Interaction[Any], sentence: str) -> None:
    if interaction.type is discord.InteractionType.autocomplete:
        # There is no room for a sentence where somebody types.
        if not interaction.response.is_done():
            await interaction.response.autocomplete([])
    elif interaction.response.is_done():
        await interaction.followup.send(sentence, ephemeral=True)
    else:
        await interaction.response.send_message(sentence, ephemeral=True)
