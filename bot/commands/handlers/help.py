"""The help command: the commands that the user may use."""

from collections.abc import Sequence

from bot.actor import Role
from bot.commands.params.scalars import COMMAND_NAME
from bot.commands.parser import with_option_names
from bot.commands.permissions import for_actor, may
from bot.commands.types import Command, Context, Group, Param
from bot.replies.blocks import Actions, Block, Button, Fields, Reply, Text, Title


async def show_help(context: Context, command: str | None = None) -> Reply:
    """List the commands, or describe one."""
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


def help_reply(commands: Sequence[Command], *, by_name: bool) -> Reply:
    """List commands by group, with examples as buttons.

    No button changes something or takes a manager. `by_name` tells that the platform has typed
    options.
    """
    blocks: list[Block] = [Title("Broadsheet: the top AI papers of each week")]
    for group in Group:
        pairs = tuple(
            (_usage(each, by_name=by_name), each.summary)
            for each in commands
            if each.group == group
        )
        if pairs:
            blocks += [Text(group.heading), Fields(pairs)]
    harmless = [each for each in commands if each.role is Role.READER and not each.changes]
    examples = [example for command in harmless for example in command.examples[:1]]
    blocks += [
        Text(f"help {'with a command' if by_name else 'COMMAND'} says more about one."),
        Actions(tuple(Button(example, example) for example in examples)),
    ]
    return Reply(tuple(blocks))


def command_reply(command: Command, *, by_name: bool) -> Reply:
    """Describe a command; `by_name` as in `help_reply`."""
    blocks: list[Block] = [Title(_usage(command, by_name=by_name)), Text(command.summary)]
    pairs = tuple(
        (param.name if by_name else param.usage, f"{param.summary}. {param.type.expected}")
        for param in command.shown
    )
    if pairs:
        blocks.append(Fields(pairs))
    known = (command,)
    examples = (with_option_names(line, known) if by_name else line for line in command.examples)
    blocks.append(Text(f"Examples: {' · '.join(examples)}"))
    return Reply(tuple(blocks))


def _usage(command: Command, *, by_name: bool) -> str:
    return command.options if by_name else command.usage
