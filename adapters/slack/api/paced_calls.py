"""Calls to Slack that are kept ahead of its limits, by all processes on one store together."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from adapters.slack.api.client import Api
from adapters.slack.api.rate_limits import Limits
from adapters.slack.api.tokens import Authorized
from bot.coordination.rate_limiter import RateLimit, RateLimiter
from bot.errors import RetryLater
from store.errors import StoreError

LIMITED = "ratelimited"
# As long as somebody who asked the bot waits for what it posts by itself.
_GIVES_WAY_SECONDS = 0.5
_REPEATS = 2
_log = logging.getLogger(__name__)


class Traffic:
    """Calls in their turn; what Slack refuses all the same slows their lanes.

    Args:
        api: Slack.
        lanes: hands out turns.
        speed: as of `Limits`.
    """

    def __init__(self, api: Api, lanes: RateLimiter, speed: float = 1.0) -> None:
        self._api = api
        self._lanes = lanes
        self._limits = Limits(speed)

    def of_post(self, workspace: str, channel: str) -> tuple[RateLimit, RateLimit]:
        """Return the lanes that a message counts in."""
        return self._limits.of_post(workspace, channel)

    async def ask(
        self,
        spoken: Authorized,
        method: str,
        **arguments: Any,  # noqa: ANN401 - each method's own
    ) -> dict[str, Any]:
        """Do the same as `Api.ask`, in the method's turn.

        Raises:
            SendError: as `Api.ask`, and `RetryLater` where its turn is too far away.
            StoreError: where the store can't tell its turn; nothing was asked.
        """
        lanes = [self._limits.of(method, spoken.workspace)]
        await self._lanes.acquire(lanes)
        return await self._heeded(lanes, self._api.ask(spoken.bot_token, method, **arguments))

    async def update(self, spoken: Authorized, body: bytes) -> None:
        """Put a message in the place of another, in its turn.

        Raises:
            SendError: as `ask`.
            StoreError: the same.
        """
        lanes = [self._limits.of("chat.update", spoken.workspace)]
        await self._lanes.acquire(lanes)
        await self._heeded(lanes, self._api.ask_written(spoken.bot_token, "chat.update", body))

    async def post(self, spoken: Authorized, channel: str, body: bytes) -> dict[str, Any]:
        """Post a message whose turn was waited for, and return Slack's answer.

        Raises:
            SendError: as `Api.call`.
        """
        return await self._heeded(
            self.of_post(spoken.workspace, channel),
            self._api.call_written(spoken.bot_token, "chat.postMessage", body),
        )

    async def post_in_turn(self, spoken: Authorized, channel: str, body: bytes) -> None:
        """Post a message in its turn.

        Raises:
            SendError: as `ask`.
            StoreError: the same.
        """
        await self._lanes.acquire(self.of_post(spoken.workspace, channel))
        await self.post(spoken, channel, body)

    async def answer(
        self, token: str | None, workspace: str, message: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Post a message that somebody waits for: it counts, and is hardly held back.

        Where Slack refuses it for its limits it waits, and is sent again.

        Raises:
            SendError: as `Api.call`.
        """
        lanes = self.of_post(workspace, str(message["channel"]))
        with suppress(TimeoutError, RetryLater, StoreError):
            async with asyncio.timeout(_GIVES_WAY_SECONDS):
                await self._lanes.acquire(lanes)
        for _ in range(_REPEATS):
            try:
                return await self._heeded(
                    lanes, self._api.call(token, "chat.postMessage", **message)
                )
            except RetryLater as error:
                if error.code != LIMITED:
                    raise
                await asyncio.sleep(_seconds(error))
        return await self._heeded(lanes, self._api.call(token, "chat.postMessage", **message))

    async def _heeded(
        self, lanes: Sequence[RateLimit], asking: Awaitable[dict[str, Any]]
    ) -> dict[str, Any]:
        """Return an answer; slow the lanes down where Slack refuses for its limits."""
        try:
            return await asking
        except RetryLater as error:
            if error.code == LIMITED:
                await self._slow(lanes, _seconds(error))
            raise

    async def _slow(self, lanes: Sequence[RateLimit], seconds: float) -> None:
        facts = {"lanes": [lane.key for lane in lanes], "seconds": seconds}
        _log.warning("slack_limit_met", extra=facts)
        try:
            await self._lanes.slow_down(lanes, seconds)
        except StoreError as error:
            # Whoever called is told to wait in any case.
            _log.warning("lanes_not_slowed", extra={"reason": error.sentence})


def _seconds(error: RetryLater) -> float:
    """Return how long to wait; Slack tells it with every refusal."""
    return 1.0 if error.after is None else error.after
