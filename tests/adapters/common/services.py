"""The services of a platform in tests: a bot with a fixed clock."""

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random

from adapters.platform import Services
from bot.accounts import Workspaces
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.onboarding import Onboarding
from bot.commands.types import Command
from bot.coordination.wakeup import WakeUp
from bot.operations.metrics import Metrics
from bot.posting.delivery.timing import Timing
from bot.settings import Settings
from store.database import Database
from tests.bot.conftest import FixedClock
from tests.bot.plots.pictures import Drawn

NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)


def services_over(
    database: Database, more: Sequence[Command] = (), *, welcomes: bool = False
) -> Services:
    """Return the services of a platform; its bot has these commands beside its own.

    With `welcomes` it explains itself to whom it is new, soon after it answered.
    """
    metrics, workspaces, clock = Metrics(), Workspaces(database), FixedClock(NOW)
    wake_up = WakeUp()
    app = Broadsheet(
        database,
        clock,
        (*COMMANDS, *more),
        "UTC",
        notify=wake_up.notify,
        workspaces=workspaces,
        dice=Random(1),  # noqa: S311 - picks a paper
        observer=metrics.observe,
        onboarding=Onboarding(database, clock) if welcomes else None,
        plots=Drawn(),
    )
    pace = Timing(speed=20) if welcomes else Timing()
    return Services(app, database, workspaces, clock, Settings(), metrics, wake_up, timing=pace)
