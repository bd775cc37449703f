"""Measure the response time of `/livez` beside half-open connections.

The bot is the installed `broadsheet run`. New connections are opened before each request, so that
the bot accepts them and, above its limit, closes the oldest.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter
from urllib.parse import urlsplit

from tests.benchmarks.figures.fan_out import without_garbage_collection
from tests.benchmarks.figures.response_times import terminate_after
from tests.benchmarks.inputs.setup import Stage, copied
from tests.benchmarks.measure import Figure, Timed, percentiles
from tests.flows.program import Program

_ASKED = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
_BEGUN = b"POST /slack/events HTTP/1.1\r\nHost: localhost\r\n"
_WELL = b"HTTP/1.1 200"
_START_SECONDS = 30.0
_ANSWER_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class HalfOpen:
    """The numbers of half-open connections, of those that each request adds, and of requests."""

    connections: int = 500
    each_time: int = 5
    questions: int = 100


@dataclass(slots=True)
class _Client:
    """A client of a web server that also opens connections and sends half of a request."""

    host: str
    port: int
    half_open: list[asyncio.StreamWriter] = field(default_factory=list)

    async def open_half(self, connections: int) -> None:
        """Open so many more half-open connections."""
        for _ in range(connections):
            _, writer = await asyncio.open_connection(self.host, self.port)
            writer.write(_BEGUN)
            self.half_open.append(writer)

    async def ask(self) -> float | None:
        """Return the response time of `/livez` in ms, or `None` if it did not answer."""
        began = perf_counter()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_ANSWER_SECONDS):
                reader, writer = await asyncio.open_connection(self.host, self.port)
                writer.write(_ASKED)
                answer = await reader.read()
                writer.close()
            if answer.startswith(_WELL):
                return 1000 * (perf_counter() - began)
        return None

    async def close_half_open(self) -> None:
        """Close the half-open connections."""
        for each in self.half_open:
            each.close()
        await asyncio.gather(
            *(each.wait_closed() for each in self.half_open), return_exceptions=True
        )
        self.half_open.clear()


def half_open(stage: Stage, runs: int, extent: HalfOpen) -> Iterator[Figure]:
    """Measure response times by turns without and with half-open connections."""
    pairs = asyncio.run(_pairs(stage, runs, extent))
    name = f"/livez beside {extent.connections:,} half-open connections"
    timed = [Timed(_times(idle), _times(beside)) for idle, beside in pairs]
    yield from percentiles(name, timed, {50: None, 99: 1000}, in_unit=True)
    shares = tuple(_share(idle) for idle, _ in pairs), tuple(_share(beside) for _, beside in pairs)
    yield Figure(f"{name}, answered", "share", *shares, aim=1, at_least=True)


_Answers = list[float | None]


async def _pairs(stage: Stage, runs: int, extent: HalfOpen) -> list[tuple[_Answers, _Answers]]:
    pairs = []
    async with _bot(stage) as client:
        for _ in range(1 + runs):
            with without_garbage_collection():
                idle = [await client.ask() for _ in range(extent.questions)]
                await client.open_half(extent.connections)
                beside = []
                for _ in range(extent.questions):
                    await client.open_half(extent.each_time)
                    beside.append(await client.ask())
            await client.close_half_open()
            pairs.append((idle, beside))
    return pairs[1:]


@asynccontextmanager
async def _bot(stage: Stage) -> AsyncIterator[_Client]:
    """Run the bot as a web server without a platform.

    Raises:
        RuntimeError: if it does not listen, with what it logged.
    """
    with copied(stage.filled) as store:
        program, log = Program(store.parent, f"sqlite:///{store}"), store.with_suffix(".log")
        as_json = {"BROADSHEET_LOG_FORMAT": "json"}
        async with terminate_after(program.start("run", "--no-samples", log=log, **as_json)):
            began = perf_counter()
            while "web_listening" not in (said := log.read_text(encoding="utf-8")):
                if perf_counter() - began > _START_SECONDS:
                    raise RuntimeError(said)
                await asyncio.sleep(0.05)
            lines = [json.loads(line) for line in said.splitlines()]
            [url] = [line["url"] for line in lines if line["event"] == "web_listening"]
            address = urlsplit(url)
            yield _Client(str(address.hostname), address.port or 0)


def _times(answers: _Answers) -> list[float]:
    return [1000 * _ANSWER_SECONDS if each is None else each for each in answers]


def _share(answers: _Answers) -> float:
    return sum(each is not None for each in answers) / len(answers)
