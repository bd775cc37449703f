"""Sending, finding and editing posts in channels of every type."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

import discord

from adapters.discord.api.calls import Calls
from adapters.discord.api.errors import is_already_done
from adapters.discord.api.watched_requests import once
from adapters.discord.channels.channel_state import (
    has_threads,
    is_announcement,
    is_partial,
    require_permissions,
    sent_message,
)
from adapters.discord.channels.forums import select_tags, thread_name
from adapters.discord.channels.missing_permissions import Action, can_manage_threads
from adapters.discord.channels.resolver import (
    ChannelResolver,
    MessageableChannel,
    PostTarget,
    ResolvedChannel,
    SentMessage,
)
from adapters.discord.posts.find import MessageFinder
from adapters.discord.posts.nonce_window import WINDOW, NonceWindow, Seconds, Sleep
from adapters.discord.posts.requests import (
    Draft,
    create_forum_post,
    create_message,
    create_thread,
    draft_of,
    edit_message,
)
from adapters.discord.render.buttons import LONGEST_KEY
from bot.errors import Gone, NotAllowed, OutcomeUnknown, Rejected, RetryLater, SendError
from bot.replies.blocks import Reply

SaveCommands = Callable[[tuple[str, ...]], Awaitable[None]]

_KEY = re.compile(rf"[\w-]{{1,{LONGEST_KEY}}}", re.ASCII)
# Publishing has a limit of its own, ten an hour, which is not waited for.
_PUBLISH_SECONDS = 5.0
# The codes that a channel of another type than expected refuses with.
_WRONG_TYPE = frozenset({"50008", "50024"})


@dataclass(frozen=True, slots=True)
class _Post:
    """The properties of a post beside its content."""

    title: str
    topics: tuple[str, ...]
    deadline: float


class PostSender:
    """Posts replies to channels.

    Args:
        client: returns the current client; it has `watched_requests.request_trace`.
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
        self._finder = MessageFinder(client, calls)
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
    ) -> SentMessage:
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
            deadline: when to give up, if the post started before.

        Raises:
            OutcomeUnknown: if it may have arrived.
            SendError: if it did not.
            StoreError: if its command strings could not be stored; nothing was sent.
        """
        if not _KEY.fullmatch(key):
            raise ValueError(key)
        post = _Post(title, tuple(topics), self.deadline() if deadline is None else deadline)
        channel = await self._resolver.resolve(target)
        try:
            return await self._send(channel, reply, key, post)
        except Rejected as error:
            if error.code not in _WRONG_TYPE or not is_partial(channel):
                raise
        return await self._send(await self._resolver.fetch(target), reply, key, post)

    async def find(
        self, target: PostTarget, key: str, since: datetime | None = None
    ) -> SentMessage | None:
        """Return the post with a key, `None` if it isn't there, as `MessageFinder.find`.

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
        sent = sent_message(channel, found.id)
        if is_announcement(channel) and not found.flags.crossposted:
            await self.publish(sent)
        return sent

    async def edit(self, sent: SentMessage, reply: Reply, key: str) -> None:
        """Replace the content of a post by a reply; nobody is notified.

        Raises:
            Gone: if the message is deleted.
            SendError: if Discord refuses it.
            StoreError: if its command strings could not be stored.
        """
        draft, message = draft_of(reply, key), sent.message_id
        await self._save_commands(draft.kept)

        def edit() -> Awaitable[None]:
            return edit_message(self._resolver.client(), sent.channel, message, draft)

        try:
            await self._window.run("edit_message", edit)
        except NotAllowed as error:
            if error.code != "50083":
                raise
            await self._edit_in_archived_thread(sent, edit)

    async def thread_of(self, sent: SentMessage) -> PostTarget:
        """Return the target of replies to a post: its thread, whether that exists or not.

        Threads and direct messages have no threads in them: there it is the post's own channel.

        Raises:
            Gone: if the post is deleted, and with it the way to its thread.
            SendError: if its channel can't be resolved.
        """
        channel = await self._resolver.resolve(sent.target)
        return sent.thread if has_threads(channel) else sent.target

    async def open_thread(
        self, sent: SentMessage, name: str, deadline: float | None = None
    ) -> PostTarget:
        """Return the target of replies to a post: its thread, opened if it doesn't exist.

        Threads and direct messages have no threads in them: there it is the post's own channel.

        Raises:
            SendError: if none can be opened, or the post is deleted.
        """
        channel = await self._resolver.resolve(sent.target)
        if not has_threads(channel):
            return sent.target
        require_permissions(channel, Action.THREAD)
        client, message = self._resolver.client(), sent.message_id
        minutes = getattr(channel, "default_auto_archive_duration", None)

        def create() -> Awaitable[object]:
            return create_thread(client, sent.channel, message, thread_name(name), minutes)

        try:
            await self._window.run("create_thread", create, deadline=deadline)
        except OutcomeUnknown as error:
            # A message has one thread at most, so it is safe to try again.
            raise RetryLater(error.sentence, error.remedy, error.code) from error
        except Rejected as error:
            if not is_already_done(error):
                raise
        return sent.thread

    async def publish(self, sent: SentMessage) -> bool:
        """Publish a post of an announcement channel; return whether it is published now."""

        async def publish() -> None:
            channel = self._resolver.client().get_partial_messageable(sent.channel)
            async with asyncio.timeout(_PUBLISH_SECONDS):
                await channel.get_partial_message(sent.message_id).publish()

        try:
            await self._calls.run("publish", publish())
        except SendError as error:
            return is_already_done(error)
        return True

    async def _send(
        self, channel: ResolvedChannel, reply: Reply, key: str, post: _Post
    ) -> SentMessage:
        draft = draft_of(reply, key)
        require_permissions(channel, Action.POST)
        await self._save_commands(draft.kept)
        if isinstance(channel, discord.ForumChannel):
            return await self._create_forum_post(channel, draft, post)
        sent = await self._create_message(channel, draft, post)
        if sent.message and is_announcement(channel):
            await self.publish(sent)
        return sent

    async def _create_message(
        self,
        channel: MessageableChannel | discord.PartialMessageable,
        draft: Draft,
        post: _Post,
    ) -> SentMessage:
        def create() -> Awaitable[int]:
            return create_message(channel, draft)

        try:
            message = await self._window.run("create_message", create, deadline=post.deadline)
            return sent_message(channel, message)
        except Gone as error:
            # Discord answers so to the nonce of a deleted message.
            if error.code != "10008":
                raise
            return SentMessage(channel.id, None)

    async def _create_forum_post(
        self, forum: discord.ForumChannel, draft: Draft, post: _Post
    ) -> SentMessage:
        tags = select_tags(
            forum.available_tags,
            post.topics,
            required=forum.flags.require_tag,
            moderator=can_manage_threads(forum),
        )

        async def create() -> int:
            with once():
                return await create_forum_post(forum, draft, thread_name(post.title), tags)

        async def find() -> int | None:
            found = await self._finder.find(forum, draft.key)
            return found.id if found else None

        thread = await self._window.run("create_post", create, find, deadline=post.deadline)
        return sent_message(forum, thread)

    async def _edit_in_archived_thread(
        self, sent: SentMessage, edit: Callable[[], Awaitable[object]]
    ) -> None:
        """Edit a message of an archived thread, which has to be unarchived for that."""
        thread = await self._resolver.fetch(sent.target)
        if not isinstance(thread, discord.Thread):
            raise Gone("That thread is no longer there.")
        await self._calls.run("edit_thread", thread.edit(archived=False))
        await self._window.run("edit_message", edit)
        # If that fails Discord archives the thread by itself after some days.
        with suppress(SendError):
            await self._calls.run("edit_thread", thread.edit(archived=True))
