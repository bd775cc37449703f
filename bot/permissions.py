"""Who may do what: one rule, asked by dispatch and by help."""

from bot.command import Actor, Command, Group


def may(actor: Actor, command: Command) -> bool:
    """Tell whether an actor may use a command where the bot is, and where it is not."""
    return actor.role >= command.role and not needs_joining(actor, command)


def needs_joining(actor: Actor, command: Command) -> bool:
    """Tell whether a command is about channels in which the bot has no part."""
    return command.group is Group.CHANNEL and not actor.joined


def is_of_use(actor: Actor, command: Command) -> bool:
    """Tell whether an actor may use a command where they are: one on channels needs a channel."""
    return may(actor, command) and (command.group is not Group.CHANNEL or actor.channel is not None)
