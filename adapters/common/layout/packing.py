"""Which pieces stand together in one message. Pure but for the part being filled."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class Tally(Protocol[T_contra]):
    """What a part holds so far, counted as its platform does."""

    def add(self, item: T_contra) -> bool:
        """Count an item in if it fits too, as the first one always does; tell whether it did."""


def pack(
    items: Iterable[T], begin: Callable[[], Tally[T]], leads: Callable[[T], bool]
) -> list[list[T]]:
    """Return items in parts that fit, filled in order; at least one part.

    Args:
        items: what is packed.
        begin: returns the tally of an empty part.
        leads: tells whether an item goes to the next part with what follows it.
    """
    parts: list[list[T]] = [[]]
    tally = begin()
    for item in items:
        if not tally.add(item):
            parts.append(_led_over(parts[-1], leads))
            tally = begin()
            if not all(tally.add(each) for each in (*parts[-1], item)):
                # It and what leads over to it are too much together.
                parts.append([])
                tally = begin()
                tally.add(item)
        parts[-1].append(item)
    return parts


def _led_over(part: list[T], leads: Callable[[T], bool]) -> list[T]:
    """Take off the last items of a part that lead over to the next, but never all of them."""
    stay = len(part)
    while stay and leads(part[stay - 1]):
        stay -= 1
    if not stay:
        return []
    led = part[stay:]
    del part[stay:]
    return led
