"""Posts found again by their keys, for whoever doesn't know whether they arrived."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

from adapters.discord.api.calls import Calls
from adapters.discord.channels.destinations import Known, Talk, read
from adapters.discord.posts.keys import keys_of
from bot.errors import Gone, OutcomeUnknown

# Without a time to stop at; with one, how far it goes at most from either end.
_NEWEST, _MOST = 100, 1000
# As much as clocks may differ, for whoever sends goes by another than Discord's.
_MARGIN = timedelta(minutes=5)
# Each takes a call. A bot opens one a week and forum.
_THREADS = 25


@dataclass(frozen=True, slots=True)
class _Looked:
    """What a look at a channel gave, after how many messages, and whether all were seen."""

    message: discord.Message | None
    seen: int
    ended: bool


class Finder:
    """Looks for posts in channels.

    Args:
        client: returns the client of the moment.
        calls: how Discord is called.
    """

    def __init__(self, client: Callable[[], discord.Client], calls: Calls) -> None:
        self._client = client
        self._calls = calls

    async def find(
        self, channel: Known, key: str, since: datetime | None = None
    ) -> discord.Message | None:
        """Return the post with a key, `None` where it isn't there.

        Args:
            channel: where to look: among messages, in a forum among its threads.
            key: the post's.
            since: when it can have been sent at the earliest, by a clock that nobody shifted; one
                that differs from Discord's by a few minutes will do. Without it only the newest
                100 messages, or the newest 25 threads of the bot's, are looked at.

        Raises:
            OutcomeUnknown: where there was more since then than can be looked through.
            SendError: where the channel can't be read.
        """
        since = since and since - _MARGIN
        if isinstance(channel, discord.ForumChannel):
            return await self._in_threads(channel, key, since)
        return await self._in_messages(channel, key, since)

    async def _in_messages(
        self, channel: Talk | discord.PartialMessageable, key: str, since: datetime | None
    ) -> discord.Message | None:
        looked = await read(self._calls, "read_history", self._look(channel, key, since))
        if not looked.seen:
            await self._require_readable(channel)
        if since and not looked.ended:
            # A post stands most likely near the time from which it was sent.
            first = self._look(channel, key, since, forward=True)
            looked = await read(self._calls, "read_history", first)
            if looked.message is None:
                raise _too_much()
        return looked.message

    async def _look(
        self,
        channel: Talk | discord.PartialMessageable,
        key: str,
        since: datetime | None,
        *,
        forward: bool = False,
    ) -> _Looked:
        """Look from the newest message back, or `forward` from a time on."""
        limit = _MOST if since else _NEWEST
        after = since if forward else None
        seen = 0
        async for message in channel.history(limit=limit, after=after):
            seen += 1
            if since and message.created_at < since:
                return _Looked(None, seen, ended=True)
            if self._is_mine(message.author.id) and key in keys_of(message):
                return _Looked(message, seen, ended=True)
        return _Looked(None, seen, ended=seen < limit)

    async def _require_readable(self, channel: Talk | discord.PartialMessageable) -> None:
        """Make sure that there is nothing where nothing was read.

        To whoever may not read its history Discord shows a channel as an empty one; a single
        message it refuses them.
        https://docs.discord.com/developers/resources/message#get-channel-messages

        Raises:
            SendError: where the history can't be read.
        """
        await read(self._calls, "fetch_message", _ask_for_none(channel))

    async def _in_threads(
        self, forum: discord.ForumChannel, key: str, since: datetime | None
    ) -> discord.Message | None:
        threads = await self._threads(forum, since)
        recent = [each for each in threads if since is None or _began(each) >= since]
        for thread in recent[:_THREADS]:
            message = await self._opening(thread)
            if message and key in keys_of(message):
                return message
        if since and len(recent) > _THREADS:
            raise _too_much()
        return None

    async def _threads(
        self, forum: discord.ForumChannel, since: datetime | None
    ) -> list[discord.Thread]:
        """Return the threads of a forum that the bot opened, the newest first.

        Raises:
            OutcomeUnknown: where more were closed since then than are looked at.
        """
        active = await read(self._calls, "active_threads", forum.guild.active_threads())
        here = [each for each in active if each.parent_id == forum.id]
        archived = await read(self._calls, "archived_threads", _archived(forum))
        if since and len(archived) == _NEWEST and archived[-1].archive_timestamp >= since:
            raise _too_much()
        mine = {each.id: each for each in (*here, *archived) if self._is_mine(each.owner_id)}
        return [mine[thread_id] for thread_id in sorted(mine, reverse=True)]

    async def _opening(self, thread: discord.Thread) -> discord.Message | None:
        """Return the message that opened a thread, which has the thread's id."""
        try:
            return await read(self._calls, "fetch_message", thread.fetch_message(thread.id))
        except Gone:
            return None

    def _is_mine(self, user_id: int) -> bool:
        user = self._client().user
        return user is not None and user.id == user_id


async def _ask_for_none(channel: Talk | discord.PartialMessageable) -> None:
    """Ask for a message that isn't there; to be told so is what should be."""
    with suppress(discord.NotFound):
        await channel.fetch_message(channel.id)


async def _archived(forum: discord.ForumChannel) -> list[discord.Thread]:
    return [thread async for thread in forum.archived_threads(limit=_NEWEST)]


def _began(thread: discord.Thread) -> datetime:
    return discord.utils.snowflake_time(thread.id)


def _too_much() -> OutcomeUnknown:
    return OutcomeUnknown(
        "Too much was posted there since to tell whether it arrived.", "Look there."
    )
