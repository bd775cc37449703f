"""The actor of a request: the user, their role, and the channels that they see."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

from store.records import ChannelFacts, Layout, Person, Workspace


@dataclass(frozen=True, slots=True)
class ChannelInfo:
    """A channel of a platform.

    `name` has no sign before it. Not every member of the workspace sees a `private` channel, and
    `direct` messages with the bot are one person's; posts open threads in a `forum`. `parent` is
    the channel of a thread, `kind` the platform's word for it.
    """

    id: str
    name: str
    private: bool = False
    forum: bool = False
    parent: str | None = None
    kind: str | None = None
    direct: bool = False

    @property
    def facts(self) -> ChannelFacts:
        """The facts that are stored about it."""
        return ChannelFacts(self.name, self.private, self.kind, self.direct)


class Channels(Protocol):
    """The channels of a workspace that the user may see."""

    async def look(self, channel: str) -> ChannelInfo:
        """Return a channel that the user is in.

        Raises:
            NotInChannel: if there is no such channel, or the user is not in it; in the same words.
            UserError: if the platform does not answer.
        """

    async def enter(self, channel: ChannelInfo, layout: Layout) -> None:
        """Check that the bot may post there in a layout, and join the channel if needed.

        Raises:
            UserError: if it can't, with the remedy.
        """

    async def direct(self) -> ChannelInfo:
        """Return the user's direct messages with the bot, opened if need be.

        Raises:
            UserError: if the platform forbids that or does not answer, with the remedy.
        """

    async def known(self) -> "ChannelList":
        """Return the channels that the user is in, as far as the platform lists them."""


class Role(IntEnum):
    """The role of a user; each may do what those before it may."""

    READER = 1
    MANAGER = 2
    OPERATOR = 3


@dataclass(frozen=True, slots=True)
class Named:
    """An id of a platform and the name that users see, as of a role in a server."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ChannelList:
    """Channels by name; `cut` where the platform has more than there was time to list."""

    named: Sequence[Named]
    cut: bool = False


Hidden = Callable[[Collection[str]], Awaitable[Collection[str]]]


async def none_hidden(_channels: Collection[str]) -> Collection[str]:
    """Return no channel, where a platform tells nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class Actor:
    """The user of a request and the place of it, as the platform's facts give them.

    Ids and names are the platform's own. `zone` is the IANA zone of the user's profile, `parent`
    the channel that `channel` is a thread of, `thread` the message that the thread of the request
    hangs on. `joined` tells whether the bot is a member of the workspace, `owns` whether the
    platform itself, and not only a setting of the bot, lets the user manage it; `managers` is a
    sentence that says who is a manager there. `by_name` tells whether the platform has typed
    options, and not a line of text, `shares` whether everybody in the channel will see the answer.
    `is_stranger` tells whether the user may be of another organisation, with which the workspace
    only shares a channel. `in_direct` tells whether the request comes from direct messages, which
    are one person's. `remembers` tells whether the lists that are shown may be spoken of
    later, which those of a preview or a program are not. `hidden` returns those of some channels
    that are not open to every member now, or not to the user, as far as the platform tells.
    `page_size` is how many papers of a list are shown at once, `dark` whether most people see
    pictures on a dark surface there, and `draws` whether a picture is drawn there of its numbers.
    `home` is the workspace that the user's own data belongs to,
    `None` for `workspace`.
    """

    platform: str
    workspace: str
    user: str
    role: Role
    zone: str | None = None
    channel: str | None = None
    joined: bool = True
    owns: bool = False
    by_name: bool = False
    managers: str = ""
    roles: Callable[[], Sequence[Named]] = field(default=tuple, compare=False, repr=False)
    parent: str | None = None
    channels: Channels | None = field(default=None, compare=False, repr=False)
    home: str | None = None
    shares: bool = False
    remembers: bool = True
    page_size: int = 10
    dark: bool = False
    draws: bool = False
    thread: str | None = None
    hidden: Hidden = field(default=none_hidden, compare=False, repr=False)
    is_stranger: bool = False
    in_direct: bool = False

    @property
    def in_chat(self) -> bool:
        """True for a request from a chat platform, which has forms, and not the terminal."""
        return self.by_name or self.channel is not None or self.channels is not None

    @property
    def person(self) -> Person:
        """The person that the user's own data belongs to."""
        return Person(Workspace(self.platform, self.home or self.workspace), self.user)

    @property
    def has_voters(self) -> bool:
        """True if votes are counted there: not in the user's own workspace."""
        return self.joined and not self.is_alone

    @property
    def is_alone(self) -> bool:
        """True if the workspace is the user's own, as direct messages are on Discord."""
        return self.home == self.workspace
