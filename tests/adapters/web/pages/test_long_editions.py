"""Editions of hundreds of papers, in pages: small bodies, and everything reached by links."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from aiohttp import ClientSession
from selectolax.lexbor import LexborHTMLParser

from bot.domain.drafts import EditionDraft
from bot.domain.long_lists import A_PAGE
from store.database import Database, Session
from store.records import Heading
from tests.adapters.web.pages.serving import asked, crawl, pages_of
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in

_PAPERS, _LETTERS = 500, 1500
_THREE_PAGES = 2 * A_PAGE + 1
_LARGEST = 400 * 1024  # bytes of any response
_EDITION, _WEEK = "/editions/long/2026-01-05", "/weeks/2026-W02"
_WORDS = "Some words of a summary that go on and on. "


def _long(papers: int, letters: int, number: int = 0) -> EditionDraft:
    text = (_WORDS * (letters // len(_WORDS) + 1))[:letters].strip()
    entries = (
        entry(
            rank,
            f"Long{number}x{rank} of many",
            text,
            heading=f"Theme {rank // 300}",
            highlights=[text[:2000]] * (letters // 2000),
        )
        for rank in range(1, papers + 1)
    )
    headings = tuple(Heading(f"Theme {each}", text) for each in range(papers // 300 + 1))
    return replace(
        edition(*entries, title="A Long List", first_day=MONDAY - timedelta(weeks=number)),
        headings=headings,
        overview=text,
    )


@pytest.fixture(scope="module")
def long(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Return a store with an edition of 500 papers, and one of few and very long ones."""
    path = tmp_path_factory.mktemp("long") / "store.db"
    shutil.copy(sqlite_template, path)
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(database.write(take_in, _long(_PAPERS, _LETTERS), "long"))
        asyncio.run(database.write(take_in, _long(60, 10_000, 1), "wide"))
        yield database


async def _json(session: ClientSession, path: str) -> dict[str, Any]:
    async with session.get(path, headers={"Accept": "application/json"}) as answer:
        assert answer.status == 200
        assert len(await answer.read()) < _LARGEST
        found: dict[str, Any] = await answer.json()
        return found


_PATHS = (
    "/", _EDITION, f"{_EDITION}/2", f"{_EDITION}/10", _WEEK, "/weeks/2026-W01", "/editions/long",
     "/editions/wide/2025-12-29", "/papers/long/2026-01-05/7", "/search?q=many", "/top",
     "/feed.atom", "/feed.atom?source=long", "/feed.atom?q=many", "/consensus",
)  # fmt: skip


async def test_no_body_is_long(long: Database) -> None:
    """A page, a feed and JSON are of a few hundred kilobytes, however long an edition is."""
    for accept in ("text/html", "application/json"):
        answers = await asked(long, *_PATHS, accept=accept, public_url="https://papers.example")
        assert {each.status for each in answers} == {200}
        assert max(len(each.text.encode()) for each in answers) < _LARGEST


async def test_json_goes_on_by_next(long: Database) -> None:
    """Each page names the one after it, the last one none; together they have every entry once."""
    async with pages_of(long) as url, ClientSession(url) as session:
        for path in (_EDITION, _WEEK):
            refs: list[str] = []
            pages, following = 0, path
            while following:
                page = await _json(session, following)
                for each in page["editions"]:
                    refs += [entry["ref"] for entry in each["entries"]]
                    themes = {entry["heading"] for entry in each["entries"]}
                    assert {heading["title"] for heading in each["headings"]} <= themes
                following, pages = page.get("next", ""), pages + 1
            assert pages == _PAPERS // A_PAGE
            assert refs == [f"long:2026-01-05#{rank}" for rank in range(1, _PAPERS + 1)]


async def test_the_json_of_a_search_goes_on(long: Database) -> None:
    """The last page of what was found has no next one, and no paper comes twice."""
    async with pages_of(long) as url, ClientSession(url) as session:
        refs: list[str] = []
        following = "/search?q=long0x7&source=long"
        while following:
            page = await _json(session, following)
            refs += [hit["ref"] for hit in page["hits"]]
            following = page.get("next", "")
        assert refs == ["long:2026-01-05#7"]
        page = await _json(session, "/search?q=many&source=long")
        assert page["next"] == "/search?q=many&source=long&page=2"
        second = await _json(session, page["next"])
        assert not {hit["ref"] for hit in page["hits"]} & {hit["ref"] for hit in second["hits"]}


async def test_pages_have_addresses_of_their_own(long: Database) -> None:
    """A page links to those beside it; it has an ETag of its own, and the first no number."""
    async with pages_of(long, "https://papers.example") as url, ClientSession(url) as session:
        etags = set()
        for number, beside in (("", ["/2"]), ("/2", ["", "/3"]), ("/10", ["/9"])):
            async with session.get(_EDITION + number) as answer:
                page = LexborHTMLParser(await answer.text())
                etags.add(answer.headers["ETag"])
            links = page.css("nav[aria-label='Further pages'] a")
            found = [urljoin(_EDITION + number, each.attributes["href"] or "") for each in links]
            assert found == [_EDITION + each for each in beside]
            canonical = page.css_first("link[rel=canonical]")
            assert canonical
            assert canonical.attributes["href"] == f"https://papers.example{_EDITION}{number}"
        assert len(etags) == 3
        for path in (f"{_EDITION}/1", f"{_WEEK}/1", "/editions/long/1"):
            async with session.get(path, allow_redirects=False) as answer:
                assert answer.status == 301
        for path in (f"{_EDITION}/11", f"{_EDITION}/0", f"{_WEEK}/99", "/editions/long/2",
                     "/papers/long/2026-01-05/7/2"):  # fmt: skip
            async with session.get(path) as answer:
                assert answer.status == 404


async def test_a_paper_of_many_mentions_is_paged(filled: Database) -> None:
    """A paper that a source has in week after week has pages of mentions, in JSON too."""

    def write(session: Session) -> None:
        for week in range(_THREE_PAGES):
            same = entry(week + 1, "The Same", "Again.", links=["https://arxiv.org/abs/2601.00077"])
            take_in(session, edition(same, first_day=MONDAY - timedelta(weeks=week)), "again")

    await filled.write(write)
    async with pages_of(filled) as url, ClientSession(url) as session:
        ranks: list[int] = []
        following: str | None = "/papers/2601.00077"
        while following:
            page = await _json(session, following)
            ranks += [each["rank"] for each in page["entries"]]
            following = page.get("next")
        assert sorted(ranks) == list(range(1, _THREE_PAGES + 1))
        async with session.get("/papers/2601.00077/3") as answer:
            assert "The Same, page 3" in await answer.text()
        async with session.get("/papers/2601.00077v2/3", allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (301, "../../papers/2601.00077/3")


async def test_every_paper_of_a_long_edition_is_reached(filled: Database) -> None:
    """From the first page on links alone lead to each of them."""
    await filled.write(take_in, _long(_THREE_PAGES, 200), "long")
    async with pages_of(filled) as url, ClientSession() as session:
        found = await crawl(session, url)
    assert {
        f"/papers/long/2026-01-05/{rank}" for rank in range(1, _THREE_PAGES + 1)
    } <= found.keys()
    assert f"{_EDITION}/3" in found
