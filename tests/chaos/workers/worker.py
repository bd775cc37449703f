"""The bot as `broadsheet run` builds it, in a hurry and under clocks that somebody moves.

    python -m tests.chaos.workers.worker CLOCKS

It is told by the environment all that `broadsheet run` is, and killed whenever it suits others.
"""

import asyncio
import sys
from pathlib import Path

from bot.coordination.leases import LeaseTerm
from bot.posting.delivery.timing import Timing
from tests.chaos.workers import clocks
from tests.run_bot import serve

# How many times as fast as they publish the platforms are.
SPEED = 4.0
# Long enough for what a busy machine does, short enough that leases end all the time.
PACE = Timing(send=3.0, lease=4.0, idle=0.2, first_wait=0.3, longest_wait=2.0, speed=SPEED)
TERM = LeaseTerm(heartbeat=0.5, expiry=4.0, release_within=1.0, handover=1.5)


async def work(file: Path) -> None:
    """Serve both platforms until a signal ends it."""
    await serve(clocks.peoples(file), system_clock=clocks.wall(file), timing=PACE, term=TERM)


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1])))
