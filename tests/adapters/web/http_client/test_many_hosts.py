"""Many sources on sites of which some never respond."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from adapters.web.http_client import HostLimiter, HttpFetcher, Timeouts, parse_allowlist
from bot.clock import SystemClock
from bot.coordination.jobs import Jobs
from bot.sources.sync import SourceSync
from store.database import Database
from store.library.editions import list_editions
from store.sources import add_address
from tests.adapters.web.http_client.setup import this_machine
from tests.benchmarks.inputs.documents import generated_feeds
from tests.fakes.web_sites import SILENCE, Answer, serve_site

_FEEDS, _SILENT = 50, 10


@pytest.fixture
def store(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return an empty store: what is waited for here is sites."""
    shutil.copy(sqlite_template, tmp_path / "store.db")
    with closing(Database(f"sqlite:///{tmp_path / 'store.db'}")) as database:
        yield database


async def test_sites_that_hang_keep_nobody_waiting(store: Database) -> None:
    """Fifty sources are new, and every fifth never answers: the others are there in two looks.

    Those that hang are tried again later, a few at a time.
    """
    wall = SystemClock()
    names = [f"letter-{number:02}" for number in range(_FEEDS)]
    silent = set(names[:: _FEEDS // _SILENT])
    async with (
        serve_site() as site,
        HttpFetcher(
            parse_allowlist("127.0.0.1"),
            timeouts=Timeouts(response=2.5),
            host_limiter=HostLimiter(interval=0),
            resolve=this_machine,
            environment={},
        ) as fetcher,
    ):
        for name, feed in zip(names, generated_feeds(_FEEDS, 1), strict=True):
            site.put(f"/{name}", SILENCE if name in silent else Answer(feed))
            url = site.url(f"/{name}", f"{name}.example")
            await store.write(add_address, name, url, "feed")
        syncing = SourceSync(store, fetcher, wall, system_clock=wall, random=Random(1))  # noqa: S311 - no secret
        looking = Jobs(store, "one", wall, syncing.jobs)
        async with asyncio.timeout(60):
            for _ in range(2):
                await looking.start_due()
                while looking.running:  # noqa: ASYNC110 - it tells nobody when it is done
                    await asyncio.sleep(0.05)
        there = {each.source for each in await store.read(list_editions)}
        assert there == set(names) - silent
