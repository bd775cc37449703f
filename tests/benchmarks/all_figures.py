"""Measure every figure; each has the ratio that it should stay under."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from tests.benchmarks.figures.autocomplete import autocomplete
from tests.benchmarks.figures.chats import DISCORD, SLACK
from tests.benchmarks.figures.during_import import DuringImport, answers_during_import
from tests.benchmarks.figures.fan_out import BusyHour, FanOut, busy_hour, fan_out, replicas
from tests.benchmarks.figures.half_open import HalfOpen, half_open
from tests.benchmarks.figures.pages import PageLoad, pages
from tests.benchmarks.figures.response_times import Commands, response_figures
from tests.benchmarks.figures.search.alerts import matched_alerts
from tests.benchmarks.figures.search.beside_alerts import BesideAlerts, acknowledged_beside_alerts
from tests.benchmarks.figures.search.flood import Flood, flood
from tests.benchmarks.figures.search.in_large_stores import searches
from tests.benchmarks.figures.start_and_memory import Starts, memory_growth, starts
from tests.benchmarks.inputs.documents import Corpus
from tests.benchmarks.inputs.large_stores import grow
from tests.benchmarks.inputs.setup import Stage, copied, staged
from tests.benchmarks.measure import Figure

# Memory hardly differs from one process to the next, and each costs a second.
_MOST_MEMORY_RUNS = 3


@dataclass(frozen=True, slots=True)
class Extent:
    """The extent of all measurements: numbers of papers, alerts, questions, starts, commands.

    `early` and `late` are the numbers of commands after which memory is measured.
    """

    papers: tuple[int, ...] = (1_300, 100_000)
    alerts: tuple[int, ...] = (1_000, 100_000)
    beside_alerts: BesideAlerts = field(default_factory=BesideAlerts)
    questions: int = 300
    starts: Starts = field(default_factory=Starts)
    early: int = 300
    late: int = 3_000
    during_import: DuringImport = field(default_factory=DuringImport)
    chat: Commands = field(default_factory=Commands)
    fan_out: FanOut = field(default_factory=FanOut)
    busy_hour: BusyHour = field(default_factory=BusyHour)
    half_open: HalfOpen = field(default_factory=HalfOpen)
    flood: Flood = field(default_factory=Flood)
    page_load: PageLoad = field(default_factory=PageLoad)


@dataclass(frozen=True, slots=True)
class Bench:
    """The inputs of a figure: stores, documents, number of runs and extent."""

    stage: Stage
    corpus: Corpus
    runs: int
    extent: Extent


Part = Callable[[Bench], Iterator[Figure]]


def measured(
    corpus: Corpus, runs: int, extent: Extent = Extent(), only: Collection[str] = ()
) -> Iterator[Figure]:
    """Measure one figure after the other, each in `runs` runs: all parts, or those in `only`."""
    with staged(corpus.archive) as stage:
        bench = Bench(stage, corpus, runs, extent)
        for name, part in PARTS.items():
            if not only or name in only:
                yield from part(bench)


def _searches(bench: Bench) -> Iterator[Figure]:
    for papers in bench.extent.papers:
        yield from searches(bench.stage, papers, bench.runs, bench.extent.questions)


def _alerts(bench: Bench) -> Iterator[Figure]:
    for number in bench.extent.alerts:
        yield from matched_alerts(bench.stage, number, bench.runs)
    yield from acknowledged_beside_alerts(bench.stage, bench.runs, bench.extent.beside_alerts)


def _starts(bench: Bench) -> Iterator[Figure]:
    """Start the program on a copy, because its first start upgrades the store."""
    with copied(bench.stage.filled) as store:
        yield from starts(store, bench.runs, bench.extent.starts)


def _memory_growth(bench: Bench) -> Iterator[Figure]:
    """Answer commands in fresh processes; the floor is the memory after `early` commands."""
    extent, runs = bench.extent, min(bench.runs, _MOST_MEMORY_RUNS)
    store = grow(bench.stage, extent.papers[0])
    grown = [memory_growth(store, extent.early, extent.late) for _ in range(runs)]
    early, late = zip(*grown, strict=True)
    name = f"memory after {extent.late:,} commands over {extent.early:,}"
    yield Figure(name, "MiB", early, late, aim=1.1)


# By the name that the command line knows each by, in the order of the table.
PARTS: dict[str, Part] = {
    "starts": _starts,
    "memory-growth": _memory_growth,
    "acknowledgements": lambda bench: response_figures(
        SLACK, bench.stage.filled, bench.runs, bench.extent.chat
    ),
    "first-responses": lambda bench: response_figures(
        DISCORD, bench.stage.filled, bench.runs, bench.extent.chat
    ),
    "during-import": lambda bench: answers_during_import(
        bench.stage, bench.corpus, bench.runs, bench.extent.during_import
    ),
    "searches": _searches,
    "autocomplete": lambda bench: autocomplete(
        bench.stage, bench.extent.papers[-1], bench.runs, bench.extent.questions
    ),
    "alerts": _alerts,
    "fan-out": lambda bench: fan_out(bench.stage, bench.extent.fan_out),
    "replicas": lambda bench: replicas(bench.stage, bench.extent.fan_out),
    "busy-hour": lambda bench: busy_hour(bench.stage, bench.extent.busy_hour),
    "half-open": lambda bench: half_open(bench.stage, bench.runs, bench.extent.half_open),
    "flood": lambda bench: flood(bench.stage, bench.runs, bench.extent.flood),
    "pages": lambda bench: pages(bench.stage, bench.runs, bench.extent.page_load),
}
