"""The settings command: what a workspace settles for itself."""

from bot.commands.handlers.settings.command import SETTINGS

__all__ = ["SETTINGS"]
