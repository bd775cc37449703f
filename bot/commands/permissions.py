"""Who may do what: one rule, asked by dispatch and by help."""

from collections.abc import Iterator
from dataclasses import replace

from bot.actor import Actor, Role
from bot.commands.parser import read_head
from bot.commands.types import Command, Context, Group
from bot.posting.ports import DIRECT
from bot.replies.blocks import Actions, Block, Button, Reply
from store.records import Subscription


def may(actor: Actor, command: Command) -> bool:
    """Tell whether an actor may use a command where the bot is, and where it is not."""
    return actor.role >= command.role and not needs_joining(actor, command)


def operates(actor: Actor) -> bool:
    """Tell whether an actor runs this Broadsheet: only they learn where and why something fails."""
    return actor.role is Role.OPERATOR


def needs_joining(actor: Actor, command: Command) -> bool:
    """Tell whether a command is about channels in which the bot has no part."""
    return command.group is Group.CHANNEL and not actor.joined


def is_inside(actor: Actor, channel: str) -> bool:
    """Tell whether an actor asks in a channel, or in a thread of it."""
    return channel in {actor.channel, actor.parent}


def may_know(actor: Actor, order: Subscription) -> bool:
    """Tell whether an actor may be told of a subscription.

    A private channel's is for those inside it and for whoever manages the workspace; of what is
    shared everybody is told who sees the channel that it is shared in.
    """
    known_to_all = not order.facts.private or is_inside(actor, order.channel.external_id)
    return known_to_all or (actor.owns and not actor.shares)


def may_stop(actor: Actor, order: Subscription) -> bool:
    """Tell whether an actor may stop a subscription to a channel that they are not in.

    Who ordered it may, and who manages the workspace.
    """
    return actor.owns or actor.user == order.owner


def is_own_chat(actor: Actor, order: Subscription) -> bool:
    """Tell whether a subscription posts to the actor's own direct messages, which nobody leaves."""
    return order.facts.name == DIRECT and actor.user == order.owner and not actor.shares


def is_of_use(actor: Actor, command: Command) -> bool:
    """Tell whether an actor may use a command, and it is about something that is there."""
    return may(actor, command) and not lacks_channels(actor, command)


def lacks_channels(actor: Actor, command: Command) -> bool:
    """Tell whether a command is about channels where there are none."""
    nowhere = actor.channel is None and actor.channels is None
    return command.group is Group.CHANNEL and nowhere


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
