"""What is measured of a running bot, in Prometheus' terms.

Labels are names that the code has: platforms, commands, methods, outcomes, states; and the slugs of
the sources that are followed, of which an operator has a few. Never a channel, a workspace or a
person: each would make a series of its own, and be told to whoever scrapes.
https://prometheus.io/docs/practices/naming/#labels
"""

from collections.abc import Mapping
from datetime import datetime

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

from bot.operations.observer import Answered
from store.records import SubscriptionState

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
# From one call of a platform to the days after which a post is given up.
_LAG_SECONDS = (0.5, 1, 5, 15, 30, 60, 120, 300, 900, 3600, 21_600, 86_400, 259_200)
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
        self._deliveries = self._counter(
            "deliveries", "What became of posts at each attempt.", "platform", "outcome"
        )
        self._waiting = Gauge(
            "broadsheet_deliveries_waiting",
            "Posts still to be sent, counted once a minute.",
            ("platform",),
            registry=self._registry,
        )
        self._lag = Histogram(
            "broadsheet_delivery_lag_seconds",
            "How long after it was put in the queue a post was complete.",
            ("platform",),
            registry=self._registry,
            buckets=_LAG_SECONDS,
        )
        self._corrections = self._counter(
            "corrections", "Corrections of messages posted before.", "platform", "outcome"
        )
        self._ticks = self._counter("ticks", "Looks for what is due.", "outcome")
        self._orders = Gauge(
            "broadsheet_subscriptions",
            "Standing orders, counted once a minute.",
            ("state",),
            registry=self._registry,
        )
        self._fetches = self._counter(
            "fetches", "Addresses of sources that were fetched.", "source", "outcome"
        )
        self._newest = Gauge(
            "broadsheet_source_fetched_timestamp_seconds",
            "When fetching a source last went well; 0 where it never did.",
            ("source",),
            registry=self._registry,
        )
        self._platforms: set[str] = set()
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

    def delivered(self, platform: str, outcome: str) -> None:
        """Count an attempt at a post by the state that it ended in, such as `sent` or `retry`."""
        self._deliveries.labels(platform, outcome).inc()

    def waiting(self, counts: Mapping[str, int]) -> None:
        """Note how many posts of each platform are to be sent; one that is left out has none."""
        self._platforms |= counts.keys()
        for platform in self._platforms:
            self._waiting.labels(platform).set(counts.get(platform, 0))

    def lag(self, platform: str, seconds: float) -> None:
        """Note how long after it was put in the queue a post was complete."""
        self._lag.labels(platform).observe(seconds)

    def corrected(self, platform: str, outcome: str) -> None:
        """Count a correction of a message that was posted before."""
        self._corrections.labels(platform, outcome).inc()

    def ticked(self, outcome: str) -> None:
        """Count a look for what is due."""
        self._ticks.labels(outcome).inc()

    def ordered(self, counts: Mapping[str, int]) -> None:
        """Note how many standing orders are in each state; a state that is left out has none."""
        for state in SubscriptionState:
            self._orders.labels(state.value).set(counts.get(state.value, 0))

    def fetched(self, source: str, outcome: str) -> None:
        """Count an address of a source that was fetched: `imported`, `unchanged` or `failed`."""
        self._fetches.labels(source, outcome).inc()

    def followed(self, newest: Mapping[str, datetime | None]) -> None:
        """Note of each source that is fetched when that last went well; of others nothing."""
        self._newest.clear()
        for source, at in newest.items():
            self._newest.labels(source).set(at.timestamp() if at else 0)

    def text(self) -> tuple[bytes, str]:
        """Return everything in Prometheus' text format, and that format's content type."""
        return generate_latest(self._registry), CONTENT_TYPE_PLAIN_0_0_4

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(f"broadsheet_{name}", help_text, labels, registry=self._registry)
