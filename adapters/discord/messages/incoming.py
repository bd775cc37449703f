"""Messages for the bot: which those are, and the command string of each. Pure.

Discord sends the content of direct messages and of messages that mention the bot; that of others
takes a privileged intent.
https://docs.discord.com/developers/events/gateway#message-content-intent
"""

import re

import discord

from bot.domain.typed_text import without_code_marks

# Others are notices of Discord, such as of a pinned message.
_TYPED = (discord.MessageType.default, discord.MessageType.reply)
_PREFIX = re.compile(r"\A/papers(?!\S)\s*", re.IGNORECASE)
_ITALIC = re.compile(r"_([^_\s](?:[^_]*[^_\s])?)_")


def is_direct(message: discord.Message) -> bool:
    """Tell whether a user wrote words to the bot in direct messages."""
    in_place = isinstance(message.channel, discord.DMChannel)
    return in_place and _is_by_user(message) and bool(message.content.strip())


def is_mention(message: discord.Message, bot: int) -> bool:
    """Tell whether a user wrote the name of the bot in a server.

    A reply mentions its author without the name in its content, and @everyone mentions nobody.
    """
    is_named = bot in message.raw_mentions and any(each.id == bot for each in message.mentions)
    return is_named and _is_by_user(message) and not isinstance(message.channel, discord.DMChannel)


def command_of(message: discord.Message, bot: int) -> str:
    """Return the command string or the plain words of a message; a thread is its channel."""
    return command_in(message.content, bot)


def command_in(text: str, bot: int) -> str:
    """Return the text after the mention of the bot, else the text before it, in one line.

    Discord's `/me` puts a text in italics.
    """
    if found := _ITALIC.fullmatch(text.strip()):
        text = found[1]
    mention = re.compile(rf"<@!?{bot}>")
    if found := mention.search(text):
        after = mention.sub("", text[found.end() :]).lstrip(" ,:.!\n\uff0c\uff1a")
        text = after or text[: found.start()].rstrip(" ,:\n")
    return _PREFIX.sub("", " ".join(without_code_marks(text).split()))


def _is_by_user(message: discord.Message) -> bool:
    is_typed = message.type in _TYPED and message.webhook_id is None
    return is_typed and not message.author.bot
