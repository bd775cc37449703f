"""Slack's limits as lanes: how often which method is called in a workspace, at the most.

Slack counts each method by itself, for each app and workspace, and what is posted besides for each
channel: https://docs.slack.dev/apis/web-api/rate-limits. The tier of a method stands on its page,
such as https://docs.slack.dev/reference/methods/chat.update
"""

from bot.coordination.rate_limiter import RateLimit

# Requests a minute. "Several hundred" messages are allowed in a workspace; this is the fewest.
_MESSAGES = 300
_TIER_3 = 50
_A_MINUTE = {
    "chat.postMessage": _MESSAGES,
    "chat.update": _TIER_3,
    "conversations.history": _TIER_3,
    "conversations.open": _TIER_3,
    "conversations.replies": _TIER_3,
}
# Messages leave evenly, as "bursts" of them may not be shown; of the others some may come at once.
_EVEN = frozenset({"chat.postMessage"})
_AT_ONCE = 0.2
_IN_CHANNEL_SECONDS = 1.0
# What is left of a limit is for people's own messages, and for requests that overtake others.
_USED = 0.97


class Limits:
    """The lanes of methods.

    Of an app that is distributed outside of Slack's marketplace, history and replies are read once
    a minute:
    https://docs.slack.dev/changelog/2025/05/29/rate-limit-changes-for-non-marketplace-apps No token
    tells which kind it is, so that such an app is refused first, and its lane slowed.

    Args:
        speed: how many times as fast as the published limits Slack is taken to be, for trials.
    """

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed

    def of(self, method: str, workspace: str) -> RateLimit:
        """Return the lane of a method in a workspace."""
        used = _USED * _A_MINUTE[method]
        burst = 1 if method in _EVEN else int(_AT_ONCE * _A_MINUTE[method])
        # So that no minute has more, not even the one that begins with a burst.
        steady = used if burst == 1 else used - burst
        return RateLimit(f"slack:{workspace}:{method}", 60 / steady / self._speed, burst)

    def of_post(self, workspace: str, channel: str) -> tuple[RateLimit, RateLimit]:
        """Return the lanes of a message: its channel's and its workspace's."""
        every = _IN_CHANNEL_SECONDS / _USED / self._speed
        return RateLimit(f"slack:{workspace}:{channel}", every), self.of(
            "chat.postMessage", workspace
        )
