"""API calls with their errors mapped, logged and counted."""

import asyncio
import logging
from collections.abc import Awaitable
from typing import TypeVar

import aiohttp
import discord

from adapters.common.call_attempt import CallAttempt, attempted
from adapters.discord.api.errors import as_send_error, is_already_done
from bot.errors import OutcomeUnknown, RetryLater, SendError
from bot.operations.metrics import Metrics

T = TypeVar("T")
_HELD_UP = "Discord's limits held it up for too long."
_MOMENT = "Try again in a moment."
_SEE = "See whether it came."
_log = logging.getLogger(__name__)


def _as_known(error: SendError, attempt: CallAttempt) -> SendError:
    """Return the error by what is known of all requests of a call, not of the last alone.

    The library repeats a request after a 500; that the last one found no connection tells nothing
    of those before it.
    """
    if isinstance(error, OutcomeUnknown) and attempt.is_certainly_undone:
        return RetryLater(_HELD_UP, _MOMENT, error.code)
    if isinstance(error, RetryLater) and attempt.is_unclear:
        return OutcomeUnknown(error.sentence, _SEE, error.code)
    return error


class Calls:
    """Runs API calls.

    Args:
        metrics: counts calls by name and outcome.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def run(self, name: str, call: Awaitable[T], seconds: float | None = None) -> T:
        """Await an API call, for so many seconds at most, and return its result.

        `name` labels it in logs and metrics.

        Raises:
            SendError: as `api.errors.as_send_error` maps the library's errors.
        """
        with attempted() as attempt:
            try:
                async with asyncio.timeout(seconds):
                    result = await call
            except (
                discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError, RuntimeError
            ) as error:  # fmt: skip
                reason = _as_known(as_send_error(error), attempt)
                self._record_failure(name, reason)
                raise reason from error
        self._metrics.called("discord", name, "ok")
        return result

    def _record_failure(self, name: str, error: SendError) -> None:
        self._metrics.called("discord", name, type(error).__name__.lower())
        if not is_already_done(error):
            facts = {"call": name, "code": error.code or None, "reason": error.sentence}
            _log.warning("discord_call_failed", extra=facts)
