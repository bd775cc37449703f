"""A fetcher with a fake clock, and a site that it may fetch from."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from adapters.web.http_client import HostLimiter, HttpFetcher, parse_allowlist
from bot.errors import FetchError
from bot.sources.fetcher import Fetcher
from tests.fakes.clock import Seconds
from tests.fakes.web_sites import Site, serve_site

TEXT = b"A round-up of the week. " * 40


class Time(Seconds):
    """A clock that a sleep advances."""

    async def sleep(self, seconds: float) -> None:
        """Advance the clock by so many seconds."""
        self.at += seconds


@asynccontextmanager
async def fetching(**given: Any) -> AsyncIterator[tuple[HttpFetcher, Site]]:
    """Yield a fetcher with these arguments, and a site that it may fetch from."""
    time = Time()
    given = {
        "host_limiter": HostLimiter(time, time.sleep),
        "allowlist": parse_allowlist("127.0.0.1"),
        **given,
    }
    async with serve_site() as site, HttpFetcher(environment={}, **given) as fetcher:
        yield fetcher, site


async def error_of(fetcher: Fetcher, url: str, **given: Any) -> FetchError:
    """Return the error of fetching a page."""
    with pytest.raises(FetchError) as caught:
        await fetcher.fetch(url, **given)
    return caught.value


async def this_machine(host: str, port: int) -> list[str]:
    """Resolve every name to this machine."""
    del host, port
    return ["127.0.0.1"]
