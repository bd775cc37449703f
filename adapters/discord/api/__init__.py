"""Calls to Discord's API: the base URL, rate limits, permissions, errors."""
