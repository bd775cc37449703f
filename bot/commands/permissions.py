"""The permissions of users: one rule for dispatch and help."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.actor import Actor, Role
from bot.commands.parser import read_head
from bot.commands.types import Command, Context, Group
from bot.posting.ports import DIRECT
from bot.replies.blocks import Actions, Block, Button, Reply
from store.records import Subscription


def may(actor: Actor, command: Command) -> bool:
    """Tell whether an actor may use a command, given that the bot has joined or not."""
    return actor.role >= command.role and not needs_joining(actor, command)


def operates(actor: Actor) -> bool:
    """Tell whether an actor is an operator, who alone learns why something fails."""
    return actor.role is Role.OPERATOR


def needs_joining(actor: Actor, command: Command) -> bool:
    """Tell whether a command is about channels of a workspace that the bot has not joined."""
    return command.group is Group.CHANNEL and not actor.joined


def is_inside(actor: Actor, channel: str) -> bool:
    """Tell whether a request comes from a channel or a thread of it."""
    return channel in {actor.channel, actor.parent}


def may_know(actor: Actor, subscription: Subscription) -> bool:
    """Tell whether an actor may see a subscription.

    A private channel's is seen inside it and by managers of the workspace, unless the answer is
    shared.
    """
    known_to_all = not subscription.facts.private or is_inside(
        actor, subscription.channel.external_id
    )
    return known_to_all or (actor.owns and not actor.shares)


def may_stop(actor: Actor, subscription: Subscription) -> bool:
    """Tell whether an actor may stop a subscription of a channel that they are not in."""
    return actor.owns or actor.user == subscription.owner


def is_own_chat(actor: Actor, subscription: Subscription) -> bool:
    """Tell whether a subscription posts to the actor's own direct messages."""
    return (
        subscription.facts.name == DIRECT and actor.user == subscription.owner and not actor.shares
    )


def is_of_use(actor: Actor, command: Command) -> bool:
    """Tell whether an actor may use a command, and has the channels that it needs."""
    return may(actor, command) and not lacks_channels(actor, command)


def lacks_channels(actor: Actor, command: Command) -> bool:
    """Tell whether a command needs channels and there are none."""
    nowhere = actor.channel is None and actor.channels is None
    return command.group is Group.CHANNEL and nowhere


def lacks_direct_messages(actor: Actor, command: Command) -> bool:
    """Tell whether a command tells the actor something later, and there is no place for that."""
    return command.tells_later and actor.channels is None


def for_actor(context: Context, reply: Reply) -> Reply:
    """Return a reply without the buttons of commands that the user can't use there."""

    def is_offered(button: Button) -> bool:
        command = read_head(button.command, context.commands).command
        return command is not None and is_of_use(context.actor, command)

    return _with_buttons(reply, is_offered)


def where_asked(actor: Actor, commands: Sequence[Command], reply: Reply) -> Reply:
    """Return a reply without the buttons of commands that need what there is not where one asks.

    That is a channel for one that is about channels, and direct messages for one that tells later.
    """
    if actor.channels is not None:  # there are both
        return reply

    def has_place(button: Button) -> bool:
        command = read_head(button.command, commands).command
        return command is None or not (
            lacks_channels(actor, command) or lacks_direct_messages(actor, command)
        )

    return _with_buttons(reply, has_place)


def _with_buttons(reply: Reply, is_kept: Callable[[Button], bool]) -> Reply:
    blocks: list[Block] = []
    for block in reply.blocks:
        if not isinstance(block, Actions):
            blocks.append(block)
        elif buttons := tuple(filter(is_kept, block.buttons)):
            blocks.append(Actions(buttons))
    return replace(reply, blocks=tuple(blocks))
