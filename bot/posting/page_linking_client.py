"""A channel client whose messages link to web pages."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.coordination.rate_limiter import RateLimit
from bot.posting.ports import ChannelClient, Message, PostedMessage
from bot.replies.blocks import Reply
from bot.replies.papers import with_page_links
from store.records import Channel, Workspace


class PageLinkingClient:
    """A platform's client for posts that adds links to web pages as each message is sent.

    What a message shows is stored and compared without them, so that another address of the pages
    edits no post. The errors are those of `ChannelClient`.

    Args:
        client: sends the messages.
        public_url: the URL below which the pages are.
    """

    def __init__(self, client: ChannelClient, public_url: str) -> None:
        self._client = client
        self._public_url = public_url

    def rate_limits(self, channel: Channel) -> Sequence[RateLimit]:
        """Return the limits in which a message to a channel counts."""
        return self._client.rate_limits(channel)

    def now(self) -> datetime:
        """Return the platform's time."""
        return self._client.now()

    def fits(self, reply: Reply) -> bool:
        """Tell whether one message holds a reply with its links."""
        return self._client.fits(with_page_links(reply, self._public_url))

    async def send(self, message: Message) -> PostedMessage:
        """Send a message."""
        return await self._client.send(self._linked(message))

    async def find(self, message: Message, since: datetime) -> PostedMessage | None:
        """Look for a message by its key."""
        return await self._client.find(self._linked(message), since)

    async def edit(self, posted: PostedMessage, message: Message) -> None:
        """Replace a posted message."""
        await self._client.edit(posted, self._linked(message))

    async def notify_user(
        self, workspace: Workspace, user: str, reply: Reply, key: str, since: datetime | None
    ) -> None:
        """Send a user a private message."""
        await self._client.notify_user(workspace, user, reply, key, since)

    def _linked(self, message: Message) -> Message:
        return replace(message, reply=with_page_links(message.reply, self._public_url))
