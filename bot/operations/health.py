"""How the parts of a running bot are."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from store.errors import BroadsheetError

_log = logging.getLogger(__name__)

# A part that takes longer to say how it is can't be well, and whoever asks won't wait.
PATIENCE_SECONDS = 2.0


class State(StrEnum):
    """What a part is doing."""

    OK = "ok"
    STANDBY = "standby"
    STARTING = "starting"
    FAILING = "failing"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Condition:
    """How a part is, and a sentence on it where that says more."""

    state: State
    sentence: str = ""

    @property
    def healthy(self) -> bool:
        """Whether nobody needs to do anything about it."""
        return self.state in {State.OK, State.STANDBY, State.OFF}


Check = Callable[[], Awaitable[Condition]]
# By name, in the order in which they are reported.
Parts = Mapping[str, Check]


async def conditions(parts: Parts, patience: float = PATIENCE_SECONDS) -> dict[str, Condition]:
    """Ask all parts at once how they are; one that can't say within `patience` is failing."""
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
    """Say of an error that has no words that it happened."""
    return f"Something unforeseen went wrong ({type(error).__name__})."
