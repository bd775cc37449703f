"""What an operator watches: logs, metrics, health and checks."""
