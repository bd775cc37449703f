"""Bounded caches in memory."""

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Concatenate, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def once_each(
    size: int,
) -> Callable[[Callable[Concatenate[T, P], V]], Callable[Concatenate[T, P], V]]:
    """Keep what a pure function made of the objects that it was given last, `size` at most.

    An object is known by its identity: it never changes, and takes longer to hash than this saves.
    Other arguments are hashable and given by place.
    """

    def keeping(make: Callable[Concatenate[T, P], V]) -> Callable[Concatenate[T, P], V]:
        kept: dict[tuple[object, ...], tuple[T, V]] = {}

        def once(value: T, /, *args: P.args, **named: P.kwargs) -> V:
            key = (id(value), *args)
            held = kept.get(key)
            if held is not None and held[0] is value:
                return held[1]
            made = make(value, *args, **named)
            if len(kept) >= size:
                kept.clear()
            kept[key] = value, made  # held, so that no other object gets its id meanwhile
            return made

        return once

    return keeping


class Cache(Generic[K, V]):
    """The most recently used values by key, none older than an age.

    Args:
        size: the most values that are kept; the least recently used is dropped first.
        max_age: for how many seconds a value is returned, or a function of it that tells; `None`
            for any time.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(
        self,
        size: int,
        max_age: float | Callable[[V], float | None] | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._size = size
        self._max_age = max_age
        self._seconds = seconds
        self._values: OrderedDict[K, tuple[float, V]] = OrderedDict()
        self._removals = 0

    def __contains__(self, key: K) -> bool:
        """Tell whether a value is kept and fresh, and mark it as used."""
        return self._entry(key) is not None

    def get(self, key: K) -> V | None:
        """Return a value and mark it as used; `None` if it is not kept or too old."""
        entry = self._entry(key)
        return entry[1] if entry else None

    def put(self, key: K, value: V) -> None:
        """Keep a value."""
        self._keep(key, self._seconds(), value)

    def compute(self, key: K, make: Callable[[], V]) -> V:
        """Return a value, made and kept if there is none."""
        if entry := self._entry(key):
            return entry[1]
        value = make()
        self.put(key, value)
        return value

    async def read(self, key: K, load: Callable[[], Awaitable[V]], *, fresh: bool = False) -> V:
        """Return a value, loaded unless it is kept, or always with `fresh`.

        A value that was loaded while another was removed may be outdated, so it is not kept.
        """
        entry = None if fresh else self._entry(key)
        if entry:
            return entry[1]
        asked, removals = self._seconds(), self._removals
        value = await load()
        if removals == self._removals:
            self._keep(key, asked, value)
        return value

    def remove(self, key: K) -> None:
        """Drop a value."""
        self._removals += 1
        self._values.pop(key, None)

    def clear(self) -> None:
        """Drop all values."""
        self._removals += 1
        self._values.clear()

    def _entry(self, key: K) -> tuple[float, V] | None:
        entry = self._values.get(key)
        if entry is None:
            return None
        at, value = entry
        max_age = self._max_age(value) if callable(self._max_age) else self._max_age
        if max_age is not None and self._seconds() - at >= max_age:
            return None
        self._values.move_to_end(key)
        return entry

    def _keep(self, key: K, at: float, value: V) -> None:
        self._values[key] = (at, value)
        self._values.move_to_end(key)
        if len(self._values) > self._size:
            self._values.popitem(last=False)
