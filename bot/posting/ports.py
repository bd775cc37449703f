"""What differs from platform to platform where posts and channels are concerned."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from bot.coordination.rate_limiter import Lane
from store.records import Channel, Workspace

if TYPE_CHECKING:
    from bot.replies.blocks import Reply

# The name of direct messages, which have none of their own.
DIRECT = "the chat with Broadsheet"


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a message stands, under the platform's ids.

    `place` is the channel, the thread or the conversation that it is in; `message` its id, `None`
    where somebody removed it since; `url` where it opens, `` where the platform told none.
    """

    place: str
    message: str | None
    url: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a post, which the platform takes as a whole.

    `key` is its own: at most 25 letters, digits, `-` and `_`. `title` and `topics` (slugs, the most
    frequent first) are the whole post's: they name and tag a forum's thread.
    `root` is the first message of the post, `None` for that itself; `threaded` whether this one
    replies to it, in `thread` where an earlier reply made one. `kind` is the platform's word for
    what the channel was when posts were ordered, `None` where nobody told.
    """

    channel: Channel
    key: str
    reply: "Reply"
    title: str = ""
    topics: tuple[str, ...] = ()
    root: Posted | None = None
    threaded: bool = False
    thread: str | None = None
    kind: str | None = None


class Poster(Protocol):
    """A platform's door for what the bot says by itself."""

    def lanes(self, channel: Channel) -> Sequence[Lane]:
        """Return the limits in which a message to a channel counts, to be kept before `send`.

        What else the platform limits it keeps by itself.
        """

    def now(self) -> datetime:
        """Return the time as the platform tells it, by which `find` looks."""

    def fits(self, reply: "Reply") -> bool:
        """Tell whether one message holds a reply. Pure."""

    async def send(self, message: Message) -> Posted:
        """Send a message, once for its key as far as the platform allows.

        In a forum the first message of a post opens a thread, where the others are sent to.

        Raises:
            OutcomeUnknown: where it may have arrived, and nobody knows.
            SendError: where it is certain that it did not.
            StoreError: where something could not be kept, and nothing was sent.
        """

    async def find(self, message: Message, since: datetime) -> Posted | None:
        """Look whether a message is there by its key; `None` where it is certain that it is not.

        `since` is when it was first sent, as `now` told.

        Raises:
            SendError: where that can't be told: `RetryLater` where it can later, any other where
                it never can.
        """

    async def edit(self, posted: Posted, message: Message) -> None:
        """Put a message in the place of what was posted; nobody is notified.

        Raises:
            Gone: where it is no longer there.
            SendError: where the platform does not take it.
            StoreError: where something could not be kept.
        """

    async def tell(
        self, workspace: Workspace, user: str, reply: "Reply", key: str, since: datetime | None
    ) -> None:
        """Tell a person something in private.

        `since` is when that was tried before, as `now` told, `None` the first time: where it is
        there already it is not sent again.

        Raises:
            SendError: where it did not arrive, or nobody knows.
        """
