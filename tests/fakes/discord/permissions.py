"""Permissions in channels, computed as by Discord.

https://docs.discord.com/developers/topics/permissions
"""

from datetime import UTC, datetime
from enum import IntFlag

from tests.fakes.discord.identities import Member
from tests.fakes.discord.records import Channel, Guild


class Permission(IntFlag):
    """The permissions that the fake knows."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    SEND_MESSAGES_IN_THREADS = 1 << 38
    USE_EXTERNAL_APPS = 1 << 50


# The permissions of `@everyone` in a new guild.
EVERYONE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ADD_REACTIONS
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.USE_EXTERNAL_APPS
)
_ALL = sum(Permission)
# The permissions of a member in a time-out.
_IN_TIMEOUT = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY


def permissions_in(channel: Channel, guild: Guild, user_id: int) -> int:
    """Return the permissions of a member in a channel; a thread has those of its parent.

    A private thread is visible to its members and to those with MANAGE_THREADS.
    """
    allowed = _permissions_in(channel, guild, user_id)
    is_open = channel.kind != "private_thread" or user_id in channel.members
    is_seen = is_open or bool(allowed & Permission.MANAGE_THREADS)
    return allowed if is_seen else allowed & ~Permission.VIEW_CHANNEL


def _permissions_in(channel: Channel, guild: Guild, user_id: int) -> int:
    member = guild.members.get(user_id)
    roles = member.roles if member else []
    allowed = guild.everyone.permissions
    for role in roles:
        allowed |= role.permissions
    if user_id == guild.owner_id or allowed & Permission.ADMINISTRATOR:
        return _ALL
    overwrites = (channel.parent or channel).overwrites
    allowed = _changed(allowed, *overwrites.get(guild.id, (0, 0)))
    of_roles = [overwrites[role.id] for role in roles if role.id in overwrites]
    if of_roles:
        allow, deny = 0, 0
        for more_allow, more_deny in of_roles:
            allow, deny = allow | more_allow, deny | more_deny
        allowed = _changed(allowed, allow, deny)
    allowed = _changed(allowed, *overwrites.get(user_id, (0, 0)))
    return allowed & _IN_TIMEOUT if member and _is_timed_out(member) else allowed


def _is_timed_out(member: Member) -> bool:
    return member.timed_out_until is not None and member.timed_out_until > datetime.now(UTC)


def _changed(allowed: int, allow: int, deny: int) -> int:
    return (allowed & ~deny) | allow
