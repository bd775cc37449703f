"""The published rate limits of Slack.

Each method has a limit in each workspace, by its tier; posting has one in each channel too.
https://docs.slack.dev/apis/web-api/rate-limits. Each method's page has its tier, such as
https://docs.slack.dev/reference/methods/chat.update
"""

import math
from collections import defaultdict, deque
from dataclasses import dataclass, field

from tests.fakes.slack.web_api.calls import Call

# "Several hundred" in a workspace and minute.
_SPECIAL = 300
_TIERS = {
    1: {"apps.connections.open"},
    20: {"auth.teams.list"},
    50: {
        "agents.sessions.rename",
        "agents.sessions.setStatus",
        "chat.unfurl",
        "chat.update",
        "conversations.history",
        "conversations.info",
        "conversations.join",
        "conversations.open",
        "conversations.replies",
        "users.conversations",
    },
    100: {
        "chat.postEphemeral",
        "files.completeUploadExternal",
        "files.getUploadURLExternal",
        "oauth.v2.access",
        "users.info",
        "views.open",
        "views.publish",
        "views.update",
    },
    _SPECIAL: {"auth.test", "chat.getPermalink", "chat.postMessage"},
}
_A_MINUTE = {method: count for count, methods in _TIERS.items() for method in methods}
# One a second, and short bursts: so many within as many seconds.
_IN_CHANNEL = 5


@dataclass
class Limits:
    """Rate limits over sliding windows of `window` seconds.

    They are `speed` times as fast as published; `tiers` overrides the limits a minute of methods.
    `refused` has the methods of all refused calls.
    """

    speed: float = 1.0
    window: float = 60.0
    tiers: dict[str, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    _came: defaultdict[tuple[str, ...], deque[float]] = field(
        default_factory=lambda: defaultdict(deque)
    )

    def refusal(self, call: Call, workspace: str, now: float) -> int | None:
        """Return the seconds to wait, or `None` if a call is within all limits."""
        limits = self._limits(call, workspace)
        free_at = max(self._free_at(key, most, span, now) for key, (most, span) in limits.items())
        if free_at > now:
            self.refused.append(call.method)
            return max(1, math.ceil(free_at - now))
        for key in limits:
            self._came[key].append(now)
        return None

    def _limits(self, call: Call, workspace: str) -> dict[tuple[str, ...], tuple[int, float]]:
        a_minute = self.tiers.get(call.method, _A_MINUTE[call.method])
        most = max(1, int(a_minute * self.window / 60))
        span = max(self.window, 60 / a_minute) / self.speed
        found: dict[tuple[str, ...], tuple[int, float]] = {
            (workspace, call.method): (most, span),
        }
        if call.method == "chat.postMessage":
            where = str(call.arguments.get("channel"))
            found[workspace, call.method, where] = (_IN_CHANNEL, _IN_CHANNEL / self.speed)
        return found

    def _free_at(self, key: tuple[str, ...], most: int, span: float, now: float) -> float:
        """Return the time from which a limit allows another call."""
        came = self._came[key]
        while came and came[0] <= now - span:
            came.popleft()
        return came[len(came) - most] + span if len(came) >= most else now
