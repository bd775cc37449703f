"""Fetching from the web: politely, from public addresses only, and never more than is wanted."""

from adapters.web.fetching.addresses import Allowed, allowed
from adapters.web.fetching.fetcher import HttpFetcher, Limits
from adapters.web.fetching.pace import Pace

__all__ = ["Allowed", "HttpFetcher", "Limits", "Pace", "allowed"]
