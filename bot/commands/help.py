"""The help command: what the actor may do, and nothing else."""

from bot.command import Command, Context, Group, Param
from bot.params import read_words
from bot.parsing import find
from bot.permissions import may
from bot.replies import Reply
from bot.views import command_reply, help_reply


async def show_help(context: Context, command: str | None = None) -> Reply:
    """List the commands, or say all about one."""
    allowed = [each for each in context.commands if may(context.actor, each)]
    if command is None:
        return help_reply(allowed)
    # A group before the name, as in "help channel subscribe", says nothing more.
    return command_reply(find(command.split()[-1], allowed))


HELP = Command(
    name="help",
    group=Group.LOOKUP,
    summary="What you may ask, with examples",
    handler=show_help,
    params=(Param("command", "One command to say more about", read_words),),
    examples=("help search",),
)
