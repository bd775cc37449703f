"""The events of messages, with their content as far as the app may read it.

https://docs.discord.com/developers/events/gateway#message-content-intent
"""

import re

from tests.fakes.discord.identities import User
from tests.fakes.discord.permissions import Permission, permissions_in
from tests.fakes.discord.records import Message
from tests.fakes.discord.rules.components import Json

_GUILD_MESSAGES, _DIRECT_MESSAGES = 1 << 9, 1 << 12
_HIDDEN: Json = {"content": "", "embeds": [], "attachments": [], "components": []}
_MENTION = re.compile(r"<@!?(\d+)>")


def intent_of(message: Message) -> int:
    """Return the intent that an app needs for the events of a message."""
    return _GUILD_MESSAGES if message.channel.guild else _DIRECT_MESSAGES


def is_heard(message: Message, bot: User) -> bool:
    """Tell whether the bot gets the events of a message."""
    channel = message.channel
    if message.ephemeral or channel.kind == "group":
        return False
    guild = channel.guild
    if guild is None:
        return True
    is_seen = permissions_in(channel, guild, bot.id) & Permission.VIEW_CHANNEL
    return guild.bot_in and bool(is_seen)


def event_json(message: Message, bot: User, users: dict[int, User]) -> Json:
    """Return the JSON of an event of a message for an app without the content's intent."""
    guild = message.channel.guild
    mentioned = _mentioned(message, users)
    is_readable = guild is None or bot in (message.author, *mentioned)
    known = {**message.as_json(), "mentions": [each.as_json() for each in mentioned]}
    if message.reference:
        known["referenced_message"] = message.reference.as_json()
    hidden = {} if is_readable else _HIDDEN
    if guild is None:
        return {**known, **hidden}
    member = guild.members.get(message.author.id)
    partial = {k: v for k, v in member.as_json().items() if k != "user"} if member else None
    of_member = {"member": partial} if partial else {}
    return {**known, **hidden, "guild_id": str(guild.id), **of_member}


def _mentioned(message: Message, users: dict[int, User]) -> list[User]:
    """Return the mentioned users: those that are named, and the author that a reply pings.

    The bot mentions nobody, as its messages allow.
    """
    if message.author.bot:
        return []
    named = [users[int(each)] for each in _MENTION.findall(message.content) if int(each) in users]
    pinged = [message.reference.author] if message.reference else []
    return list(dict.fromkeys([*named, *pinged]))
