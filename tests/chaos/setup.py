"""All that a run needs: both platforms, a store with orders, and workers with clocks and ways."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from random import Random
from typing import TypeVar

from sqlalchemy.engine import make_url

from store.database import Database
from store.errors import StoreError
from store.migrations.upgrade import upgrade
from store.posting.deliveries import list_deliveries
from store.records import Delivery
from tests.chaos import scenario as scene
from tests.chaos.checks.verdict import Owed
from tests.chaos.faults.database_restarts import Restarts
from tests.chaos.faults.partition import Target, Way
from tests.chaos.faults.platform_faults import DiscordTrouble, SlackTrouble, Trouble
from tests.chaos.readers import people
from tests.chaos.readers.people import Brought, Reader
from tests.chaos.scenario import Order
from tests.chaos.workers.clocks import Hands
from tests.chaos.workers.event_log import Journal
from tests.chaos.workers.processes import Worker
from tests.chaos.workers.worker import SPEED
from tests.fakes.discord import FakeDiscord
from tests.fakes.discord.guild import Server
from tests.fakes.discord.rest.limits import Limits as DiscordLimits
from tests.fakes.slack import FakeSlack
from tests.fakes.slack import Limits as SlackLimits
from tests.resources.postgres import Postgres

T = TypeVar("T")
DATABASE = "database"
_STORE_SECONDS = 60.0


# They count by when this process, which does much else, gets to what came. How close to a limit the
# bot goes is for the benchmarks.
_ROOM = 1.5


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to be.

    `deliveries` is how many a platform gets, `seconds` after how many no further week begins,
    `replicas` how many workers share the store.
    """

    seed: int
    deliveries: int
    seconds: float
    replicas: int = 1

    def chance(self, name: str) -> Random:
        """Return chance that can be repeated, for one purpose."""
        return Random(f"{self.seed} {name}")  # noqa: S311 - it has to be repeatable


@dataclass(frozen=True, slots=True)
class Store:
    """Where the store is, and its server where it has one."""

    url: str
    server: Postgres | None = None


@dataclass
class Stage:
    """What a run is made of, and what happened so far."""

    chance: Random
    database: Database
    store: Restarts
    slack: FakeSlack
    discord: FakeDiscord
    server: Server
    troubles: dict[str, Trouble]
    workers: list[Worker]
    journal: Journal
    orders: list[Order] = field(default_factory=list)
    readers: list[Reader] = field(default_factory=list)
    brought: Brought = field(default_factory=Brought)
    digests: set[tuple[int, datetime]] = field(default_factory=set)
    known_digests: set[tuple[int, datetime]] = field(default_factory=set)
    week: int = -1
    owed: set[Owed] = field(default_factory=set)
    known: set[Owed] = field(default_factory=set)
    corrected: set[tuple[str, date]] = field(default_factory=set)
    overtaken: dict[tuple[str, date], datetime] = field(default_factory=dict)
    jumps: Counter[str] = field(default_factory=Counter)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def deliveries(self) -> list[Delivery]:
        """Return the ledger."""
        return await self.patiently(lambda: self.database.read(list_deliveries))

    async def patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call something of the store until the store is there.

        Raises:
            TimeoutError: where it does not come.
        """
        async with asyncio.timeout(_STORE_SECONDS):
            while True:
                await self.store.up.wait()
                try:
                    return await call()
                except StoreError as error:
                    self.journal.note(f"the store: {error.sentence}")
                    await asyncio.sleep(0.2)

    def too_often(self) -> Counter[str]:
        """Return how often each request was refused for coming too often, by no chance of ours."""
        slack, discord = self.slack.limits, self.discord.limits
        counted = Counter(f"Slack's {method}" for method in (slack.refused if slack else ()))
        counted.update(f"Discord's {call.name}" for call in (discord.refused if discord else ()))
        return counted

    def show(self, instant: datetime) -> None:
        """Have people's clock show an instant everywhere."""
        for worker in self.workers:
            worker.hands.show(instant)

    def by_host(self, host: str) -> Worker | None:
        """Return the worker that calls a platform so."""
        return next((each for each in self.workers if host in each.hosts), None)


@asynccontextmanager
async def staged(store: Store, plan: Plan, folder: Path) -> AsyncIterator[Stage]:
    """Set everything up; when the block ends nothing runs any more."""
    journal = Journal(folder / "journal.log")
    troubles = {name: Trouble(plan.chance(name), journal) for name in ("slack", "discord")}
    async with AsyncExitStack() as stack:
        slack = FakeSlack(SlackTrouble(troubles["slack"]))
        discord = FakeDiscord(faults=DiscordTrouble(troubles["discord"]))
        # The verdict names them with all else.
        slack.expect_refusals = discord.expect_refusals = True
        # Who begins as often as these workers would wait for minutes.
        slack.limits = SlackLimits(_ROOM * SPEED, tiers={"apps.connections.open": 600})
        discord.limits = DiscordLimits(_ROOM * SPEED)
        await stack.enter_async_context(slack)
        await stack.enter_async_context(discord)
        database = await stack.enter_async_context(Database(store.url))
        await database.run(upgrade)
        restarts = Restarts(store.server, journal)
        workers = []
        for number in range(1, plan.replicas + 1):
            ways = {
                name: await stack.enter_async_context(Way(target))
                for name, target in _targets(store, slack, discord).items()
            }
            hands = Hands(folder / f"clocks-{number}", journal)
            settings = _settings(store, slack, discord, ways)
            chance = plan.chance(f"worker {number}")
            worker = Worker(
                number, hands, ways, settings, store=restarts, journal=journal, chance=chance
            )
            workers.append(worker)
            stack.push_async_callback(worker.close)
        server = discord.add_guild()
        stage = Stage(
            plan.chance("all"),
            database,
            restarts,
            slack,
            discord,
            server,
            troubles,
            workers,
            journal,
        )
        await _order(stage, scene.extent(plan.deliveries).a_week)
        await _enrol(stage, people.how_many(plan.deliveries))
        yield stage


async def _order(stage: Stage, a_week: int) -> None:
    """Give orders on both platforms that are due from the end of the week before on."""
    since = scene.after_posting(-1)
    owner = stage.server.add_member("ann")
    stage.show(since)
    owned = (
        (scene.slack_places(stage.slack), "U1"),
        (scene.discord_places(stage.server), str(owner.id)),
    )
    for places, who in owned:
        stage.orders += await stage.database.write(scene.order_all, places, who, a_week, since)


async def _enrol(stage: Stage, number: int) -> None:
    """Add people with alerts and digests on both platforms."""
    chats = [*people.in_slack(stage.slack, number)], [*people.in_discord(stage.server, number)]
    since = scene.after_posting(-1)
    for some in chats:
        stage.readers += await stage.database.write(people.enrol, some, since)


def _targets(store: Store, slack: FakeSlack, discord: FakeDiscord) -> dict[str, Target]:
    """Return where a worker's ways lead; a store in a file needs none."""
    database = {DATABASE: Target(path=store.server.socket)} if store.server else {}
    platforms = {"slack": slack.url, "discord": discord.url}
    ports = {name: Target(int(url.rpartition(":")[2])) for name, url in platforms.items()}
    return {**database, **ports}


def _settings(
    store: Store, slack: FakeSlack, discord: FakeDiscord, ways: Mapping[str, Way]
) -> dict[str, str]:
    there = make_url(store.url)
    if DATABASE in ways:
        there = there.set(host="127.0.0.1", port=ways[DATABASE].port, query={"sslmode": "disable"})
    return {
        "BROADSHEET_DATABASE_URL": there.render_as_string(hide_password=False),
        "BROADSHEET_TICK_SECONDS": "0.3",
        "BROADSHEET_WEB_PORT": "0",
        "BROADSHEET_LOG_FORMAT": "json",
        "SLACK_BOT_TOKEN": slack.teams["T1"].bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "BROADSHEET_SLACK_API_URL": f"http://{ways['slack'].host}/api/",
        "DISCORD_TOKEN": discord.token,
        "BROADSHEET_DISCORD_API_URL": f"http://{ways['discord'].host}/api/v10",
    }
