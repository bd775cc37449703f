"""Run a command; print its duration in ms and its peak of resident memory in MiB.

    python -m tests.benchmarks.processes.launch COMMAND…

This is a small process of its own, because Linux counts the peak of the starting process
towards that of the started one (`exec` keeps `maxrss`), and a benchmark holds more than what it
measures. What the command prints is thrown away.
"""

import os
import sys
import time

_KIB_OF_MAXRSS = 1 / 1024 if sys.platform == "darwin" else 1  # getrusage(2) of each


def _main(*command: str) -> None:
    nowhere = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=[nowhere])
    _, status, used = os.wait4(process, 0)
    milliseconds = (time.perf_counter() - start) * 1000
    if status:
        sys.exit(f"{command} failed")
    sys.stdout.write(f"{milliseconds} {used.ru_maxrss * _KIB_OF_MAXRSS / 1024}\n")


if __name__ == "__main__":
    _main(*sys.argv[1:])
