"""The health of the parts of a running bot."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from store.errors import BroadsheetError

_log = logging.getLogger(__name__)

# A part that takes longer to answer is not well.
PATIENCE_SECONDS = 2.0


class State(StrEnum):
    """The state of a part."""

    OK = "ok"
    STANDBY = "standby"
    STARTING = "starting"
    FAILING = "failing"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Condition:
    """The state of a part, with a sentence if that says more."""

    state: State
    sentence: str = ""

    @property
    def healthy(self) -> bool:
        """The part needs no attention."""
        return self.state in {State.OK, State.STANDBY, State.OFF}


# A part that looks again and again is late after so many intervals and seconds.
_LATE_INTERVALS, _LATE_SECONDS = 3, 30.0


def of_looks(error: str, ago: float, interval: float) -> Condition:
    """Return the condition of a part by the error of its last look, and how long ago that was.

    `ago` and `interval`, the longest pause between two looks, are in seconds.
    """
    if error:
        return Condition(State.FAILING, error)
    if ago > _LATE_INTERVALS * interval + _LATE_SECONDS:
        return Condition(State.FAILING, f"It last looked {ago:.0f} s ago.")
    return Condition(State.OK)


Check = Callable[[], Awaitable[Condition]]
Parts = Mapping[str, Check]
"""The checks by name, in the order of the report."""


async def conditions(parts: Parts, patience: float = PATIENCE_SECONDS) -> dict[str, Condition]:
    """Check all parts at once; one that takes longer than `patience` is failing."""
    found = await asyncio.gather(*(_condition(name, parts[name], patience) for name in parts))
    return dict(zip(parts, found, strict=True))


async def _condition(name: str, check: Check, patience: float) -> Condition:
    try:
        async with asyncio.timeout(patience):
            return await check()
    except TimeoutError:
        return Condition(State.FAILING, "It did not answer.")
    except BroadsheetError as error:
        return Condition(State.FAILING, error.sentence)
    except Exception as error:  # noqa: BLE001 - one part's fault must not hide the others
        _log.warning("check_failed", exc_info=True, extra={"part": name})
        return Condition(State.FAILING, f"It can't be told ({type(error).__name__}).")


def unforeseen(error: Exception) -> str:
    """Return the sentence for an unhandled error."""
    return f"Something unforeseen went wrong ({type(error).__name__})."
