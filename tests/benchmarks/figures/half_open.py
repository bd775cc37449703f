"""Measure the response time of `/livez` beside half-open connections.

The bot is the installed `broadsheet run`. New connections are opened before each request, so that
the bot accepts them and, above its limit, closes the oldest.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from urllib.parse import urlsplit

from tests.benchmarks.figures.serving import serving
from tests.benchmarks.inputs.setup import Stage, copied
from tests.benchmarks.measure import (
    Figure,
    Timed,
    percentile_figure,
    without_garbage_collection,
)

_ASKED = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
_BEGUN = b"POST /slack/events HTTP/1.1\r\nHost: localhost\r\n"
_WELL = b"HTTP/1.1 200"
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
    yield percentile_figure(name, timed, 99, 1000, in_unit=True)
    idle, beside = zip(*(map(_share, pair) for pair in pairs), strict=True)
    yield Figure(f"{name}, answered", "share", idle, beside, aim=1, at_least=True)


_Answers = list[float | None]


async def _pairs(stage: Stage, runs: int, extent: HalfOpen) -> list[tuple[_Answers, _Answers]]:
    pairs = []
    with copied(stage.filled) as store:
        async with serving(store) as url:
            address = urlsplit(url)
            client = _Client(str(address.hostname), address.port or 0)
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


def _times(answers: _Answers) -> list[float]:
    return [1000 * _ANSWER_SECONDS if each is None else each for each in answers]


def _share(answers: _Answers) -> float:
    return sum(each is not None for each in answers) / len(answers)
