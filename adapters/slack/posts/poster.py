"""Posts: sent once, found again, edited; and what a person is told in private."""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

from adapters.slack.api.client import Api
from adapters.slack.api.paced_calls import Traffic
from adapters.slack.api.permalinks import Links, permalink
from adapters.slack.api.tokens import Authorized
from adapters.slack.posts.find import Finder
from adapters.slack.posts.payloads import Bodies
from bot.coordination.rate_limiter import RateLimit, RateLimiter
from bot.errors import Gone, RetryLater, SendError, TokenRevoked
from bot.posting.ports import Message, PostedMessage
from bot.replies.blocks import Reply
from store.records import Channel, Workspace

Spoken = Callable[[str], Awaitable[Authorized | None]]
_log = logging.getLogger(__name__)


class SlackPoster:
    """Posts to channels.

    Args:
        api: Slack.
        spoken: returns how a workspace is spoken to, by its id.
        lanes: hands out turns to all processes.
        speed: how many times as fast as its published limits Slack is taken to be, for trials.
    """

    def __init__(self, api: Api, spoken: Spoken, lanes: RateLimiter, speed: float = 1.0) -> None:
        self._api = api
        self._speaking = spoken
        self._traffic = Traffic(api, lanes, speed)
        self._finder = Finder(self._traffic)
        self._links = Links(api)
        self._bodies = Bodies()

    def rate_limits(self, channel: Channel) -> tuple[RateLimit, ...]:
        """Return the limits in which a message to a channel counts."""
        return self._traffic.of_post(channel.workspace.external_id, channel.external_id)

    def now(self) -> datetime:
        """Return the time as Slack's servers tell it."""
        return self._api.time.now()

    def fits(self, reply: Reply) -> bool:
        """Tell whether one message holds a reply."""
        return self._bodies.shape(reply).parts == 1

    async def send(self, message: Message) -> PostedMessage:
        """Send a message whose turn was waited for, once.

        Whether it arrived is not known where the answer is lost.

        Raises:
            OutcomeUnknown: where it may have arrived.
            SendError: where it did not.
            StoreError: where the store can't say how to speak to the workspace.
        """
        spoken = await self._spoken(message.channel.workspace)
        channel = message.channel.external_id
        thread = _root(message) if message.threaded else None
        body = self._bodies.post(channel, message.key, message.reply, thread)
        answer = await self._traffic.post(spoken, channel, body)
        return await self._posted(spoken, message, str(answer["channel"]), str(answer["ts"]))

    async def find(self, message: Message, since: datetime) -> PostedMessage | None:
        """Look whether a message is there by its key, from some minutes before `since` on.

        Raises:
            OutcomeUnknown: where too much was said since.
            SendError: where that can't be told, now or at all.
            StoreError: as `send`.
        """
        spoken = await self._spoken(message.channel.workspace)
        channel = message.channel.external_id
        if message.threaded:
            root = _root(message)
            found = await self._finder.in_thread(spoken, channel, root, message.key, since)
        else:
            found = await self._finder.in_channel(spoken, channel, message.key, since)
        return await self._posted(spoken, message, channel, str(found["ts"])) if found else None

    async def edit(self, posted: PostedMessage, message: Message) -> None:
        """Put a message in the place of what was posted; Slack notifies nobody of that.

        Raises:
            Gone: where it is no longer there.
            SendError: where Slack does not take it.
            StoreError: as `send`.
        """
        if posted.message is None:
            raise Gone("That message is no longer there.", code="message_not_found")
        spoken = await self._spoken(message.channel.workspace)
        body = self._bodies.edit(posted.place, posted.message, message.key, message.reply)
        await self._traffic.update(spoken, body)

    async def notify_user(
        self, workspace: Workspace, user: str, reply: Reply, key: str, since: datetime | None
    ) -> None:
        """Tell a person something in a direct message.

        With `since` it is looked for first. Where that can never be told, it is sent once more
        rather than not at all.

        Raises:
            SendError: where it did not arrive, or nobody knows.
            StoreError: as `send`.
        """
        spoken = await self._spoken(workspace)
        if since is not None and await self._was_told(spoken, user, key, since):
            return
        await self._traffic.post_in_turn(spoken, user, self._bodies.post(user, key, reply))

    async def _was_told(self, spoken: Authorized, user: str, key: str, since: datetime) -> bool:
        try:
            opened = await self._traffic.ask(spoken, "conversations.open", users=user)
            direct = str(opened["channel"]["id"])
            return await self._finder.in_channel(spoken, direct, key, since) is not None
        except (RetryLater, TokenRevoked):
            raise
        except SendError as error:
            _log.warning("notice_not_looked_for", extra={"reason": error.sentence})
            return False

    async def _posted(
        self, spoken: Authorized, message: Message, channel: str, ts: str
    ) -> PostedMessage:
        root = message.root
        if root and not spoken.url:
            base = root.url.partition("archives/")[0]
        else:
            base = await self._links.base(spoken, channel, ts)
        thread = _root(message) if message.threaded else None
        return PostedMessage(channel, ts, permalink(base, channel, ts, thread) if base else "")

    async def _spoken(self, workspace: Workspace) -> Authorized:
        """Return how a workspace is spoken to.

        Raises:
            TokenRevoked: where the bot is not installed there.
            RetryLater: where Slack has to be asked for that, and can't be.
            StoreError: where the store can't say.
        """
        found = await self._speaking(workspace.external_id)
        if found is None:
            raise TokenRevoked(
                "Broadsheet is not installed in that workspace.",
                "An owner of the workspace installs it again.",
            )
        return found


def _root(message: Message) -> str:
    """Return the message that a reply belongs to.

    Raises:
        Gone: where it is no longer there.
    """
    if message.root is None or message.root.message is None:
        raise Gone("The message that begins the thread is no longer there.")
    return message.root.message
