"""Posts whose outcome is unclear, repeated for as long as Discord tells a repeat from a new one.

Discord answers a message whose nonce it has seen within the last few minutes with that message.
https://docs.discord.com/developers/resources/message#create-message (enforce_nonce)
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from adapters.discord.api.calls import Calls
from bot.errors import OutcomeUnknown, Rejected, RetryLater, SendError

T = TypeVar("T")
Seconds = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]
Look = Callable[[], Awaitable[T | None]]

# Within this much of the beginning, and in no more attempts than there are pauses.
WINDOW = 110.0
_PAUSES = (1.0, 2.0, 5.0, 10.0, 20.0)
# The library itself repeats for 25 seconds what Discord answers with 500, and waits for a rate
# limit for 30.
_LONGEST_ATTEMPT = 40.0


class Patience:
    """Makes calls until their outcome is clear, or time is up.

    Args:
        calls: how Discord is called.
        seconds: a clock that only goes forward.
        sleep: waits.
        window: how many seconds there are, at most as long as Discord knows a nonce.
    """

    def __init__(
        self,
        calls: Calls,
        seconds: Seconds = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        window: float = WINDOW,
    ) -> None:
        self._calls = calls
        self._seconds = seconds
        self._sleep = sleep
        self._window = window

    def ends(self) -> float:
        """Return when time is up for what begins now."""
        return self._seconds() + self._window

    async def made(
        self,
        what: str,
        call: Callable[[], Awaitable[T]],
        look: Look[T] | None = None,
        *,
        ends: float | None = None,
    ) -> T:
        """Make a call, and make it again while it is unclear whether Discord carried it out.

        Args:
            what: names it in logs and metrics.
            call: makes it anew each time.
            look: returns what an earlier attempt made, `None` where none did. Calls that Discord
                can't tell from their repeats are repeated after a look only.
            ends: when time is up, where that began before.

        Raises:
            OutcomeUnknown: where it stayed unclear.
            RetryLater: where time was up before the first attempt.
            SendError: where it is certain that Discord did not carry it out.
        """
        ends = self.ends() if ends is None else ends
        if self._seconds() >= ends:
            raise RetryLater("There was no time left to reach Discord.", "Try again in a moment.")
        unclear: OutcomeUnknown | None = None
        for pause in (*_PAUSES, None):
            try:
                if unclear and look and (found := await self._looked(look)) is not None:
                    return found
                return await self._attempt(what, call, ends - self._seconds())
            except SendError as error:
                unclear = still_unclear(error, unclear)
                wait = max(pause or 0.0, getattr(error, "after", None) or 0.0)
                if pause is None or self._seconds() + wait >= ends:
                    raise unclear from error
            await self._sleep(wait)
        raise AssertionError  # the last pause is none, after which it returned or raised

    async def _attempt(self, what: str, call: Callable[[], Awaitable[T]], left: float) -> T:
        async def limited() -> T:
            async with asyncio.timeout(min(left, _LONGEST_ATTEMPT)):
                return await call()

        return await self._calls.made(what, limited())

    async def _looked(self, look: Look[T]) -> T | None:
        """Look for what an earlier attempt made; where nobody can, it stays unclear."""
        try:
            return await look()
        except SendError as error:
            raise OutcomeUnknown(error.sentence, error.remedy, error.code) from error


def still_unclear(error: SendError, before: OutcomeUnknown | None) -> OutcomeUnknown:
    """Return why the outcome is unclear after an attempt, given why it was before that.

    Raises:
        SendError: the error itself, where the outcome is clear: nothing was left open before; or
            what was sent is refused for its form, and so was it before; or the message that an
            attempt made is gone (10008).
    """
    if isinstance(error, OutcomeUnknown):
        return error
    if before is None or isinstance(error, Rejected) or error.code == "10008":
        raise error
    if not isinstance(error, RetryLater):
        raise before from error
    return before
