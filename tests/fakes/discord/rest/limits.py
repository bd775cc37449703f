"""The documented rate limits of Discord, and their headers.

https://docs.discord.com/developers/topics/rate-limits
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, time

from tests.fakes.discord.rest.requests import Call
from tests.fakes.faults import RateLimited

MOST, SECONDS = 50, 1.0
# Of messages to one channel: undocumented, from the headers that most bots receive.
MOST_TO_CHANNEL, CHANNEL_SECONDS = 5, 5.0
_POST = "POST /channels/{channel_id}/messages"


@dataclass(slots=True)
class _Window:
    """The window of a channel's bucket, with its count of messages."""

    began: float
    count: int = 0


class Limits:
    """The global rate limit and one bucket for each channel.

    `refused` has the refused requests, `accepted` is the number of the others.

    Args:
        scale: the factor by which the windows are shorter.
        seconds: a monotonic clock.
    """

    def __init__(self, scale: float = 1.0, seconds: Callable[[], float] = monotonic) -> None:
        self.refused: list[Call] = []
        self.accepted = 0
        self._scale = scale
        self._seconds = seconds
        self._all: deque[float] = deque()
        self._channels: dict[str, _Window] = {}

    def check(self, call: Call) -> RateLimited | None:
        """Count a request; return a fault if it is over a limit."""
        if call.path.startswith(("/interactions/", "/webhooks/")):
            return None
        refusal = self._of_bot() or self._of_channel(call)
        if refusal:
            self.refused.append(call)
        else:
            self.accepted += 1
            self._all.append(self._seconds())
        return refusal

    def headers(self, call: Call) -> dict[str, str]:
        """Return the rate limit headers of a response."""
        window = self._channels.get(call.parameters.get("channel_id", ""))
        if call.name != _POST or window is None:
            return {}
        left = max(window.began + CHANNEL_SECONDS / self._scale - self._seconds(), 0.0)
        return {
            "X-RateLimit-Limit": str(MOST_TO_CHANNEL),
            "X-RateLimit-Remaining": str(max(MOST_TO_CHANNEL - window.count, 0)),
            "X-RateLimit-Reset": f"{time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": "80c17d2f203122d936070c88c8d10f33",
        }

    def _of_bot(self) -> RateLimited | None:
        now, window = self._seconds(), SECONDS / self._scale
        while self._all and self._all[0] <= now - window:
            self._all.popleft()
        if len(self._all) < MOST:
            return None
        return RateLimited(self._all[0] + window - now, is_global=True)

    def _of_channel(self, call: Call) -> RateLimited | None:
        if call.name != _POST:
            return None
        now, length = self._seconds(), CHANNEL_SECONDS / self._scale
        window = self._channels.setdefault(call.parameters["channel_id"], _Window(now))
        if now >= window.began + length:
            window.began, window.count = now, 0
        if window.count >= MOST_TO_CHANNEL:
            return RateLimited(window.began + length - now)
        window.count += 1
        return None
