"""What any platform is made over in tests: a bot with a clock that stands still."""

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random

from adapters.registry import Parts
from bot.accounts.members import Members
from bot.accounts.subscriptions import Subscriptions
from bot.accounts.workspaces import Workspaces
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.onboarding import Welcoming
from bot.commands.types import Command
from bot.coordination.wakeup import Bell
from bot.library.content import Content
from bot.operations.metrics import Metrics
from bot.posting.delivery.timing import Pace
from bot.settings import Settings
from store.database import Database
from tests.bot.conftest import FixedClock
from tests.bot.plots.drawn import Drawn

NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)


def parts_over(
    database: Database, more: Sequence[Command] = (), *, welcomes: bool = False
) -> Parts:
    """Return what a platform is made over; its bot has these commands beside its own.

    With `welcomes` it explains itself to whom it is new, soon after it answered.
    """
    metrics, workspaces, clock = Metrics(), Workspaces(database), FixedClock(NOW)
    bell = Bell()
    app = Broadsheet(
        Content(database),
        workspaces,
        Subscriptions(database, bell.ring),
        Members(database, bell.ring),
        clock,
        (*COMMANDS, *more),
        "UTC",
        dice=Random(1),  # noqa: S311 - picks a paper
        observer=metrics.observe,
        welcoming=Welcoming(database, clock) if welcomes else None,
        plots=Drawn(),
    )
    pace = Pace(speed=20) if welcomes else Pace()
    return Parts(app, database, workspaces, clock, Settings(), metrics, bell, pace=pace)
