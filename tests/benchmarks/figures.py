"""Every figure that is measured, and the ratio that each is to stay under."""

from collections.abc import Iterator
from functools import partial
from itertools import count, repeat

from store.database import Database
from tests.benchmarks import floor, memory, product, reads
from tests.benchmarks.corpus import Corpus
from tests.benchmarks.measure import Figure, by_turns, percentile
from tests.benchmarks.stage import Stage, copied, staged

# Memory hardly differs from one process to the next, and each costs a second.
_MOST_MEMORY_RUNS = 3


def measured(corpus: Corpus, runs: int) -> Iterator[Figure]:
    """Measure one figure after the other, each in so many runs."""
    with staged(corpus.archive) as stage:
        yield from _imports(stage, corpus.archive, runs)
        yield from _parses(corpus, runs)
        yield from _memory(stage, runs)
        yield from _reads(stage, runs)


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


def _reads(stage: Stage, runs: int) -> Iterator[Figure]:
    """Read by turns, many times in a run; a run's figures are its percentiles."""
    questions = reads.queries(stage.filled)
    for read in reads.READS:
        timed = [reads.timed(read, stage.filled, questions) for _ in range(1 + runs)][1:]
        for share in (50, 95):
            least = tuple(percentile(times, share) for times, _ in timed)
            mine = tuple(percentile(times, share) for _, times in timed)
            yield Figure(f"{read.name}, p{share}", "ms", least, mine)
