"""The commands about what a channel gets: orders given, listed, altered, and posted now."""

from bot.commands.handlers.channel.altering import PAUSE, RESUME, UNSUBSCRIBE
from bot.commands.handlers.channel.listing import SUBSCRIPTIONS
from bot.commands.handlers.channel.posting import DELIVER, PREVIEW
from bot.commands.handlers.channel.subscribing import SUBSCRIBE

__all__ = ["DELIVER", "PAUSE", "PREVIEW", "RESUME", "SUBSCRIBE", "SUBSCRIPTIONS", "UNSUBSCRIBE"]
