"""Measure every figure; each has the ratio that it should stay under."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count, repeat

from store.database import Database
from tests.benchmarks import alternate_reads
from tests.benchmarks.figures.acknowledgement import acknowledgements
from tests.benchmarks.figures.autocomplete import autocomplete
from tests.benchmarks.figures.busy_hour import BusyHour, busy_hour
from tests.benchmarks.figures.cold_start import Starts, starts
from tests.benchmarks.figures.during_import import DuringImport, answers_during_import
from tests.benchmarks.figures.fan_out import FanOut, fan_out, replicas
from tests.benchmarks.figures.first_response import first_responses
from tests.benchmarks.figures.half_open import HalfOpen, half_open
from tests.benchmarks.figures.import_memory import import_memory
from tests.benchmarks.figures.memory_growth import memory_growth
from tests.benchmarks.figures.pages import PageLoad, pages
from tests.benchmarks.figures.response_times import Commands
from tests.benchmarks.figures.search.alerts import NUMBERS, Alerts, matched_alerts
from tests.benchmarks.figures.search.flood import Flood, flood
from tests.benchmarks.figures.search.in_large_stores import SIZES, Size, searches
from tests.benchmarks.figures.syncs import Sources, syncs
from tests.benchmarks.floors import sqlite
from tests.benchmarks.inputs.documents import Corpus
from tests.benchmarks.inputs.large_stores import grow
from tests.benchmarks.inputs.queries import questions
from tests.benchmarks.inputs.setup import Stage, copied, staged
from tests.benchmarks.measure import Figure, by_turns, percentiles
from tests.benchmarks.processes import product

# Memory hardly differs from one process to the next, and each costs a second.
_MOST_MEMORY_RUNS = 3
# Each takes in a thousand editions.
_MOST_SYNC_RUNS = 3


@dataclass(frozen=True, slots=True)
class Extent:
    """The extent of all measurements: sizes of stores, and numbers of questions, starts, commands.

    `early` and `late` are the numbers of commands after which memory is measured.
    """

    sizes: tuple[Size, ...] = SIZES
    alerts: tuple[Alerts, ...] = NUMBERS
    questions: int = 300
    starts: Starts = field(default_factory=Starts)
    early: int = 300
    late: int = 3_000
    sources: Sources = field(default_factory=Sources)
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


def _all_imports(bench: Bench) -> Iterator[Figure]:
    yield from _imports(bench.stage, bench.corpus.archive, bench.runs)
    yield from _parses(bench.corpus, bench.runs)


def _acknowledgements(bench: Bench) -> Iterator[Figure]:
    yield from acknowledgements(bench.stage.filled, bench.runs, bench.extent.chat)


def _first_responses(bench: Bench) -> Iterator[Figure]:
    yield from first_responses(bench.stage.filled, bench.runs, bench.extent.chat)


def _syncs(bench: Bench) -> Iterator[Figure]:
    yield from syncs(bench.stage, min(bench.runs, _MOST_SYNC_RUNS), bench.extent.sources)


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


def _imports(stage: Stage, archive: bytes, runs: int) -> Iterator[Figure]:
    """Import into empty stores; then changed bytes, and the same ones, into a filled store."""
    rows = sqlite.read_rows(stage.filled)
    series = by_turns(partial(_write, stage, rows), partial(_import, stage, archive), runs)
    yield Figure("archive import", "ms", *series)
    for name, versions in (
        ("changed bytes, same facts", _versions(archive)),
        ("same bytes again", repeat(archive)),
    ):
        with copied(stage.filled) as path, product.opened(path) as database:
            again = partial(_import_next, database, versions)
            yield Figure(name, "ms", *by_turns(partial(_write, stage, rows), again, runs))


def _write(stage: Stage, rows: list[sqlite.Transaction]) -> float:
    with copied(stage.empty) as path:
        return sqlite.timed_upsert(path, rows)


def _import(stage: Stage, archive: bytes) -> float:
    with copied(stage.empty) as path, product.opened(path) as database:
        return product.timed_import(database, archive)


def _import_next(database: Database, versions: Iterator[bytes]) -> float:
    return product.timed_import(database, next(versions))


def _versions(archive: bytes) -> Iterator[bytes]:
    """Yield the archive with another line of prose each time, so that no version is stored."""
    for number in count():
        yield f"Printed for the time number {number}.\n\n".encode() + archive


def _parses(corpus: Corpus, runs: int) -> Iterator[Figure]:
    """Parse one document of each kind and store nothing."""
    for name, data in (
        ("archive", corpus.archive),
        ("newsletter", corpus.newsletter),
        ("review", corpus.review),
    ):
        scan, parse = partial(sqlite.timed_scan, data), partial(product.timed_parse, data)
        yield Figure(f"{name} parse", "ms", *by_turns(scan, parse, runs))


def _memory(bench: Bench) -> Iterator[Figure]:
    """Import in fresh processes; these need no warm-up."""
    stage, runs = bench.stage, min(bench.runs, _MOST_MEMORY_RUNS)
    measured = [import_memory(stage) for _ in range(runs)]
    for name, gauge in (("growth of the peak", "rss"), ("Python's peak", "python")):
        least, mine = zip(*(each[gauge] for each in measured), strict=True)
        yield Figure(f"import memory, {name}", "MiB", least, mine)


def _reads(bench: Bench) -> Iterator[Figure]:
    """Read on both sides by turns, many times in a run."""
    store = bench.stage.filled
    asked = questions(store, bench.extent.questions)
    timed = [
        alternate_reads.timed(alternate_reads.HITS, store, asked) for _ in range(1 + bench.runs)
    ][1:]
    yield from percentiles(alternate_reads.HITS.name, timed, {50: None, 95: None})


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
    "imports": _all_imports,
    "import-memory": _memory,
    "sources": _syncs,
    "reads": _reads,
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
