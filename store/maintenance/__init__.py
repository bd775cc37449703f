"""Backup, restore, copies and health checks of a store."""
