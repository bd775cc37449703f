"""The memory of an import, each side in a fresh process that does nothing else.

Run as `python -m tests.benchmarks.figures.import_memory SIDE GAUGE FOLDER` this module is such a
process, which prints MiB. Both sides read their input within the measured part: the product the
document, the floor the rows.
"""

import re
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.floors import sqlite as floor
from tests.benchmarks.inputs.setup import Stage, copied
from tests.benchmarks.processes import product

_MIB = 1024 * 1024


def gauged(stage: Stage, side: str, gauge: str) -> float:
    """Return the MiB that an import takes in a process of its own.

    Args:
        stage: the stores and the document.
        side: `floor` or `product`.
        gauge: `rss` for the growth of the peak of resident memory, `python` for the peak of
            what Python allocated.
    """
    command = [sys.executable, "-m", __name__, side, gauge, str(stage.folder)]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(run.stdout)


def _main(side: str, gauge: str, folder: str) -> None:
    stage = Stage(Path(folder))
    with copied(stage.empty) as path:
        taken = _SIDES[side](stage, path, _GAUGES[gauge])
    sys.stdout.write(f"{taken}\n")


def _floor(stage: Stage, path: Path, gauge: Callable[[], float]) -> float:
    before = gauge()
    floor.timed_upsert(path, floor.read_rows(stage.filled))
    return gauge() - before


def _product(stage: Stage, path: Path, gauge: Callable[[], float]) -> float:
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


_SIDES = {"floor": _floor, "product": _product}
_GAUGES = {"rss": resident, "python": _peak_allocated}

if __name__ == "__main__":
    _main(*sys.argv[1:])
