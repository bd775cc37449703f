"""Help as Replies."""

from collections.abc import Sequence

from bot.command import Command, Group
from bot.replies import Actions, Block, Button, Fields, Reply, Text, Title


def help_reply(commands: Sequence[Command]) -> Reply:
    """List what may be asked, by group, with the first examples as buttons."""
    blocks: list[Block] = [Title("Broadsheet: the top AI papers of each week")]
    for group in Group:
        pairs = tuple((each.usage, each.summary) for each in commands if each.group == group)
        if pairs:
            blocks += [Text(group.heading), Fields(pairs)]
    examples = [example for command in commands for example in command.examples[:1]]
    blocks += [
        Text("help COMMAND says more about one."),
        Actions(tuple(Button(example, example) for example in examples)),
    ]
    return Reply(tuple(blocks))


def command_reply(command: Command) -> Reply:
    """Say all about one command."""
    blocks: list[Block] = [Title(command.usage), Text(command.summary)]
    pairs = tuple(
        (param.usage, f"{param.summary}. {param.type.expected}") for param in command.shown
    )
    if pairs:
        blocks.append(Fields(pairs))
    blocks.append(Text(f"Examples: {' · '.join(command.examples)}"))
    return Reply(tuple(blocks))
