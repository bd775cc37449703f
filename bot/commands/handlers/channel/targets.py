"""The channel that a command is about, and the one of its subscriptions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.accounts import stored_id
from bot.actor import Actor, ChannelInfo, Channels
from bot.commands.params.channels_and_roles import CHANNEL
from bot.commands.params.scalars import MARK, SUBSCRIPTION_ID
from bot.commands.permissions import May, Standing, access, is_inside, require_manager
from bot.commands.types import Context, Param
from bot.errors import NotInChannel, Suggestion, UserError
from bot.replies.blocks import Button
from bot.replies.deliveries import (
    UNNAMED,
    SubscriptionStatus,
    channel_label,
    channel_name,
    short_label,
)
from bot.replies.wording import capitalised
from store.posting import deliveries, subscriptions
from store.records import Channel, ChannelFacts, Delivery, Subscription

IN = Param("channel", "Which channel; else the one you ask in", CHANNEL, key="in", label="Channel")
ID = Param("id", "Which subscription, where the channel has several", SUBSCRIPTION_ID)
SEEN = Param("seen", "How it stood when the button was made", MARK, "seen", buttons=True)
LISTED = "subscriptions"  # the command that shows what became of a subscription
WAYS_IN = (
    Button("Subscribe", "subscribe"),
    Button("Choose when and what…", "subscribe", form=True),
)
_STOPPING = ("pause", "unsubscribe")
_OF_CANCELLED = ("resume", "unsubscribe")
_LAST_SENT = 5  # posts shown of each subscription


@dataclass(frozen=True, slots=True)
class Target:
    """A channel and its subscriptions; `inside` tells whether the user is in it."""

    channel: Channel
    info: ChannelInfo
    subscriptions: tuple[Subscription, ...]
    inside: bool = True

    @property
    def name(self) -> str:
        """The channel's name with its sign."""
        return channel_label(self.info.name or self.info.id)

    @property
    def facts(self) -> ChannelFacts:
        """The facts that are stored about the channel."""
        return self.info.facts


async def find_channel(context: Context, channel: str | None) -> Target:
    """Return the channel that was named, by default the channel of the request.

    A thread without subscriptions means its parent channel.

    Raises:
        UserError: if there is none, or the user is not in it.
    """
    actor = context.actor
    wanted = channel or actor.channel
    if wanted is None:
        raise _nowhere(context)
    target = await _target(context, wanted)
    if channel is None and actor.parent is not None and not target.subscriptions:
        return await _target(context, actor.parent)
    return target


async def find_channel_or_none(context: Context, channel: str | None) -> Target:
    """Return the channel as `find_channel` does, or `nowhere`."""
    try:
        return await find_channel(context, channel)
    except UserError:
        return nowhere(context)


def nowhere(context: Context) -> Target:
    """Return a channel that nothing is known of: it is still to be chosen."""
    return Target(Channel(context.workspace, ""), ChannelInfo("", ""), ())


async def find_subscription(
    context: Context, number: int | None, channel: str | None, command: str
) -> tuple[Target, Subscription]:
    """Return the subscription with a number, by default the only one of the channel.

    The owner of a subscription may stop it from anywhere, and is not told where it posts. Every
    other command shows the channel or acts in it, and so takes a user who is in it. Who manages
    nothing has their own direct messages alone.

    Raises:
        UserError: if there is none that the user may see, there are several, which are offered
            with the command, the user is not in the channel and needs to be, or it was cancelled
            and the command needs one that was not.
    """
    if number is None:
        target = await find_channel(context, channel)
        require_manager(context, command, direct=target.info.direct)
        return only_of(target, command)
    found = await context.database.read(subscriptions.find, context.workspace, number)
    if found is None or channel not in {None, found.channel.external_id}:
        raise _unknown(number)
    target = await _target_of(context, found, stops=command in _STOPPING)
    require_manager(context, command, direct=target.info.direct)
    if found.cancelled_at is not None and command not in _OF_CANCELLED:
        if not target.inside:
            raise _unknown(number)
        again = Suggestion("Resume it", f"resume {number}")
        raise UserError(f"Subscription {number} was cancelled.", "resume undoes that.", (again,))
    return target, replace(found, facts=target.facts)


def only_of(target: Target, command: str) -> tuple[Target, Subscription]:
    """Return a channel with the only subscription of it.

    Raises:
        UserError: if it has none, or several, which are offered with the command.
    """
    found, name = target.subscriptions, capitalised(target.name)
    if not found:
        raise UserError(
            f"{name} gets no posts.",
            "subscribe makes it get one every week.",
            (Suggestion("Subscribe", "subscribe"),),
        )
    if len(found) > 1:
        offers = (
            Suggestion(f"{each.id}: {short_label(each)}", f"{command} {each.id}") for each in found
        )
        raise UserError(f"{name} has {len(found)} subscriptions.", "Which one?", tuple(offers))
    return target, found[0]


async def _target_of(context: Context, found: Subscription, *, stops: bool) -> Target:
    """Return the channel of a subscription, for a command that `stops` it or another one."""
    try:
        info = await channels_of(context).look(found.channel.external_id)
    except UserError as error:
        return _from_outside(context.actor, found, error, stops=stops)
    return await _target_at(context, info)


def _from_outside(actor: Actor, found: Subscription, error: UserError, *, stops: bool) -> Target:
    """Return the channel of a subscription for a user who is not in it, or can't be looked up.

    Raises:
        UserError: if they may not do that, or may not know of the subscription.
    """
    is_out = isinstance(error, NotInChannel)
    there = access(
        Standing(
            direct=found.is_direct,
            here=not is_out and is_inside(actor, found.channel.external_id),
            mine=actor.user == found.owner,
            manages=actor.owns,
            shares=actor.shares,
        )
    )
    if there.may is May.NOTHING:
        raise _unknown(stored_id(found)) from None
    own_chat = found.is_direct and there.may is May.ALL
    if not (stops or own_chat):
        raise (_outside(found, named=there.named) if is_out else error) from None
    name, facts = (found.facts.name or "") if there.named else UNNAMED, found.facts
    info = ChannelInfo(
        found.channel.external_id,
        name,
        private=facts.private,
        kind=facts.kind,
        direct=found.is_direct,
    )
    return Target(found.channel, info, (found,), own_chat)


async def statuses_of(context: Context, found: Sequence[Subscription]) -> list[SubscriptionStatus]:
    """Return subscriptions with their last deliveries, which wait by the clock that users see."""
    ids = [stored_id(each) for each in found]
    made: dict[int, list[Delivery]] = {each: [] for each in ids}
    telling = await context.database.read(deliveries.list_telling, ids, _LAST_SENT, context.day)
    for delivery in telling:
        waits_until = delivery.waits_until and delivery.waits_until + context.clock_offset
        if delivery.subscription_id is not None:
            made[delivery.subscription_id].append(replace(delivery, waits_until=waits_until))
    return [SubscriptionStatus(each, tuple(made[stored_id(each)])) for each in found]


def channels_of(context: Context) -> Channels:
    """Return the channels that the user may look at, or refuse where there are none."""
    if context.actor.channels is None:
        raise UserError("A channel is needed, and none is to be had here.", "Ask in a channel.")
    return context.actor.channels


def _nowhere(context: Context) -> UserError:
    naming = "channel:" if context.actor.by_name else f"{IN.key}:#papers"
    return UserError("Which channel? You ask in none.", f"Ask in a channel, or name it: {naming}.")


def _unknown(number: int) -> UserError:
    return UserError(
        f"There is no subscription {number} here.",
        "subscriptions lists those of a channel.",
        (Suggestion("subscriptions", "subscriptions"),),
    )


def _outside(subscription: Subscription, *, named: bool) -> UserError:
    """Return the error for a command that takes a user in the channel of a subscription."""
    number = subscription.id
    where = channel_name(subscription) if named else "that channel"
    return UserError(
        f"You or Broadsheet are not in {where}: from elsewhere subscription {number} can be"
        " paused and cancelled, and no more.",
        f"Ask somebody who is in {where} to do it there.",
        (
            Suggestion("Pause it", f"pause {number}"),
            Suggestion("Cancel it", f"unsubscribe {number}"),
        ),
    )


async def _target(context: Context, external_id: str) -> Target:
    return await _target_at(context, await channels_of(context).look(external_id))


async def _target_at(context: Context, info: ChannelInfo) -> Target:
    if context.actor.shares and info.private and not is_inside(context.actor, info.id):
        raise UserError(
            "This is about a private channel, so it can be shared in that channel alone."
        )
    channel = Channel(context.workspace, info.id)
    found = await context.database.read(subscriptions.of_channel, channel)
    target = Target(channel, info, tuple(found))
    facts = target.facts
    if any(each.facts != facts for each in found):
        await context.database.write(subscriptions.save_channel_facts, channel, facts)
    return replace(target, subscriptions=tuple(replace(each, facts=facts) for each in found))
