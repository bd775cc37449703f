"""The metrics as Prometheus reads them."""

from bot.operations.metrics import Metrics


def _lines(metrics: Metrics) -> set[str]:
    text, _ = metrics.text()
    return set(text.decode().splitlines())


def test_answers_are_counted_and_timed() -> None:
    """By platform, command and outcome; an unknown command is counted but not timed."""
    metrics = Metrics()
    metrics.observe("slack", "search", "answered", 0.004)
    metrics.observe("slack", "search", "failed", 0.002)
    metrics.observe("slack", None, "failed", 0)
    assert _lines(metrics) >= {
        'broadsheet_commands_total{command="search",outcome="answered",platform="slack"} 1.0',
        'broadsheet_commands_total{command="search",outcome="failed",platform="slack"} 1.0',
        'broadsheet_commands_total{command="none",outcome="failed",platform="slack"} 1.0',
        'broadsheet_command_seconds_bucket{le="0.001",platform="slack"} 0.0',
        'broadsheet_command_seconds_bucket{le="0.005",platform="slack"} 2.0',
        'broadsheet_command_seconds_bucket{le="5.0",platform="slack"} 2.0',
    }


def test_acknowledgements_and_calls_are_counted() -> None:
    """With the answer or before it; by method and outcome."""
    metrics = Metrics()
    metrics.acknowledged("slack", answered=True)
    metrics.acknowledged("slack", answered=False)
    metrics.called("slack", "views.open", "not_authed")
    assert _lines(metrics) >= {
        'broadsheet_acknowledgements_total{outcome="answered",platform="slack"} 1.0',
        'broadsheet_acknowledgements_total{outcome="deferred",platform="slack"} 1.0',
        'broadsheet_api_calls_total{method="views.open",outcome="not_authed",platform="slack"} 1.0',
    }


def test_only_a_connection_after_a_loss_is_a_reconnect() -> None:
    """The first connection is none, and neither is a repeated report."""
    metrics = Metrics()
    for up in (False, True, True):
        metrics.connected("slack", up=up)
    assert 'broadsheet_connections{platform="slack"} 1.0' in _lines(metrics)
    assert not any(line.startswith("broadsheet_reconnects_total{") for line in _lines(metrics))
    metrics.connected("slack", up=False)
    assert 'broadsheet_connections{platform="slack"} 0.0' in _lines(metrics)
    metrics.connected("slack", up=True)
    assert 'broadsheet_reconnects_total{platform="slack"} 1.0' in _lines(metrics)


def test_deliveries_and_corrections_are_counted_by_outcome() -> None:
    """By platform and outcome, each attempt once."""
    metrics = Metrics()
    for outcome in ("retry", "retry", "sent"):
        metrics.delivered("discord", outcome)
    metrics.corrected("slack", "edited")
    assert _lines(metrics) >= {
        'broadsheet_deliveries_total{outcome="retry",platform="discord"} 2.0',
        'broadsheet_deliveries_total{outcome="sent",platform="discord"} 1.0',
        'broadsheet_corrections_total{outcome="edited",platform="slack"} 1.0',
    }


def test_the_lag_of_posts_is_measured_from_seconds_to_days() -> None:
    """A post after seconds and one after two days are in different buckets."""
    metrics = Metrics()
    metrics.lag("slack", 12.5)
    metrics.lag("slack", 2 * 86_400)
    assert _lines(metrics) >= {
        'broadsheet_delivery_lag_seconds_bucket{le="5.0",platform="slack"} 0.0',
        'broadsheet_delivery_lag_seconds_bucket{le="60.0",platform="slack"} 1.0',
        'broadsheet_delivery_lag_seconds_bucket{le="86400.0",platform="slack"} 1.0',
        'broadsheet_delivery_lag_seconds_bucket{le="259200.0",platform="slack"} 2.0',
        'broadsheet_delivery_lag_seconds_count{platform="slack"} 2.0',
    }


def test_subscriptions_are_counted_by_state() -> None:
    """Every state has a number, zero if the last tick found none."""
    metrics = Metrics()
    metrics.ticked("ok")
    metrics.subscribed({"active": 2, "refused": 1})
    metrics.ticked("failed")
    metrics.subscribed({"active": 3})
    assert _lines(metrics) >= {
        'broadsheet_ticks_total{outcome="ok"} 1.0',
        'broadsheet_ticks_total{outcome="failed"} 1.0',
        'broadsheet_subscriptions{state="active"} 3.0',
        'broadsheet_subscriptions{state="paused"} 0.0',
        'broadsheet_subscriptions{state="refused"} 0.0',
    }


def test_waiting_deliveries_are_counted() -> None:
    """By platform, zero after all were sent."""
    metrics = Metrics()
    metrics.waiting({"slack": 3, "discord": 1})
    metrics.waiting({"slack": 2})
    assert _lines(metrics) >= {
        'broadsheet_deliveries_waiting{platform="slack"} 2.0',
        'broadsheet_deliveries_waiting{platform="discord"} 0.0',
    }


def test_the_process_is_measured_and_registries_are_separate() -> None:
    """Memory and collections are measured; one registry does not see another's counts."""
    first, second = Metrics(), Metrics()
    first.acknowledged("slack", answered=True)
    names = {line.partition(" ")[0] for line in _lines(second)}
    assert {"process_resident_memory_bytes", 'python_gc_collections_total{generation="0"}'} <= names
    assert not any(name.startswith("broadsheet_acknowledgements_total{") for name in names)
