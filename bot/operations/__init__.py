"""What operators watch: logs, metrics, health and the checks of `doctor`."""
