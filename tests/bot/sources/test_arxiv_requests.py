"""ArXiv is asked through the fetcher, at a site on this machine that answers anything."""

import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from adapters.web.http_client import HostLimiter, HttpFetcher, Timeouts, parse_allowlist
from bot.coordination.jobs import JobOutcome
from store.database import Database
from store.library.arxiv import ArxivPaper
from tests.adapters.web.http_client.setup import Time
from tests.bot.sources.metadata_setup import FIRST, SECOND, SIX_HOURS, Stage
from tests.fakes.arxiv import atom, error_feed, paper, query_url, withdrawn
from tests.fakes.web_sites import DROPPED, Answer, AnswerOrFault, Ending, Site, serve_site


@asynccontextmanager
async def _reaching(database: Database, **given: Any) -> AsyncIterator[tuple[Stage, Site]]:
    """Give a stage whose arXiv is a site on this machine."""
    time = Time()
    async with (
        serve_site() as site,
        HttpFetcher(
            allowlist=parse_allowlist("127.0.0.1"),
            host_limiter=HostLimiter(time, time.sleep),
            environment={},
            **given,
        ) as fetcher,
    ):
        yield Stage(database, fetcher, site.url("/api/query")), site


def _path(*ids: str) -> str:
    return query_url(*ids, api="/api/query")


def _feed(*papers: ArxivPaper) -> bytes:
    return atom(*papers).encode()


_ATOM = {"Content-Type": "application/atom+xml; charset=utf-8"}
_PACKED = {**_ATOM, "Content-Encoding": "gzip"}


async def test_a_real_site_is_asked_for_what_is_due(database: Database) -> None:
    """By name and for feeds, with ids old and new in one address; the answer comes packed."""
    async with _reaching(database) as (stage, site):
        await stage.takes_in(FIRST, "hep-th/9901001")
        papers = [paper(FIRST), paper("hep-th/9901001")]
        packed = Answer(gzip.compress(_feed(*papers)), headers=_PACKED)
        site.put(_path(FIRST, "hep-th/9901001"), packed)
        assert await stage.runs() == JobOutcome(stage.at + SIX_HOURS)
        assert await stage.known() == {each.arxiv_id: each for each in papers}
    [question] = site.requests
    assert question.headers["User-Agent"].startswith("broadsheet/")
    assert "application/atom+xml" in question.headers["Accept"]


_TROUBLE: dict[str, tuple[AnswerOrFault, timedelta]] = {
    "too many": (Answer(status=429, headers={"Retry-After": "1800"}), timedelta(minutes=30)),
    "too busy": (Answer(status=503), timedelta(minutes=5)),
    "blocked": (Answer(status=403), timedelta(minutes=5)),
    "empty": (Answer(_feed(), headers=_ATOM), timedelta(minutes=5)),
    "a page": (Answer(b"<p>Hm", headers={"Content-Type": "text/html"}), timedelta(minutes=5)),
    "cut off": (Answer(_feed(paper(FIRST))[:-9], headers=_ATOM), timedelta(minutes=5)),
    "cut short": (Answer(_feed(paper(FIRST)), headers=_ATOM, length=9999), timedelta(minutes=5)),
    "a bomb": (
        Answer(gzip.compress(bytes(40_000_000)), headers=_PACKED),
        timedelta(minutes=5),
    ),
    "entities": (
        Answer(b'<!DOCTYPE f [<!ENTITY a "aaaa">]><feed>&a;</feed>', headers=_ATOM),
        timedelta(minutes=5),
    ),
    "dropped": (DROPPED, timedelta(minutes=5)),
    "stalled": (Answer(_feed()[:9], length=999, ending=Ending.STALL), timedelta(minutes=5)),
}


@pytest.mark.parametrize("said", _TROUBLE)
async def test_trouble_costs_time_and_nothing_else(database: Database, said: str) -> None:
    """Whatever came, it is asked again when it may be, and then all is known."""
    answer, wait = _TROUBLE[said]
    timeouts = Timeouts(connect=5.0, response=5.0, idle=0.3, total=5.0)
    async with _reaching(database, timeouts=timeouts) as (stage, site):
        await stage.takes_in(FIRST, SECOND)
        site.put(_path(FIRST, SECOND), answer)
        ended = await stage.runs()
        assert ended.failed
        assert ended.reason
        assert ended.next_at == stage.at + wait
        assert await stage.known() == {}
    async with _reaching(database) as (again, site):
        again.at = stage.at + timedelta(hours=2)
        site.put(_path(FIRST, SECOND), Answer(_feed(paper(FIRST), paper(SECOND)), headers=_ATOM))
        assert not (await again.runs(failures=1)).failed
        assert list(await again.known()) == [FIRST, SECOND]


async def test_a_refused_id_is_found_at_a_real_site(database: Database) -> None:
    """An error comes as a feed or as a status, and is about one id either way."""
    async with _reaching(database) as (stage, site):
        await stage.takes_in(FIRST, SECOND)
        site.put(_path(FIRST, SECOND), Answer(status=400))
        site.put(_path(FIRST), Answer(error_feed("incorrect id format for it").encode()))
        site.put(_path(SECOND), Answer(_feed(withdrawn(SECOND)), headers=_ATOM))
        assert not (await stage.runs()).failed
        assert await stage.known() == {SECOND: withdrawn(SECOND)}
