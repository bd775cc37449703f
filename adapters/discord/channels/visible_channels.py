"""The channels that a user sees in a server, and the bot's permissions in them."""

import asyncio
from collections.abc import Collection

import discord

from adapters.discord.api.errors import NETWORK_ERRORS
from adapters.discord.channels.channel_state import (
    Action,
    can_manage_threads,
    permission_error,
    select_tags,
)
from adapters.discord.channels.resolver import PostableChannel
from bot.actor import ChannelInfo, ChannelList, Named
from bot.errors import NotAllowed, NotInChannel, SendError, UserError
from bot.posting.ports import DIRECT
from store.records import Layout

_UNKNOWN = "There is no such channel here, or you are not in it."
_NAME_ONE = "Name a channel of this server that you can see."
_FETCH_SECONDS = 5.0
_DIRECT_KIND = discord.ChannelType.private.name


class DiscordChannels:
    """The channels that a user sees in a server that the bot is in, or in direct messages.

    Args:
        client: the client that holds the server.
        user: the user; in a server, as its member.
        current: the channel of the request, `None` if its type is unknown.
        guild: the server's id, `None` in direct messages.
    """

    def __init__(
        self,
        client: discord.Client,
        user: discord.abc.User,
        current: discord.abc.Snowflake | None,
        guild: int | None,
    ) -> None:
        self._client = client
        self._user = user
        self._current = current
        self._guild_id = guild

    async def look(self, channel: str) -> ChannelInfo:
        """Return a channel that the user sees.

        Raises:
            NotInChannel: if there is none, or the user does not see it; in the same words.
            UserError: if Discord does not answer.
        """
        return _channel_info(await self._visible(channel))

    async def enter(self, channel: ChannelInfo, layout: Layout) -> None:
        """Check that the bot may post to a channel in a layout.

        Slowmode does not apply to bots.
        https://docs.discord.com/developers/resources/channel#channel-object-channel-structure

        Raises:
            UserError: if it may not, with the permission to allow.
        """
        found = await self._visible(channel.id)
        if error := layout_error(found, layout):
            raise UserError(error.sentence, error.remedy)
        if isinstance(found, discord.Thread) and found.is_private():
            await self._require_bot_in(found)

    async def direct(self) -> ChannelInfo:
        """Return the user's direct messages with the bot, opened if need be.

        https://docs.discord.com/developers/resources/user#create-dm

        Raises:
            UserError: if Discord refuses or does not answer.
        """
        if self._guild_id is None and self._current is not None:
            return _direct_info(self._current)
        try:
            async with asyncio.timeout(_FETCH_SECONDS):
                opened = await self._client.create_dm(self._user)
        except discord.Forbidden as error:
            raise UserError(
                "Discord lets Broadsheet write you no direct messages.",
                "Allow direct messages from members of this server, in its Privacy Settings.",
            ) from error
        except NETWORK_ERRORS as error:
            raise UserError("Discord did not open your direct messages.", "Try again.") from error
        return _direct_info(opened)

    async def known(self) -> ChannelList:
        """Return the channels that the user sees and the bot may post to, by name.

        Archived threads are not among them, nor private threads whose members are unknown.
        """
        guild = self._guild()
        candidates = (*guild.channels, *guild.threads) if guild else ()
        channels = [
            each
            for each in candidates
            if isinstance(each, discord.TextChannel | discord.ForumChannel | discord.Thread)
            and (self._is_current(each.id) or self._is_visible(each) is True)
            and permission_error(each, Action.POST) is None
        ]
        channels.sort(key=lambda each: (each.name.casefold(), each.id))
        return ChannelList(tuple(Named(str(each.id), each.name) for each in channels))

    async def hidden(self, channels: Collection[str]) -> Collection[str]:
        """Return those of some channels that the user or @everyone does not see.

        A channel that the client does not hold, such as a closed thread, is not among them.
        """
        guild = self._guild()
        held = {each: guild.get_channel_or_thread(int(each)) for each in channels} if guild else {}
        return {
            each
            for each, found in held.items()
            if isinstance(found, PostableChannel)
            and (_is_private(found) or self._is_visible(found) is not True)
        }

    async def _visible(self, channel: str) -> PostableChannel:
        """Return a channel that the user sees.

        Raises:
            UserError: as `look`.
        """
        named = int(channel) if channel.isdecimal() else None
        if self._is_current(named) and isinstance(self._current, PostableChannel):
            return self._current
        found = None if named is None else await self._find(named)
        if found is None or not await self._user_sees(found):
            raise NotInChannel(_UNKNOWN, _NAME_ONE)
        return found

    async def _find(self, channel_id: int) -> PostableChannel | None:
        """Return a channel of the server; an archived thread is fetched."""
        guild = self._guild()
        if guild is None:
            return None
        found = guild.get_channel_or_thread(channel_id) or await self._fetch(channel_id)
        if not isinstance(found, PostableChannel) or isinstance(found, discord.abc.PrivateChannel):
            return None
        return found if found.guild.id == guild.id else None

    async def _fetch(self, channel_id: int) -> object:
        try:
            async with asyncio.timeout(_FETCH_SECONDS):
                return await self._client.fetch_channel(channel_id)
        except (discord.NotFound, discord.Forbidden, discord.InvalidData):
            return None
        except NETWORK_ERRORS as error:
            raise _unanswered() from error

    async def _require_bot_in(self, thread: discord.Thread) -> None:
        """Check that the bot is a member of a private thread, or sees all of them.

        https://docs.discord.com/developers/topics/threads#private-threads

        Raises:
            UserError: if it is not.
        """
        me = self._client.user
        if me is None or can_manage_threads(thread) or await self._is_in(thread, me.id):
            return
        sentence = f"Broadsheet is not in the thread {thread}."
        raise UserError(sentence, f"Mention it there, as @{me.display_name}: that adds it.")

    async def _user_sees(self, channel: PostableChannel) -> bool:
        visible = self._is_visible(channel)
        if visible is not None or not isinstance(channel, discord.Thread):
            return visible is True
        return await self._is_in(channel, self._user.id)

    async def _is_in(self, thread: discord.Thread, user: int) -> bool:
        try:
            async with asyncio.timeout(_FETCH_SECONDS):
                await thread.fetch_member(user)
        except (discord.NotFound, discord.Forbidden):
            return False
        except NETWORK_ERRORS as error:
            raise _unanswered() from error
        return True

    def _is_visible(self, channel: PostableChannel) -> bool | None:
        """Tell whether the user sees a channel of the server.

        `None` if that depends on the members of a private thread.
        """
        user = self._user
        thread = channel if isinstance(channel, discord.Thread) else None
        if not isinstance(user, discord.Member) or (thread and thread.parent is None):
            return False
        permissions = channel.permissions_for(user)
        may_view, may_manage = permissions.view_channel, permissions.manage_threads
        if thread and thread.is_private() and may_view and not may_manage:
            return None
        return may_view

    def _is_current(self, channel: int | None) -> bool:
        return self._current is not None and self._current.id == channel

    def _guild(self) -> discord.Guild | None:
        return self._client.get_guild(self._guild_id or 0)


def layout_error(channel: PostableChannel, layout: Layout) -> SendError | None:
    """Return why a channel can't get posts in a layout, `None` if no reason is known.

    Read Message History is not required: without it the outcome of a post may stay unknown.
    """
    if error := permission_error(channel, *_actions(channel, layout)):
        return error
    if isinstance(channel, discord.ForumChannel) and channel.flags.require_tag:
        is_moderator = can_manage_threads(channel)
        try:
            select_tags(channel.available_tags, (), required=True, moderator=is_moderator)
        except NotAllowed as error:
            return error
    return None


def _actions(channel: PostableChannel, layout: Layout) -> tuple[Action, ...]:
    if isinstance(channel, discord.ForumChannel) and layout is not Layout.COMPACT:
        return (Action.POST, Action.REPLY)
    if isinstance(channel, discord.TextChannel) and layout is Layout.THREAD:
        return (Action.POST, Action.THREAD)
    return (Action.POST,)


def _direct_info(channel: discord.abc.Snowflake) -> ChannelInfo:
    return ChannelInfo(str(channel.id), DIRECT, private=True, kind=_DIRECT_KIND, direct=True)


def _channel_info(channel: PostableChannel) -> ChannelInfo:
    if isinstance(channel, discord.DMChannel):
        return _direct_info(channel)
    if isinstance(channel, discord.GroupChannel):
        return ChannelInfo(str(channel.id), str(channel), private=True, kind=channel.type.name)
    thread = channel if isinstance(channel, discord.Thread) else None
    return ChannelInfo(
        id=str(channel.id),
        # A thread may have any name, and people would take it for their direct messages.
        name=f"#{DIRECT}" if channel.name == DIRECT else channel.name,
        private=_is_private(channel),
        forum=isinstance(channel, discord.ForumChannel),
        parent=str(thread.parent_id) if thread else None,
        kind=channel.type.name,
    )


def _is_private(channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Tell whether a channel is hidden from @everyone; if unknown, it counts as private."""
    if isinstance(channel, discord.Thread):
        if channel.is_private() or channel.parent is None:
            return True
        channel = channel.parent
    everyone: discord.Role | None = channel.guild.default_role
    return everyone is None or not channel.permissions_for(everyone).view_channel


def _unanswered() -> UserError:
    return UserError("Discord did not say which channel that is.", "Try again in a moment.")
