"""One run on one database: everything goes wrong for a while, and then it is looked at."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from store import notices, queue
from store.database import Session
from store.records import SubscriptionState
from store.subscriptions import list_subscriptions
from tests.chaos import scene, standing
from tests.chaos.judging import Record
from tests.chaos.scene import SOURCES
from tests.chaos.stage import Plan, Stage, staged
from tests.chaos.worker import PACE

PLATFORMS = ("slack", "discord")
# Than any notice is put off.
_LATER = datetime(9999, 1, 1, tzinfo=UTC)
_HOUR = 3600.0
# How wrong the machine's clock gets, in seconds ahead of the platforms'.
_WRONG = (0.0, 0.0, 2.0, -2.0, 2 * _HOUR, -2 * _HOUR, 14 * _HOUR, -30 * _HOUR)
# By how much people's clock goes back for a moment.
_BACK = (-_HOUR, -5 * _HOUR, -50 * _HOUR)
# Longer than Discord tells a repeat by its nonce.
_NONCE_SECONDS = 200.0
# How often the worker is away for as long as that.
_FORGOTTEN = 0.3
# How often an edition is corrected once it was posted.
_CORRECTED = 0.5
# A week that isn't over by then goes on beside the next one.
_WEEK_SECONDS = 40.0
_LONGEST_WEEK = 120.0
_LONGEST_END = 240.0


@dataclass(frozen=True)
class Told:
    """What a run came to.

    `complaints` is what the platforms refused that the bot sent, `ended` are the orders that can't
    be carried out any more, `in_time` is whether the bot came to its end.
    """

    record: Record
    complaints: Sequence[str]
    ended: Sequence[int]
    notices: Sequence[str]
    faults: dict[str, Counter[str]]
    process: Counter[str]
    jumps: Counter[str]
    seconds: float
    in_time: bool


async def run(url: str, plan: Plan, folder: Path) -> Told:
    """Let a run happen, and return what came of it."""
    began = time.monotonic()
    async with staged(url, plan, folder) as stage:
        try:
            await _troubled(stage, plan, began)
            await _calm(stage)
            in_time = True
        except* TimeoutError:
            in_time = False
        await stage.workers.close()
        return await _told(stage, time.monotonic() - began, in_time=in_time)


async def _told(stage: Stage, seconds: float, *, in_time: bool) -> Told:
    slack, discord = stage.slack, stage.discord
    stands = [*standing.in_slack(slack), *standing.in_discord(discord)]
    complaints = [f"Slack refused {each}" for each in slack.refused]
    orders = await stage.database.read(list_subscriptions)
    return Told(
        record=Record(stage.orders, stage.owed, await stage.deliveries(), stands, stage.corrected),
        complaints=[*complaints, *(f"Discord refused {each}" for each in discord.refused)],
        ended=[each.id or 0 for each in orders if each.state is SubscriptionState.REFUSED],
        notices=standing.notices(slack, discord),
        faults={name: trouble.counted for name, trouble in stage.troubles.items()},
        process=stage.workers.counted,
        jumps=stage.jumps,
        seconds=seconds,
        in_time=in_time,
    )


async def _troubled(stage: Stage, plan: Plan, began: float) -> None:
    """Let week after week pass while everything goes wrong."""
    await stage.workers.begin()
    async with asyncio.TaskGroup() as group:
        for maker in (_ends(stage), _jumps(stage)):
            group.create_task(maker)
        week, weeks = 0, scene.extent(plan.deliveries).weeks
        patience = min(_WEEK_SECONDS, plan.seconds / weeks)
        for number in range(weeks):
            if number and time.monotonic() - began > plan.seconds:
                break
            # After weeks of absence only the newest is owed.
            last = week + stage.chance.choice((0, 0, 0, 1, 2))
            await _week(stage, week, last, patience, closes=number == 1)
            week = last + 1
        # They finish what they do: a frozen worker is not to be left so.
        stage.over.set()


async def _calm(stage: Stage) -> None:
    """End all trouble, and wait until nothing is left to do."""
    for trouble in stage.troubles.values():
        trouble.ended = True
    stage.hands.put_right()
    if not stage.workers.runs:
        await stage.workers.begin()
    await _until(stage, _LONGEST_END, _is_over)


async def _week(stage: Stage, first: int, last: int, patience: float, *, closes: bool) -> None:
    """Bring editions, let their time come, and wait until they are posted, or long enough."""
    stage.owed |= {
        (order.id, source, scene.first_day(last))
        for order in stage.orders
        for source in SOURCES
        if order.follows(source)
    }
    stage.journal.note(f"editions of {scene.first_day(first)} to {scene.first_day(last)}")
    await stage.database.write(scene.take_in_all, scene.editions(range(first, last + 1)))
    stage.hands.show(scene.after_posting(last))
    if closes:
        await asyncio.sleep(stage.chance.uniform(0, 3))
        for order in stage.orders:
            if order.place.doomed:
                scene.close(order.place, stage.slack, stage.discord)
    await _until(stage, _LONGEST_WEEK, _is_queued)
    with suppress(TimeoutError):
        await _until(stage, patience, _is_over)
    if stage.chance.random() < _CORRECTED:
        source = stage.chance.choice(SOURCES)
        stage.journal.note(f"correction of {source} {scene.first_day(last)}")
        await stage.database.write(scene.take_in_all, scene.corrected(source, last))
        stage.corrected.add((source, scene.first_day(last)))


async def _until(stage: Stage, seconds: float, holds: Callable[[Stage], Awaitable[bool]]) -> None:
    async with asyncio.timeout(seconds):
        while not await holds(stage):  # noqa: ASYNC110 - a store has no event
            await asyncio.sleep(0.3)


async def _is_queued(stage: Stage) -> bool:
    """Tell whether all that is owed is known, but for orders whose channel is closed."""
    doomed = {order.id for order in stage.orders if order.place.doomed}
    deliveries = await stage.deliveries()
    known = {(each.subscription_id, each.source, each.first_day) for each in deliveries}
    return all(each in known for each in stage.owed if each[0] not in doomed)


async def _is_over(stage: Stage) -> bool:
    """Tell whether all that is owed is known, and nothing is left to do."""
    return await _is_queued(stage) and await stage.database.read(_is_idle)


def _is_idle(session: Session) -> bool:
    """Tell whether nothing waits to be sent, corrected or told, and nobody works on anything."""
    waits = queue.next_ready_at(session, PLATFORMS) or queue.list_held(session, PLATFORMS)
    return not (waits or queue.outdated(session) or notices.list_notices(session, _LATER))


async def _ends(stage: Stage) -> None:
    """End the worker again and again, often right when a message has arrived unanswered."""
    chance, workers = stage.chance, stage.workers
    while not stage.over.is_set():
        await asyncio.sleep(chance.uniform(0.2, 3))
        await _held(stage, chance.expovariate(1 / 3))
        await asyncio.sleep(chance.choice((0, 0, chance.uniform(0, 1))))
        drawn = chance.random()
        if drawn < 0.1:
            await workers.freeze(PACE.lease + chance.uniform(-2, 2))
            continue
        await (workers.stop() if drawn < 0.2 else workers.kill())
        if chance.random() < _FORGOTTEN:
            # What is still on its way arrives long before that.
            await asyncio.sleep(PACE.lease)
            stage.discord.pass_time(_NONCE_SECONDS)
        await workers.begin()


async def _held(stage: Stage, seconds: float) -> None:
    """Wait until an answer is held back or all is over, so many seconds at most."""
    held = [trouble.held for trouble in stage.troubles.values()]
    for each in held:
        each.clear()
    waiting = [asyncio.create_task(each.wait()) for each in (*held, stage.over)]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()


async def _jumps(stage: Stage) -> None:
    """Move the clocks either way again and again."""
    chance = stage.chance
    while not stage.over.is_set():
        await asyncio.sleep(chance.uniform(1, 4))
        if chance.random() < 0.5:
            stage.hands.put_wrong(chance.choice(_WRONG))
            stage.jumps["machine's"] += 1
            continue
        stage.hands.set_back(chance.choice(_BACK))
        await asyncio.sleep(chance.uniform(0.5, 1.5))
        stage.hands.set_back(0.0)
        stage.jumps["people's"] += 2
