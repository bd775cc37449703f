"""Sending, finding and editing posts in channels of every type, and the API calls for that."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

import discord
from discord import ui
from discord.http import Route, handle_message_parameters

from adapters.discord.api.calls import Calls, once
from adapters.discord.api.errors import is_already_done
from adapters.discord.channels.channel_state import (
    Action,
    can_manage_threads,
    has_threads,
    is_announcement,
    is_partial,
    posted_message,
    require_permissions,
    select_tags,
    thread_name,
)
from adapters.discord.channels.resolver import (
    THREAD,
    ChannelResolver,
    MessageableChannel,
    PostTarget,
    ResolvedChannel,
)
from adapters.discord.posts.find import PostFinder
from adapters.discord.posts.nonce_window import WINDOW, Find, NonceWindow, Seconds, Sleep
from adapters.discord.render import render_message
from adapters.discord.render.buttons import LONGEST_KEY
from bot.errors import Gone, NotAllowed, OutcomeUnknown, Rejected, RetryLater, SendError
from bot.posting.ports import PostedMessage
from bot.replies.blocks import Reply

SaveCommands = Callable[[tuple[str, ...]], Awaitable[None]]

_KEY = re.compile(rf"[\w-]{{1,{LONGEST_KEY}}}", re.ASCII)
# Publishing has a limit of its own, ten an hour, which is not waited for.
_PUBLISH_SECONDS = 5.0
# The codes that a channel of another type than expected refuses with.
_WRONG_TYPE = frozenset({"50008", "50024"})
_UNKNOWN_MESSAGE = "10008"


class PostSender:
    """Posts replies to channels.

    Args:
        client: returns the current client; it has `api.calls.request_trace`.
        calls: runs API calls.
        save_commands: stores command strings too long for button ids, before those are sent.
        seconds: a monotonic clock.
        sleep: waits.
        window: for how many seconds a post is tried; resolving and publishing take at most five
            each.
    """

    def __init__(  # noqa: PLR0913 - what it calls, and the time that it has
        self,
        client: Callable[[], discord.Client],
        calls: Calls,
        save_commands: SaveCommands,
        *,
        seconds: Seconds = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        window: float = WINDOW,
    ) -> None:
        self._calls = calls
        self._save_commands = save_commands
        self._resolver = ChannelResolver(client, calls)
        self._finder = PostFinder(client, calls)
        self._window = NonceWindow(calls, seconds, sleep, window)

    def deadline(self) -> float:
        """Return the deadline of a post that starts now, its thread included."""
        return self._window.deadline()

    async def is_out_of(self, server: str) -> bool:
        """Tell whether the bot is certainly not a member of a server, by its id.

        https://docs.discord.com/developers/resources/user#get-current-user-guilds
        """
        if not server.isdecimal():
            return False  # direct messages
        before = discord.Object(int(server) - 1)
        guilds = self._resolver.client().fetch_guilds(limit=1, after=before)

        async def first() -> int | None:
            return next(iter([guild.id async for guild in guilds]), None)

        try:
            return await self._calls.run("fetch_guilds", first()) != int(server)
        except SendError:
            return False

    async def send(  # noqa: PLR0913 - all that a post is made of
        self,
        target: PostTarget,
        reply: Reply,
        key: str,
        *,
        title: str = "",
        topics: Iterable[str] = (),
        deadline: float | None = None,
    ) -> PostedMessage:
        """Post a reply once for its key, and publish it in an announcement channel.

        The same key sent again within a few minutes returns the same message. In a forum it makes
        another post, so `find` the first one before. A deleted message is not sent again: it is
        returned without its id.

        Args:
            target: where to; in a forum the post opens a thread.
            reply: the reply, which fits into one message.
            key: the idempotency key: at most 25 letters, digits, `-` and `_`.
            title: the name of the thread in a forum.
            topics: the names of the forum's tags to apply.
            deadline: when to give up, by `deadline`, if the post started before.

        Raises:
            OutcomeUnknown: if it may have arrived.
            SendError: if it did not.
            StoreError: if its command strings could not be stored; nothing was sent.
        """
        if not _KEY.fullmatch(key):
            raise ValueError(key)
        rendered = render_message(reply, key=key)
        deadline = self.deadline() if deadline is None else deadline
        channel = await self._resolver.resolve(target)
        while True:
            require_permissions(channel, Action.POST)
            await self._save_commands(rendered.kept)
            name, create, find = self._creation(channel, rendered.view, key, title, topics)
            try:
                message = await self._window.run(name, create, find, deadline=deadline)
            except Rejected as error:
                if error.code not in _WRONG_TYPE or not is_partial(channel):
                    raise
                channel = await self._resolver.fetch(target)
                continue
            except Gone as error:
                # Discord answers so to the nonce of a deleted message.
                if error.code != _UNKNOWN_MESSAGE:
                    raise
                return PostedMessage(str(channel.id), None)
            posted = posted_message(channel, message)
            if is_announcement(channel):
                await self.publish(posted)
            return posted

    async def find(
        self, target: PostTarget, key: str, since: datetime | None = None
    ) -> PostedMessage | None:
        """Return the post with a key, `None` if it isn't there, as `PostFinder.find`.

        In an announcement channel it is published if it was not yet.

        Raises:
            OutcomeUnknown: if too much was posted since.
            SendError: if the channel can't be read.
        """
        channel = await self._resolver.resolve(target)
        require_permissions(channel, Action.FIND)
        found = await self._finder.find(channel, key, since)
        if found is None:
            return None
        posted = posted_message(channel, found.id)
        if is_announcement(channel) and not found.flags.crossposted:
            await self.publish(posted)
        return posted

    async def edit(self, posted: PostedMessage, reply: Reply, key: str) -> None:
        """Replace the content of a post by a reply; nobody is notified.

        Raises:
            Gone: if the message is deleted.
            SendError: if Discord refuses it.
            StoreError: if its command strings could not be stored.
        """
        rendered = render_message(reply, key=key)
        channel, message = int(posted.place), _message_id(posted)
        await self._save_commands(rendered.kept)

        def edit() -> Awaitable[None]:
            return _edit_message(self._resolver.client(), channel, message, rendered.view)

        try:
            await self._window.run("edit_message", edit)
        except NotAllowed as error:
            if error.code != "50083":
                raise
            await self._edit_in_archived_thread(PostTarget(channel), edit)

    async def thread_of(self, target: PostTarget, root: PostedMessage) -> PostTarget:
        """Return the target of replies to a post: its thread, whether that exists or not.

        Threads and direct messages have no threads in them: there it is the post's own channel.

        Args:
            target: the channel of the post.
            root: the post.

        Raises:
            Gone: if the post is deleted, and with it the way to its thread.
            SendError: if its channel can't be resolved.
        """
        channel = await self._resolver.resolve(target)
        return _thread(target, root) if has_threads(channel) else target

    async def open_thread(
        self, target: PostTarget, root: PostedMessage, name: str, deadline: float | None = None
    ) -> PostTarget:
        """Return the target of replies to a post: as `thread_of`, opened if it doesn't exist.

        Raises:
            SendError: if none can be opened, or the post is deleted.
        """
        channel = await self._resolver.resolve(target)
        if not has_threads(channel):
            return target
        require_permissions(channel, Action.THREAD)
        client, thread = self._resolver.client(), _thread(target, root)
        minutes = getattr(channel, "default_auto_archive_duration", None)

        def create() -> Awaitable[object]:
            return _create_thread(client, target.id, thread.id, thread_name(name), minutes)

        try:
            await self._window.run("create_thread", create, deadline=deadline)
        except OutcomeUnknown as error:
            # A message has one thread at most, so it is safe to try again.
            raise RetryLater(error.sentence, error.remedy, error.code) from error
        except Rejected as error:
            if not is_already_done(error):
                raise
        return thread

    async def publish(self, posted: PostedMessage) -> bool:
        """Publish a post of an announcement channel; return whether it is published now."""
        channel = self._resolver.client().get_partial_messageable(int(posted.place))
        publish = channel.get_partial_message(_message_id(posted)).publish()
        try:
            await self._calls.run("publish", publish, _PUBLISH_SECONDS)
        except SendError as error:
            return is_already_done(error)
        return True

    def _creation(
        self,
        channel: ResolvedChannel,
        view: ui.LayoutView,
        key: str,
        title: str,
        topics: Iterable[str],
    ) -> "tuple[str, Callable[[], Awaitable[int]], Find[int] | None]":
        """Return what creates a post in a channel: its name, a call, and a search for its result.

        A message needs no search, since it has a nonce.
        """
        if not isinstance(channel, discord.ForumChannel):
            return "create_message", partial(_create_message, channel, view, key), None
        forum = channel
        tags = select_tags(
            forum.available_tags,
            tuple(topics),
            required=forum.flags.require_tag,
            moderator=can_manage_threads(forum),
        )

        async def find() -> int | None:
            found = await self._finder.find(forum, key)
            return found.id if found else None

        create = partial(_create_forum_post, forum, view, thread_name(title), tags)
        return "create_post", create, find

    async def _edit_in_archived_thread(
        self, target: PostTarget, edit: Callable[[], Awaitable[object]]
    ) -> None:
        """Edit a message of an archived thread, which has to be unarchived for that."""
        thread = await self._resolver.fetch(target)
        if not isinstance(thread, discord.Thread):
            raise Gone("That thread is no longer there.")
        await self._calls.run("edit_thread", thread.edit(archived=False))
        await self._window.run("edit_message", edit)
        # If that fails Discord archives the thread by itself after some days.
        with suppress(SendError):
            await self._calls.run("edit_thread", thread.edit(archived=True))


def _thread(target: PostTarget, root: PostedMessage) -> PostTarget:
    """Return the thread below a message of a channel, which has the message's id.

    https://docs.discord.com/developers/resources/channel#start-thread-from-message

    Raises:
        Gone: if the message was deleted.
    """
    return PostTarget(_message_id(root), kind=THREAD, server=target.server)


def _message_id(posted: PostedMessage) -> int:
    """Return the id of a message.

    Raises:
        Gone: if it was deleted.
    """
    if posted.message is None:
        raise Gone("That message is no longer there.", code=_UNKNOWN_MESSAGE)
    return int(posted.message)


def _content(view: ui.LayoutView) -> dict[str, Any]:
    """Return a message as arguments of the library's `send` and `create_thread`."""
    mentions = discord.AllowedMentions.none()
    return {"view": view, "suppress_embeds": True, "allowed_mentions": mentions}


async def _create_message(
    channel: MessageableChannel | discord.PartialMessageable, view: ui.LayoutView, key: str
) -> int:
    """Send a message once for its key and return its id.

    Discord recognizes a repeat by the nonce, which the library enforces.
    https://docs.discord.com/developers/resources/message#create-message
    """
    message = await channel.send(**_content(view), nonce=key)
    return int(message.id)


async def _create_forum_post(
    forum: discord.ForumChannel, view: ui.LayoutView, name: str, tags: Sequence[discord.ForumTag]
) -> int:
    """Open a thread in a forum and return its id, which is also its first message's.

    https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel
    """
    with once():
        opened = await forum.create_thread(name=name, applied_tags=tags, **_content(view))
    return opened.thread.id


async def _edit_message(
    client: discord.Client, channel: int, message: int, view: ui.LayoutView
) -> None:
    """Replace the content of a message.

    The library's `edit` sets no flags, and Discord removes those that an edit leaves out. An older
    version may have sent it as embeds: it takes components only without them.
    https://docs.discord.com/developers/resources/message#edit-message
    """
    with handle_message_parameters(
        content=None,
        embeds=[],
        view=view,
        flags=discord.MessageFlags(suppress_embeds=True),
        allowed_mentions=discord.AllowedMentions.none(),
    ) as params:
        await client.http.edit_message(channel, message, params=params)


def _create_thread(
    client: discord.Client, channel: int, message: int, name: str, minutes: int | None
) -> Awaitable[object]:
    """Open a thread below a message, archived after some minutes of inactivity.

    Without `minutes` the channel's own default applies, which the library would replace by a day.
    https://docs.discord.com/developers/resources/channel#start-thread-from-message
    """
    route = Route(
        "POST",
        "/channels/{channel_id}/messages/{message_id}/threads",
        channel_id=channel,
        message_id=message,
    )
    archived = {"auto_archive_duration": minutes} if minutes else {}
    return client.http.request(route, json={"name": name, **archived})
