"""Slack: its settings, its connection, what comes in and what goes out."""
