"""Calls to Discord: errors in words, counted by what was called and how it went."""

import logging
from collections.abc import Awaitable
from typing import TypeVar

import aiohttp
import discord

from adapters.discord.api.errors import in_words, is_done
from adapters.discord.api.watched_requests import attempted
from bot.errors import OutcomeUnknown, RetryLater, SendError
from bot.operations.metrics import Metrics

T = TypeVar("T")
_HELD_UP = "Discord's limits held it up for too long."
_MOMENT = "Try again in a moment."
_log = logging.getLogger(__name__)


class Calls:
    """Makes calls to Discord.

    Args:
        metrics: counts calls by name and outcome.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    async def made(self, what: str, call: Awaitable[T]) -> T:
        """Make a call and return what Discord answered; `what` names it in logs and metrics.

        Raises:
            SendError: as `adapters.discord.api.errors` says.
        """
        with attempted() as attempt:
            try:
                answer = await call
            except (
                discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError, RuntimeError
            ) as error:  # fmt: skip
                reason = in_words(error)
                if isinstance(reason, OutcomeUnknown) and attempt.came_to_nothing:
                    reason = RetryLater(_HELD_UP, _MOMENT, reason.code)
                raise self._failed(what, reason) from error
        self._metrics.called("discord", what, "ok")
        return answer

    def _failed(self, what: str, error: SendError) -> SendError:
        self._metrics.called("discord", what, type(error).__name__.lower())
        if not is_done(error):
            facts = {"call": what, "code": error.code or None, "reason": error.sentence}
            _log.warning("discord_call_failed", extra=facts)
        return error
