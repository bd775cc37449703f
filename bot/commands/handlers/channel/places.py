"""Which channel a command is about, and which of its standing orders."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date

from bot.actor import ChannelInfo, Channels
from bot.commands.params.channels import CHANNEL
from bot.commands.params.counts import SUBSCRIPTION_ID
from bot.commands.permissions import is_inside, is_own_chat, may_stop
from bot.commands.types import Context, Param
from bot.errors import NotInChannel, Suggestion, UserError
from bot.replies.deliveries import channel_label, channel_name, short_label
from bot.replies.wording import capitalised
from store.records import Channel, ChannelFacts, Subscription, Workspace

IN = Param("channel", "Which channel; else the one you ask in", CHANNEL, key="in")
ID = Param("id", "Which subscription, where the channel has several", SUBSCRIPTION_ID)


@dataclass(frozen=True, slots=True)
class Place:
    """A channel and its subscriptions; `inside` tells whether the user is in it."""

    channel: Channel
    info: ChannelInfo
    orders: tuple[Subscription, ...]
    inside: bool = True

    @property
    def name(self) -> str:
        """What people call the channel, with its sign."""
        return channel_label(self.info.name or self.info.id)

    @property
    def facts(self) -> ChannelFacts:
        """What is stored of the channel."""
        return ChannelFacts(self.info.name, self.info.private, self.info.kind)


async def place_asked(context: Context, channel: str | None) -> Place:
    """Return the channel that was given, else the one asked in.

    A thread that gets no posts stands for the channel that it belongs to.

    Raises:
        UserError: where there is none, or the asker is not in it.
    """
    actor = context.actor
    wanted = channel or actor.channel
    if wanted is None:
        raise _nowhere(context)
    place = await _place(context, wanted)
    if channel is None and actor.parent is not None and not place.orders:
        return await _place(context, actor.parent)
    return place


async def order_asked(
    context: Context,
    number: int | None,
    channel: str | None,
    command: str,
    *,
    stops: bool = False,
) -> tuple[Place, Subscription]:
    """Return the order that a number names, else the only one of the channel.

    Args:
        context: the request's.
        number: the id that was given.
        channel: the channel that was given.
        command: the name of the command, which is offered for each where there are several.
        stops: whether the command only stops posts: who gave an order may do that wherever its
            channel is. Every other command tells of the channel or acts in it, and so is for
            those who are in it.

    Raises:
        UserError: where there is none that the asker may see, or there are several, or the
            command is for those who are in its channel.
    """
    if number is None:
        return _only(await place_asked(context, channel), command)
    order = await context.subscriptions.find(workspace(context), number)
    if order is None or channel not in {None, order.channel.external_id}:
        raise unknown(number)
    try:
        place = await _place(context, order.channel.external_id)
    except UserError as error:
        # Whoever is not in a channel learns nothing of it.
        if not may_stop(context.actor, order):
            raise unknown(number) from None
        inside = is_own_chat(context.actor, order)
        if context.actor.shares or not (stops or inside):
            raise (_outside(order) if isinstance(error, NotInChannel) else error) from None
        facts = order.facts
        info = ChannelInfo(order.channel.external_id, facts.name or "", private=facts.private)
        return Place(order.channel, info, (order,), inside), order
    return place, replace(order, facts=place.facts)


def unknown(number: int) -> UserError:
    """Return the answer about a number that names no order there."""
    listing = Suggestion("subscriptions", "subscriptions")
    return UserError(
        f"There is no subscription {number} here.",
        "subscriptions lists those of a channel.",
        (listing,),
    )


def taken_back(order: Subscription) -> UserError:
    """Return the answer about an order that posts nothing any more."""
    again = Suggestion("Resume it", f"resume {order.id}")
    return UserError(f"Subscription {order.id} was taken back.", "resume undoes that.", (again,))


def unknown_delivery(order: Subscription, number: int) -> UserError:
    """Return the answer about a number that names nothing that an order was owed."""
    return UserError(
        f"Subscription {order.id} has no delivery {number}.",
        "subscriptions shows how it stands.",
        (Suggestion("subscriptions", "subscriptions"),),
    )


def _outside(order: Subscription) -> UserError:
    """Return the answer where a command is for those who are in the channel of an order."""
    where = channel_name(order)
    return UserError(
        f"You or Broadsheet are not in {where}: from elsewhere subscription {order.id} can be"
        " paused and taken back, and no more.",
        f"Ask somebody who is in {where} to do it there.",
        (
            Suggestion("Pause it", f"pause {order.id}"),
            Suggestion("Take it back", f"unsubscribe {order.id}"),
        ),
    )


def day_of(context: Context) -> date:
    """Return the day (UTC) by which it is told what is owed."""
    return context.clock.now().astimezone(UTC).date()


def channels_of(context: Context) -> Channels:
    """Return the channels that an asker may look at.

    Raises:
        UserError: where there are none.
    """
    if context.actor.channels is None:
        raise UserError("A channel is needed, and none is to be had here.", "Ask in a channel.")
    return context.actor.channels


def _nowhere(context: Context) -> UserError:
    """Return the answer where it is not known which channel is meant."""
    naming = "channel:" if context.actor.by_name else f"{IN.key}:#papers"
    return UserError("Which channel? You ask in none.", f"Ask in a channel, or name it: {naming}.")


def workspace(context: Context) -> Workspace:
    """Return the workspace asked in."""
    return Workspace(context.actor.platform, context.actor.workspace)


async def _place(context: Context, external_id: str) -> Place:
    info = await channels_of(context).look(external_id)
    if context.actor.shares and info.private and not is_inside(context.actor, info.id):
        raise UserError(
            "This is about a private channel, so it can be shared in that channel alone."
        )
    channel = Channel(workspace(context), info.id)
    orders = await context.subscriptions.of_channel(channel)
    place = Place(channel, info, tuple(orders))
    if any(order.facts != place.facts for order in orders):
        await context.subscriptions.note(channel, place.facts)
    return replace(place, orders=tuple(replace(each, facts=place.facts) for each in orders))


def _only(place: Place, command: str) -> tuple[Place, Subscription]:
    if not place.orders:
        raise UserError(
            f"{capitalised(place.name)} gets no posts.",
            "subscribe makes it get one every week.",
            (Suggestion("Subscribe", "subscribe"),),
        )
    if len(place.orders) > 1:
        raise UserError(
            f"{capitalised(place.name)} has {len(place.orders)} subscriptions.",
            "Which one?",
            tuple(_offers(place.orders, command)),
        )
    return place, place.orders[0]


def _offers(orders: Sequence[Subscription], command: str) -> list[Suggestion]:
    return [
        Suggestion(f"{each.id}: {short_label(each)}", f"{command} {each.id}") for each in orders
    ]
