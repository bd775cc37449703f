"""The answer to a mention: one line with a button, which answers whoever presses it. Pure."""

from collections.abc import Sequence

from bot.commands.handlers.help import HELP
from bot.commands.parser import read_head, require_short
from bot.commands.types import Command, Group
from bot.domain.typed_text import as_meant
from bot.errors import UserError
from bot.replies.blocks import Actions, Button, Level, Notice, Reply, Text

_LINE = Text("Only whoever presses this sees the answer.")
_SHOW = "Show the answer"


def offer(text: str, commands: Sequence[Command], author: str) -> Reply:
    """Return the reply to a mention with a text, without which the button is for help.

    The label names a command that may change something, and the button the `author`, by id: others
    who press it are asked first.
    """
    try:
        require_short(len(text))
    except UserError as error:
        return Reply((Notice(Level.WARNING, error.sentence, error.remedy),), failed=True)
    command = text or HELP.name
    head = read_head(as_meant(command), commands).command
    label = _SHOW if head is None or head.group is Group.LOOKUP else f"/papers {head.path}"
    return Reply((_LINE, Actions((Button(label, command, by=author),))))
