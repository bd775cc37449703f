"""Finding posts again by the idempotency keys in their buttons."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import discord

from adapters.discord.api.calls import Calls
from adapters.discord.channels.resolver import MessageableChannel, ResolvedChannel, run_read
from adapters.discord.render.buttons import read_id
from bot.errors import Gone, OutcomeUnknown

# How many messages are read without a start time; and with one, from either end.
_MAX_NEWEST, _MAX_SINCE = 100, 1000
# The sender's clock may differ from Discord's.
_CLOCK_MARGIN = timedelta(minutes=5)
# Each takes a call. A bot opens one a week and forum.
_MAX_THREADS = 25


@dataclass(frozen=True, slots=True)
class _Search:
    """The result of reading a channel: a message, how many were read, whether that was all."""

    message: discord.Message | None
    read: int
    complete: bool


class PostFinder:
    """Finds posts in channels.

    Args:
        client: returns the current client.
        calls: runs API calls.
    """

    def __init__(self, client: Callable[[], discord.Client], calls: Calls) -> None:
        self._client = client
        self._calls = calls

    async def find(
        self, channel: ResolvedChannel, key: str, since: datetime | None = None
    ) -> discord.Message | None:
        """Return the post with a key, `None` if it isn't there.

        Args:
            channel: where to search: its messages, or the threads of a forum.
            key: the idempotency key.
            since: the earliest time that it can have been sent, give or take a few minutes.
                Without it only the newest 100 messages are read, or the bot's newest 25 threads.

        Raises:
            OutcomeUnknown: if there is more since then than can be read.
            SendError: if the channel can't be read.
        """
        since = since and since - _CLOCK_MARGIN
        if isinstance(channel, discord.ForumChannel):
            return await self._in_threads(channel, key, since)
        return await self._in_messages(channel, key, since)

    async def _in_messages(
        self,
        channel: MessageableChannel | discord.PartialMessageable,
        key: str,
        since: datetime | None,
    ) -> discord.Message | None:
        search = await run_read(self._calls, "read_history", self._search(channel, key, since))
        if not search.read:
            await self._require_readable(channel)
        if since and not search.complete:
            # The post is most likely near the earliest time.
            forward = self._search(channel, key, since, forward=True)
            search = await run_read(self._calls, "read_history", forward)
            if search.message is None:
                raise _too_many()
        return search.message

    async def _search(
        self,
        channel: MessageableChannel | discord.PartialMessageable,
        key: str,
        since: datetime | None,
        *,
        forward: bool = False,
    ) -> _Search:
        """Read back from the newest message, or `forward` from the earliest time."""
        limit = _MAX_SINCE if since else _MAX_NEWEST
        after = since if forward else None
        read = 0
        async for message in channel.history(limit=limit, after=after):
            read += 1
            if since and message.created_at < since:
                return _Search(None, read, complete=True)
            if self._is_own(message.author.id) and key in keys_of(message):
                return _Search(message, read, complete=True)
        return _Search(None, read, complete=read < limit)

    async def _require_readable(
        self, channel: MessageableChannel | discord.PartialMessageable
    ) -> None:
        """Check that an empty history is not one that the bot may not read.

        Without Read Message History Discord returns an empty list, but refuses a single message.
        https://docs.discord.com/developers/resources/message#get-channel-messages

        Raises:
            SendError: if the history can't be read.
        """
        await run_read(self._calls, "fetch_message", _fetch_missing_message(channel))

    async def _in_threads(
        self, forum: discord.ForumChannel, key: str, since: datetime | None
    ) -> discord.Message | None:
        threads = await self._own_threads(forum, since)
        recent = [each for each in threads if since is None or _created_at(each) >= since]
        for thread in recent[:_MAX_THREADS]:
            message = await self._first_message(thread)
            if message and key in keys_of(message):
                return message
        if since and len(recent) > _MAX_THREADS:
            raise _too_many()
        return None

    async def _own_threads(
        self, forum: discord.ForumChannel, since: datetime | None
    ) -> list[discord.Thread]:
        """Return the bot's threads in a forum, the newest first.

        Raises:
            OutcomeUnknown: if more were archived since then than are read.
        """
        active = await run_read(self._calls, "active_threads", forum.guild.active_threads())
        in_forum = [each for each in active if each.parent_id == forum.id]
        archived = await run_read(self._calls, "archived_threads", _archived(forum))
        if since and len(archived) == _MAX_NEWEST and archived[-1].archive_timestamp >= since:
            raise _too_many()
        own = {each.id: each for each in (*in_forum, *archived) if self._is_own(each.owner_id)}
        return [own[thread_id] for thread_id in sorted(own, reverse=True)]

    async def _first_message(self, thread: discord.Thread) -> discord.Message | None:
        """Return the message that opened a thread, which has the thread's id."""
        try:
            return await run_read(self._calls, "fetch_message", thread.fetch_message(thread.id))
        except Gone:
            return None

    def _is_own(self, user_id: int) -> bool:
        user = self._client().user
        return user is not None and user.id == user_id


def keys_of(message: discord.Message) -> set[str]:
    """Return the idempotency keys in a message: one, or none if it is not a post."""
    actions = (read_id(each) for each in custom_ids(message.components))
    return {action.key for action in actions if action and action.key}


def custom_ids(components: Iterable[Any]) -> Iterator[str]:
    """Yield the custom ids of components, nested ones included."""
    for component in components:
        if found := getattr(component, "custom_id", None):
            yield found
        yield from custom_ids(getattr(component, "children", ()))
        yield from custom_ids(filter(None, [getattr(component, "accessory", None)]))


async def _fetch_missing_message(channel: MessageableChannel | discord.PartialMessageable) -> None:
    """Fetch a message that doesn't exist; 404 is the expected response."""
    with suppress(discord.NotFound):
        await channel.fetch_message(channel.id)


async def _archived(forum: discord.ForumChannel) -> list[discord.Thread]:
    return [thread async for thread in forum.archived_threads(limit=_MAX_NEWEST)]


def _created_at(thread: discord.Thread) -> datetime:
    return discord.utils.snowflake_time(thread.id)


def _too_many() -> OutcomeUnknown:
    return OutcomeUnknown(
        "Too much was posted there since to tell whether it arrived.", "Look there."
    )
