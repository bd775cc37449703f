"""Who may do what: one rule, asked by dispatch and by help."""

from bot.command import Actor, Command


def may(actor: Actor, command: Command) -> bool:
    """Tell whether an actor may use a command."""
    return actor.role >= command.role
