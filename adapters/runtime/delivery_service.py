"""The delivery service: the scheduler, the alerts and the delivery worker of a process."""

import asyncio
from collections.abc import Callable, Mapping

from adapters.common.tasks import Tasks
from adapters.platform import Services
from bot.coordination.jobs import Jobs
from bot.operations import health
from bot.operations.health import Condition
from bot.posting.alerts import JOB, AlertMatching
from bot.posting.delivery.timing import Clocks
from bot.posting.delivery.worker import DeliveryWorker
from bot.posting.ports import ChannelClient
from bot.posting.scheduler import Scheduler
from bot.posting.tick import Ticker

# Within the time of a shutdown: a message in flight arrives, or the process that takes its
# delivery over looks for it.
_STOP_SECONDS = 8.0
_TICK_SECONDS = 1.0


class DeliveryService:
    """The service that finds due posts and new papers for alerts, and sends them.

    Args:
        services: the services of the application.
        channel_clients: the clients of the connected platforms, by name.
    """

    def __init__(self, services: Services, channel_clients: Mapping[str, ChannelClient]) -> None:
        seconds = services.settings.tick_seconds
        self._ticker = Ticker(
            services.database,
            services.clock,
            services.wake_up,
            services.metrics,
            seconds,
            system_clock=services.system_clock,
        )
        self._scheduler = Scheduler(self._ticker.tick, seconds)
        self._worker = DeliveryWorker(
            services.database,
            channel_clients,
            services.clock,
            services.wake_up,
            services.metrics,
            system_clock=services.system_clock,
            timing=services.timing,
            replica=services.replica,
            rate_limiter=services.rate_limiter,
        )
        clocks = Clocks(services.clock, services.system_clock)
        self._alert_jobs = Jobs(
            services.database,
            services.replica,
            services.system_clock,
            AlertMatching(services.database, clocks, services.wake_up).jobs,
            knows=lambda name: name == JOB,
            heartbeat=services.term.heartbeat,
            expiry=services.term.expiry,
        )
        self._alert_scheduler = Scheduler(self._alert_jobs.start_due, seconds)
        self._tasks = Tasks()

    def start(self) -> None:
        """Start, in the running event loop."""
        self._tasks.start(self._worker.run(), "outbox")
        self._scheduler.start()
        self._alert_scheduler.start()

    async def stop(self) -> None:
        """Stop, and let messages in flight arrive."""
        await asyncio.gather(
            self._scheduler.stop(_TICK_SECONDS),
            self._alert_scheduler.stop(_TICK_SECONDS),
            self._worker.stop(_STOP_SECONDS),
        )
        await self._alert_jobs.stop()
        await self._tasks.finish(0)

    @property
    def checks(self) -> health.Parts:
        """The health checks of the service."""
        return {
            "scheduler": _as_check(self._ticker.condition),
            "outbox": _as_check(self._worker.condition),
        }


def _as_check(condition: Callable[[], Condition]) -> health.Check:
    async def check() -> Condition:
        return condition()

    return check
