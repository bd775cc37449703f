"""The client that posts to channels: it sends, finds and edits messages, and notifies users."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

from adapters.common.response_headers import ServerTime
from adapters.discord.api.rate_limits import channel_limit
from adapters.discord.channels.resolver import THREAD, PostTarget
from adapters.discord.posts.post_sender import PostSender
from adapters.discord.render import render_message
from adapters.discord.render.buttons import LONGEST_KEY
from bot.coordination.rate_limiter import RateLimit
from bot.errors import Gone, NotAllowed, RetryLater, SendError, TokenRevoked
from bot.posting.ports import Message, PostedMessage
from bot.replies.blocks import Reply
from store.posting import change_subscription
from store.records import Channel, Refusal, Workspace

# How long a server's data is kept after the bot left it.
RETENTION = timedelta(days=30)
BOT_REMOVED = Refusal(
    "Broadsheet was removed from the server.",
    f"Once somebody adds it again, within {RETENTION.days} days, its posts go on by themselves.",
    change_subscription.REMOVED,
)
# The delivery worker waits for 40 seconds: resolving and publishing take up to five each.
SEND_SECONDS = 30.0
_FIND_SECONDS = 30.0
# A locked thread, and one that is archived for good.
_THREAD_CLOSED = frozenset({"160005", "50083"})
_LONG_KEY = "k" * LONGEST_KEY


class DiscordChannelClient:
    """Posts to channels, as `bot.posting.ports.ChannelClient`.

    Args:
        sender: sends, finds and edits posts; its window is `SEND_SECONDS`.
        time: the time of Discord's servers, from the Date headers of responses.
        speed: a factor on Discord's published limits, for trials.
    """

    def __init__(
        self, sender: PostSender, time: ServerTime | None = None, speed: float = 1.0
    ) -> None:
        self._sender = sender
        self._time = time or ServerTime()
        self._speed = speed

    def rate_limits(self, channel: Channel) -> Sequence[RateLimit]:
        """Return the rate limit of a channel; the bot's is acquired by each request."""
        return (channel_limit(channel.external_id, self._speed),)

    def now(self) -> datetime:
        """Return the time of Discord's servers."""
        return self._time.now()

    def fits(self, reply: Reply) -> bool:
        """Tell whether a reply fits into one message. Pure."""
        return render_message(reply, key=_LONG_KEY).parts == 1

    async def send(self, message: Message) -> PostedMessage:
        """Send a message once: as a thread in a forum, as a reply in its root's thread.

        Raises:
            OutcomeUnknown: if it may have arrived.
            SendError: if it did not.
            StoreError: if its command strings could not be stored; nothing was sent.
        """
        (target, root), deadline = _target(message), self._sender.deadline()
        title, topics = message.title, message.topics
        try:
            if root:
                target = await self._sender.open_thread(target, root, title, deadline)
            return await self._sender.send(
                target, message.reply, message.key, title=title, topics=topics, deadline=deadline
            )
        except (NotAllowed, Gone) as error:
            if message.threaded and error.code in _THREAD_CLOSED:
                # Moderators closed that thread only, not the channel.
                raise Gone(error.sentence, error.remedy, error.code) from error
            server = message.channel.workspace.external_id
            if isinstance(error, TokenRevoked) or not await self._sender.is_out_of(server):
                raise
            removed = BOT_REMOVED
            raise NotAllowed(removed.sentence, removed.remedy, removed.code) from error

    async def find(self, message: Message, since: datetime) -> PostedMessage | None:
        """Look for a sent message, back to `since`; `None` means that it is certainly not there.

        A message of a deleted channel or thread is not there.

        Raises:
            RetryLater: if that can't be told now.
            SendError: if that can't be told.
        """
        try:
            async with asyncio.timeout(_FIND_SECONDS):
                target, root = _target(message)
                if root:
                    target = await self._sender.thread_of(target, root)
                return await self._sender.find(target, message.key, since)
        except TimeoutError as error:
            raise RetryLater("Looking for it in Discord takes too long.") from error
        except Gone as error:
            if error.code != "10003":
                raise
            return None

    async def edit(self, posted: PostedMessage, message: Message) -> None:
        """Replace a posted message; nobody is notified.

        Raises:
            Gone: if it was deleted.
            SendError: if Discord refuses it.
            StoreError: if its command strings could not be stored.
        """
        await self._sender.edit(posted, message.reply, message.key)

    async def notify_user(
        self, workspace: Workspace, user: str, reply: Reply, key: str, since: datetime | None
    ) -> None:
        """Send a user a direct message; those do not depend on the server.

        Raises:
            SendError: if it did not arrive, or the outcome is unknown.
            StoreError: if its command strings could not be stored.
        """
        del workspace
        target = PostTarget(int(user), direct=True)
        if since is None or not await self._is_sent(target, key, since):
            await self._sender.send(target, reply, key)

    async def _is_sent(self, target: PostTarget, key: str, since: datetime) -> bool:
        """Tell whether a message is known to be sent; to notify twice is better than never.

        Raises:
            RetryLater: if that can be told later.
        """
        try:
            async with asyncio.timeout(_FIND_SECONDS):
                return await self._sender.find(target, key, since) is not None
        except RetryLater:
            raise
        except (SendError, TimeoutError):
            return False


def _target(message: Message) -> tuple[PostTarget, PostedMessage | None]:
    """Return the target of a message, and the post there in whose thread it has to be, if any."""
    if message.root is None:
        return _channel_target(message, message.channel.external_id), None
    if message.threaded and message.thread is not None:
        return _channel_target(message, message.thread), None
    # The root of a forum post is in a thread, which is the post.
    target = _channel_target(message, message.root.place)
    return target, message.root if message.threaded else None


def _channel_target(message: Message, channel_id: str) -> PostTarget:
    """Return the channel of a post, or a thread in it, as a target."""
    server = message.channel.workspace.external_id
    return PostTarget(
        int(channel_id),
        kind=message.kind if channel_id == message.channel.external_id else THREAD,
        server=int(server) if server.isdecimal() else None,
    )
