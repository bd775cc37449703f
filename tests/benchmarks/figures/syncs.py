"""Compare a sync of the followed sources with bare requests and rows."""

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from http import HTTPStatus
from pathlib import Path
from xml.parsers import expat

import aiohttp

from adapters.web.http_client import HttpFetcher, parse_allowlist
from adapters.web.http_client.host_limiter import MAX_CONCURRENT, HostLimiter
from bot.clock import SystemClock
from bot.sources.sync import SourceSync
from store.database import Database
from store.sources import add_address
from tests.benchmarks.floors import sqlite
from tests.benchmarks.inputs.documents import generated_feeds
from tests.benchmarks.inputs.setup import Stage, copied
from tests.benchmarks.measure import Figure, Stopwatch
from tests.fakes.web_sites import Answer, Site, serve_site

_HERE = "127.0.0.1"
_NOTED = "UPDATE source_address SET fetched_at = ?, etag = ? WHERE url = ?"


@dataclass(frozen=True, slots=True)
class Sources:
    """The numbers of sources, and of weekly posts in the feed of each."""

    feeds: int = 50
    posts: int = 20


# The ms of fetching everything for the first time, and once more.
_Times = tuple[float, float]


def syncs(stage: Stage, runs: int, extent: Sources) -> Iterator[Figure]:
    """Fetch by turns from sites on this machine, the first time and when nothing is new."""
    feeds = generated_feeds(extent.feeds, extent.posts)
    with tempfile.TemporaryDirectory(prefix="broadsheet-bench-") as folder:
        # The rows that the floor writes are those of the first one, which is the warm-up too.
        filled = Path(folder, "filled.db")
        asyncio.run(_product(stage, feeds, keep=filled))
        rows = sqlite.read_rows(filled)
        asyncio.run(_floor(stage, feeds, rows))
        pairs = [
            (asyncio.run(_floor(stage, feeds, rows)), asyncio.run(_product(stage, feeds)))
            for _ in range(runs)
        ]
    name = f"sync of {extent.feeds} sources"
    for place, when in enumerate(("first", "nothing new")):
        least = tuple(floors[place] for floors, _ in pairs)
        mine = tuple(products[place] for _, products in pairs)
        yield Figure(f"{name}, {when}", "ms", least, mine)


async def _product(stage: Stage, feeds: Sequence[bytes], keep: Path | None = None) -> _Times:
    """Sync twice as `broadsheet sync` does, with host names that resolve to this machine.

    Raises:
        RuntimeError: if a source could not be fetched or imported.
    """
    with copied(stage.empty) as store:
        async with (
            _published(feeds) as site,
            Database(f"sqlite:///{store}") as database,
            HttpFetcher(
                parse_allowlist(_HERE),
                host_limiter=HostLimiter(interval=0),
                resolve=_here,
                environment={},
            ) as fetcher,
        ):
            for number in range(len(feeds)):
                url = site.url(_path(number), f"letter-{number}.example")
                await database.write(add_address, f"letter-{number}", url, None)
            syncing = SourceSync(database, fetcher, SystemClock())
            times = await _timed_sync(syncing), await _timed_sync(syncing)
        if keep:
            shutil.copy(store, keep)
    return times


async def _timed_sync(syncing: SourceSync) -> float:
    with Stopwatch() as watch:
        done = await syncing.sync()
    if wrong := [each.error for each in done if each.error]:
        raise RuntimeError(wrong[0])
    return watch.milliseconds


async def _here(_host: str, _port: int) -> list[str]:
    return [_HERE]


async def _floor(
    stage: Stage, feeds: Sequence[bytes], rows: Sequence[sqlite.Transaction]
) -> _Times:
    """Ask for the same pages as often, read all tags in them, and write the same rows."""
    with copied(stage.empty) as store:
        async with _published(feeds) as site, _session() as session:
            with Stopwatch() as first:
                tags = await _read(session, site, len(feeds))
            written = sqlite.timed_upsert(store, rows)
            with Stopwatch() as second, sqlite.connected(store) as connection:
                await _note(session, site, len(feeds), connection)
    if not tags:
        raise RuntimeError("nothing was read")
    return first.milliseconds + written, second.milliseconds


def _session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=MAX_CONCURRENT, force_close=True)
    )


async def _read(session: aiohttp.ClientSession, site: Site, number: int) -> int:
    """Fetch all feeds and count the tags of their posts."""

    async def read(path: str) -> int:
        async with session.get(site.url(path)) as answer:
            return _tags(await answer.read())

    return sum(await asyncio.gather(*(read(_path(each)) for each in range(number))))


async def _note(
    session: aiohttp.ClientSession, site: Site, number: int, connection: sqlite3.Connection
) -> None:
    """Request all feeds with their ETags, and record each as unchanged."""

    async def note(path: str) -> None:
        url = site.url(path)
        async with session.get(url, headers={"If-None-Match": _ETAG}) as answer:
            if answer.status != HTTPStatus.NOT_MODIFIED:
                raise RuntimeError("it was not as it was")
        connection.execute(_NOTED, ("2026-11-21 09:00:00", _ETAG, url))

    await asyncio.gather(*(note(_path(each)) for each in range(number)))


class _Tags(HTMLParser):
    """Counts tags."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def handle_starttag(self, _tag: str, _attributes: object) -> None:
        """Count one."""
        self.count += 1


def _tags(feed: bytes) -> int:
    """Read a feed's XML and the HTML in it."""
    texts: list[str] = []
    parser, tags = expat.ParserCreate(), _Tags()
    parser.buffer_text = True
    parser.CharacterDataHandler = texts.append
    parser.Parse(feed, True)  # noqa: FBT003 - takes no keywords: this is the end
    for text in texts:
        tags.feed(text)
    return tags.count


_ETAG = '"1"'


@asynccontextmanager
async def _published(feeds: Sequence[bytes]) -> AsyncIterator[Site]:
    headers = {"ETag": _ETAG, "Content-Type": "application/rss+xml"}
    async with serve_site() as site:
        for number, feed in enumerate(feeds):
            site.put(_path(number), Answer(feed, headers=headers))
        yield site


def _path(number: int) -> str:
    return f"/{number}"
