"""The channels of a workspace as one person sees them, in memory."""

from dataclasses import dataclass, field, replace
from random import Random

from bot.actor import Actor, ChannelInfo, ChannelList, Named, Role
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.errors import NotInChannel, UserError
from bot.posting.ports import DIRECT
from store.database import Database
from store.records import Layout
from tests.bot.conftest import FixedClock
from tests.bot.plots.pictures import Blank


@dataclass
class Rooms:
    """Channels that a person is in, those that the bot may not enter, and what it entered.

    `trouble` is why the platform tells of no channel, if it doesn't; `cut` is whether it lists no
    more of them.
    """

    rooms: list[ChannelInfo]
    closed: set[str] = field(default_factory=set)
    entered: list[tuple[str, Layout]] = field(default_factory=list)
    trouble: UserError | None = None
    cut: bool = False

    async def look(self, channel: str) -> ChannelInfo:
        """Return a channel that the person is in."""
        if self.trouble:
            raise self.trouble
        for room in self.rooms:
            if room.id == channel:
                return room
        raise NotInChannel("There is no such channel, or you are not in it.", "Join it first.")

    async def enter(self, channel: ChannelInfo, layout: Layout) -> None:
        """Note where the bot would post, and how."""
        if channel.id in self.closed:
            raise UserError("I can't post there.", "Invite me: /invite @Broadsheet.")
        self.entered.append((channel.id, layout))

    async def direct(self) -> ChannelInfo:
        """Return the person's direct messages."""
        if self.trouble:
            raise self.trouble
        return ChannelInfo("D1", DIRECT, private=True, direct=True)

    async def known(self) -> ChannelList:
        """Return the channels by name."""
        return ChannelList([Named(room.id, room.name) for room in self.rooms], self.cut)


ML = ChannelInfo("C1", "ml")
SECRET = ChannelInfo("C2", "secret", private=True)
FORUM = ChannelInfo("C3", "papers", forum=True)


def rooms() -> Rooms:
    """Return a public channel, a private one and a forum."""
    return Rooms([ML, SECRET, FORUM])


def manager(seen: Rooms, channel: str = "C1", user: str = "U1") -> Actor:
    """Return a manager who asks in a channel."""
    actor = Actor("slack", "T1", user, Role.MANAGER, channel=channel)
    return replace(actor, channels=seen)


def bot_over(database: Database, clock: FixedClock, rung: list[None] | None = None) -> Broadsheet:
    """Return a bot over a store, whose bell notes each ring in a list."""
    bell = rung if rung is not None else []
    return Broadsheet(
        database,
        clock,
        COMMANDS,
        "UTC",
        notify=lambda: bell.append(None),
        system_clock=clock,
        dice=Random(1),  # noqa: S311 - picks a paper
        plots=Blank(),
    )
