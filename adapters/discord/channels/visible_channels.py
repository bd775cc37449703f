"""The channels of a server as somebody in it sees them, and what the bot may do there."""

import asyncio
from collections.abc import Sequence
from typing import Any

import aiohttp
import discord

from adapters.discord.channels.destinations import Target
from adapters.discord.channels.forums import chosen_tags
from adapters.discord.channels.missing_permissions import Need, is_moderator, lacking
from bot.actor import ChannelInfo, Named
from bot.errors import NotAllowed, NotInChannel, SendError, UserError
from bot.posting.ports import DIRECT
from store.records import Layout

_UNKNOWN = "There is no such channel here, or you are not in it."
_NAME_ONE = "Name a channel of this server that you can see."
_LOOK_SECONDS = 5.0
_TROUBLE = (discord.DiscordException, aiohttp.ClientError, OSError)


class DiscordChannels:
    """The channels that whoever made an interaction may see, where they made it.

    Args:
        interaction: what somebody did in a server that the bot is in, or in direct messages.
    """

    def __init__(self, interaction: discord.Interaction[Any]) -> None:
        self._interaction = interaction

    async def look(self, channel: str) -> ChannelInfo:
        """Return a channel that the asker sees.

        Raises:
            NotInChannel: where there is none, or the asker does not see it; in the same words.
            UserError: where Discord does not tell.
        """
        return _info(await self._seen(channel))

    async def enter(self, channel: ChannelInfo, layout: Layout) -> None:
        """See to it that the bot may post there in a layout.

        Slowmode does not matter: it is not for bots.
        https://docs.discord.com/developers/resources/channel#channel-object-channel-structure

        Raises:
            UserError: where it may not, with what to allow.
        """
        there = await self._seen(channel.id)
        if lack := lacking_for(there, layout):
            raise UserError(lack.sentence, lack.remedy)
        if isinstance(there, discord.Thread) and there.is_private():
            await self._require_in(there)

    async def known(self) -> Sequence[Named]:
        """Return the channels that the asker sees and the bot may post to, by name.

        Closed threads are not among them, nor private ones of which nobody told who is in them.
        """
        guild = self._guild()
        every = (*guild.channels, *guild.threads) if guild else ()
        ours = [
            each
            for each in every
            if isinstance(each, discord.TextChannel | discord.ForumChannel | discord.Thread)
            and (each.id == self._interaction.channel_id or self._sees(each) is True)
            and lacking(each, Need.POST) is None
        ]
        return [
            Named(str(each.id), each.name)
            for each in sorted(ours, key=lambda each: (each.name.casefold(), each.id))
        ]

    async def _seen(self, channel: str) -> Target:
        """Return a channel that the asker sees.

        Raises:
            UserError: as `look`.
        """
        here = self._interaction.channel
        if channel == str(self._interaction.channel_id) and isinstance(here, Target):
            return here
        found = await self._found(int(channel)) if channel.isdecimal() else None
        if found is None or not await self._may_see(found):
            raise NotInChannel(_UNKNOWN, _NAME_ONE)
        return found

    async def _found(self, channel_id: int) -> Target | None:
        """Return a channel of the server; closed threads are what the client does not hold."""
        guild = self._guild()
        if guild is None:
            return None
        found = guild.get_channel_or_thread(channel_id) or await self._fetched(channel_id)
        if not isinstance(found, Target) or isinstance(found, discord.abc.PrivateChannel):
            return None
        return found if found.guild.id == guild.id else None

    async def _fetched(self, channel_id: int) -> object:
        try:
            async with asyncio.timeout(_LOOK_SECONDS):
                return await self._interaction.client.fetch_channel(channel_id)
        except (discord.NotFound, discord.Forbidden, discord.InvalidData):
            return None
        except _TROUBLE as error:
            raise _later() from error

    async def _require_in(self, thread: discord.Thread) -> None:
        """Make sure that the bot is in a private thread, where it may not see them all.

        https://docs.discord.com/developers/topics/threads#private-threads

        Raises:
            UserError: where it is not.
        """
        me = self._interaction.client.user
        if me is None or is_moderator(thread) or await self._is_in(thread, me.id):
            return
        sentence = f"Broadsheet is not in the thread {thread}."
        raise UserError(sentence, f"Mention it there, as @{me.display_name}: that adds it.")

    async def _may_see(self, channel: Target) -> bool:
        sees = self._sees(channel)
        if sees is not None or not isinstance(channel, discord.Thread):
            return sees is True
        return await self._is_in(channel, self._interaction.user.id)

    async def _is_in(self, thread: discord.Thread, user: int) -> bool:
        try:
            async with asyncio.timeout(_LOOK_SECONDS):
                await thread.fetch_member(user)
        except (discord.NotFound, discord.Forbidden):
            return False
        except _TROUBLE as error:
            raise _later() from error
        return True

    def _sees(self, channel: Target) -> bool | None:
        """Tell whether the asker sees a channel of the server.

        `None` where that is for those who are in a private thread, and nobody told who they are.
        """
        asker = self._interaction.user
        thread = channel if isinstance(channel, discord.Thread) else None
        if not isinstance(asker, discord.Member) or (thread and thread.parent is None):
            return False
        may = channel.permissions_for(asker)
        if thread and thread.is_private() and may.view_channel and not may.manage_threads:
            return None
        return may.view_channel

    def _guild(self) -> discord.Guild | None:
        client: discord.Client = self._interaction.client
        return client.get_guild(self._interaction.guild_id or 0)


def lacking_for(channel: Target, layout: Layout) -> SendError | None:
    """Return why a channel can't get posts in a layout, `None` where nothing is known against it.

    To read what was posted is not among it: without that a post may remain unclear, no more.
    """
    if lack := lacking(channel, *_needs(channel, layout)):
        return lack
    if isinstance(channel, discord.ForumChannel) and channel.flags.require_tag:
        try:
            chosen_tags(channel.available_tags, (), demanded=True, moderator=is_moderator(channel))
        except NotAllowed as lack:
            return lack
    return None


def _needs(channel: Target, layout: Layout) -> tuple[Need, ...]:
    if isinstance(channel, discord.ForumChannel) and layout is not Layout.COMPACT:
        return (Need.POST, Need.REPLY)
    if isinstance(channel, discord.TextChannel) and layout is Layout.THREAD:
        return (Need.POST, Need.THREAD)
    return (Need.POST,)


def _info(channel: Target) -> ChannelInfo:
    if isinstance(channel, discord.DMChannel | discord.GroupChannel):
        return ChannelInfo(str(channel.id), DIRECT, private=True, kind=channel.type.name)
    thread = channel if isinstance(channel, discord.Thread) else None
    return ChannelInfo(
        id=str(channel.id),
        # Threads may have any name, and that of direct messages gives rights to their owner.
        name=f"#{DIRECT}" if channel.name == DIRECT else channel.name,
        private=_is_private(channel),
        forum=isinstance(channel, discord.ForumChannel),
        parent=str(thread.parent_id) if thread else None,
        kind=channel.type.name,
    )


def _is_private(channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Tell whether not everybody in the server sees a channel; what nobody knows is private."""
    if isinstance(channel, discord.Thread):
        if channel.is_private() or channel.parent is None:
            return True
        channel = channel.parent
    everybody: discord.Role | None = channel.guild.default_role
    return everybody is None or not channel.permissions_for(everybody).view_channel


def _later() -> UserError:
    return UserError("Discord did not say which channel that is.", "Try again in a moment.")
