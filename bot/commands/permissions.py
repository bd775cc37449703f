"""The permissions of users: one rule for dispatch and help, one for rows that name a place."""

from dataclasses import dataclass, replace
from enum import IntEnum

from bot.actor import Actor, Role
from bot.commands.parser import read_head
from bot.commands.types import Command, Context, Group
from bot.errors import Suggestion, UserError
from bot.replies.blocks import Actions, Block, Button, Reply
from store.records import Subscription


def may(actor: Actor, command: Command) -> bool:
    """Tell whether an actor may use a command, given that the bot has joined or not."""
    has_role = actor.role >= command.role or _is_own(actor, command)
    return has_role and not needs_joining(actor, command)


def _is_own(actor: Actor, command: Command) -> bool:
    """Tell whether a command may be about the user's own direct messages, which need no manager.

    Who is of another organisation only shares a channel, and orders nothing.
    """
    return command.of_place and actor.in_direct and not actor.is_stranger


def require_manager(context: Context, command: str, *, direct: bool) -> None:
    """Refuse a command about a place to who has not its role; `direct` messages are the user's own.

    Raises:
        UserError: as `require_permission`.
    """
    found = next(each for each in context.commands if each.name == command)
    if context.actor.role < found.role and not (direct and _is_own(context.actor, found)):
        raise _for_others(context.actor, found)


def _for_others(actor: Actor, command: Command) -> UserError:
    return UserError(f"{command.name} is for {command.role.name.lower()}s.", actor.managers)


def operates(actor: Actor) -> bool:
    """Tell whether an actor is an operator, who alone learns why something fails."""
    return actor.role is Role.OPERATOR


def needs_joining(actor: Actor, command: Command) -> bool:
    """Tell whether a command is about channels of a workspace that the bot has not joined."""
    return command.group is Group.CHANNEL and not actor.joined


def is_inside(actor: Actor, channel: str) -> bool:
    """Tell whether a request comes from a channel or a thread of it."""
    return channel in {actor.channel, actor.parent}


class May(IntEnum):
    """The deeds that somebody may do with a row; each includes those before it."""

    NOTHING = 0
    STOP = 1
    ALL = 2


@dataclass(frozen=True, slots=True)
class Standing:
    """The relation of a user to the place of a row, by what the platform tells now.

    A row is a subscription, an alert or what one of them posts. Every member of the workspace may
    see a `public` place; `direct` messages are one person's. `here` tells whether the request comes
    from the place or a thread of it, `inside` whether the user is in it, `mine` whether the user
    gave the order, `manages` whether the platform lets the user manage the workspace that the place
    is of, `shares` whether everybody where the request comes from will see the answer.
    """

    public: bool = False
    direct: bool = False
    here: bool = False
    inside: bool = False
    mine: bool = False
    manages: bool = False
    shares: bool = False


@dataclass(frozen=True, slots=True)
class Access:
    """The rights of a user to a row; `named` tells whether they may know its place."""

    named: bool
    may: May

    @property
    def seen(self) -> bool:
        """True if they may know that there is such a row."""
        return self.named or self.may is not May.NOTHING


_UNSEEN, _WHOLE = Access(named=False, may=May.NOTHING), Access(named=True, may=May.ALL)


def access(standing: Standing) -> Access:
    """Decide what somebody may know of a row that names a place, and do with it. Pure.

    Who is in the place may do all that their role may. Direct messages are nobody else's. Who is
    not in a place sees a row there only if they gave that order, without the name of the place, and
    may only stop it; whoever manages the workspace sees where that is. A public place is known to
    all, and what is shared names no other but the one it is shared in.
    """
    if standing.here:
        return _WHOLE
    if standing.direct:
        return _WHOLE if standing.mine and not standing.shares else _UNSEEN
    if standing.shares and not standing.public:
        return _UNSEEN
    if standing.inside:
        return _WHOLE
    may = May.STOP if standing.mine or standing.manages else May.NOTHING
    return Access(named=standing.public or standing.manages, may=may)


def in_status(actor: Actor, subscription: Subscription, *, here: bool, public: bool) -> bool:
    """Tell whether `status` tells an actor of a subscription; it goes by the place alone."""
    there = Standing(
        public=public,
        direct=subscription.is_direct,
        here=here,
        manages=actor.owns,
        shares=actor.shares,
    )
    return access(there).named


def is_of_use(actor: Actor, command: Command) -> bool:
    """Tell whether an actor may use a command, and has the channels that it needs."""
    return may(actor, command) and not lacks_channels(actor, command)


def lacks_channels(actor: Actor, command: Command) -> bool:
    """Tell whether a command needs channels and there are none."""
    nowhere = actor.channel is None and actor.channels is None
    return command.group is Group.CHANNEL and nowhere


def require_permission(
    actor: Actor,
    command: Command,
    *,
    in_channel: bool = True,
    suggestions: tuple[Suggestion, ...] = (),
) -> None:
    """Raise `UserError` if an actor may not use a command, or lacks the channel that it needs.

    `suggestions` are what else may be meant where there is no channel.
    """
    if needs_joining(actor, command):
        raise UserError(
            "Broadsheet is not a member here, so it can post nothing here.",
            "In a server or a workspace whoever manages that can add it.",
        )
    is_nowhere = lacks_channels(actor, command)
    if not (is_nowhere or may(actor, command)):
        raise _for_others(actor, command)
    if in_channel and is_nowhere:
        what = "channel" if command.of_place else "workspace"
        raise UserError(
            f"{command.name} is about a {what}, and there is none here.",
            f"Ask in a channel of a chat platform: {command.usage_for(actor)}",
            suggestions,
        )


def lacks_direct_messages(actor: Actor, command: Command) -> bool:
    """Tell whether a command tells the actor something later, and there is no place for that."""
    return command.tells_later and actor.channels is None


def for_actor(context: Context, reply: Reply) -> Reply:
    """Return a reply without the buttons of commands that the user can't use there."""

    def is_offered(button: Button) -> bool:
        command = read_head(button.command, context.commands).command
        return command is not None and is_of_use(context.actor, command)

    blocks: list[Block] = []
    for block in reply.blocks:
        if not isinstance(block, Actions):
            blocks.append(block)
        elif buttons := tuple(filter(is_offered, block.buttons)):
            blocks.append(Actions(buttons))
    return replace(reply, blocks=tuple(blocks))
