"""What the library remembers of limits, tidied up now and then instead of with each new one."""

import math
import time
from collections.abc import Callable

from discord.http import HTTPClient

# The library forgets a limit that nothing counted in for 300 s.
_EVERY_SECONDS = 60.0


def tidy_seldom(http: HTTPClient, seconds: Callable[[], float] = time.monotonic) -> None:
    """Have a client look through the limits that it remembers once a minute at most.

    Each channel has one, and discord.py 2.7 looks through all of them whenever it meets another:
    with 5,000 that took half of the time that a request takes.
    https://github.com/Rapptz/discord.py/blob/v2.7.1/discord/http.py
    """
    tidy, last = http._try_clear_expired_ratelimits, -math.inf  # noqa: SLF001 - nothing public says how often

    def seldom() -> None:
        nonlocal last
        if seconds() - last >= _EVERY_SECONDS:
            last = seconds()
            tidy()

    http._try_clear_expired_ratelimits = seldom  # type: ignore[method-assign] # noqa: SLF001 - the same
