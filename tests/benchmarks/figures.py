"""Every figure that is measured, and the ratio that each is to stay under."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count, repeat

from store.database import Database
from tests.benchmarks import floor, memory, product, reads
from tests.benchmarks.acknowledging import acknowledgements
from tests.benchmarks.bursts import Commands
from tests.benchmarks.completing import completions
from tests.benchmarks.corpus import Corpus
from tests.benchmarks.growing import grow
from tests.benchmarks.living import lived
from tests.benchmarks.measure import Figure, by_turns, percentiles
from tests.benchmarks.questions import questions
from tests.benchmarks.responding import first_responses
from tests.benchmarks.searching import SIZES, Size, searches
from tests.benchmarks.stage import Stage, copied, staged
from tests.benchmarks.starting import starts

# Memory hardly differs from one process to the next, and each costs a second.
_MOST_MEMORY_RUNS = 3


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured: the stores' sizes, questions and starts a run, a life's commands.

    `chat` is what is asked on each chat platform.
    """

    sizes: tuple[Size, ...] = SIZES
    questions: int = 300
    starts: int = 3
    early: int = 300
    late: int = 3_000
    chat: Commands = field(default_factory=Commands)


def measured(corpus: Corpus, runs: int, extent: Extent = Extent()) -> Iterator[Figure]:
    """Measure one figure after the other, each in so many runs."""
    with staged(corpus.archive) as stage:
        yield from _imports(stage, corpus.archive, runs)
        yield from _parses(corpus, runs)
        yield from _memory(stage, runs)
        yield from _reads(stage, runs, extent)
        yield from _starts(stage, runs, extent)
        yield from _life(stage, runs, extent)
        yield from acknowledgements(stage.filled, runs, extent.chat)
        yield from first_responses(stage.filled, runs, extent.chat)
        for size in extent.sizes:
            yield from searches(stage, size, runs, extent.questions)
        yield from completions(stage, extent.sizes[-1].papers, runs, extent.questions)


def _imports(stage: Stage, archive: bytes, runs: int) -> Iterator[Figure]:
    """Import into empty stores; then changed bytes, and the same ones, into a filled store."""
    rows = floor.read_rows(stage.filled)
    series = by_turns(partial(_write, stage, rows), partial(_import, stage, archive), runs)
    yield Figure("archive import", "ms", *series, aim=3)
    for name, versions, aim in (
        ("changed bytes, same facts", _versions(archive), 1.2),
        ("same bytes again", repeat(archive), 0.05),
    ):
        with copied(stage.filled) as path, product.opened(path) as database:
            again = partial(_import_next, database, versions)
            yield Figure(name, "ms", *by_turns(partial(_write, stage, rows), again, runs), aim=aim)


def _write(stage: Stage, rows: list[floor.Transaction]) -> float:
    with copied(stage.empty) as path:
        return floor.timed_upsert(path, rows)


def _import(stage: Stage, archive: bytes) -> float:
    with copied(stage.empty) as path, product.opened(path) as database:
        return product.timed_import(database, archive)


def _import_next(database: Database, versions: Iterator[bytes]) -> float:
    return product.timed_import(database, next(versions))


def _versions(archive: bytes) -> Iterator[bytes]:
    """Give the archive with another line of prose each time, so that none was read before."""
    for number in count():
        yield f"Printed for the time number {number}.\n\n".encode() + archive


def _parses(corpus: Corpus, runs: int) -> Iterator[Figure]:
    """Parse one document of each kind; nothing is stored."""
    for name, data in (
        ("archive", corpus.archive),
        ("newsletter", corpus.newsletter),
        ("review", corpus.review),
    ):
        scan, parse = partial(floor.timed_scan, data), partial(product.timed_parse, data)
        yield Figure(f"{name} parse", "ms", *by_turns(scan, parse, runs))


def _memory(stage: Stage, runs: int) -> Iterator[Figure]:
    """Import in fresh processes; these need no warm-up."""
    runs = min(runs, _MOST_MEMORY_RUNS)
    for name, gauge in (("growth of the peak", "rss"), ("Python's peak", "python")):
        least, mine = (partial(memory.gauged, stage, side, gauge) for side in ("floor", "product"))
        yield Figure(f"import memory, {name}", "MiB", *by_turns(least, mine, runs, warm_ups=0))


def _reads(stage: Stage, runs: int, extent: Extent) -> Iterator[Figure]:
    """Read by turns, many times in a run."""
    asked = questions(stage.filled, extent.questions)
    for read in reads.READS:
        timed = [reads.timed(read, stage.filled, asked) for _ in range(1 + runs)][1:]
        yield from percentiles(read.name, timed, read.aims)


def _starts(stage: Stage, runs: int, extent: Extent) -> Iterator[Figure]:
    """Start the program on a copy, for its first start brings the store up to date."""
    with copied(stage.filled) as store:
        yield from starts(store, runs, extent.starts)


def _life(stage: Stage, runs: int, extent: Extent) -> Iterator[Figure]:
    """Answer commands in fresh processes; the floor is what is held after the first of them."""
    store = grow(stage, extent.sizes[0].papers)
    runs = min(runs, _MOST_MEMORY_RUNS)
    lives = [lived(store, extent.early, extent.late) for _ in range(runs)]
    early, late = zip(*lives, strict=True)
    name = f"memory after {extent.late:,} commands over {extent.early:,}"
    yield Figure(name, "MiB", early, late, aim=1.1)
