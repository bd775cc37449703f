"""Whether the bot can post to the channels that get posts: a part of `broadsheet doctor`.

It asks Discord about each by its REST API and changes nothing there.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar, cast

import discord

from adapters.discord.channels.destinations import Holder, Inside
from adapters.discord.channels.missing_permissions import Need, lacking_to
from bot.errors import Gone, NotAllowed, Rejected, SendError, TokenRevoked
from bot.operations.health import Finding, Verdict
from store.records import Channel

T = TypeVar("T")
MOST_EXAMINED = 50
_AT_ONCE = 5
_ADD = "Add Broadsheet to the server again, or unsubscribe there."
_ANOTHER = "Unsubscribe there; whoever ordered chooses another channel."


class Asks(Protocol):
    """What has patience with Discord."""

    async def for_(self, call: Awaitable[T]) -> T:
        """Return what Discord answers.

        Raises:
            SendError: where it refuses, or takes too long.
        """


async def examine_channels(
    client: discord.Client, channels: Sequence[Channel], asks: Asks
) -> list[Finding]:
    """Say which channels can't be posted to, and how many can.

    Direct messages are left out: Discord tells nobody who closed theirs.

    Args:
        client: logged in.
        channels: those that get posts.
        asks: asks Discord.
    """
    placed = [each for each in channels if each.workspace.external_id.isdecimal()]
    servers: dict[str, list[str]] = defaultdict(list)
    for each in placed[:MOST_EXAMINED]:
        servers[each.workspace.external_id].append(each.external_id)
    turn = asyncio.Semaphore(_AT_ONCE)
    examined = (_Server(client, asks, turn, each).examine(ids) for each, ids in servers.items())
    told = [pair for pairs in await asyncio.gather(*examined) for pair in pairs]
    findings = list(_findings(told))
    if len(placed) > MOST_EXAMINED:
        sentence = f"Of {_count(len(placed))} no more than {MOST_EXAMINED} were examined."
        findings.append(Finding("discord", Verdict.NOTE, sentence))
    return findings


class _Server:
    """Looks at the channels of a server."""

    def __init__(
        self, client: discord.Client, asks: Asks, turn: asyncio.Semaphore, server: str
    ) -> None:
        self._client = client
        self._me = cast("discord.ClientUser", client.user)  # login asked for it
        self._asks = asks
        self._turn = turn
        self._id = int(server)

    async def examine(self, channels: Sequence[str]) -> list[tuple[str, SendError | None]]:
        """Return each channel with what keeps the bot from posting there, `None` where nothing."""
        try:
            guild = await self._asked(self._client.fetch_guild(self._id, with_counts=False))
            me = await self._asked(guild.fetch_member(self._me.id))
        except SendError as error:
            return [(each, _of_server(error, self._id)) for each in channels]
        looks = (self._look(guild, me, each) for each in channels)
        return list(zip(channels, await asyncio.gather(*looks), strict=True))

    async def _look(
        self, guild: discord.Guild, me: discord.Member, channel: str
    ) -> SendError | None:
        try:
            found = await self._asked(guild.fetch_channel(int(channel)))
            holder = found
            if isinstance(found, discord.Thread):
                holder = await self._asked(guild.fetch_channel(found.parent_id))
        except SendError as error:
            return error
        if not isinstance(found, Inside) or not isinstance(holder, Holder):
            return Rejected(f"#{found} takes no messages.", _ANOTHER)
        return lacking_to(me, found, holder, Need.POST)

    async def _asked(self, call: Awaitable[T]) -> T:
        async with self._turn:
            return await self._asks.for_(call)


def _of_server(error: SendError, server: int) -> SendError:
    """Return what it means for a channel that the bot can't look at its server."""
    if _is_closed(error):
        return Gone(f"Broadsheet is not in its server, {server}.", _ADD, error.code)
    return error


def _findings(told: Iterable[tuple[str, SendError | None]]) -> Iterator[Finding]:
    well, unexamined = 0, Counter[str]()
    for channel, error in told:
        if error is None:
            well += 1
        elif _is_closed(error):
            sentence = f"{channel} can't be posted to: {error.sentence}"
            yield Finding("discord", Verdict.PROBLEM, sentence, error.remedy or _ANOTHER)
        else:
            unexamined[error.sentence] += 1
    if well:
        yield Finding("discord", Verdict.WELL, f"{_count(well)} can be posted to.")
    for why, number in unexamined.items():
        yield Finding("discord", Verdict.NOTE, f"{_count(number)} could not be examined: {why}")


def _is_closed(error: SendError) -> bool:
    """Tell whether an error says something of the channel, and not of who asks."""
    return isinstance(error, NotAllowed | Gone | Rejected) and not isinstance(error, TokenRevoked)


def _count(channels: int) -> str:
    return "1 channel" if channels == 1 else f"{channels} channels"
