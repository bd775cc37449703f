"""Discord's API: the base URL, calls, rate limits, permissions, errors."""
