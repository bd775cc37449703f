"""What a channel gets and when."""

from bot.commands.handlers.channel.places import IN, place_asked
from bot.commands.handlers.channel.subscribing import line_of
from bot.commands.permissions import for_actor
from bot.commands.types import Command, Context, Group
from bot.commands.views.subscriptions import none_reply, subscriptions_reply
from bot.replies.blocks import Reply
from bot.replies.deliveries import statuses_of


async def subscriptions(context: Context, channel: str | None = None) -> Reply:
    """List what a channel gets and when, and what became of the last posts."""
    place = await place_asked(context, channel)
    where = place.name
    if not place.orders:
        return for_actor(context, none_reply(where))
    deliveries = await context.subscriptions.standing_of(place.orders)
    standing = statuses_of(place.orders, deliveries, line_of, ahead=context.ahead)
    return for_actor(context, subscriptions_reply(where, standing))


SUBSCRIPTIONS = Command(
    name="subscriptions",
    group=Group.CHANNEL,
    summary="What this channel gets, and when",
    handler=subscriptions,
    params=(IN,),
    examples=("subscriptions",),
)
