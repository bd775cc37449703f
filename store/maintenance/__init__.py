"""Backup, restore and health checks of a store."""
