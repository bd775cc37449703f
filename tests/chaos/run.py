"""One run on one database: everything goes wrong for a while, and then it is looked at."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from store.database import Session
from store.library import new_entries
from store.posting import notices, queue
from store.posting.subscriptions import list_subscriptions
from store.records import DeliveryKind, SubscriptionState
from tests.chaos import scenario as scene
from tests.chaos.checks import posted_messages as standing
from tests.chaos.checks.commands import Asked, ask_discord, ask_slack, doubles
from tests.chaos.checks.counts import PLATFORMS, figures
from tests.chaos.checks.gateway_holder import NOBODY, Gateway, watch
from tests.chaos.checks.verdict import Record, owed_by
from tests.chaos.faults.process_faults import afflict, forget, jump, restart
from tests.chaos.readers import people
from tests.chaos.readers.imports import bring, planned
from tests.chaos.readers.verdict import ReadersRecord
from tests.chaos.scenario import SOURCES
from tests.chaos.setup import Plan, Stage, Store, staged

# An interaction answered after its three seconds; who should have been in time is judged by itself.
# https://docs.discord.com/developers/topics/opcodes-and-status-codes
_TOO_LATE = 10062
# Than any notice is put off.
_LATER = datetime(9999, 1, 1, tzinfo=UTC)
# How often an edition is corrected once it was posted.
_CORRECTED = 0.5
# A week that isn't over by then goes on beside the next one.
_WEEK_SECONDS = 35.0
_LONGEST_WEEK = 120.0
_LONGEST_END = 240.0


@dataclass(frozen=True)
class Told:
    """What a run came to.

    `complaints` is what the platforms refused that the bot sent, and whatever else went otherwise
    than it has to; `ended` are the orders that can't be carried out any more, `in_time` is whether
    the bot came to its end. `figures` is what there is to tell besides.
    """

    record: Record
    readers: ReadersRecord
    complaints: Sequence[str]
    ended: Sequence[int]
    notices: Sequence[str]
    faults: dict[str, Counter[str]]
    process: Counter[str]
    figures: dict[str, str]
    seconds: float
    in_time: bool


async def run(store: Store, plan: Plan, folder: Path) -> Told:
    """Let a run happen, and return what came of it."""
    began = time.monotonic()
    gateway, asked, limited = Gateway(), Asked(), Counter[str]()
    async with staged(store, plan, folder) as stage:
        watching = watch(gateway, stage.discord, stage.workers, stage.journal)
        watcher = asyncio.create_task(watching)
        try:
            week = await _troubled(stage, plan, asked, began)
            await _calm(stage, gateway)
            limited = await _undisturbed(stage, week)
            in_time = True
        except* TimeoutError:
            in_time = False
        watcher.cancel()
        seconds = time.monotonic() - began
        await asyncio.gather(*(worker.close() for worker in stage.workers))
        told = await _told(stage, gateway, asked, seconds, in_time=in_time)
        often = [f"{number} × {what} came too often" for what, number in limited.items()]
        return replace(told, complaints=[*told.complaints, *often])


async def _told(
    stage: Stage, gateway: Gateway, asked: Asked, seconds: float, *, in_time: bool
) -> Told:
    slack, discord = stage.slack, stage.discord
    stands = [*standing.in_slack(slack), *standing.in_discord(discord)]
    read_by = {each.channel.external_id for each in stage.readers}
    direct = standing.direct(slack, discord)
    deliveries = await stage.deliveries()
    posts = [each for each in deliveries if each.kind is DeliveryKind.POST]
    orders = await stage.database.read(list_subscriptions)
    ours = {order.id for order in stage.orders} | _digests(stage)
    return Told(
        record=Record(stage.orders, stage.owed, posts, stands, stage.corrected, stage.overtaken),
        readers=ReadersRecord(
            stage.readers,
            stage.brought.imports,
            stage.digests,
            range(stage.week + 2),
            [each for each in deliveries if each.kind is not DeliveryKind.POST],
            [each for each in direct if each.channel in read_by],
        ),
        complaints=[
            *(f"Slack refused {each}" for each in slack.refused),
            *(f"Discord refused {each}" for each in discord.refused if each.error != _TOO_LATE),
            *(each for worker in stage.workers for each in worker.complaints),
            *gateway.complaints,
            *asked.complaints,
            *doubles(orders, ours),
        ],
        ended=[each.id or 0 for each in orders if each.state is SubscriptionState.REFUSED],
        notices=[each.text for each in direct if each.channel not in read_by],
        faults={name: trouble.counted for name, trouble in stage.troubles.items()},
        process=sum((worker.counted for worker in stage.workers), stage.store.counted),
        figures=figures(stage, gateway, asked),
        seconds=seconds,
        in_time=in_time,
    )


async def _troubled(stage: Stage, plan: Plan, asked: Asked, began: float) -> int:
    """Let week after week pass while everything goes wrong; return the next."""
    await asyncio.gather(*(worker.begin() for worker in stage.workers))
    async with asyncio.TaskGroup() as group:
        for worker in stage.workers:
            group.create_task(afflict(stage, worker))
            group.create_task(jump(stage, worker))
        group.create_task(restart(stage))
        group.create_task(forget(stage))
        group.create_task(ask_slack(stage, asked, plan.chance("asking in Slack")))
        group.create_task(ask_discord(stage, asked, plan.chance("asking in Discord")))
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
    return week


async def _calm(stage: Stage, gateway: Gateway) -> None:
    """End all trouble, and wait until nothing is left to do and one has the gateway."""
    for trouble in stage.troubles.values():
        trouble.ended = True
    for worker in stage.workers:
        worker.hands.put_right()
    await asyncio.gather(*(worker.begin() for worker in stage.workers if not worker.runs))
    await _until(stage, _LONGEST_END, _is_over)
    try:
        async with asyncio.timeout(NOBODY):
            while len(gateway.holders) != 1:  # noqa: ASYNC110 - it is looked at again and again
                await asyncio.sleep(0.2)
    except TimeoutError:
        who = sorted(gateway.holders) or "nobody"
        gateway.complaints.append(f"in the end {who} was connected to the gateway")


async def _undisturbed(stage: Stage, week: int) -> Counter[str]:
    """Let one more week pass with nothing wrong; return what came too often in it."""
    before = stage.too_often()
    await _week(stage, week, week, _LONGEST_END, closes=False)
    await _until(stage, _LONGEST_END, _is_over)
    return stage.too_often() - before


async def _week(stage: Stage, first: int, last: int, patience: float, *, closes: bool) -> None:
    """Bring editions, let their time come, and wait until they are posted, or long enough."""
    stage.owed |= {
        (order.id, source, scene.first_day(last))
        for order in stage.orders
        for source in SOURCES
        if order.follows(source)
    }
    stage.journal.note(f"editions of {scene.first_day(first)} to {scene.first_day(last)}")
    came_at = scene.after_posting(first - 1)
    stage.overtaken |= {
        (source, scene.first_day(week)): came_at
        for source in SOURCES
        for week in range(first, last)
    }
    steps = planned(stage.chance, range(first, last + 1), came_at)
    await stage.patiently(lambda: stage.database.write(bring, steps))
    for step in steps:
        stage.brought.take(step.brings())
    stage.digests |= {
        (each.digest.order, each.digest.due_at(last + 1)) for each in stage.readers if each.digest
    }
    stage.week = last
    stage.show(scene.after_posting(last))
    if closes:
        await asyncio.sleep(stage.chance.uniform(0, 3))
        for order in stage.orders:
            if order.place.doomed:
                scene.close(order.place, stage.slack, stage.discord)
        for reader in stage.readers:
            if reader.doomed:
                people.close(reader, stage.slack, stage.discord)
    await _until(stage, _LONGEST_WEEK, _is_queued)
    with suppress(TimeoutError):
        await _until(stage, patience, _is_over)
    if stage.chance.random() < _CORRECTED:
        source = stage.chance.choice(SOURCES)
        stage.journal.note(f"correction of {source} {scene.first_day(last)}")
        again = scene.corrected(source, last)
        at = scene.after_posting(last)
        await stage.patiently(lambda: stage.database.write(scene.take_in_all, again, at))
        stage.corrected.add((source, scene.first_day(last)))


async def _until(stage: Stage, seconds: float, holds: Callable[[Stage], Awaitable[bool]]) -> None:
    async with asyncio.timeout(seconds):
        while not await holds(stage):  # noqa: ASYNC110 - a store has no event
            await asyncio.sleep(0.3)


async def _is_queued(stage: Stage) -> bool:
    """Tell whether all that is owed is known, but for orders whose channel is closed."""
    doomed = {order.id for order in stage.orders if order.place.doomed}
    owed = {each for each in stage.owed if each[0] not in doomed}
    if not (owed <= stage.known and stage.digests <= stage.known_digests):
        deliveries = await stage.deliveries()
        stage.known |= {owed_by(each) for each in deliveries}
        stage.known_digests |= {(each.subscription_id or 0, each.due_at) for each in deliveries}
    return owed <= stage.known and stage.digests <= stage.known_digests


async def _is_over(stage: Stage) -> bool:
    """Tell whether all that is owed is known, and nothing is left to do."""
    if not await _is_queued(stage):
        return False
    return await stage.patiently(lambda: stage.database.read(_is_idle))


def _digests(stage: Stage) -> set[int]:
    """Return the orders of digests, by id."""
    return {each.digest.order for each in stage.readers if each.digest}


def _is_idle(session: Session) -> bool:
    """Tell whether nothing waits to be matched, sent, corrected or told, or is worked on."""
    if new_entries.any_to_match(session):
        return False
    found = queue.find_ready(session, PLATFORMS, _LATER, most=1)
    if found.ready or found.claimed:
        return False
    return not (queue.list_outdated(session) or notices.list_notices(session, _LATER))
