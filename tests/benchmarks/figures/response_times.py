"""How soon a platform's app answers, beside an app that does nothing.

Floor and product are processes of their own, each connected to a small platform in this one.
Times are from the sending of a command to the coming of its answer.
"""

import asyncio
import gc
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.benchmarks.figures.import_memory import resident
from tests.benchmarks.inputs.setup import copied
from tests.benchmarks.measure import Figure, Series, Timed, percentiles
from tests.benchmarks.platforms.server import Answer, SmallServer
from tests.flows.program import Program


@dataclass(frozen=True, slots=True)
class Commands:
    """How many commands are sent in a run, how many at once, and how many in a bot's life.

    Memory is looked at after the `early` ones and after the `late` ones.
    """

    in_a_run: int = 400
    in_flight: tuple[int, ...] = (1, 16)
    early: int = 2_000
    late: int = 12_000


@dataclass(frozen=True, slots=True)
class Platform:
    """What is measured.

    Attributes:
        answer: what the answer to a command is called.
        serve: makes a platform for one app.
        floor: the module of the app that does nothing, which is given the API's address.
        variables: the environment of the product, given the API's address.
        is_floors: whether an answer is the floor's.
        is_edition: whether an answer holds an edition; neither an error nor an apology does.
    """

    answer: str
    serve: Callable[[], SmallServer]
    floor: str
    variables: Callable[[str], Mapping[str, str]]
    is_floors: Callable[[str], bool]
    is_edition: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class _Burst:
    """What came of a run: ms of each command, commands a second, the share with an answer."""

    milliseconds: Sequence[float]
    rate: float
    answered: float


@dataclass(frozen=True, slots=True)
class _Side:
    """A connected app, and what tells whether it was answered."""

    server: SmallServer
    process: subprocess.Popen[str]
    is_answer: Callable[[str], bool]

    async def burst(self, number: int, in_flight: int) -> _Burst:
        """Send so many commands, so many of them at once."""
        gc.collect()
        left = iter(range(number))

        async def send_on() -> list[Answer]:
            return [await self.server.send() for _ in left]

        began = perf_counter()
        sent = await asyncio.gather(*(send_on() for _ in range(in_flight)))
        seconds = perf_counter() - began
        came = [each for some in sent for each in some]
        # Looked into now, and not while others were waited for.
        answers = sum(self.is_answer(each.text) for each in came)
        return _Burst([each.milliseconds for each in came], number / seconds, answers / number)

    def resident(self) -> float:
        """Return the MiB that the app holds now."""
        return resident("VmRSS", self.process.pid)


# Floor and product.
_Sides = tuple[_Side, _Side]
_Pair = tuple[_Burst, _Burst]


def bursts(platform: Platform, store: Path, runs: int, commands: Commands) -> Iterator[Figure]:
    """Measure times by turns, and memory in processes that have done nothing else."""
    yield from asyncio.run(_times(platform, store, runs, commands))
    yield from asyncio.run(_memory(platform, store, commands))


async def _times(platform: Platform, store: Path, runs: int, commands: Commands) -> list[Figure]:
    figures: list[Figure] = []
    async with _both(platform, store) as sides:
        for in_flight in commands.in_flight:
            pairs = [await _pair(sides, commands.in_a_run, in_flight) for _ in range(1 + runs)]
            figures += _figures(f"{platform.answer}, {in_flight} in flight", pairs[1:])
    return figures


async def _pair(sides: _Sides, number: int, in_flight: int) -> _Pair:
    floor, product = sides
    return await floor.burst(number, in_flight), await product.burst(number, in_flight)


def _figures(name: str, pairs: Sequence[_Pair]) -> Iterator[Figure]:
    """Return what the runs with so many in flight came to."""
    timed = [Timed(floor.milliseconds, product.milliseconds) for floor, product in pairs]
    yield from percentiles(name, timed, {50: 4, 99: None})
    floors, products = zip(*pairs, strict=True)
    yield Figure(f"{name}, rate", "1/s", _rates(floors), _rates(products))
    shares = _shares(floors), _shares(products)
    yield Figure(f"{name}, with its answer", "share", *shares, aim=1, at_least=True)


def _rates(bursts: Sequence[_Burst]) -> Series:
    return tuple(burst.rate for burst in bursts)


def _shares(bursts: Sequence[_Burst]) -> Series:
    return tuple(burst.answered for burst in bursts)


async def _memory(platform: Platform, store: Path, commands: Commands) -> list[Figure]:
    at_once = max(commands.in_flight)
    async with _both(platform, store) as (floor, product):
        await product.burst(commands.early, at_once)
        early = product.resident()
        await product.burst(commands.late - commands.early, at_once)
        await floor.burst(commands.late, at_once)
        late, least = product.resident(), floor.resident()
    name = f"memory after {commands.late:,} {platform.answer}s"
    return [
        Figure(name, "MiB", (least,), (late,)),
        Figure(f"{name} over {commands.early:,}", "MiB", (early,), (late,), aim=1.1),
    ]


@asynccontextmanager
async def _both(platform: Platform, store: Path) -> AsyncIterator[_Sides]:
    """Run floor and product; each has answered once, so all that it needs is loaded."""
    with copied(store) as own:
        async with (
            _connected(platform, _floor(platform, own.parent), platform.is_floors) as floor,
            _connected(platform, _product(platform, own), platform.is_edition) as product,
        ):
            await _pair((floor, product), 1, 1)
            yield floor, product


@dataclass(frozen=True, slots=True)
class _App:
    """How an app is started on a platform, given its API, and where it logs."""

    start: Callable[[str], subprocess.Popen[str]]
    log: Path


@asynccontextmanager
async def _connected(
    platform: Platform, app: _App, is_answer: Callable[[str], bool]
) -> AsyncIterator[_Side]:
    """Run an app with a platform of its own.

    Raises:
        RuntimeError: if it does not connect, with what it logged.
    """
    server = platform.serve()
    async with server.open(), ended(app.start(server.api_url)) as process:
        try:
            await server.connected()
        except TimeoutError as error:
            raise RuntimeError(app.log.read_text(encoding="utf-8")) from error
        yield _Side(server, process, is_answer)


@asynccontextmanager
async def ended(process: subprocess.Popen[str]) -> AsyncIterator[subprocess.Popen[str]]:
    """Have a process end with the block; meanwhile its platform says farewell to it."""
    with process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(process.wait)


def _floor(platform: Platform, folder: Path) -> _App:
    log = folder / "floor.log"
    # No more than the product is given; through a proxy the small platform could not be reached.
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}

    def start(api_url: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", platform.floor, api_url]
        with log.open("w") as errors:
            return subprocess.Popen(command, env=kept, stderr=errors, text=True)

    return _App(start, log)


def _product(platform: Platform, store: Path) -> _App:
    program = Program(store.parent, f"sqlite:///{store}")
    log = store.with_suffix(".log")

    def start(api_url: str) -> subprocess.Popen[str]:
        variables: Any = platform.variables(api_url)
        return program.start("run", "--no-samples", log=log, **variables)

    return _App(start, log)
