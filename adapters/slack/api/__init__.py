"""Calls to Slack's Web API: tokens, rate limits, errors."""
