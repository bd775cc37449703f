"""What a call does and takes, counted: the same on a machine of any speed."""

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(call: Callable[[], object]) -> int:
    """Return how many lines of Python a call runs; each round of a loop counts."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def bytes_taken(call: Callable[[], object]) -> int:
    """Return the most memory that a call takes at a time, in bytes of Python's objects."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
