"""The clock, injected everywhere. UTC inside; zones only in schedule and rendering."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """A source of the time."""

    def now(self) -> datetime:
        """Return the present instant, in UTC."""


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The machine's clock, plus `offset` for trials (`BROADSHEET_CLOCK_OFFSET`)."""

    offset: timedelta = timedelta()

    def now(self) -> datetime:
        """Return the present instant, in UTC."""
        return datetime.now(UTC) + self.offset
