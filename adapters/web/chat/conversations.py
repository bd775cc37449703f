"""The last exchanges of each reader, kept in memory to be shown again."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from bot.cache import Cache

_READERS = 64
_MAX_AGE = 12 * 3600.0  # seconds
_EXCHANGES = 20
_LONGEST = 256 * 1024  # characters of one reader's answers, unless the last alone is longer


@dataclass(frozen=True, slots=True)
class Exchange:
    """A line and its answer as HTML."""

    line: str
    answer: Markup


class Conversations:
    """The conversations of some readers by their ids; `seconds` only goes forward."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._kept: Cache[str, deque[Exchange]] = Cache(_READERS, _MAX_AGE, seconds)

    def of(self, reader: str) -> tuple[Exchange, ...]:
        """Return what is kept of a reader's conversation, the newest first."""
        return tuple(reversed(self._kept.get(reader) or ()))

    def add(self, reader: str, exchange: Exchange) -> None:
        """Keep an exchange, and drop old ones where there are too many."""
        kept = self._kept.get(reader) or deque(maxlen=_EXCHANGES)
        kept.append(exchange)
        while len(kept) > 1 and sum(len(each.answer) for each in kept) > _LONGEST:
            kept.popleft()
        self._kept.put(reader, kept)

    def forget(self, reader: str) -> None:
        """Drop a reader's conversation."""
        self._kept.remove(reader)
