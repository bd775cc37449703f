"""Reads of the imported library, cached until something is imported.

The cache holds nothing of one reader: its values depend on the imported content alone. The store's
content version is read at most once a second, so another process's import is seen within a second.
"""

import time
from collections.abc import Callable, Hashable
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.cache import Cache
from store import content_version
from store.database import Database, Session

P = ParamSpec("P")
T = TypeVar("T")

FRESH_SECONDS = 1.0
_CACHED = 256


class ContentVersion:
    """The version of the imported content, read from the store at most once a second.

    `seconds` is a clock that only goes forward.
    """

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._seconds = seconds
        self._version = ""
        self._checked = float("-inf")

    async def read(self) -> str:
        """Return the version.

        Raises:
            StoreError: as `Database.read`.
        """
        asked = self._seconds()
        if asked - self._checked >= FRESH_SECONDS:
            self._version = await self._database.read(content_version.version)
            self._checked = asked
        return self._version


class ContentCache:
    """Cached reads of the imported library; `seconds` is a clock that only goes forward."""

    def __init__(self, database: Database, seconds: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._versions = ContentVersion(database, seconds)
        self._version = ""
        self._cache: Cache[Hashable, Any] = Cache(_CACHED)

    async def read(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return `fn(session, …)` as of the last second; its arguments are hashable.

        Raises:
            StoreError: as `Database.read`.
        """
        await self._check_version()
        key = fn, args, tuple(sorted(kwargs.items()))
        value: T = await self._cache.read(key, lambda: self._database.read(fn, *args, **kwargs))
        return value

    async def _check_version(self) -> None:
        version = await self._versions.read()
        if version != self._version:
            self._version = version
            self._cache.clear()
