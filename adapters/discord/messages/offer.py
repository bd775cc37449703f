"""The answer to a mention: one line with a button, which answers whoever presses it. Pure."""

from collections.abc import Sequence

from bot.commands.handlers.help import HELP
from bot.commands.parser import read_head
from bot.commands.types import Command
from bot.replies.blocks import Actions, Button, Reply, Text

_LINE = Text("Only whoever presses this sees the answer.")
_SHOW = "Show the answer"


def offer(text: str, commands: Sequence[Command]) -> Reply:
    """Return the reply to a mention with a text, without which the button is for help.

    The label names a command that changes something: somebody else may have typed it.
    """
    command = text or HELP.name
    head = read_head(command, commands).command
    label = f"/papers {head.name}" if head and head.changes else _SHOW
    return Reply((_LINE, Actions((Button(label, command),))))
