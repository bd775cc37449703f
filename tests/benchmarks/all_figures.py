"""Measure every figure; each has the ratio that it should stay under."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from tests.benchmarks.figures.acknowledgement import acknowledgements
from tests.benchmarks.figures.autocomplete import autocomplete
from tests.benchmarks.figures.busy_hour import BusyHour, busy_hour
from tests.benchmarks.figures.cold_start import Starts, starts
from tests.benchmarks.figures.during_import import DuringImport, answers_during_import
from tests.benchmarks.figures.fan_out import FanOut, fan_out, replicas
from tests.benchmarks.figures.first_response import first_responses
from tests.benchmarks.figures.half_open import HalfOpen, half_open
from tests.benchmarks.figures.memory_growth import memory_growth
from tests.benchmarks.figures.pages import PageLoad, pages
from tests.benchmarks.figures.response_times import Commands
from tests.benchmarks.figures.search.alerts import NUMBERS, Alerts, matched_alerts
from tests.benchmarks.figures.search.beside_alerts import BesideAlerts, acknowledged_beside_alerts
from tests.benchmarks.figures.search.flood import Flood, flood
from tests.benchmarks.figures.search.in_large_stores import SIZES, Size, searches
from tests.benchmarks.inputs.documents import Corpus
from tests.benchmarks.inputs.large_stores import grow
from tests.benchmarks.inputs.setup import Stage, copied, staged
from tests.benchmarks.measure import Figure

# Memory hardly differs from one process to the next, and each costs a second.
_MOST_MEMORY_RUNS = 3


@dataclass(frozen=True, slots=True)
class Extent:
    """The extent of all measurements: sizes of stores, and numbers of questions, starts, commands.

    `early` and `late` are the numbers of commands after which memory is measured.
    """

    sizes: tuple[Size, ...] = SIZES
    alerts: tuple[Alerts, ...] = NUMBERS
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


def _acknowledgements(bench: Bench) -> Iterator[Figure]:
    yield from acknowledgements(bench.stage.filled, bench.runs, bench.extent.chat)


def _first_responses(bench: Bench) -> Iterator[Figure]:
    yield from first_responses(bench.stage.filled, bench.runs, bench.extent.chat)


def _during_import(bench: Bench) -> Iterator[Figure]:
    yield from answers_during_import(
        bench.stage, bench.corpus, bench.runs, bench.extent.during_import
    )


def _searches(bench: Bench) -> Iterator[Figure]:
    for size in bench.extent.sizes:
        yield from searches(bench.stage, size, bench.runs, bench.extent.questions)


def _alerts(bench: Bench) -> Iterator[Figure]:
    for extent in bench.extent.alerts:
        yield from matched_alerts(bench.stage, extent, bench.runs)
    yield from acknowledged_beside_alerts(bench.stage, bench.runs, bench.extent.beside_alerts)


def _autocomplete(bench: Bench) -> Iterator[Figure]:
    papers = bench.extent.sizes[-1].papers
    yield from autocomplete(bench.stage, papers, bench.runs, bench.extent.questions)


def _fan_out(bench: Bench) -> Iterator[Figure]:
    yield from fan_out(bench.stage, bench.extent.fan_out)


def _replicas(bench: Bench) -> Iterator[Figure]:
    yield from replicas(bench.stage, bench.extent.fan_out)


def _busy_hour(bench: Bench) -> Iterator[Figure]:
    yield from busy_hour(bench.stage, bench.extent.busy_hour)


def _half_open(bench: Bench) -> Iterator[Figure]:
    yield from half_open(bench.stage, bench.runs, bench.extent.half_open)


def _flood(bench: Bench) -> Iterator[Figure]:
    yield from flood(bench.stage, bench.runs, bench.extent.flood)


def _pages(bench: Bench) -> Iterator[Figure]:
    yield from pages(bench.stage, bench.runs, bench.extent.page_load)


def _starts(bench: Bench) -> Iterator[Figure]:
    """Start the program on a copy, because its first start upgrades the store."""
    with copied(bench.stage.filled) as store:
        yield from starts(store, bench.runs, bench.extent.starts)


def _memory_growth(bench: Bench) -> Iterator[Figure]:
    """Answer commands in fresh processes; the floor is the memory after `early` commands."""
    extent, runs = bench.extent, min(bench.runs, _MOST_MEMORY_RUNS)
    store = grow(bench.stage, extent.sizes[0].papers)
    grown = [memory_growth(store, extent.early, extent.late) for _ in range(runs)]
    early, late = zip(*grown, strict=True)
    name = f"memory after {extent.late:,} commands over {extent.early:,}"
    yield Figure(name, "MiB", early, late, aim=1.1)


# By the name that the command line knows each by, in the order of the table.
PARTS: dict[str, Part] = {
    "starts": _starts,
    "memory-growth": _memory_growth,
    "acknowledgements": _acknowledgements,
    "first-responses": _first_responses,
    "during-import": _during_import,
    "searches": _searches,
    "autocomplete": _autocomplete,
    "alerts": _alerts,
    "fan-out": _fan_out,
    "replicas": _replicas,
    "busy-hour": _busy_hour,
    "half-open": _half_open,
    "flood": _flood,
    "pages": _pages,
}
