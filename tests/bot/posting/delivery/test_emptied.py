"""Messages of alerts and digests of which nothing is left by the time they are sent again."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.coordination.wakeup import WakeUp
from bot.posting.alerts import AlertMatching
from bot.posting.delivery.timing import Clocks
from store.database import Database
from store.posting.subscriptions import add_subscription
from store.readers import alerts, seen
from store.records import DeliveryState, Person
from tests.bot.posting.delivery.setup import DUE, ORDER, Stage
from tests.conftest import on_both
from tests.fakes.channel_client import Fault
from tests.store.posting.alert_rows import HERE, add_alert, import_papers

pytestmark = pytest.mark.on_sqlite

ANN = Person(HERE, "U1")
_MANY = 1000  # more than a process tries in these tests
# What becomes of the message in the end, by what became of the first attempt.
FATES = [
    (Fault.LOST_AFTER, DeliveryState.SENT, 1),
    (Fault.LOST_BEFORE, DeliveryState.SKIPPED, 0),
    (Fault.UNAVAILABLE, DeliveryState.SKIPPED, 0),
]


async def _is_tried_once(stage: Stage, fault: Fault) -> None:
    """Let the first attempt fail, and the process end before one that the platform answers."""
    stage.client.faults.extend([fault, *[Fault.UNAVAILABLE] * _MANY])
    stage.client.find_fault = Fault.UNAVAILABLE
    async with stage.sending():
        await stage.client.reached.wait()
        await stage.until(DeliveryState.RETRY)
    stage.client.faults.clear()
    stage.client.find_fault = None


async def _ends(stage: Stage, state: DeliveryState, standing: int) -> None:
    async with stage.sending():
        ended = await stage.until(state)
    assert len(stage.client.messages) == standing
    if state is DeliveryState.SKIPPED:
        assert ended.error == "There is nothing left of it to post."


@pytest.mark.parametrize(("fault", "state", "standing"), FATES)
async def test_an_alert_that_was_stopped_meanwhile_comes_to_an_end(
    database: Database, fault: Fault, state: DeliveryState, standing: int
) -> None:
    """Its message is looked for if it may have arrived, and is not sent again."""
    stage = Stage(database)
    alert = await database.write(add_alert, "kites")
    await database.write(import_papers, "Kites in Wind")
    clocks = Clocks(stage.clock, stage.clock)
    await AlertMatching(database, clocks, WakeUp()).run(0)
    await _is_tried_once(stage, fault)
    await database.write(alerts.remove, alert)
    await _ends(stage, state, standing)


@pytest.mark.parametrize(("fault", "state", "standing"), FATES)
@on_both
async def test_a_digest_whose_papers_were_seen_meanwhile_comes_to_an_end(
    database: Database, fault: Fault, state: DeliveryState, standing: int
) -> None:
    """It is looked for if it may have arrived; else it is skipped, as nothing is left of it."""
    stage = Stage(database)
    draft = await stage.takes_in()
    order = replace(ORDER, personal=True)
    await database.write(add_subscription, order)
    await stage.tick()
    await _is_tried_once(stage, fault)
    await _open(database, [f"dair:{draft.first_day}#{rank}" for rank in (1, 2, 3)])
    await _ends(stage, state, standing)


async def _open(database: Database, refs: Sequence[str]) -> None:
    for ref in refs:
        await database.write_locking_rows(seen.open_paper, ANN, ref, DUE)
