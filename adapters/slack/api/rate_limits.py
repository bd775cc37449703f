"""Slack's published rate limits, and calls that all processes on one store keep within them.

Slack counts each method by app and workspace, and posted messages also by channel:
https://docs.slack.dev/apis/web-api/rate-limits. The tier of a method is on its page, such as
https://docs.slack.dev/reference/methods/chat.update
"""

import logging
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

from adapters.common.tasks import retried, wait_briefly
from adapters.slack.api.client import Api
from adapters.slack.api.tokens import Authorization
from bot.coordination.rate_limiter import RateLimit, RateLimiter
from bot.errors import RetryLater
from store.errors import StoreError

# Requests a minute. Slack allows "several hundred" messages in a workspace; 300 is the fewest.
_MESSAGES = 300
_TIER_3 = 50
_PER_MINUTE = {
    "agents.sessions.rename": _TIER_3,
    "agents.sessions.setStatus": _TIER_3,
    "chat.postMessage": _MESSAGES,
    "chat.update": _TIER_3,
    "conversations.history": _TIER_3,
    "conversations.open": _TIER_3,
    "conversations.replies": _TIER_3,
}
# Messages leave evenly, because Slack may not show bursts of them; other methods may burst.
_WITHOUT_BURST = frozenset({"chat.postMessage"})
_BURST_SHARE = 0.2
_CHANNEL_SECONDS = 1.0
# The rest of a limit is for users' own messages, and for requests that overtake others.
_USED_SHARE = 0.97

RATE_LIMITED = "ratelimited"
_PAUSES = (None, None)  # as long as Slack asks for
_log = logging.getLogger(__name__)


class PublishedLimits:
    """The rate limits of methods.

    An app distributed outside of Slack's marketplace may read history and replies only once a
    minute. No token shows which kind an app is; such an app is refused first and then slowed down.
    https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps

    Args:
        speed: a factor on all limits, for trials.
    """

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed

    def of_method(self, method: str, workspace: str) -> RateLimit:
        """Return the limit of a method in a workspace."""
        used = _USED_SHARE * _PER_MINUTE[method]
        burst = 1 if method in _WITHOUT_BURST else int(_BURST_SHARE * _PER_MINUTE[method])
        # A minute that starts with a burst must stay within the limit too.
        steady = used if burst == 1 else used - burst
        return RateLimit(f"slack:{workspace}:{method}", 60 / steady / self._speed, burst)

    def of_message(self, workspace: str, channel: str) -> tuple[RateLimit, RateLimit]:
        """Return the limits of a message: its channel's and its workspace's."""
        every = _CHANNEL_SECONDS / _USED_SHARE / self._speed
        in_channel = RateLimit(f"slack:{workspace}:{channel}", every)
        return in_channel, self.of_method("chat.postMessage", workspace)


class RateLimitedApi:
    """Calls that wait for their rate limit; a refusal by Slack slows the limit down.

    Attributes:
        api: calls that wait for nothing.
        limits: the rate limits.

    Args:
        api: the Web API.
        limiter: hands out slots to all processes.
        speed: as of `PublishedLimits`.
    """

    def __init__(self, api: Api, limiter: RateLimiter, speed: float = 1.0) -> None:
        self.api = api
        self._limiter = limiter
        self.limits = PublishedLimits(speed)

    async def call_idempotent(
        self,
        authorization: Authorization,
        method: str,
        **arguments: Any,  # noqa: ANN401 - each method's own
    ) -> dict[str, Any]:
        """Wait for a slot, then call as `Api.call_idempotent`.

        Raises:
            SendError: as `Api.call_idempotent`, and `RetryLater` where the next slot is too far
                away.
            StoreError: where the store can't hand out a slot; Slack was not called.
        """
        limits = [self.limits.of_method(method, authorization.workspace)]
        await self._limiter.acquire(limits)
        call = self.api.call_idempotent(authorization.bot_token, method, **arguments)
        return await self._slow_on_refusal(limits, call)

    async def post(
        self, authorization: Authorization, payload: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Post a message whose slot was acquired already, and return Slack's response.

        Raises:
            SendError: as `Api.call`.
        """
        limits = self.limits.of_message(authorization.workspace, str(payload["channel"]))
        call = self.api.call(authorization.bot_token, "chat.postMessage", **payload)
        return await self._slow_on_refusal(limits, call)

    async def wait_and_post(
        self, authorization: Authorization, payload: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Wait for a slot, then post a message and return Slack's response.

        Raises:
            SendError: as `call_idempotent`.
            StoreError: as `call_idempotent`.
        """
        await self._limiter.acquire(
            self.limits.of_message(authorization.workspace, str(payload["channel"]))
        )
        return await self.post(authorization, payload)

    async def answer(
        self, token: str | None, workspace: str, payload: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Post a message that a user waits for: it takes a slot, but hardly waits for one.

        A rate-limited message is sent again after the time that Slack asks for. Returns Slack's
        response.

        Raises:
            SendError: as `Api.call`.
        """
        limits = self.limits.of_message(workspace, str(payload["channel"]))
        await wait_briefly(self._limiter.acquire(limits))

        def post() -> Awaitable[dict[str, Any]]:
            call = self.api.call(token, "chat.postMessage", **payload)
            return self._slow_on_refusal(limits, call)

        return await retried(post, _PAUSES, lambda error: error.code == RATE_LIMITED)

    async def _slow_on_refusal(
        self, limits: Sequence[RateLimit], call: Awaitable[dict[str, Any]]
    ) -> dict[str, Any]:
        """Return the response of a call; slow the limits down where Slack refuses for a limit."""
        try:
            return await call
        except RetryLater as error:
            if error.code == RATE_LIMITED:
                await self._slow_down(limits, 1.0 if error.after is None else error.after)
            raise

    async def _slow_down(self, limits: Sequence[RateLimit], seconds: float) -> None:
        facts = {"limits": [limit.key for limit in limits], "seconds": seconds}
        _log.warning("slack_rate_limited", extra=facts)
        try:
            await self._limiter.slow_down(limits, seconds)
        except StoreError as error:
            # The caller gets Slack's error in any case.
            _log.warning("rate_limits_not_slowed", extra={"reason": error.sentence})
