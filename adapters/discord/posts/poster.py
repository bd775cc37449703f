"""What posts to Discord for the outbox: each message once for its key, within a time."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from adapters.common.server_time import ServerTime
from adapters.discord.api.rate_limits import channel_lane
from adapters.discord.channels.destinations import THREAD, Place, Sent
from adapters.discord.posts.posting import Posting
from adapters.discord.posts.removal import REMOVED
from adapters.discord.render import render_embeds, render_message
from adapters.discord.render.buttons import LONGEST_KEY
from bot.coordination.rate_limiter import RateLimit
from bot.errors import Gone, NotAllowed, RetryLater, SendError, TokenRevoked
from bot.posting.ports import Message, PostedMessage
from bot.replies.blocks import Reply
from store.records import Channel, Workspace

# Whoever sends waits for 40 seconds in all: five may go before this, and five after it.
SEND_SECONDS = 30.0
_FIND_SECONDS = 30.0
# A locked thread, and one that is closed for good.
_THREAD_SHUT = frozenset({"160005", "50083"})
_ANY_KEY = "k" * LONGEST_KEY


class DiscordPoster:
    """Posts messages to channels, forums, threads and direct messages.

    Args:
        posting: sends, finds and edits them; its window is `SEND_SECONDS`.
        time: goes by what Discord's answers tell.
        speed: as of `Turns`.
    """

    def __init__(
        self, posting: Posting, time: ServerTime | None = None, speed: float = 1.0
    ) -> None:
        self._posting = posting
        self._time = time or ServerTime()
        self._speed = speed

    def rate_limits(self, channel: Channel) -> Sequence[RateLimit]:
        """Return the limit of a channel; that of the bot is kept for each request by itself."""
        return (channel_lane(channel.external_id, self._speed),)

    def now(self) -> datetime:
        """Return the time as Discord's servers tell it."""
        return self._time.now()

    def fits(self, reply: Reply) -> bool:
        """Tell whether one message holds a reply, as components and as embeds. Pure."""
        rendered = render_message(reply, key=_ANY_KEY), render_embeds(reply, key=_ANY_KEY)
        return all(each.parts == 1 for each in rendered)

    async def send(self, message: Message) -> PostedMessage:
        """Send a message, in a forum as a thread, and in a thread of its root where it replies.

        Raises:
            OutcomeUnknown: where it may have arrived, and nobody knows.
            SendError: where it did not.
            StoreError: where its lines could not be kept, and nothing was sent.
        """
        try:
            return await self._sent(message)
        except (NotAllowed, Gone) as error:
            if message.threaded and error.code in _THREAD_SHUT:
                # Moderators shut that thread, and nothing else.
                raise Gone(error.sentence, error.remedy, error.code) from error
            server = message.channel.workspace.external_id
            if isinstance(error, TokenRevoked) or not await self._posting.is_out_of(server):
                raise
            raise NotAllowed(REMOVED.sentence, REMOVED.remedy, REMOVED.code) from error

    async def _sent(self, message: Message) -> PostedMessage:
        ends, place = self._posting.ends(), _place(message)
        if isinstance(place, Sent):
            place = await self._posting.open_thread(place, message.title, ends)
        sent = await self._posting.send(
            place,
            message.reply,
            message.key,
            title=message.title,
            topics=message.topics,
            ends=ends,
        )
        return _posted(sent)

    async def find(self, message: Message, since: datetime) -> PostedMessage | None:
        """Look where a message would be, back to `since`; `None` where it is certainly not there.

        Where its channel or thread is gone, so is what was posted there.

        Raises:
            SendError: where that can't be told: `RetryLater` where it can later.
        """
        try:
            async with asyncio.timeout(_FIND_SECONDS):
                place = _place(message)
                if isinstance(place, Sent):
                    place = await self._posting.thread_of(place)
                found = await self._posting.find(place, message.key, since)
        except TimeoutError as error:
            raise RetryLater("Looking for it in Discord takes too long.") from error
        except Gone as error:
            if error.code != "10003":
                raise
            return None
        return _posted(found) if found else None

    async def edit(self, posted: PostedMessage, message: Message) -> None:
        """Put a message in the place of what was posted; nobody is notified.

        Raises:
            Gone: where it is no longer there.
            SendError: where Discord does not take it.
            StoreError: where its lines could not be kept.
        """
        await self._posting.edit(_sent(posted), message.reply, message.key)

    async def notify_user(
        self, workspace: Workspace, user: str, reply: Reply, key: str, since: datetime | None
    ) -> None:
        """Tell a person something in direct messages, which are the same from every server.

        Raises:
            SendError: where it did not arrive, or nobody knows.
            StoreError: where its lines could not be kept.
        """
        del workspace
        person = Place(int(user), direct=True)
        if since is None or not await self._is_there(person, key, since):
            await self._posting.send(person, reply, key)

    async def _is_there(self, place: Place, key: str, since: datetime) -> bool:
        """Tell whether a message is known to be there; twice told is better than never.

        Raises:
            RetryLater: where that can be told later.
        """
        try:
            async with asyncio.timeout(_FIND_SECONDS):
                return await self._posting.find(place, key, since) is not None
        except RetryLater:
            raise
        except (SendError, TimeoutError):
            return False


def _place(message: Message) -> Place | Sent:
    """Return where a message goes, or the root in whose thread, where nobody told which that is."""
    if message.root is None:
        return _within(message, message.channel.external_id)
    if message.threaded and message.thread is not None:
        return _within(message, message.thread)
    home = _within(message, message.root.place)
    # In a forum the first message stands in a thread, which is the post.
    return _sent(message.root, home) if message.threaded else home


def _within(message: Message, place: str) -> Place:
    """Return the channel of a post, or what else it stands in: a thread of that."""
    server = message.channel.workspace.external_id
    return Place(
        int(place),
        kind=message.kind if place == message.channel.external_id else THREAD,
        server=int(server) if server.isdecimal() else None,
    )


def _posted(sent: Sent) -> PostedMessage:
    message = None if sent.message is None else str(sent.message)
    return PostedMessage(str(sent.channel), message, sent.url)


def _sent(posted: PostedMessage, home: Place | None = None) -> Sent:
    message = None if posted.message is None else int(posted.message)
    kind, server = (home.kind, home.server) if home else (None, None)
    return Sent(int(posted.place), message, posted.url, kind=kind, server=server)
