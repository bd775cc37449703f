"""Repeating calls with an unknown outcome while Discord recognizes their nonce.

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
Find = Callable[[], Awaitable[T | None]]

# A call is repeated within this many seconds, and at most once after each pause.
WINDOW = 110.0
_PAUSES = (1.0, 2.0, 5.0, 10.0, 20.0)
# The library itself retries a 500 for 25 seconds, and waits for a rate limit for 30.
_ATTEMPT_SECONDS = 40.0


class NonceWindow:
    """Repeats calls until their outcome is known or the deadline has passed.

    Args:
        calls: runs API calls.
        seconds: a monotonic clock.
        sleep: waits.
        window: the seconds until the deadline, at most as long as Discord remembers a nonce.
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

    def deadline(self) -> float:
        """Return the deadline of a call that starts now."""
        return self._seconds() + self._window

    async def run(
        self,
        name: str,
        call: Callable[[], Awaitable[T]],
        find: Find[T] | None = None,
        *,
        deadline: float | None = None,
    ) -> T:
        """Run a call, and run it again while its outcome is unknown.

        Args:
            name: labels it in logs and metrics.
            call: starts a new attempt.
            find: returns what an earlier attempt created, `None` if none did. A call without a
                nonce is repeated only after that.
            deadline: the end of the last attempt, if it was set before.

        Raises:
            OutcomeUnknown: if it stayed unknown.
            RetryLater: if the deadline passed before the first attempt.
            SendError: if Discord certainly did not carry it out.
        """
        deadline = self.deadline() if deadline is None else deadline
        if self._seconds() >= deadline:
            raise RetryLater("There was no time left to reach Discord.", "Try again in a moment.")
        unknown: OutcomeUnknown | None = None
        for pause in (*_PAUSES, None):
            try:
                if unknown and find and (found := await self._found(find)) is not None:
                    return found
                seconds = min(deadline - self._seconds(), _ATTEMPT_SECONDS)
                return await self._calls.run(name, call(), seconds)
            except SendError as error:
                unknown = still_unknown(error, unknown)
                wait = max(pause or 0.0, getattr(error, "after", None) or 0.0)
                if pause is None or self._seconds() + wait >= deadline:
                    raise unknown from error
            await self._sleep(wait)
        raise AssertionError  # the last pause is None: its turn returns or raises

    async def _found(self, find: Find[T]) -> T | None:
        """Return what an earlier attempt created.

        Raises:
            OutcomeUnknown: if that can't be looked up.
        """
        try:
            return await find()
        except SendError as error:
            raise OutcomeUnknown(error.sentence, error.remedy, error.code) from error


def still_unknown(error: SendError, before: OutcomeUnknown | None) -> OutcomeUnknown:
    """Return why the outcome is unknown after an attempt, given the reason before it.

    Raises:
        SendError: the error itself, if it settles the outcome: no earlier attempt is open; or the
            request is rejected as malformed, as the earlier ones must have been; or the message
            that an attempt created is gone (10008).
    """
    if isinstance(error, OutcomeUnknown):
        return error
    if before is None or isinstance(error, Rejected) or error.code == "10008":
        raise error
    if not isinstance(error, RetryLater):
        raise before from error
    return before
