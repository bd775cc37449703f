"""Posts: sent once, found again, edited, wherever Discord takes them."""

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

import discord

from adapters.discord.api.calls import Calls
from adapters.discord.api.errors import is_done, refuses_components
from adapters.discord.api.watched_requests import once
from adapters.discord.channels.channel_state import (
    has_threads,
    is_news,
    is_partial,
    require,
    standing,
)
from adapters.discord.channels.destinations import Known, Place, Places, Sent
from adapters.discord.channels.forums import chosen_tags, thread_name
from adapters.discord.channels.missing_permissions import Need, is_moderator
from adapters.discord.posts.drafts import Draft, Drafts
from adapters.discord.posts.find import Finder
from adapters.discord.posts.nonce_window import WINDOW, Patience, Seconds, Sleep
from adapters.discord.posts.requests import create_message, create_post, create_thread, edit_message
from adapters.discord.render.buttons import LONGEST_KEY
from bot.errors import Gone, NotAllowed, OutcomeUnknown, Rejected, RetryLater, SendError
from bot.replies.blocks import Reply

Keep = Callable[[tuple[str, ...]], Awaitable[None]]

_KEY = re.compile(rf"[\w-]{{1,{LONGEST_KEY}}}", re.ASCII)
# Publishing has a limit of its own, ten an hour, and nobody waits for it.
_PUBLISHING_SECONDS = 5.0
# What is refused where a channel is not what it was taken for.
_OF_OTHER_KIND = frozenset({"50008", "50024"})
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Post:
    """What a post is beside its contents."""

    key: str
    title: str
    topics: tuple[str, ...]
    ends: float


class Posting:
    """Posts replies to channels.

    Args:
        client: returns the client of the moment; its requests are watched by `once.trace`.
        calls: how Discord is called.
        keep: keeps the lines that are too long for the ids of buttons, before these are sent.
        seconds: a clock that only goes forward.
        sleep: waits.
        window: for how many seconds a post is tried; what comes before and after takes at most
            five each.
    """

    def __init__(  # noqa: PLR0913 - what it calls, and the time that it has
        self,
        client: Callable[[], discord.Client],
        calls: Calls,
        keep: Keep,
        *,
        seconds: Seconds = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        window: float = WINDOW,
    ) -> None:
        self._calls = calls
        self._keep = keep
        self._places = Places(client, calls)
        self._drafts = Drafts()
        self._finder = Finder(client, calls)
        self._patience = Patience(calls, seconds, sleep, window)

    def ends(self) -> float:
        """Return when time is up for a post that begins now, its thread included."""
        return self._patience.ends()

    async def is_out_of(self, server: str) -> bool:
        """Tell whether the bot is certainly no member of a server, by its id.

        https://docs.discord.com/developers/resources/user#get-current-user-guilds
        """
        if not server.isdecimal():
            return False  # a person's direct messages
        before = discord.Object(int(server) - 1)
        guilds = self._places.client().fetch_guilds(limit=1, after=before)

        async def first() -> int | None:
            return next(iter([guild.id async for guild in guilds]), None)

        try:
            return await self._calls.made("fetch_guilds", first()) != int(server)
        except SendError:
            return False

    async def send(  # noqa: PLR0913 - all that a post is made of
        self,
        place: Place,
        reply: Reply,
        key: str,
        *,
        part: int = 1,
        title: str = "",
        topics: Iterable[str] = (),
        ends: float | None = None,
    ) -> Sent:
        """Post one part of a reply, once for its key, and publish it in an announcement channel.

        The same key sent again within a few minutes gives the same message; in a forum it makes
        another post, so look for the first one (`find`) before. A message that somebody removed
        is not sent again: it comes back without its id.

        Args:
            place: where to; in a forum the part opens a thread, which further ones are sent to.
            reply: what it is a part of.
            key: the part's own: at most 25 letters, digits, `-` and `_`.
            part: which part, from 1.
            title: names the thread in a forum.
            topics: give it the tags that the forum has under their names.
            ends: when time is up, where the post began before this part.

        Raises:
            OutcomeUnknown: where it may have arrived, and nobody knows.
            SendError: where it did not.
            StoreError: where its lines could not be kept, and nothing was sent.
        """
        if not _KEY.fullmatch(key):
            raise ValueError(key)
        post = _Post(key, title, tuple(topics), self.ends() if ends is None else ends)
        channel = await self._places.at(place)
        try:
            return await self._posted(channel, reply, part, post)
        except Rejected as error:
            if error.code not in _OF_OTHER_KIND or not is_partial(channel):
                raise
        return await self._posted(await self._places.looked_up(place), reply, part, post)

    async def find(self, place: Place, key: str, since: datetime | None = None) -> Sent | None:
        """Return the post with a key, `None` where it isn't there; as `Finder.find` has it.

        In an announcement channel it is published if it was not yet.

        Raises:
            OutcomeUnknown: where too much was posted since.
            SendError: where the channel can't be read.
        """
        channel = await self._places.at(place)
        require(channel, Need.LOOK)
        found = await self._finder.find(channel, key, since)
        if found is None:
            return None
        sent = standing(channel, found.id)
        if is_news(channel) and not found.flags.crossposted:
            await self.publish(sent)
        return sent

    async def edit(self, sent: Sent, reply: Reply, key: str, part: int = 1) -> None:
        """Put a part of a reply in the place of what was posted; nobody is notified.

        Raises:
            Gone: where the message is no longer there.
            SendError: where Discord does not take it.
            StoreError: where its lines could not be kept.
        """
        try:
            await self._edited(sent, self._drafts.of(reply, key, part), key)
        except Rejected as error:
            if not refuses_components(error):
                raise
            await self._edited(sent, self._drafts.of(reply, key, part, embeds=True), key)

    async def thread_of(self, sent: Sent) -> Place:
        """Return the place for replies to a post, whether its thread was opened or not.

        Where there are no threads, as inside of one and in direct messages, it is the post's own.

        Raises:
            Gone: where the post is gone, and its thread with it as far as anybody can tell.
            SendError: where its channel can't be looked at.
        """
        channel = await self._places.at(sent.place)
        return sent.thread if has_threads(channel) else sent.place

    async def open_thread(self, sent: Sent, name: str, ends: float | None = None) -> Place:
        """Return the place for replies to a post: its thread, opened where there is none yet.

        Where there are no threads, as inside of one and in direct messages, it is the post's own.

        Raises:
            SendError: where none can be opened, or the post is gone.
        """
        channel = await self._places.at(sent.place)
        if not has_threads(channel):
            return sent.place
        require(channel, Need.THREAD)
        client, message = self._places.client(), sent.standing
        minutes = getattr(channel, "default_auto_archive_duration", None)

        def create() -> Awaitable[int]:
            return create_thread(client, sent.channel, message, thread_name(name), minutes)

        try:
            await self._patience.made("create_thread", create, ends=ends)
        except OutcomeUnknown as error:
            # Another attempt makes no second one.
            raise RetryLater(error.sentence, error.remedy, error.code) from error
        except Rejected as error:
            if not is_done(error):
                raise
        return sent.thread

    async def publish(self, sent: Sent) -> bool:
        """Publish a post of an announcement channel; whether it is published then."""

        async def publish() -> None:
            async with asyncio.timeout(_PUBLISHING_SECONDS):
                await self._message(sent).publish()

        try:
            await self._calls.made("publish", publish())
        except SendError as error:
            return is_done(error)
        return True

    async def _posted(self, channel: Known, reply: Reply, part: int, post: _Post) -> Sent:
        draft = self._drafts.of(reply, post.key, part)
        try:
            return await self._sent(channel, draft, post, Need.POST)
        except Rejected as error:
            if not refuses_components(error):
                raise
        _log.warning("discord_components_refused", extra={"channel": channel.id})
        draft = self._drafts.of(reply, post.key, part, embeds=True)
        return await self._sent(channel, draft, post, Need.POST, Need.EMBED)

    async def _sent(self, channel: Known, draft: Draft, post: _Post, *needs: Need) -> Sent:
        require(channel, *needs)
        await self._keep(draft.kept)
        if isinstance(channel, discord.ForumChannel):
            return await self._create_post(channel, draft, post)
        sent = await self._send_message(channel, draft, post)
        if sent.message and is_news(channel):
            await self.publish(sent)
        return sent

    async def _send_message(self, channel: Known, draft: Draft, post: _Post) -> Sent:
        client = self._places.client()

        def send() -> Awaitable[int]:
            return create_message(client, channel.id, draft, post.key)

        try:
            made = await self._patience.made("create_message", send, ends=post.ends)
            return standing(channel, made, draft.parts)
        except Gone as error:
            # So Discord answers a nonce whose message was removed.
            if error.code != "10008":
                raise
            return Sent(channel.id, None, parts=draft.parts)

    async def _create_post(self, forum: discord.ForumChannel, draft: Draft, post: _Post) -> Sent:
        tags = chosen_tags(
            forum.available_tags,
            post.topics,
            demanded=forum.flags.require_tag,
            moderator=is_moderator(forum),
        )
        client, ids = self._places.client(), [str(tag.id) for tag in tags]
        thread: dict[str, object] = {"name": thread_name(post.title), "applied_tags": ids}

        async def create() -> int:
            with once():
                return await create_post(client, forum, draft, post.key, thread)

        async def look() -> int | None:
            found = await self._finder.find(forum, post.key)
            return found.id if found else None

        made = await self._patience.made("create_post", create, look, ends=post.ends)
        return standing(forum, made, draft.parts)

    async def _edited(self, sent: Sent, draft: Draft, key: str) -> None:
        await self._keep(draft.kept)
        message = sent.standing

        def edit() -> Awaitable[None]:
            return edit_message(self._places.client(), sent.channel, message, draft, key)

        try:
            await self._patience.made("edit_message", edit)
        except NotAllowed as error:
            if error.code != "50083":
                raise
            await self._in_open_thread(sent, edit)

    async def _in_open_thread(self, sent: Sent, edit: Callable[[], Awaitable[object]]) -> None:
        """Edit what stands in a closed thread: nothing changes there before it is open."""
        thread = await self._places.looked_up(sent.place)
        if not isinstance(thread, discord.Thread):
            raise Gone("That thread is no longer there.")
        await self._calls.made("edit_thread", thread.edit(archived=False))
        await self._patience.made("edit_message", edit)
        # A thread that nobody closes again Discord closes by itself after some days.
        with suppress(SendError):
            await self._calls.made("edit_thread", thread.edit(archived=True))

    def _message(self, sent: Sent) -> discord.PartialMessage:
        where = self._places.client().get_partial_messageable(sent.channel)
        return where.get_partial_message(sent.standing)
