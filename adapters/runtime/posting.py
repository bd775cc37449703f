"""Posts by themselves: the scheduler and the outbox, begun and ended with the platforms."""

import asyncio
from collections.abc import Callable, Mapping

from adapters.common.tasks import Tasks
from adapters.platform import Parts
from bot.operations import health
from bot.operations.health import Condition
from bot.posting.delivery.worker import DeliveryWorker
from bot.posting.ports import ChannelClient
from bot.posting.scheduler import Scheduler
from bot.posting.tick import Ticker

# Within what ending may take: a message that is on its way arrives, or its outcome is looked for
# by whoever takes it over.
_STOP_SECONDS = 8.0
_TICK_SECONDS = 1.0


class Delivering:
    """Looks for what is due and sends it.

    Args:
        parts: what platforms are made over too.
        posters: the doors of those that are connected to, by name.
    """

    def __init__(self, parts: Parts, posters: Mapping[str, ChannelClient]) -> None:
        seconds = parts.settings.tick_seconds
        self._ticker = Ticker(
            parts.database,
            parts.clock,
            parts.wake_up,
            parts.metrics,
            seconds,
            system_clock=parts.wall,
        )
        self._scheduler = Scheduler(self._ticker.tick, seconds)
        self._worker = DeliveryWorker(
            parts.database,
            posters,
            parts.clock,
            parts.wake_up,
            parts.metrics,
            system_clock=parts.wall,
            timing=parts.timing,
            replica=parts.replica,
            rate_limiter=parts.rate_limiter,
        )
        self._tasks = Tasks()

    def start(self) -> None:
        """Begin, in the running event loop."""
        self._tasks.start(self._worker.run(), "outbox")
        self._scheduler.start()

    async def stop(self) -> None:
        """Begin nothing more, and let what is being sent arrive."""
        await asyncio.gather(self._scheduler.stop(_TICK_SECONDS), self._worker.stop(_STOP_SECONDS))
        await self._tasks.finish(0)

    @property
    def checks(self) -> health.Parts:
        """What is asked how it is."""
        return {
            "scheduler": _ready(self._ticker.condition),
            "outbox": _ready(self._worker.condition),
        }


def _ready(condition: Callable[[], Condition]) -> health.Check:
    async def check() -> Condition:
        return condition()

    return check
