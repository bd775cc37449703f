"""Measure the memory of an import, each side in a process that does nothing else.

`python -m tests.benchmarks.figures.import_memory FOLDER` forks such a process for each side and
gauge, and prints MiB. Both sides read their input within the measured part: the product reads the
document, the floor the rows.
"""

import os
import re
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.floors import sqlite
from tests.benchmarks.inputs.setup import Stage, copied
from tests.benchmarks.processes import product

_MIB = 1024 * 1024
_Gauge = Callable[[], float]
_Side = Callable[[Stage, Path, _Gauge], float]


def import_memory(stage: Stage) -> dict[str, tuple[float, float]]:
    """Return the MiB that an import takes on both sides by each gauge.

    `rss` is the growth of the peak of resident memory, `python` the peak of what Python allocated.
    """
    command = [sys.executable, "-m", __name__, str(stage.folder)]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    values = map(float, run.stdout.split())
    return {gauge: (next(values), next(values)) for gauge in _GAUGES}


def _main(folder: str) -> None:
    stage = Stage(Path(folder))
    for gauge in _GAUGES.values():
        for side in (_floor, _product):
            _print_in_a_fork(stage, side, gauge)


def _print_in_a_fork(stage: Stage, side: _Side, gauge: _Gauge) -> None:
    """Import in a forked process that prints the MiB it took.

    Raises:
        RuntimeError: if the import failed.
    """
    sys.stdout.flush()
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        if status:
            raise RuntimeError("the import failed")
        return
    with copied(stage.empty) as path:
        sys.stdout.write(f"{side(stage, path, gauge)}\n")
    sys.stdout.flush()
    os._exit(0)


def _floor(stage: Stage, path: Path, gauge: _Gauge) -> float:
    before = gauge()
    sqlite.timed_upsert(path, sqlite.read_rows(stage.filled))
    return gauge() - before


def _product(stage: Stage, path: Path, gauge: _Gauge) -> float:
    with product.opened(path) as database:
        before = gauge()
        product.timed_import(database, stage.archive.read_bytes())
        return gauge() - before


def resident(field: str = "VmHWM", process: int | None = None) -> float:
    """Return the peak of resident memory so far, or as `VmRSS` what is resident now, in MiB.

    Linux hands the starting process's own peak down to `ru_maxrss`, but not to `VmHWM`; where
    there is no Linux the peak is returned in either case, and of another process what is
    resident now.

    Args:
        field: as the Linux kernel names it.
        process: the id of another process than this one.
    """
    status = Path("/proc", str(process or "self"), "status")
    if status.exists():
        found = re.search(rf"{field}:\s+(\d+) kB", status.read_text(encoding="ascii"))
        return int(found[1]) / 1024 if found else 0
    if process:
        shown = subprocess.run(
            ["/bin/ps", "-o", "rss=", "-p", str(process)],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return int(shown.stdout) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MIB


def _peak_allocated() -> float:
    """Return the peak of Python's own memory since the first call, in MiB."""
    if not tracemalloc.is_tracing():
        tracemalloc.start()
    return tracemalloc.get_traced_memory()[1] / _MIB


_GAUGES = {"rss": resident, "python": _peak_allocated}

if __name__ == "__main__":
    _main(*sys.argv[1:])
