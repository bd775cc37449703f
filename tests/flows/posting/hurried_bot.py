"""The bot as `broadsheet run` builds it, in a hurry: what is left behind is free after seconds."""

import asyncio

from bot.clock import SystemClock
from bot.coordination.leases import LeaseTerm
from bot.posting.delivery.timing import Timing
from bot.settings import read_settings
from tests.run_bot import serve

if __name__ == "__main__":
    asyncio.run(
        serve(
            SystemClock(read_settings().offset),
            timing=Timing(send=3.0, lease=4.0, idle=0.5, first_wait=0.5, longest_wait=2.0),
            term=LeaseTerm(heartbeat=0.5, expiry=4.0, release_within=1.0, handover=1.5),
        )
    )
