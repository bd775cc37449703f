"""All that was imported, read through a memory that lasts until something is imported.

What is kept is nobody's own: lookups depend on what was imported and on nothing else. The
store's version is read again at most once a second, so that what another process imports is
seen within that second.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Concatenate, ParamSpec, TypeVar

from store import content_version
from store.database import Database, Session

P = ParamSpec("P")
T = TypeVar("T")

FRESH_SECONDS = 1.0
_MOST_KEPT = 256


class Content:
    """Reads of imported facts, each done once for as long as its answer holds.

    Args:
        database: the store.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._seconds = seconds
        self._version = ""
        self._checked = float("-inf")
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    async def read(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return `fn(session, …)` as of the last second; its arguments are hashable.

        Raises:
            StoreError: as `Database.read`.
        """
        await self._renew()
        kept, key = self._kept, (fn, args, tuple(sorted(kwargs.items())))
        if key in kept:
            kept.move_to_end(key)
            answer: T = kept[key]
            return answer
        # Into the memory of before the read: if that was emptied meanwhile it is forgotten.
        answer = kept[key] = await self._database.read(fn, *args, **kwargs)
        if len(kept) > _MOST_KEPT:
            kept.popitem(last=False)
        return answer

    async def read_now(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return `fn(session, …)` as of now, for facts that change without an import.

        Raises:
            StoreError: as `Database.read`.
        """
        return await self._database.read(fn, *args, **kwargs)

    async def _renew(self) -> None:
        if self._seconds() - self._checked < FRESH_SECONDS:
            return
        asked = self._seconds()
        version = await self._database.read(content_version.version)
        if version != self._version:
            self._version, self._kept = version, OrderedDict()
        self._checked = asked
