"""All that a run needs: both platforms, a store with orders, clocks, and the worker."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from random import Random

from store.database import Database
from store.deliveries import list_deliveries
from store.migrate import upgrade
from store.records import Delivery
from tests.chaos import scene
from tests.chaos.clocks import Hands
from tests.chaos.journal import Journal
from tests.chaos.judging import Owed
from tests.chaos.scene import Order
from tests.chaos.trouble import DiscordTrouble, SlackTrouble, Trouble
from tests.chaos.workers import Workers
from tests.fakes.discord import FakeDiscord
from tests.fakes.slack import FakeSlack


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to be.

    `deliveries` is how many a platform gets, `seconds` after how many no further week begins.
    """

    seed: int
    deliveries: int
    seconds: float


@dataclass
class Stage:
    """What a run is made of, and what happened so far."""

    chance: Random
    database: Database
    slack: FakeSlack
    discord: FakeDiscord
    troubles: dict[str, Trouble]
    hands: Hands
    workers: Workers
    journal: Journal
    orders: list[Order] = field(default_factory=list)
    owed: set[Owed] = field(default_factory=set)
    corrected: set[tuple[str, date]] = field(default_factory=set)
    jumps: Counter[str] = field(default_factory=Counter)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def deliveries(self) -> list[Delivery]:
        """Return the ledger."""
        return await self.database.read(list_deliveries)


@asynccontextmanager
async def staged(url: str, plan: Plan, folder: Path) -> AsyncIterator[Stage]:
    """Set everything up; when the block ends nothing runs any more."""
    journal, clocks = Journal(folder / "journal.log"), folder / "clocks"
    troubles = {name: Trouble(_chance(plan, name), journal) for name in ("slack", "discord")}
    async with AsyncExitStack() as stack:
        slack = FakeSlack(SlackTrouble(troubles["slack"]))
        discord = FakeDiscord(faults=DiscordTrouble(troubles["discord"]))
        # The verdict names them with all else.
        slack.expect_refusals = discord.expect_refusals = True
        await stack.enter_async_context(slack)
        await stack.enter_async_context(discord)
        database = await stack.enter_async_context(Database(url))
        await database.run(upgrade)
        workers = Workers(folder, clocks, _settings(url, slack, discord), journal)
        stack.push_async_callback(workers.close)
        chance, hands = _chance(plan, "worker"), Hands(clocks, journal)
        stage = Stage(chance, database, slack, discord, troubles, hands, workers, journal)
        await _order(stage, scene.extent(plan.deliveries).a_week)
        yield stage


async def _order(stage: Stage, a_week: int) -> None:
    """Give orders on both platforms that are due from the end of the week before on."""
    server, since = stage.discord.add_guild(), scene.after_posting(-1)
    owner = server.add_member("ann")
    stage.hands.show(since)
    owned = (
        (scene.slack_places(stage.slack), "U1"),
        (scene.discord_places(server), str(owner.id)),
    )
    for places, who in owned:
        stage.orders += await stage.database.write(scene.order_all, places, who, a_week, since)


def _settings(url: str, slack: FakeSlack, discord: FakeDiscord) -> dict[str, str]:
    return {
        "BROADSHEET_DATABASE_URL": url,
        "BROADSHEET_TICK_SECONDS": "0.3",
        "BROADSHEET_WEB_PORT": "0",
        "BROADSHEET_LOG_FORMAT": "json",
        "SLACK_BOT_TOKEN": slack.teams["T1"].bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "BROADSHEET_SLACK_API_URL": slack.api_url,
        "DISCORD_TOKEN": discord.token,
        "BROADSHEET_DISCORD_API_URL": discord.api_url,
    }


def _chance(plan: Plan, name: str) -> Random:
    return Random(f"{plan.seed} {name}")  # noqa: S311 - chance that can be repeated
