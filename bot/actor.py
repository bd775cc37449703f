"""The actor of a request: who asks, in which role, and which channels they see."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

from store.records import Layout, Person, Workspace


@dataclass(frozen=True, slots=True)
class ChannelInfo:
    """A channel as people know it.

    `name` is without a sign. `private` where not everybody in the workspace may see it, `forum`
    where posts open threads. `parent` is the channel that a thread belongs to, `kind` the
    platform's word for what it is.
    """

    id: str
    name: str
    private: bool = False
    forum: bool = False
    parent: str | None = None
    kind: str | None = None


class Channels(Protocol):
    """The channels of a workspace, as the asker may see them."""

    async def look(self, channel: str) -> ChannelInfo:
        """Return a channel that the asker is in.

        Raises:
            NotInChannel: where there is no such channel, or the asker is not in it; in the same
                words.
            UserError: where the platform does not tell.
        """

    async def enter(self, channel: ChannelInfo, layout: Layout) -> None:
        """See to it that the bot may post there in a layout; it joins where it may.

        Raises:
            UserError: where it can't, with the remedy.
        """

    async def known(self) -> "Sequence[Named]":
        """Return the channels that the asker is in, by name, as far as the platform lists them."""


class Role(IntEnum):
    """What a person may do; each may do what those before it may."""

    READER = 1
    MANAGER = 2
    OPERATOR = 3


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a platform knows by an id and people by a name, as a role in a server."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks, and where: a person on a platform, in the role that the platform's facts give.

    `zone` is the IANA zone of the person's profile, `None` where the platform tells none.
    `channel` is the channel asked in, under the platform's id, `None` where there is none.
    `joined` tells whether the bot itself is in the workspace; `owns` whether the platform, and
    not only a setting of the bot's, lets the person manage the workspace. `roles` gives the
    roles that the platform has there, whoever has them, when they are wanted. `by_name` tells
    that the platform asks for each argument by its name, where others take a line of text;
    `managers` says in a sentence who is a manager there. `home` is the workspace that the person's
    own facts belong to, `None` where that is `workspace`. `parent` is the channel that `channel`
    is a thread of, and `channels` those of the workspace as this person sees them, `None` where
    there are none. `shares` tells that everybody in the channel will see the answer.
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

    @property
    def in_chat(self) -> bool:
        """Whether they ask on a chat platform, which has forms, and not in the terminal."""
        return self.by_name or self.channel is not None or self.channels is not None

    @property
    def person(self) -> Person:
        """Whose facts the asker's own are."""
        return Person(Workspace(self.platform, self.home or self.workspace), self.user)

    @property
    def has_voters(self) -> bool:
        """Whether votes are counted there: not in the user's own workspace."""
        return self.joined and not self.is_alone

    @property
    def is_alone(self) -> bool:
        """Whether the workspace asked in is the asker's own, as direct messages are on Discord."""
        return self.home == self.workspace
