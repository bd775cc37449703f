"""The port of a platform for posts and channels."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from bot.coordination.rate_limiter import RateLimit
from store.records import Channel, Workspace

if TYPE_CHECKING:
    from bot.replies.blocks import Reply

# What direct messages are called, which have no name of their own. Nothing goes by it: a thread may
# have any name.
DIRECT = "the chat with Broadsheet"


@dataclass(frozen=True, slots=True)
class PostedMessage:
    """A message that is posted, by the platform's ids.

    `place` is the channel, thread or conversation; `message` the message's id, `None` if it was
    removed; `url` where it opens, empty if unknown.
    """

    place: str
    message: str | None
    url: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a post.

    `key` identifies it: at most 25 letters, digits, `-` and `_`. `title` and `topics` (slugs, the
    most frequent first) are the whole post's: they name and tag a forum's thread, and the title
    the thread that a message to a person begins in Slack's agent pane. `root` is the post's first
    message, `None` for that itself; a `threaded` message replies to it, in `thread` if an earlier
    reply opened one. `kind` is the platform's word for the kind of channel at the time of the
    subscription, if known.
    """

    channel: Channel
    key: str
    reply: "Reply"
    title: str = ""
    topics: tuple[str, ...] = ()
    root: PostedMessage | None = None
    threaded: bool = False
    thread: str | None = None
    kind: str | None = None


class ChannelClient(Protocol):
    """A platform's client for messages that the bot sends by itself."""

    def rate_limits(self, channel: Channel) -> Sequence[RateLimit]:
        """Return the limits in which a message to a channel counts, to be kept before `send`.

        The client keeps the platform's other limits by itself.
        """

    def now(self) -> datetime:
        """Return the platform's time, by which `find` looks."""

    def fits(self, reply: "Reply") -> bool:
        """Tell whether one message holds a reply. Pure."""

    async def send(self, message: Message) -> PostedMessage:
        """Send a message, once for its key as far as the platform allows.

        In a forum the first message of a post opens a thread, which gets the others.

        Raises:
            OutcomeUnknown: if it may have arrived.
            SendError: if it certainly did not arrive.
            StoreError: if something can't be stored, and nothing was sent.
        """

    async def find(self, message: Message, since: datetime) -> PostedMessage | None:
        """Look for a message by its key; `None` means that it is certainly not there.

        `since` is when it was first sent, by `now`.

        Raises:
            RetryLater: if that can be told later.
            SendError: if that can never be told.
        """

    async def edit(self, posted: PostedMessage, message: Message) -> None:
        """Replace a posted message; nobody is notified.

        Raises:
            Gone: if it is no longer there.
            SendError: if the platform refuses.
            StoreError: if something can't be stored.
        """

    async def notify_user(
        self, workspace: Workspace, user: str, reply: "Reply", key: str, since: datetime | None
    ) -> None:
        """Send a user a private message.

        `since` is when that was tried before, by `now`, `None` the first time: a message that is
        there already is not sent again.

        Raises:
            SendError: if it did not arrive, or not surely.
        """
