"""How soon `/papers latest` stands in its acknowledgement, beside a Bolt app that does nothing.

Floor and product are processes of their own, each connected by Socket Mode to a small Slack in
this one. Times are from the sending of an envelope to the coming of its acknowledgement.
"""

import asyncio
import gc
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from tests.benchmarks import do_nothing
from tests.benchmarks.measure import Figure, Series, Timed, percentiles
from tests.benchmarks.memory import resident
from tests.benchmarks.small_slack import Acknowledged, SmallSlack
from tests.benchmarks.stage import copied
from tests.flows.program import Program

_COMMAND = "/papers latest"


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
class _Burst:
    """What came of a run: ms of each command, commands a second, the share with an answer."""

    milliseconds: Sequence[float]
    rate: float
    answered: float


@dataclass(frozen=True, slots=True)
class _Side:
    """A connected app, and what tells whether an acknowledgement holds its answer."""

    slack: SmallSlack
    process: subprocess.Popen[str]
    holds_answer: Callable[[dict[str, Any]], bool]

    async def burst(self, number: int, in_flight: int) -> _Burst:
        """Send so many commands, so many of them at once."""
        gc.collect()
        left = iter(range(number))

        async def send_on() -> list[Acknowledged]:
            return [await self.slack.send(_COMMAND) for _ in left]

        began = perf_counter()
        sent = await asyncio.gather(*(send_on() for _ in range(in_flight)))
        seconds = perf_counter() - began
        came = [each for some in sent for each in some]
        # Looked into now, and not while others were waited for.
        answers = sum(self.holds_answer(each.payload) for each in came)
        return _Burst([each.milliseconds for each in came], number / seconds, answers / number)

    def resident(self) -> float:
        """Return the MiB that the app holds now."""
        return resident("VmRSS", self.process.pid)


# Floor and product.
_Sides = tuple[_Side, _Side]
_Pair = tuple[_Burst, _Burst]


def acknowledgements(store: Path, runs: int, commands: Commands) -> Iterator[Figure]:
    """Measure times by turns, and memory in processes that have done nothing else."""
    yield from asyncio.run(_times(store, runs, commands))
    yield from asyncio.run(_memory(store, commands))


async def _times(store: Path, runs: int, commands: Commands) -> list[Figure]:
    figures: list[Figure] = []
    async with _both(store) as sides:
        for in_flight in commands.in_flight:
            pairs = [await _pair(sides, commands.in_a_run, in_flight) for _ in range(1 + runs)]
            figures += _figures(in_flight, pairs[1:])
    return figures


async def _pair(sides: _Sides, number: int, in_flight: int) -> _Pair:
    floor, product = sides
    return await floor.burst(number, in_flight), await product.burst(number, in_flight)


def _figures(in_flight: int, pairs: Sequence[_Pair]) -> Iterator[Figure]:
    """Return what the runs with so many in flight came to."""
    name = f"acknowledgement, {in_flight} in flight"
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


async def _memory(store: Path, commands: Commands) -> list[Figure]:
    at_once = max(commands.in_flight)
    async with _both(store) as (floor, product):
        await product.burst(commands.early, at_once)
        early = product.resident()
        await product.burst(commands.late - commands.early, at_once)
        await floor.burst(commands.late, at_once)
        late, least = product.resident(), floor.resident()
    name = f"memory after {commands.late:,} acknowledgements"
    return [
        Figure(name, "MiB", (least,), (late,)),
        Figure(f"{name} over {commands.early:,}", "MiB", (early,), (late,), aim=1.1),
    ]


@asynccontextmanager
async def _both(store: Path) -> AsyncIterator[_Sides]:
    """Run floor and product; each has answered once, so all that it needs is loaded."""
    with copied(store) as own:
        async with (
            _connected(_floor(own.parent), _is_two_letters) as floor,
            _connected(_product(own), _is_edition) as product,
        ):
            await _pair((floor, product), 1, 1)
            yield floor, product


def _is_two_letters(payload: dict[str, Any]) -> bool:
    return payload == {"text": do_nothing.SAID}


def _is_edition(payload: dict[str, Any]) -> bool:
    # An edition's title is a header; neither an error nor an apology has one.
    return any(block["type"] == "header" for block in payload.get("blocks", ()))


@dataclass(frozen=True, slots=True)
class _App:
    """How an app is started on a Slack, given its Web API, and where it logs."""

    start: Callable[[str], subprocess.Popen[str]]
    log: Path


@asynccontextmanager
async def _connected(
    app: _App, holds_answer: Callable[[dict[str, Any]], bool]
) -> AsyncIterator[_Side]:
    """Run an app with a Slack of its own.

    Raises:
        RuntimeError: if it does not connect, with what it logged.
    """
    slack = SmallSlack()
    async with slack.open(), _ended(app.start(slack.api_url)) as process:
        try:
            await slack.connected()
        except TimeoutError as error:
            raise RuntimeError(app.log.read_text(encoding="utf-8")) from error
        yield _Side(slack, process, holds_answer)


@asynccontextmanager
async def _ended(process: subprocess.Popen[str]) -> AsyncIterator[subprocess.Popen[str]]:
    """Have a process end with the block; meanwhile its Slack says farewell to it."""
    with process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(process.wait)


def _floor(folder: Path) -> _App:
    log = folder / "floor.log"
    # No more than the product is given; through a proxy the small Slack could not be reached.
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}

    def start(api_url: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", do_nothing.__name__, api_url]
        with log.open("w") as errors:
            return subprocess.Popen(command, env=kept, stderr=errors, text=True)

    return _App(start, log)


def _product(store: Path) -> _App:
    program = Program(store.parent, f"sqlite:///{store}")
    log = store.with_suffix(".log")

    def start(api_url: str) -> subprocess.Popen[str]:
        return program.start(
            "run",
            "--no-samples",
            log=log,
            BROADSHEET_SLACK_API_URL=api_url,
            SLACK_BOT_TOKEN="xoxb-1",  # noqa: S106 - opens nothing
            SLACK_APP_TOKEN="xapp-1",  # noqa: S106 - the same
        )

    return _App(start, log)
