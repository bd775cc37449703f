"""A platform in memory: it takes posts as the port says, and fails as it is told."""

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

# As far back as platforms look before the time that they are given.
_MARGIN = timedelta(minutes=5)


class Fault(Enum):
    """What goes wrong with one call."""

    LOST_BEFORE = auto()  # the connection broke, and nothing had arrived
    LOST_AFTER = auto()  # the connection broke, and all had arrived
    STUCK_BEFORE = auto()  # no answer ever, and nothing arrives
    STUCK_AFTER = auto()  # no answer ever, and all had arrived
    BUSY = auto()
    TROUBLE = auto()
    FORBIDDEN = auto()
    GONE = auto()
    REFUSED = auto()
    TOKEN = auto()
    BUG_BEFORE = auto()  # nobody foresaw what went wrong, and nothing had arrived
    BUG_AFTER = auto()  # nobody foresaw what went wrong, and all had arrived


@dataclass(frozen=True)
class Stands:
    """A message that stands in a channel."""

    message: Message
    id: str
    at: datetime
    edits: int = 0

    @property
    def text(self) -> str:
        """What is read there."""
        return plain_text(self.message.reply)


@dataclass
class MemoryChannelClient:
    """Keeps what it was sent.

    `faults` are met by the next calls of `send`, one each; `blind` is what looking meets,
    `editing` what the next edits meet. `gap` is how many seconds lie between two messages to a
    channel.
    """

    gap: float = 0.0
    longest: int = 100_000
    faults: deque[Fault | None] = field(default_factory=deque)
    blind: Fault | None = None
    editing: deque[Fault | None] = field(default_factory=deque)
    stands: list[Stands] = field(default_factory=list)
    told: list[tuple[str, str]] = field(default_factory=list)
    telling: deque[Fault | None] = field(default_factory=deque)
    calls: list[str] = field(default_factory=list)
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    def rate_limits(self, channel: Channel) -> list[RateLimit]:
        """Return the channel's, where there is a gap."""
        return [RateLimit(f"test:{channel.external_id}", self.gap)] if self.gap else []

    def now(self) -> datetime:
        """Return the time."""
        return datetime.now(UTC)

    def fits(self, reply: Reply) -> bool:
        """Take what is not too long."""
        return len(plain_text(reply)) <= self.longest

    async def send(self, message: Message) -> PostedMessage:
        """Keep a message, or fail."""
        self.calls.append("send")
        fault = self.faults.popleft() if self.faults else None
        self.reached.set()
        if fault is Fault.STUCK_BEFORE:
            await asyncio.Event().wait()
        _fail(fault)
        self.stands.append(Stands(message, str(len(self.stands) + 1), self.now()))
        if fault is Fault.STUCK_AFTER:
            await asyncio.Event().wait()
        if fault is Fault.LOST_AFTER:
            raise OutcomeUnknown("The connection broke off.")
        if fault is Fault.BUG_AFTER:
            raise KeyError("ts")
        return self._posted(self.stands[-1])

    async def find(self, message: Message, since: datetime) -> PostedMessage | None:
        """Find a message by its key, unless blind."""
        self.calls.append("find")
        _fail(self.blind)
        recent = [each for each in self.stands if each.at >= since - _MARGIN]
        found = [each for each in recent if each.message.key == message.key]
        return self._posted(found[0]) if found else None

    async def edit(self, posted: PostedMessage, message: Message) -> None:
        """Put a message in the place of another."""
        self.calls.append("edit")
        _fail(self.editing.popleft() if self.editing else None)
        for number, each in enumerate(self.stands):
            if each.id == posted.message:
                self.stands[number] = replace(each, message=message, edits=each.edits + 1)
                return
        raise Gone("That message is no longer there.")

    async def notify_user(
        self, workspace: Workspace, user: str, reply: Reply, key: str, since: datetime | None
    ) -> None:
        """Keep what somebody is told, once for its key where it was tried before."""
        assert workspace.external_id
        fault = self.telling.popleft() if self.telling else None
        _fail(fault)
        if since is None or key not in {each for each, _ in self.told}:
            self.told.append((key, f"{user}: {plain_text(reply)}"))
        if fault is Fault.LOST_AFTER:
            raise OutcomeUnknown("The connection broke off.")

    def _posted(self, stands: Stands) -> PostedMessage:
        root = stands.message.root
        place = f"thread-{root.message}" if stands.message.threaded and root else "C1"
        return PostedMessage(place, stands.id, f"https://chat.example/{stands.id}")


def _fail(fault: Fault | None) -> None:
    match fault:
        case Fault.LOST_BEFORE:
            raise OutcomeUnknown("The connection broke off.")
        case Fault.BUSY:
            raise RetryLater("Send less for a while.", after=0.01)
        case Fault.TROUBLE:
            raise RetryLater("It can't be reached.")
        case Fault.FORBIDDEN:
            raise NotAllowed("Broadsheet may not post there.", "Allow it.", "forbidden")
        case Fault.GONE:
            raise Gone("That channel is no longer there.", code="gone")
        case Fault.REFUSED:
            raise Rejected("The form is wrong.", code="form")
        case Fault.TOKEN:
            raise TokenRevoked("The token is taken no more.", code="token")
        case Fault.BUG_BEFORE:
            raise KeyError("channel")
        case _:
            return
