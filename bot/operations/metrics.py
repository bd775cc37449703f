"""The metrics of a running bot, for Prometheus.

Labels have few values: platforms, commands, methods, outcomes, states, and the slugs of the
followed sources. Never a channel, a workspace or a person: each would make a series of its own, and
be shown to every reader of the metrics. https://prometheus.io/docs/practices/naming/#labels
"""

from collections.abc import Mapping
from datetime import datetime
from functools import partial

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

from store.records import SubscriptionState

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
# From one API call to the days after which a post is given up.
_LAG_SECONDS = (0.5, 1, 5, 15, 30, 60, 120, 300, 900, 3600, 21_600, 86_400, 259_200)
_NO_COMMAND = "none"
_NAMESPACE = "broadsheet"


class Metrics:
    """The metrics of one process, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)
        counter = partial(Counter, namespace=_NAMESPACE, registry=registry)
        gauge = partial(Gauge, namespace=_NAMESPACE, registry=registry)
        histogram = partial(Histogram, namespace=_NAMESPACE, registry=registry)
        self._commands = counter(
            "commands", "Answered commands.", ["platform", "command", "outcome"]
        )
        self._seconds = histogram(
            "command_seconds", "Time from reading a command to its answer.", ["platform"],
            buckets=_SECONDS,
        )  # fmt: skip
        self._acknowledgements = counter(
            "acknowledgements", "Acknowledgements, with the answer or before it.",
            ["platform", "outcome"],
        )  # fmt: skip
        self._calls = counter(
            "api_calls", "Calls of the platform's API.", ["platform", "method", "outcome"]
        )
        self._connections = gauge(
            "connections", "1 if the platform is connected, else 0.", ["platform"]
        )
        self._reconnects = counter("reconnects", "Connections restored after a loss.", ["platform"])
        self._deliveries = counter(
            "deliveries", "Delivery attempts by outcome.", ["platform", "outcome"]
        )
        self._waiting = gauge(
            "deliveries_waiting", "Deliveries waiting to be sent, counted once a minute.",
            ["platform"],
        )  # fmt: skip
        self._lag = histogram(
            "delivery_lag_seconds", "Time from the queue to the last message of a post.",
            ["platform"], buckets=_LAG_SECONDS,
        )  # fmt: skip
        self._corrections = counter(
            "corrections", "Edits of posted messages.", ["platform", "outcome"]
        )
        self._ticks = counter("ticks", "Ticks of the scheduler.", ["outcome"])
        self._subscriptions = gauge(
            "subscriptions", "Subscriptions, counted once a minute.", ["state"]
        )
        self._fetches = counter("fetches", "Fetched addresses of sources.", ["source", "outcome"])
        self._last_fetch = gauge(
            "source_fetched_timestamp_seconds",
            "Last successful fetch of the source; 0 if there was none.", ["source"],
        )  # fmt: skip
        self._platforms_waiting: set[str] = set()
        self._connected: dict[str, bool] = {}  # only platforms that were connected before

    def observe(self, platform: str, command: str | None, outcome: str, seconds: float) -> None:
        """Count an answer, and time it if it is one to a command (not `None`)."""
        self._commands.labels(platform, command or _NO_COMMAND, outcome).inc()
        if command is not None:
            self._seconds.labels(platform).observe(seconds)

    def acknowledged(self, platform: str, *, answered: bool) -> None:
        """Count an acknowledgement, with the answer or before it."""
        self._acknowledgements.labels(platform, "answered" if answered else "deferred").inc()

    def called(self, platform: str, method: str, outcome: str) -> None:
        """Count a call of a platform's API: `ok` or the platform's error code."""
        self._calls.labels(platform, method, outcome).inc()

    def connected(self, platform: str, *, up: bool) -> None:
        """Set whether a platform is connected, and count a reconnect after a loss."""
        self._connections.labels(platform).set(up)
        if up and self._connected.get(platform) is False:
            self._reconnects.labels(platform).inc()
        if up or platform in self._connected:
            self._connected[platform] = up

    def delivered(self, platform: str, outcome: str) -> None:
        """Count a delivery attempt by its outcome, such as `sent` or `retry`."""
        self._deliveries.labels(platform, outcome).inc()

    def waiting(self, counts: Mapping[str, int]) -> None:
        """Set the number of waiting deliveries; platforms left out have none."""
        self._platforms_waiting |= counts.keys()
        for platform in self._platforms_waiting:
            self._waiting.labels(platform).set(counts.get(platform, 0))

    def lag(self, platform: str, seconds: float) -> None:
        """Record the time from the queue to the last message of a post."""
        self._lag.labels(platform).observe(seconds)

    def corrected(self, platform: str, outcome: str) -> None:
        """Count an edit of a posted message."""
        self._corrections.labels(platform, outcome).inc()

    def ticked(self, outcome: str) -> None:
        """Count a tick."""
        self._ticks.labels(outcome).inc()

    def subscribed(self, counts: Mapping[str, int]) -> None:
        """Set the number of subscriptions by state; states left out have none."""
        for state in SubscriptionState:
            self._subscriptions.labels(state.value).set(counts.get(state.value, 0))

    def fetched(self, source: str, outcome: str) -> None:
        """Count a fetched address of a source: `imported`, `unchanged` or `failed`."""
        self._fetches.labels(source, outcome).inc()

    def followed(self, fetches: Mapping[str, datetime | None]) -> None:
        """Set the last successful fetch of each followed source, and drop the other sources."""
        self._last_fetch.clear()
        for source, at in fetches.items():
            self._last_fetch.labels(source).set(at.timestamp() if at else 0)

    def text(self) -> tuple[bytes, str]:
        """Return the metrics in Prometheus' text format, and its content type."""
        return generate_latest(self._registry), CONTENT_TYPE_PLAIN_0_0_4
