"""The commands about subscriptions, in the channels that they post to."""

from bot.commands.handlers.channel.preview import DELIVER, PREVIEW
from bot.commands.handlers.channel.subscribe import SUBSCRIBE
from bot.commands.handlers.channel.subscriptions import PAUSE, RESUME, SUBSCRIPTIONS, UNSUBSCRIBE

__all__ = ["DELIVER", "PAUSE", "PREVIEW", "RESUME", "SUBSCRIBE", "SUBSCRIPTIONS", "UNSUBSCRIBE"]
