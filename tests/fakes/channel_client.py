"""A channel client in memory, with faults that a test sets."""

import asyncio
from collections import deque
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import Enum, auto

from bot.coordination.rate_limiter import RateLimit
from bot.errors import Gone, NotAllowed, OutcomeUnknown, Rejected, RetryLater, TokenRevoked
from bot.posting.ports import Message, PostedMessage
from bot.replies.blocks import Reply
from bot.replies.plain_text import plain_text
from store.records import Channel, Workspace

# The platforms search from this long before the given time.
_MARGIN = timedelta(minutes=5)


class Fault(Enum):
    """A fault of one call."""

    LOST_BEFORE = auto()  # the connection breaks, and nothing is stored
    LOST_AFTER = auto()  # the connection breaks, and the message is stored
    STUCK_BEFORE = auto()  # no response ever, and nothing is stored
    STUCK_AFTER = auto()  # no response ever, and the message is stored
    RATE_LIMITED = auto()
    UNAVAILABLE = auto()
    FORBIDDEN = auto()
    GONE = auto()
    REJECTED = auto()
    TOKEN_REVOKED = auto()
    BUG_BEFORE = auto()  # an unforeseen exception, and nothing is stored
    BUG_AFTER = auto()  # an unforeseen exception, and the message is stored


@dataclass(frozen=True)
class ChannelMessage:
    """A message in a channel, with its id and the number of its edits."""

    message: Message
    id: str
    at: datetime
    edits: int = 0

    @property
    def text(self) -> str:
        """Return the plain text of the message."""
        return plain_text(self.message.reply)


@dataclass
class MemoryChannelClient:
    """A channel client that stores the messages it sends.

    `faults` are for the next calls of `send`, `edit_faults` of `edit` and `notify_faults` of
    `notify_user`, one each; `find_fault` is for every call of `find`. `gap` is the rate limit of
    a channel, in seconds between two messages.
    """

    gap: float = 0.0
    longest: int = 100_000
    faults: deque[Fault | None] = field(default_factory=deque)
    find_fault: Fault | None = None
    edit_faults: deque[Fault | None] = field(default_factory=deque)
    messages: list[ChannelMessage] = field(default_factory=list)
    notifications: list[tuple[str, str]] = field(default_factory=list)
    notify_faults: deque[Fault | None] = field(default_factory=deque)
    calls: list[str] = field(default_factory=list)
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    def rate_limits(self, channel: Channel) -> list[RateLimit]:
        """Return the rate limit of a channel, if there is a gap."""
        return [RateLimit(f"test:{channel.external_id}", self.gap)] if self.gap else []

    def now(self) -> datetime:
        """Return the current time."""
        return datetime.now(UTC)

    def fits(self, reply: Reply) -> bool:
        """Tell whether a reply is short enough."""
        return len(plain_text(reply)) <= self.longest

    async def send(self, message: Message) -> PostedMessage:
        """Store a message, or raise the error of the next fault."""
        self.calls.append("send")
        fault = self.faults.popleft() if self.faults else None
        self.reached.set()
        if fault is Fault.STUCK_BEFORE:
            await asyncio.Event().wait()
        _fail(fault)
        self.messages.append(ChannelMessage(message, str(len(self.messages) + 1), self.now()))
        if fault is Fault.STUCK_AFTER:
            await asyncio.Event().wait()
        if fault is Fault.LOST_AFTER:
            raise OutcomeUnknown("The connection broke off.")
        if fault is Fault.BUG_AFTER:
            raise KeyError("ts")
        return self._posted(self.messages[-1])

    async def find(self, message: Message, since: datetime) -> PostedMessage | None:
        """Return the message with the same key, or raise the error of `find_fault`."""
        self.calls.append("find")
        _fail(self.find_fault)
        recent = [each for each in self.messages if each.at >= since - _MARGIN]
        found = [each for each in recent if each.message.key == message.key]
        return self._posted(found[0]) if found else None

    async def edit(self, posted: PostedMessage, message: Message) -> None:
        """Replace a posted message."""
        self.calls.append("edit")
        _fail(self.edit_faults.popleft() if self.edit_faults else None)
        for number, each in enumerate(self.messages):
            if each.id == posted.message:
                self.messages[number] = replace(each, message=message, edits=each.edits + 1)
                return
        raise Gone("That message is no longer there.")

    async def notify_user(
        self, workspace: Workspace, user: str, reply: Reply, key: str, since: datetime | None
    ) -> None:
        """Store a notification; a repeated attempt stores its key only once."""
        assert workspace.external_id
        fault = self.notify_faults.popleft() if self.notify_faults else None
        _fail(fault)
        if since is None or key not in {each for each, _ in self.notifications}:
            self.notifications.append((key, f"{user}: {plain_text(reply)}"))
        if fault is Fault.LOST_AFTER:
            raise OutcomeUnknown("The connection broke off.")

    def _posted(self, posted: ChannelMessage) -> PostedMessage:
        root = posted.message.root
        place = f"thread-{root.message}" if posted.message.threaded and root else "C1"
        return PostedMessage(place, posted.id, f"https://chat.example/{posted.id}")


def _fail(fault: Fault | None) -> None:
    match fault:
        case Fault.LOST_BEFORE:
            raise OutcomeUnknown("The connection broke off.")
        case Fault.RATE_LIMITED:
            raise RetryLater("Send less for a while.", after=0.01)
        case Fault.UNAVAILABLE:
            raise RetryLater("It can't be reached.")
        case Fault.FORBIDDEN:
            raise NotAllowed("Broadsheet may not post there.", "Allow it.", "forbidden")
        case Fault.GONE:
            raise Gone("That channel is no longer there.", code="gone")
        case Fault.REJECTED:
            raise Rejected("The form is wrong.", code="form")
        case Fault.TOKEN_REVOKED:
            raise TokenRevoked("The token is taken no more.", code="token")
        case Fault.BUG_BEFORE:
            raise KeyError("channel")
        case _:
            return
