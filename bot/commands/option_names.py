"""Commands as people ask them where each argument has a name of its own. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from bot.commands.parser import parse
from bot.commands.types import Command
from bot.errors import UserError
from bot.replies.blocks import Actions, Block, Button, Reply


def spoken(line: str, commands: Sequence[Command]) -> str:
    """Return a line as it is asked by name: `channel settings name:zone`."""
    try:
        call = parse(line, commands)
    except UserError:
        return line
    given = (f"{name}:{text}" for name, text in call.arguments.items())
    return " ".join([call.command.path, *given])


def in_names(reply: Reply, commands: Sequence[Command]) -> Reply:
    """Return a reply whose lines are worded so, for people; its buttons carry the same."""
    blocks = tuple(_block(block, commands) for block in reply.blocks)
    line = reply.command
    return replace(reply, blocks=blocks, display_command=line and spoken(line, commands))


def _block(block: Block, commands: Sequence[Command]) -> Block:
    if not isinstance(block, Actions):
        return block
    return Actions(tuple(_button(button, commands) for button in block.buttons))


def _button(button: Button, commands: Sequence[Command]) -> Button:
    """Word the label of a button that says no more than its line."""
    if button.label != button.command:
        return button
    return replace(button, label=spoken(button.command, commands))
