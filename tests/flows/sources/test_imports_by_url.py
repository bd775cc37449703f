"""The samples at addresses of a site: taken in, asked for again, and safe from what goes wrong.

A real fetcher asks a real site, and a real store has what comes of it.
"""

import gzip
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import pytest

from adapters.web.http_client import HostLimiter, HttpFetcher, Timeouts
from bot.sources.sync import SourceSync, SyncResult
from store.database import Database
from store.library.editions import export_editions
from store.records import Edition
from store.sources import add_address, list_followed
from tests.adapters.web.http_client.setup import Time, fetching
from tests.fakes.web_sites import DROPPED, Answer, AnswerOrFault, Ending, Site, redirect_to
from tests.shared_data import shared_file

# A Wednesday after the sample's second week began, and one after the others' newest.
DAILY_AT, AT = datetime(2025, 1, 29, 9, tzinfo=UTC), datetime(2026, 3, 11, 9, tzinfo=UTC)
XML, HTML, JSON = "application/xml; charset=utf-8", "text/html; charset=utf-8", "application/json"
FIRST_PAGE = "/daily?week=2025-W05&p=0&limit=100"


@dataclass(frozen=True, slots=True)
class Followed:
    """A source, the sample that is its page, and where that is asked for."""

    sample: str
    kind: str
    content_type: str
    path: str
    asked: str


SOURCES = {
    "letter": Followed("substack_feed.xml", "feed", XML, "/feed", "/feed"),
    "review": Followed("review_page.html", "review", HTML, "/review", "/review"),
    "daily": Followed("hf_daily_papers.json", "hf-daily", JSON, "/daily", FIRST_PAGE),
}


@dataclass
class Stage:
    """A store, a site that its sources are found at, each under a name of its own, and a time."""

    database: Database
    site: Site
    fetcher: HttpFetcher
    time: Time
    leads: dict[str, str]
    at: datetime = AT
    hours: int = 0

    def now(self) -> datetime:
        """Return the time."""
        return self.at

    async def follow(self) -> None:
        """Follow the sources, whose samples are there under an ETag."""
        for slug, source in SOURCES.items():
            self.site.put(source.asked, self.good(slug))
            url = self.site.url(source.path, f"{slug}.example")
            await self.database.write(add_address, slug, url, source.kind)
        self.site.put("/daily?week=2025-W04&p=0&limit=100", self.good("daily"))
        for week in ("2025-W04", "2025-W05"):
            self.site.put(f"/daily?week={week}&p=1&limit=100", Answer(b"[]"))

    def good(self, slug: str) -> Answer:
        """Return the sample that is a source's page."""
        source = SOURCES[slug]
        body = shared_file(f"samples/{source.sample}").read_bytes()
        return Answer(body, headers={"ETag": f'"{slug}"', "Content-Type": source.content_type})

    async def sync(self) -> dict[str, SyncResult]:
        """Fetch each source, an hour after the last time; hosts that want rest have had it."""
        self.time.at += 3600
        self.hours += 1
        done = {}
        for slug in SOURCES:
            self.at = (DAILY_AT if slug == "daily" else AT) + timedelta(hours=self.hours)
            [done[slug]] = await SourceSync(self.database, self.fetcher, self).sync([slug])
        return done

    async def stored(self) -> list[Edition]:
        """Return what is stored."""
        return await self.database.read(export_editions)


@pytest.fixture
def sqlite(sqlite_url: str) -> Iterator[Database]:
    """Return an open store on SQLite, for what does not depend on the database."""
    with closing(Database(sqlite_url)) as database:
        yield database


@asynccontextmanager
async def _stage(database: Database) -> AsyncIterator[Stage]:
    """Give a stage; names lead to this machine, unless they are said to lead elsewhere."""
    time, leads = Time(), dict[str, str]()

    async def resolve(host: str, _port: int) -> list[str]:
        return [leads.get(host, "127.0.0.1")]

    timeouts = Timeouts(idle=0.5)
    limiter = HostLimiter(time, time.sleep)
    async with fetching(host_limiter=limiter, timeouts=timeouts, resolve=resolve) as (
        fetcher,
        site,
    ):
        stage = Stage(database, site, fetcher, time, leads)
        await stage.follow()
        yield stage


async def test_the_samples_give_what_they_hold(database: Database) -> None:
    """Exactly what is known of them; asked for again they are as they were, and nothing changes."""
    async with _stage(database) as stage:
        first = await stage.sync()
        assert [each.error for each in first.values()] == [None] * 3
        stored = await stage.stored()
        _check_daily([each for each in stored if each.source == "daily"])
        _check_letter([each for each in stored if each.source == "letter"])
        [review] = [each for each in stored if each.source == "review"]
        _check_review(review)
        stage.site.requests.clear()
        again = await stage.sync()
        assert [each.error for each in again.values()] == [None] * 3
        shown = {each.target: each.headers.get("If-None-Match") for each in stage.site.requests}
        # Votes always move, so nothing is shown of what was listed; the last week is frozen.
        daily = {FIRST_PAGE: None, FIRST_PAGE.replace("p=0", "p=1"): None}
        assert shown == {"/feed": '"letter"', "/review": '"review"'} | daily
        assert again["letter"].reports == again["review"].reports == ()
        assert await stage.stored() == stored


def _check_daily(editions: list[Edition]) -> None:
    assert [(each.first_day, len(each.entries)) for each in editions] == [
        (date(2025, 1, 27), 4),
        (date(2025, 1, 20), 28),
    ]
    assert editions[1].entries[0].arxiv_id == "2501.12948"
    assert len({entry.ref for each in editions for entry in each.entries}) == 32


def _check_letter(editions: list[Edition]) -> None:
    assert [(each.first_day, each.last_day) for each in editions] == [
        (date(2026, 3, 2), date(2026, 3, 8)),
        (date(2026, 2, 23), date(2026, 3, 1)),
    ]
    assert [[entry.rank for entry in each.entries] for each in editions] == [[*range(1, 11)]] * 2
    assert {each.kind for each in editions} == {"newsletter"}
    highlights = [[len(entry.highlights) for entry in each.entries] for each in editions]
    assert [sum(each) for each in highlights] == [14, 2]
    assert highlights[0][7:] == [0, 0, 0]
    for word in ("Message from the Editor", "SAMPLE25", "seats are left"):
        assert word not in repr(editions)


def _check_review(edition: Edition) -> None:
    assert (edition.first_day, edition.last_day) == (date(2026, 3, 2), date(2026, 3, 8))
    assert (edition.published_on, edition.minutes) == (date(2026, 3, 8), 17)
    assert [entry.episode for entry in edition.entries] == [f"E{n}" for n in range(31, 37)]
    headings = [heading.title for heading in edition.headings]
    found = [[entry.heading for entry in edition.entries].count(each) for each in headings]
    assert found == [3, 2, 1]
    assert "E999" not in repr(edition)


_DESIGN = b"<!doctype html><html><body><h1>Papers</h1><p>We have a new design.</p></body></html>"
_PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00"
_BOMB = Answer(
    gzip.compress(bytes(20_000_000)), headers={"Content-Encoding": "gzip", "Content-Type": JSON}
)
_BUSY = Answer(status=429, headers={"Retry-After": "90"})
_CHANGED = "markup may have changed", "mark-up seems to have changed"


def _typed(good: Answer, body: bytes, content_type: str = "") -> Answer:
    """Return an answer of another body, of the good one's type if of no other."""
    headers = {"Content-Type": content_type or good.headers["Content-Type"]}
    return Answer(body, headers=headers)


def _half(good: Answer) -> Answer:
    return _typed(good, good.body[: len(good.body) // 2])


def _broken(good: Answer, ending: Ending) -> Answer:
    return replace(_half(good), length=len(good.body), ending=ending)


# What is answered instead of a good page, and words of which one is told then.
_TROUBLES: dict[str, tuple[Callable[[Answer], AnswerOrFault], tuple[str, ...]]] = {
    "busy": (lambda _: _BUSY, ("answers with 429 (Too Many Requests): not now",)),
    "in trouble": (lambda _: Answer(status=503), ("answers with 503",)),
    "gone": (lambda _: Answer(status=404), ("answers with 404",)),
    "dropped": (lambda _: DROPPED, ("dropped the connection",)),
    "stalls": (lambda good: _broken(good, Ending.STALL), ("takes too long to answer",)),
    "breaks off": (lambda good: _broken(good, Ending.CLOSE), (".example breaks off.",)),
    "cut": (_half, ("breaks off in line", "was cut off", "is no whole JSON")),
    "bomb": (lambda _: _BOMB, ("unpacks to more than 100 times its length",)),
    "picture": (lambda good: _typed(good, _PICTURE), ("is a binary file",)),
    "picture told": (
        lambda good: _typed(good, _PICTURE, "image/png"),
        ("is a binary file", "another type than was asked for"),
    ),
    "design": (lambda good: _typed(good, _DESIGN), _CHANGED),
    "design told": (
        lambda good: _typed(good, _DESIGN, HTML),
        (*_CHANGED, "another type than was asked for"),
    ),
    "empty": (lambda good: _typed(good, b""), ("is empty",)),
    "away": (lambda _: redirect_to("http://127.0.0.1:9/"), ("127.0.0.1 can't be reached",)),
    "inside": (lambda _: redirect_to("http://in.example/", 301), ("not on the public internet",)),
    "metadata": (lambda _: redirect_to("http://169.254.169.254/"), ("not on the public internet",)),
}


async def test_what_goes_wrong_is_told_and_changes_nothing(sqlite: Database) -> None:
    """Each source says so in words; its last good editions stay, and it is taken up again."""
    async with _stage(sqlite) as stage:
        await stage.sync()
        stored = await stage.stored()
        stage.leads["in.example"] = "10.0.0.1"
        for what, (trouble, words) in _TROUBLES.items():
            for slug, source in SOURCES.items():
                stage.site.put(source.asked, trouble(stage.good(slug)))
            for slug, synced in (await stage.sync()).items():
                error = synced.error or ""
                told = any(word in error for word in words)
                assert (what, slug, error, told) == (what, slug, error, True)
                assert synced.after == (90.0 if what == "busy" else None)
            assert await stage.stored() == stored
            assert all(each.failing for each in await sqlite.read(list_followed))
        for slug, source in SOURCES.items():
            stage.site.put(source.asked, stage.good(slug))
        assert [each.error for each in (await stage.sync()).values()] == [None] * 3
        assert await stage.stored() == stored


async def test_a_name_may_come_to_lead_inside(sqlite: Database) -> None:
    """It is looked up for each request, and one that changed its mind is not followed."""
    async with _stage(sqlite) as stage:
        await stage.sync()
        asked = len(stage.site.requests)
        stage.leads |= {f"{slug}.example": "10.0.0.1" for slug in SOURCES}
        for synced in (await stage.sync()).values():
            assert "not on the public internet" in (synced.error or "")
        assert len(stage.site.requests) == asked


async def test_a_page_that_moved_is_found(sqlite: Database) -> None:
    """A redirect on the same site is followed, and what is shown of the page still counts."""
    async with _stage(sqlite) as stage:
        await stage.sync()
        stored = await stage.stored()
        for slug, source in SOURCES.items():
            stage.site.put(source.asked, redirect_to(f"/moved/{slug}", 301))
            stage.site.put(f"/moved/{slug}", stage.good(slug))
        done = await stage.sync()
        assert [each.error for each in done.values()] == [None] * 3
        assert done["letter"].reports == done["review"].reports == ()
        assert await stage.stored() == stored


@pytest.mark.parametrize("name", ["arxiv_atom.xml", "arxiv_error.xml"])
async def test_what_arxiv_answers_is_no_round_up(sqlite: Database, name: str) -> None:
    """It is a feed, and an address of it is told to be a wrong one."""
    async with _stage(sqlite) as stage:
        body = shared_file(f"samples/{name}").read_bytes()
        stage.site.put("/api/query", Answer(body, headers={"Content-Type": "application/atom+xml"}))
        url = stage.site.url("/api/query", "arxiv.example")
        await sqlite.write(add_address, "arxiv", url, None)
        [synced] = await SourceSync(sqlite, stage.fetcher, stage).sync(["arxiv"])
        assert "is a feed without a round-up" in (synced.error or "")
        assert await stage.stored() == []
