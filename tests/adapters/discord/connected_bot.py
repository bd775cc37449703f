"""The bot connected to a fake Discord: the real client, a real store."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from adapters.discord.platform import DiscordPlatform
from adapters.discord.settings import read_discord_settings
from adapters.platform import Services
from bot.commands.types import Command
from bot.coordination.leases import LeaseTerm
from bot.operations.health import State
from bot.posting.delivery.timing import Timing
from store.database import Database
from tests.adapters.common.services import services_over
from tests.fakes.discord import FakeDiscord

TERM = LeaseTerm(heartbeat=0.1, expiry=3.0, release_within=0.5, handover=0.3)


def variables_for(discord: FakeDiscord) -> dict[str, str]:
    """Return the settings of a fake Discord."""
    return {"DISCORD_TOKEN": discord.token, "BROADSHEET_DISCORD_API_URL": discord.api_url}


async def until(holds: Callable[[], Awaitable[object]], seconds: float = 20) -> None:
    """Wait until something holds.

    Raises:
        TimeoutError: if it doesn't in time.
    """
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110 - what is looked at has no event
            await asyncio.sleep(0.01)


async def settled(platform: DiscordPlatform, state: State) -> None:
    """Wait until the connection is in a state."""

    async def is_so() -> bool:
        return (await platform.condition()).state is state

    await until(is_so)


def platform_over(  # noqa: PLR0913 - what a process may differ in
    database: Database,
    discord: FakeDiscord,
    more: Sequence[Command] = (),
    *,
    term: LeaseTerm = TERM,
    shards: int | None = None,
    welcomes: bool = False,
) -> DiscordPlatform:
    """Return a platform that is not connected, as of one of several processes with short leases."""
    parts = replace(services_over(database, more, welcomes=welcomes), term=term)
    return _platform(parts, discord, shards)


def _platform(parts: Services, discord: FakeDiscord, shards: int | None) -> DiscordPlatform:
    asked = {"BROADSHEET_DISCORD_SHARDS": str(shards)} if shards else {}
    settings = read_discord_settings({**variables_for(discord), **asked})
    # Nobody waits for five seconds between two sessions.
    return DiscordPlatform(replace(parts, timing=Timing(speed=50)), settings)


@asynccontextmanager
async def running(
    database: Database,
    discord: FakeDiscord,
    more: Sequence[Command] = (),
    *,
    shards: int | None = None,
    welcomes: bool = False,
) -> AsyncIterator[DiscordPlatform]:
    """Run the bot until the block ends; `more` are commands beside its own.

    With `welcomes` it sends new users the onboarding message.
    """
    parts = replace(services_over(database, more, welcomes=welcomes), term=TERM)
    platform = _platform(parts, discord, shards)
    try:
        await platform.start()
        await settled(platform, State.OK)
        await discord.settled(lambda: discord.commands)
        yield platform
    finally:
        await platform.drain()
        await parts.app.wait()
        await platform.stop()
