"""The help command: what the actor may do, and nothing else."""

from bot.commands.params.words import COMMAND_NAME
from bot.commands.permissions import for_actor, may
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.help import command_reply, help_reply
from bot.replies.blocks import Reply


async def show_help(context: Context, command: str | None = None) -> Reply:
    """List the commands, or say all about one."""
    allowed = [each for each in context.commands if may(context.actor, each)]
    if command is None:
        return for_actor(context, help_reply(allowed, by_name=context.actor.by_name))
    [asked] = [each for each in allowed if each.name == command]
    return command_reply(asked, by_name=context.actor.by_name)


HELP = Command(
    name="help",
    group=Group.LOOKUP,
    summary="What you may ask, with examples",
    handler=show_help,
    params=(Param("command", "One command to say more about", COMMAND_NAME),),
    examples=("help search",),
)
