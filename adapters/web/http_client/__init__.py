"""The HTTP client: polite, to public addresses only, and with limits on sizes and times."""

from adapters.web.http_client.host_limiter import HostLimiter
from adapters.web.http_client.http_fetcher import HttpFetcher, Timeouts
from adapters.web.http_client.ssrf_guard import Allowlist, parse_allowlist

__all__ = ["Allowlist", "HostLimiter", "HttpFetcher", "Timeouts", "parse_allowlist"]
