"""How much Discord takes of a bot, as it is documented, and what it says of that.

https://docs.discord.com/developers/topics/rate-limits
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, time

from tests.fakes.discord.rest.requests import Call
from tests.fakes.faults import RateLimited

MOST, SECONDS = 50, 1.0
# Of messages to one channel: told in headers only, and this as most see it.
MOST_TO_CHANNEL, CHANNEL_SECONDS = 5, 5.0
_POST = "POST /channels/{channel_id}/messages"


@dataclass(slots=True)
class _Window:
    """The messages to a channel since the first one after the last window was over."""

    began: float
    count: int = 0


class Limits:
    """Counts requests, and refuses what is too much.

    `refused` are the requests that were, `accepted` how many were not.

    Args:
        scale: how many times as fast its time runs: a second of its limits is that part of ours.
        seconds: a clock that only goes forward.
    """

    def __init__(self, scale: float = 1.0, seconds: Callable[[], float] = monotonic) -> None:
        self.refused: list[Call] = []
        self.accepted = 0
        self._scale = scale
        self._seconds = seconds
        self._all: deque[float] = deque()
        self._channels: dict[str, _Window] = {}

    def check(self, call: Call) -> RateLimited | None:
        """Count a request; return how it is refused, `None` where it is not."""
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
        """Return what an answer tells of the limit of its channel."""
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
