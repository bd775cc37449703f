"""Run the bot as `broadsheet run` builds it, for platforms that are faster than the real ones.

    python -m tests.benchmarks.processes.fast_bot SPEED SCAN_SECONDS

It reads the same environment as `broadsheet run` and prints `serving` once it serves.
"""

import asyncio
import gc
import sys

from bot.clock import SystemClock
from bot.posting.delivery.timing import Timing
from tests.run_bot import serve

if __name__ == "__main__":
    gc.freeze()  # as the program itself does at its start
    speed, scan = map(float, sys.argv[1:])
    asyncio.run(serve(SystemClock(), timing=Timing(speed=speed, idle=scan)))
