"""The commands about what a channel gets: orders given, listed, altered, and posted now."""

from bot.commands.channel.altering import PAUSE, RESUME, UNSUBSCRIBE
from bot.commands.channel.listing import SUBSCRIPTIONS
from bot.commands.channel.posting import DELIVER, PREVIEW
from bot.commands.channel.subscribing import SUBSCRIBE

__all__ = ["DELIVER", "PAUSE", "PREVIEW", "RESUME", "SUBSCRIBE", "SUBSCRIPTIONS", "UNSUBSCRIBE"]
