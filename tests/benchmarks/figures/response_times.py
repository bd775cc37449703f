"""Compare the response times of the bot with those of a do-nothing app.

Floor and product are processes of their own, each connected to a fake platform in this one.
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
from itertools import islice, repeat
from pathlib import Path
from time import perf_counter

from tests.benchmarks.inputs.queries import search_commands
from tests.benchmarks.inputs.setup import copied
from tests.benchmarks.measure import Figure, Timed, percentile_figure, resident
from tests.benchmarks.platforms.server import Answer, FakePlatform
from tests.flows.forked_program import Forked
from tests.flows.program import Program

_LATEST = "latest"
# How the title of a hit list begins, by words or by the year alone; neither an error nor an apology
# has that.
_HITS = ("Papers for ", "Papers from ")


@dataclass(frozen=True, slots=True)
class Commands:
    """The numbers of commands in a run, and of commands for memory.

    Memory is measured after the `early` ones and after the `late` ones, in new processes or, with
    `share_processes`, in those that were timed.
    """

    in_a_run: int = 400
    early: int = 2_000
    late: int = 12_000
    share_processes: bool = False


@dataclass(frozen=True, slots=True)
class Platform:
    """A chat platform and the judges of its answers.

    Attributes:
        answer: the name of an answer to a command.
        search_answer: the name of an answer to a search.
        serve: makes a platform for one app.
        floor: the module of the do-nothing app, which takes the address of the API.
        variables: the environment of the product, given the API's address.
        is_floors: whether an answer is the floor's.
        is_edition: whether an answer holds an edition; neither an error nor an apology does.
        aims: how many times the floor's p50 an answer may take, by the commands in flight that
            are measured.
        search_aims: the same of an answer to a search.
        rates: answers a second that it shall give, by the commands in flight.
        search_rates: the same of searches.
    """

    answer: str
    search_answer: str
    serve: Callable[[], FakePlatform]
    floor: str
    variables: Callable[[str], Mapping[str, str]]
    is_floors: Callable[[str], bool]
    is_edition: Callable[[str], bool]
    aims: Mapping[int, float]
    search_aims: Mapping[int, float]
    rates: Mapping[int, float]
    search_rates: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class _Batch:
    """The result of a run: ms of each command, commands a second, the share with an answer."""

    milliseconds: Sequence[float]
    rate: float
    answered: float


@dataclass(frozen=True, slots=True)
class _Side:
    """A connected app with its platform; `is_answer` judges the answer to a command."""

    server: FakePlatform
    process: subprocess.Popen[str]
    is_answer: Callable[[str, str], bool]

    async def send_batch(self, commands: Sequence[str], in_flight: int) -> _Batch:
        """Send commands, `in_flight` of them at once."""
        gc.collect()
        left = iter(commands)

        async def send_on() -> list[tuple[str, Answer]]:
            return [(command, await self.server.send(command)) for command in left]

        began = perf_counter()
        sent = await asyncio.gather(*(send_on() for _ in range(in_flight)))
        seconds = perf_counter() - began
        came = [each for some in sent for each in some]
        # Judged now, for judging would delay the answers to other commands.
        answers = sum(self.is_answer(command, answer.text) for command, answer in came)
        times = [answer.milliseconds for _, answer in came]
        return _Batch(times, len(came) / seconds, answers / len(came))


# Floor and product.
_Sides = tuple[_Side, _Side]
_Pair = tuple[_Batch, _Batch]


def response_figures(
    platform: Platform, store: Path, runs: int, commands: Commands
) -> Iterator[Figure]:
    """Measure times by turns, and memory in processes that have done nothing else."""
    yield from asyncio.run(_times_and_memory(platform, store, runs, commands))


async def _times_and_memory(
    platform: Platform, store: Path, runs: int, commands: Commands
) -> list[Figure]:
    number = len(platform.search_aims) * (1 + runs) * commands.in_a_run
    searches = search_commands(store, number)
    async with _both(platform, store) as sides:
        figures = await _times(platform, sides, searches, runs, commands)
        if commands.share_processes:
            return figures + await _memory(platform, sides, commands)
    async with _both(platform, store) as sides:
        return figures + await _memory(platform, sides, commands)


async def _times(
    platform: Platform, sides: _Sides, searches: Sequence[str], runs: int, commands: Commands
) -> list[Figure]:
    figures: list[Figure] = []
    once_each = iter(searches)  # so that no answer is cached
    for answer, sent, aims, rates in (
        (platform.answer, repeat(_LATEST), platform.aims, platform.rates),
        (platform.search_answer, once_each, platform.search_aims, platform.search_rates),
    ):
        for in_flight, aim in aims.items():
            batches = [list(islice(sent, commands.in_a_run)) for _ in range(1 + runs)]
            pairs = [await _pair(sides, batch, in_flight) for batch in batches]
            name = f"{answer}, {in_flight} in flight"
            figures += _figures(name, pairs[1:], aim, rates.get(in_flight))
    return figures


async def _pair(sides: _Sides, commands: Sequence[str], in_flight: int) -> _Pair:
    floor, product = sides
    return await floor.send_batch(commands, in_flight), await product.send_batch(
        commands, in_flight
    )


def _figures(name: str, pairs: Sequence[_Pair], aim: float, rate: float | None) -> Iterator[Figure]:
    """Yield the figures of the runs with one number of commands in flight."""
    timed = [Timed(floor.milliseconds, product.milliseconds) for floor, product in pairs]
    yield percentile_figure(name, timed, 50, aim)
    floors, products = zip(*pairs, strict=True)
    if rate is not None:
        came = _rates(floors), _rates(products)
        yield Figure(f"{name}, rate", "1/s", *came, aim=rate, at_least=True, in_unit=True)
    shares = _shares(floors), _shares(products)
    yield Figure(f"{name}, with its answer", "share", *shares, aim=1, at_least=True)


def _rates(batches: Sequence[_Batch]) -> tuple[float, ...]:
    return tuple(batch.rate for batch in batches)


def _shares(batches: Sequence[_Batch]) -> tuple[float, ...]:
    return tuple(batch.answered for batch in batches)


async def _memory(platform: Platform, sides: _Sides, commands: Commands) -> list[Figure]:
    at_once = max(platform.aims)
    _, product = sides
    await product.send_batch([_LATEST] * commands.early, at_once)
    early = resident(product.process.pid)
    await product.send_batch([_LATEST] * (commands.late - commands.early), at_once)
    late = resident(product.process.pid)
    name = f"memory after {commands.late:,} {platform.answer}s over {commands.early:,}"
    return [Figure(name, "MiB", (early,), (late,), aim=1.1)]


@asynccontextmanager
async def _both(platform: Platform, store: Path) -> AsyncIterator[_Sides]:
    """Run floor and product; each has answered once, so its modules are loaded."""
    with copied(store) as own:
        async with _floor(platform, own.parent) as floor, _product(platform, own) as product:
            await _pair((floor, product), [_LATEST], 1)
            yield floor, product


@asynccontextmanager
async def _floor(platform: Platform, folder: Path) -> AsyncIterator[_Side]:
    """Run the do-nothing app."""
    server, log = platform.serve(), folder / "floor.log"
    async with server.open():
        process = _started(platform.floor, server.api_url, log)
        async with _connected(server, process, log):
            yield _Side(server, process, lambda _, answer: platform.is_floors(answer))


def _started(module: str, api_url: str, log: Path) -> subprocess.Popen[str]:
    # No more than the product is given; through a proxy the fake platform could not be reached.
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}
    command = [sys.executable, "-m", module, api_url]
    with log.open("w") as errors:
        return subprocess.Popen(command, env=kept, stderr=errors, text=True)


@asynccontextmanager
async def _product(platform: Platform, store: Path) -> AsyncIterator[_Side]:
    """Run the installed program."""
    program, log = Program(store.parent, f"sqlite:///{store}"), store.with_suffix(".log")
    server = platform.serve()

    def is_answer(command: str, answer: str) -> bool:
        return (
            platform.is_edition(answer)
            if command == _LATEST
            else any(each in answer for each in _HITS)
        )

    async with server.open():
        settings = platform.variables(server.api_url)
        process = program.start("run", "--no-samples", log=log, **settings)
        async with _connected(server, process, log):
            yield _Side(server, process, is_answer)


@asynccontextmanager
async def _connected(
    server: FakePlatform, process: subprocess.Popen[str], log: Path
) -> AsyncIterator[None]:
    """Wait until an app connects, and terminate it after the block.

    Raises:
        RuntimeError: if it does not connect, with what it logged.
    """
    async with terminate_after(process):
        try:
            await server.connected()
        except TimeoutError as error:
            raise RuntimeError(log.read_text(encoding="utf-8")) from error
        yield


@asynccontextmanager
async def terminate_after(process: subprocess.Popen[str] | Forked) -> AsyncIterator[None]:
    """Terminate a process after the block, while its platform still serves it."""
    with process:
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(process.wait)
