"""A store with a channel's order, and a worker over a platform in memory."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta

from bot.clock import Clock
from bot.coordination.wakeup import WakeUp
from bot.domain.drafts import EditionDraft, EntryDraft
from bot.operations.metrics import Metrics
from bot.posting.delivery.timing import Timing
from bot.posting.delivery.worker import DeliveryWorker
from bot.posting.tick import Ticker
from store.database import Database, Session
from store.posting.deliveries import list_deliveries
from store.posting.subscriptions import add_subscription, list_subscriptions
from store.records import Channel, Delivery, DeliveryState, Layout, Subscription, Workspace
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.fakes.channel_client import MemoryChannelClient

DUE = datetime(2026, 1, 12, 9, tzinfo=UTC)
QUICK = Timing(
    send=0.3, lease=0.4, idle=0.05, first_wait=0.02, longest_wait=0.1, give_up=timedelta(hours=1)
)
ORDER = Subscription(
    channel=Channel(Workspace("test", "T1"), "C1"),
    weekday=0,
    local_time=time(9),
    zone="UTC",
    next_due_at=DUE,
    sources=("dair",),
    owner="U1",
)
PATIENCE = 20.0


@dataclass
class MovedClock:
    """A clock that is set."""

    at: datetime = DUE

    def now(self) -> datetime:
        """Return the time that it was set to."""
        return self.at


@dataclass
class Stage:
    """All that a delivery needs."""

    database: Database
    client: MemoryChannelClient = field(default_factory=MemoryChannelClient)
    clock: MovedClock = field(default_factory=MovedClock)
    wake_up: WakeUp = field(default_factory=WakeUp)
    metrics: Metrics = field(default_factory=Metrics)
    timing: Timing = QUICK
    wall: Clock | None = None

    async def takes_in(
        self, *entries: EntryDraft, week: int = 0, source: str = "dair", at: datetime = DUE
    ) -> EditionDraft:
        """Import an edition of three papers, or of these."""
        draft = edition(
            *(entries or papers(3)), first_day=MONDAY + timedelta(days=7 * week), title="Top Papers"
        )
        await self.database.write(take_in, draft, source, at)
        return draft

    async def corrects(self) -> None:
        """Import the edition again an hour later, with other titles."""
        mended = [replace(each, title=f"{each.title}, corrected") for each in papers(3)]
        await self.takes_in(*mended, at=DUE + timedelta(hours=1))

    async def ordered(self, layout: Layout = Layout.COMPACT, **fields: object) -> int:
        """Give a subscription, and return its id."""
        order = replace(ORDER, layout=layout, **fields)  # type: ignore[arg-type] # real fields
        return await self.database.write(add_subscription, order)

    async def all_ordered(self, *channels: Channel) -> None:
        """Give a subscription in each of some channels."""

        def add(session: Session) -> None:
            for place in channels:
                add_subscription(session, replace(ORDER, channel=place))

        await self.database.write(add)

    async def tick(self) -> None:
        """Look once for what is due."""
        await Ticker(self.database, self.clock, self.wake_up, self.metrics, 1.0).tick()

    @asynccontextmanager
    async def sending(self) -> AsyncIterator[DeliveryWorker]:
        """Run a worker as a process of its own would; the end is as sudden as a crash."""
        worker = DeliveryWorker(
            self.database,
            {"test": self.client},
            self.clock,
            self.wake_up,
            self.metrics,
            timing=self.timing,
            system_clock=self.wall,
        )
        task = asyncio.create_task(worker.run())
        try:
            yield worker
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await worker.stop(0)

    async def until(
        self, state: DeliveryState, which: Callable[[Delivery], bool] = lambda _: True
    ) -> Delivery:
        """Wait until a delivery has a state, and return it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for delivery in await self.deliveries():
                    if delivery.state is state and which(delivery):
                        return delivery
                await asyncio.sleep(0.03)  # each look is a query, and most of the waiting is

    async def stands(self, count: int) -> None:
        """Wait until so many messages stand."""
        await until(lambda: len(self.client.messages) >= count)

    async def posted(self) -> Delivery:
        """Tick, and send until what is due was sent."""
        await self.tick()
        async with self.sending():
            return await self.until(DeliveryState.SENT)

    async def due(self, layout: Layout = Layout.COMPACT, **fields: object) -> int:
        """Import an edition, give a subscription, and tick; return the subscription's id."""
        await self.takes_in()
        order = await self.ordered(layout, **fields)
        await self.tick()
        return order

    async def sent(self, layout: Layout = Layout.COMPACT, **fields: object) -> Delivery:
        """Import an edition, give a subscription, and send the post; return its delivery."""
        await self.due(layout, **fields)
        return await self.posted()

    async def deliveries(self) -> list[Delivery]:
        """Return the ledger."""
        return await self.database.read(list_deliveries)

    async def order(self) -> Subscription:
        """Return the subscription that there is."""
        [order] = await self.database.read(list_subscriptions)
        return order


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds that has no event."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 - the same
            await asyncio.sleep(0.01)


def channel(name: str, workspace: str = "T1") -> Channel:
    """Name a channel of the platform in memory."""
    return Channel(Workspace("test", workspace), name)


def papers(count: int) -> list[EntryDraft]:
    """Draft so many entries."""
    return [
        entry(rank, f"Paper {rank}", f"What paper {rank} found.") for rank in range(1, count + 1)
    ]
