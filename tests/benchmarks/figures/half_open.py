"""How soon `/livez` answers beside connections that are opened and never ask for anything.

The bot is `broadsheet run` as it is installed. New ones come before each question, so that the bot
goes on taking them and, where there are too many, ends the oldest.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter
from urllib.parse import urlsplit

from tests.benchmarks.figures.fan_out import undisturbed
from tests.benchmarks.figures.response_times import ended
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
    """So many connections say nothing, and so many more before each of so many questions."""

    connections: int = 500
    each_time: int = 5
    questions: int = 100


@dataclass(slots=True)
class _Client:
    """Whoever asks a web server, and opens connections to it that say half of a request."""

    host: str
    port: int
    silent: list[asyncio.StreamWriter] = field(default_factory=list)

    async def say_nothing(self, connections: int) -> None:
        """Open so many connections more."""
        for _ in range(connections):
            _, writer = await asyncio.open_connection(self.host, self.port)
            writer.write(_BEGUN)
            self.silent.append(writer)

    async def ask(self) -> float | None:
        """Return within how many ms `/livez` answered, `None` where it did not."""
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

    async def hang_up(self) -> None:
        """Close what says nothing."""
        for each in self.silent:
            each.close()
        await asyncio.gather(*(each.wait_closed() for each in self.silent), return_exceptions=True)
        self.silent.clear()


def half_open(stage: Stage, runs: int, extent: HalfOpen) -> Iterator[Figure]:
    """Measure answers by turns: alone, then beside connections that say nothing."""
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
            with undisturbed():
                idle = [await client.ask() for _ in range(extent.questions)]
                await client.say_nothing(extent.connections)
                beside = []
                for _ in range(extent.questions):
                    await client.say_nothing(extent.each_time)
                    beside.append(await client.ask())
            await client.hang_up()
            pairs.append((idle, beside))
    return pairs[1:]


@asynccontextmanager
async def _bot(stage: Stage) -> AsyncIterator[_Client]:
    """Have the bot serve the web, with no platform.

    Raises:
        RuntimeError: if it does not listen, with what it logged.
    """
    with copied(stage.filled) as store:
        program, log = Program(store.parent, f"sqlite:///{store}"), store.with_suffix(".log")
        as_json = {"BROADSHEET_LOG_FORMAT": "json"}
        async with ended(program.start("run", "--no-samples", log=log, **as_json)):
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
