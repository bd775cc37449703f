"""A fetcher in a test's time, and a site that it may fetch from."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from adapters.web.http_client import HostLimiter, HttpFetcher, parse_allowlist
from bot.errors import FetchError
from bot.sources.fetcher import Fetcher
from tests.fakes.seconds import Seconds
from tests.fakes.sites import Site, a_site

TEXT = b"A round-up of the week. " * 40


class Time(Seconds):
    """A clock that a sleep moves."""

    async def sleep(self, seconds: float) -> None:
        """Let so many seconds pass at once."""
        self.at += seconds


@asynccontextmanager
async def fetching(**given: Any) -> AsyncIterator[tuple[HttpFetcher, Site]]:
    """Give a fetcher that is made so, and a site that it may fetch from."""
    time = Time()
    given = {
        "host_limiter": HostLimiter(time, time.sleep),
        "allowlist": parse_allowlist("127.0.0.1"),
        **given,
    }
    async with a_site() as site, HttpFetcher(environment={}, **given) as fetcher:
        yield fetcher, site


async def error_of(fetcher: Fetcher, url: str, **given: Any) -> FetchError:
    """Return why a page can't be had."""
    with pytest.raises(FetchError) as caught:
        await fetcher.fetch(url, **given)
    return caught.value


async def this_machine(host: str, port: int) -> list[str]:
    """Look a name up that leads here, as all do."""
    del host, port
    return ["127.0.0.1"]
