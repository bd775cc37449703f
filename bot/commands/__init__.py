"""The commands, one file a family, in the order of help."""

from bot.command import Command
from bot.commands.editions import LATEST
from bot.commands.help import HELP
from bot.commands.papers import SHOW
from bot.commands.search import SEARCH

COMMANDS: tuple[Command, ...] = (LATEST, SHOW, SEARCH, HELP)
