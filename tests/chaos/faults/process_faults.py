"""What is done to the workers and the database, by chance, until it is enough."""

import asyncio
from contextlib import AsyncExitStack, suppress

from tests.chaos.faults.partition import State
from tests.chaos.setup import DATABASE, Stage
from tests.chaos.workers.processes import Worker
from tests.chaos.workers.worker import PACE

_HOUR = 3600.0
# How wrong the machine's clock gets, in seconds ahead of the platforms'.
_WRONG = (0.0, 0.0, 2.0, -2.0, 2 * _HOUR, -2 * _HOUR, 14 * _HOUR, -30 * _HOUR)
# By how much people's clock goes back for a moment.
_BACK = (-_HOUR, -5 * _HOUR, -50 * _HOUR)
# Longer than Discord tells a repeat by its nonce.
_NONCE_SECONDS = 200.0
# How often a worker that is alone is away for as long as that, and how often all of several.
_FORGOTTEN = 0.3
_FORGOTTEN_EVERY = (30.0, 90.0)
# How much of what is done to a worker is to freeze it, to end it in order, to cut it off.
_FREEZES, _STOPS, _PARTS = 0.12, 0.12, 0.2
# How long the database stays between two restarts, and how long it is away, in seconds.
_RESTARTS_EVERY = (20.0, 60.0)
_DATABASE_AWAY = (0.2, 4.0)


async def afflict(stage: Stage, worker: Worker) -> None:
    """Do one thing after the other to a worker, often right when its message has arrived unheard.

    Each of several is left alone for longer, so that all of them together get no more.
    """
    chance = worker.chance
    while not stage.over.is_set():
        await _pause(stage, chance.uniform(0.2, 3) * len(stage.workers) ** 0.5)
        await _held(stage, worker, chance.expovariate(1 / (3 * len(stage.workers) ** 0.5)))
        await _pause(stage, chance.choice((0, 0, chance.uniform(0, 1))))
        async with worker.hold:
            await _afflict(stage, worker)


async def _afflict(stage: Stage, worker: Worker) -> None:
    """Do something to a worker, and take it back."""
    drawn = worker.chance.random()
    if drawn < _FREEZES:
        await worker.freeze(PACE.lease + worker.chance.uniform(-2, 4))
    elif drawn < _FREEZES + _PARTS:
        await _part(worker)
    else:
        alone = len(stage.workers) == 1
        in_order = drawn < _FREEZES + _PARTS + _STOPS
        await (worker.stop() if in_order else worker.kill())
        if alone and worker.chance.random() < _FORGOTTEN:
            await _forget(stage)
        await worker.begin()


async def forget(stage: Stage) -> None:
    """Have all of several workers away together for so long that nonces are forgotten."""
    while len(stage.workers) > 1 and not stage.over.is_set():
        await _pause(stage, stage.chance.uniform(*_FORGOTTEN_EVERY))
        if stage.over.is_set():
            break
        async with AsyncExitStack() as stack:
            for worker in stage.workers:
                await stack.enter_async_context(worker.hold)
            await asyncio.gather(*(worker.kill() for worker in stage.workers))
            await _forget(stage)
            await asyncio.gather(*(worker.begin() for worker in stage.workers))


async def restart(stage: Stage) -> None:
    """Have the database away again and again, with a word to those connected or without."""
    chance = stage.chance
    while stage.store.is_server and not stage.over.is_set():
        await _pause(stage, chance.uniform(*_RESTARTS_EVERY))
        if stage.over.is_set():
            break
        hard = chance.random() < 0.5
        away = chance.uniform(*_DATABASE_AWAY)
        await stage.store.restart("immediate" if hard else "fast", away)


async def jump(stage: Stage, worker: Worker) -> None:
    """Move a worker's clocks either way again and again."""
    chance = worker.chance
    while not stage.over.is_set():
        await _pause(stage, chance.uniform(1, 4) * len(stage.workers) ** 0.5)
        if chance.random() < 0.5:
            worker.hands.put_wrong(chance.choice(_WRONG))
            stage.jumps["machine's"] += 1
            continue
        worker.hands.set_back(chance.choice(_BACK))
        await asyncio.sleep(chance.uniform(0.5, 1.5))
        worker.hands.set_back(0.0)
        stage.jumps["people's"] += 2


async def _forget(stage: Stage) -> None:
    """Let minutes pass for Discord while nobody works.

    Were somebody at work, they would pass within a moment of its time, and between two attempts.
    """
    # What is still on its way arrives long before that.
    await asyncio.sleep(PACE.lease)
    stage.discord.pass_time(_NONCE_SECONDS)
    stage.journal.note("nonces are forgotten")


async def _part(worker: Worker) -> None:
    """Cut a worker off from one server or all, for a moment or for longer than a lease."""
    chance = worker.chance
    each = sorted(worker.ways)
    database = [(DATABASE,)] if DATABASE in worker.ways else []
    names = chance.choice([*database, *((name,) for name in each), tuple(each)])
    long = chance.random() < 0.5
    seconds = PACE.lease + chance.uniform(0, 4) if long else chance.uniform(0.3, 2)
    await worker.part(names, chance.choice((State.CUT, State.FROZEN)), seconds)


async def _held(stage: Stage, worker: Worker, seconds: float) -> None:
    """Wait until an answer to a worker is held back or all is over, so many seconds at most."""
    held = [each.held[host] for each in stage.troubles.values() for host in worker.hosts]
    for each in held:
        each.clear()
    waiting = [asyncio.create_task(each.wait()) for each in (*held, stage.over)]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()


async def _pause(stage: Stage, seconds: float) -> None:
    """Wait for so long, or until all is over."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stage.over.wait(), seconds)
