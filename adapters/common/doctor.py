"""The findings of a platform's checks for `broadsheet doctor`. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator

from bot.operations.health import Finding, Verdict
from bot.replies.wording import count

# Channels of which each takes a request: Slack allows some 50 a minute.
# https://docs.slack.dev/apis/web-api/rate-limits
MOST_EXAMINED = 50


class PlatformFindings:
    """Makes the findings of one platform.

    Args:
        platform: its name in the settings.
    """

    def __init__(self, platform: str) -> None:
        self._platform = platform

    def well(self, sentence: str, remedy: str = "") -> Finding:
        """Return that something is as it has to be."""
        return Finding(self._platform, Verdict.WELL, sentence, remedy)

    def note(self, sentence: str, remedy: str = "") -> Finding:
        """Return something that may be intended."""
        return Finding(self._platform, Verdict.NOTE, sentence, remedy)

    def problem(self, sentence: str, remedy: str = "") -> Finding:
        """Return something that keeps the bot from its work."""
        return Finding(self._platform, Verdict.PROBLEM, sentence, remedy)

    def of_channels(
        self, examined: Iterable[Finding | str | None], total: int
    ) -> Iterator[Finding]:
        """Yield the findings on channels, and how many can be posted to.

        Args:
            examined: for at most `MOST_EXAMINED` channels `None` where one can be posted to, a
                finding on it, or the reason why it could not be examined.
            total: how many channels there are.
        """
        postable, reasons = 0, Counter[str]()
        for each in examined:
            if each is None:
                postable += 1
            elif isinstance(each, str):
                reasons[each] += 1
            else:
                yield each
        if postable:
            yield self.well(f"{count(postable, 'channel')} can be posted to.")
        for reason, number in reasons.items():
            yield self.note(f"{count(number, 'channel')} could not be examined: {reason}")
        if total > MOST_EXAMINED:
            channels = count(total, "channel")
            yield self.note(f"Of {channels} no more than {MOST_EXAMINED} were examined.")
