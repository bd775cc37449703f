"""API calls with their errors mapped, logged and counted."""

import logging
from collections.abc import Awaitable
from typing import TypeVar

import aiohttp
import discord

from adapters.common.call_attempt import attempted
from adapters.discord.api.errors import as_send_error, is_already_done
from bot.errors import OutcomeUnknown, RetryLater, SendError
from bot.operations.metrics import Metrics

T = TypeVar("T")
_HELD_UP = "Discord's limits held it up for too long."
_MOMENT = "Try again in a moment."
_log = logging.getLogger(__name__)


class Calls:
    """Runs API calls.

    Args:
        metrics: counts calls by name and outcome.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def run(self, name: str, call: Awaitable[T]) -> T:
        """Await an API call and return its result; `name` labels it in logs and metrics.

        Raises:
            SendError: as `api.errors.as_send_error` maps the library's errors.
        """
        with attempted() as attempt:
            try:
                result = await call
            except (
                discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError, RuntimeError
            ) as error:  # fmt: skip
                reason = as_send_error(error)
                if isinstance(reason, OutcomeUnknown) and attempt.is_certainly_undone:
                    reason = RetryLater(_HELD_UP, _MOMENT, reason.code)
                self._record_failure(name, reason)
                raise reason from error
        self._metrics.called("discord", name, "ok")
        return result

    def _record_failure(self, name: str, error: SendError) -> None:
        self._metrics.called("discord", name, type(error).__name__.lower())
        if not is_already_done(error):
            facts = {"call": name, "code": error.code or None, "reason": error.sentence}
            _log.warning("discord_call_failed", extra=facts)
