"""Servers that the bot joins and leaves."""
