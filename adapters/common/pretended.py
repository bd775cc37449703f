"""A person in a channel `#papers` of a workspace that is nowhere, to see what a platform shows."""

from dataclasses import dataclass

from bot.actor import Actor, ChannelInfo, ChannelList, Named, Role
from bot.errors import NotInChannel
from bot.posting.ports import DIRECT
from store.records import Layout

_CHANNEL = ChannelInfo("papers", "papers")
_DIRECT = ChannelInfo("direct", DIRECT, private=True, direct=True)


@dataclass(frozen=True, slots=True)
class _Channels:
    """The channels of the pretended workspace: `#papers`, and direct messages."""

    async def look(self, channel: str) -> ChannelInfo:
        """Return a channel.

        Raises:
            NotInChannel: if it is another one.
        """
        for each in (_CHANNEL, _DIRECT):
            if each.id == channel:
                return each
        raise NotInChannel("There is no such channel here.", "This workspace has #papers alone.")

    async def enter(self, channel: ChannelInfo, layout: Layout) -> None:
        """Do nothing: the bot may post there."""

    async def direct(self) -> ChannelInfo:
        """Return the person's direct messages."""
        return _DIRECT

    async def known(self) -> ChannelList:
        """Return the channel by its name."""
        return ChannelList((Named(_CHANNEL.id, _CHANNEL.name),))


def pretended(platform: str) -> Actor:
    """Return a manager of the channel, of whom and of which nothing is stored."""
    return Actor(
        platform=platform,
        workspace="pretended",
        user="pretended",
        role=Role.MANAGER,
        channel=_CHANNEL.id,
        channels=_Channels(),
        remembers=False,
    )
