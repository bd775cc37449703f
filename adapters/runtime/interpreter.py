"""Settings of the Python interpreter for a serving process."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SWITCH_SECONDS = 0.001


def freeze_memory() -> None:
    """Exclude all present objects from garbage collection for good.

    Objects such as the joined servers stay as long as the process. Collecting them took 30 ms of
    the event loop every few seconds while thousands of posts were sent.
    https://docs.python.org/3/library/gc.html#gc.freeze
    """
    gc.collect()
    gc.freeze()


@contextmanager
def short_switch_interval() -> Iterator[None]:
    """Switch between threads five times as often as by default.

    The event loop, which acknowledges commands, waits for that long while a thread of the store
    reads much: https://docs.python.org/3/library/sys.html#sys.setswitchinterval
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
