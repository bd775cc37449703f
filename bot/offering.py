"""Answers with the buttons that are of use to whoever asks. Pure."""

from collections.abc import Iterator
from dataclasses import replace

from bot.command import Context
from bot.parsing import read_head
from bot.permissions import is_of_use
from bot.replies import Actions, Block, Button, Reply


def for_actor(context: Context, reply: Reply) -> Reply:
    """Return a reply without the buttons of commands that the asker may not use there."""
    return replace(reply, blocks=tuple(_blocks(context, reply)))


def _blocks(context: Context, reply: Reply) -> Iterator[Block]:
    for block in reply.blocks:
        if not isinstance(block, Actions):
            yield block
        elif buttons := tuple(each for each in block.buttons if _is_offered(context, each)):
            yield Actions(buttons)


def _is_offered(context: Context, button: Button) -> bool:
    command = read_head(button.command, context.commands).command
    return command is not None and is_of_use(context.actor, command)
