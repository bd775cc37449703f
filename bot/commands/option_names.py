"""Command strings as users of typed options see them. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from bot.commands.parser import parse
from bot.commands.types import Command
from bot.errors import UserError
from bot.replies.blocks import Actions, Block, Button, Reply


def with_option_names(text: str, commands: Sequence[Command]) -> str:
    """Return a command string with named options: `channel settings name:zone`."""
    try:
        call = parse(text, commands)
    except UserError:
        return text
    options = (f"{name}:{value}" for name, value in call.arguments.items())
    return " ".join([call.command.path, *options])


def reply_with_option_names(reply: Reply, commands: Sequence[Command]) -> Reply:
    """Return a reply that shows named options; its buttons carry the same command strings."""
    blocks = tuple(_block(block, commands) for block in reply.blocks)
    line = reply.command
    return replace(reply, blocks=blocks, display_command=line and with_option_names(line, commands))


def _block(block: Block, commands: Sequence[Command]) -> Block:
    if not isinstance(block, Actions):
        return block
    return Actions(tuple(_button(button, commands) for button in block.buttons))


def _button(button: Button, commands: Sequence[Command]) -> Button:
    """Name the options in a label that is a command string."""
    if button.label != button.command:
        return button
    return replace(button, label=with_option_names(button.command, commands))
