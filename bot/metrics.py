"""What is measured of a running bot, in Prometheus' terms.

Labels are names that the code has: platforms, commands, methods, outcomes. Never a channel, a
workspace or a person: each would make a series of its own, and be told to whoever scrapes.
https://prometheus.io/docs/practices/naming/#labels
"""

from prometheus_client import (
    CONTENT_TYPE_PLAIN_0_0_4,
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from bot.app import Answered

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_NO_COMMAND = "none"  # what was typed was no command


class Metrics:
    """Counts and durations of one run, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)
        self._commands = self._counter(
            "commands", "Commands that were answered.", "platform", "command", "outcome"
        )
        self._seconds = Histogram(
            "broadsheet_command_seconds",
            "How long answering a command took.",
            ("platform",),
            registry=self._registry,
            buckets=_SECONDS,
        )
        self._acknowledgements = self._counter(
            "acknowledgements", "Acknowledgements, with the answer or before it.",
            "platform", "outcome",
        )  # fmt: skip
        self._calls = self._counter(
            "api_calls", "Calls of a platform's API.", "platform", "method", "outcome"
        )
        self._connections = Gauge(
            "broadsheet_connections",
            "Whether a platform is connected.",
            ("platform",),
            registry=self._registry,
        )
        self._reconnects = self._counter(
            "reconnects", "Connections made anew after a loss.", "platform"
        )
        # By platform: whether it is connected now. It has an entry once it was connected.
        self._up: dict[str, bool] = {}

    def observe(self, answered: Answered) -> None:
        """Count an answer, and where it was one to a command how long it took."""
        platform = answered.actor.platform
        outcome = "failed" if answered.failed else "answered"
        self._commands.labels(platform, answered.command or _NO_COMMAND, outcome).inc()
        if answered.command is not None:
            self._seconds.labels(platform).observe(answered.seconds)

    def acknowledged(self, platform: str, *, answered: bool) -> None:
        """Count an acknowledgement: one that carried the answer, or one that came before it."""
        self._acknowledgements.labels(platform, "answered" if answered else "deferred").inc()

    def called(self, platform: str, method: str, outcome: str) -> None:
        """Count a call of a platform's API: `ok`, or the platform's word for what was wrong."""
        self._calls.labels(platform, method, outcome).inc()

    def connected(self, platform: str, *, up: bool) -> None:
        """Note whether a platform is connected; to be again after a loss is a reconnect."""
        self._connections.labels(platform).set(up)
        if up and self._up.get(platform) is False:
            self._reconnects.labels(platform).inc()
        if up or platform in self._up:
            self._up[platform] = up

    def text(self) -> tuple[bytes, str]:
        """Return everything in Prometheus' text format, and that format's content type."""
        return generate_latest(self._registry), CONTENT_TYPE_PLAIN_0_0_4

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(f"broadsheet_{name}", help_text, labels, registry=self._registry)
