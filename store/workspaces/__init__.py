"""Workspaces, their settings, people, app installations and stored command strings."""
