"""Feeds: valid, with lasting ids, and changed where a correction changed an edition."""

from dataclasses import replace
from datetime import UTC, datetime

import feedparser  # type: ignore[import-untyped] # the wheel ships no types
from aiohttp import ClientSession

from store.database import Database
from tests.adapters.web.pages.serving import pages_of
from tests.bot.conftest import WEEK
from tests.bot.ingest.drafts import entry
from tests.bot.ingest.imports import take_in

_URL = "https://papers.example"
_LATER = datetime(2026, 12, 1, 12, 30, tzinfo=UTC)


async def _feed(
    filled: Database, query: str = "", public_url: str | None = _URL
) -> feedparser.FeedParserDict:
    async with (
        pages_of(filled, public_url) as url,
        ClientSession() as session,
        session.get(f"{url}/feed.atom{query}") as answer,
    ):
        assert answer.content_type == "application/atom+xml"
        read = feedparser.parse(await answer.read())
    assert (read.bozo, read.version) == (False, "atom10"), read.get("bozo_exception")
    return read


async def test_a_feed_has_an_entry_for_each_edition(filled: Database) -> None:
    """The newest first, with links to pages, and to itself."""
    read = await _feed(filled)
    assert [each.link for each in read.entries] == [
        f"{_URL}/editions/dair/2026-01-05",
        f"{_URL}/editions/dair/2025-12-29",
        f"{_URL}/editions/paperdive/2025-12-22",
    ]
    links = {each.rel: each.href for each in read.feed.links}
    assert links == {"self": f"{_URL}/feed.atom", "alternate": f"{_URL}/"}
    assert f"{_URL}/papers/2601.00003" in read.entries[0].content[0].value
    [only] = (await _feed(filled, "?source=paperdive")).entries
    assert only.id == read.entries[2].id
    assert [each.id for each in (await _feed(filled, "?source=PaperDive")).entries] == [only.id]


async def test_a_feed_of_a_search_has_an_entry_for_each_paper(filled: Database) -> None:
    """By words, a topic or both; each links to its page."""
    read = await _feed(filled, "?q=sparse")
    assert [each.title for each in read.entries] == ["Sparse Attention", "Sparse Rewards"]
    assert read.entries[0].link == f"{_URL}/papers/dair/2026-01-05/1"
    assert "Attends to few tokens." in read.entries[0].content[0].value
    on_agents = await _feed(filled, "?topic=agents")
    assert [each.title for each in on_agents.entries] == ["A Survey of Agents"]
    assert (await _feed(filled, "?q=zzzz")).entries == []


async def test_a_correction_is_an_update_of_the_same_entry(filled: Database) -> None:
    """The id stays, and `updated` is when the correction was imported."""
    before = (await _feed(filled)).entries[0]
    mended = replace(WEEK, entries=(entry(1, "Sparse Attention", "Mended."), *WEEK.entries[1:]))
    await filled.write(take_in, mended, "dair", _LATER)
    after = (await _feed(filled)).entries[0]
    assert after.id == before.id
    assert after.updated == "2026-12-01T12:30:00Z" > before.updated


async def test_a_feed_without_a_public_url_links_by_relative_paths(filled: Database) -> None:
    """It does not name itself, since nobody knows where it is reached."""
    read = await _feed(filled, public_url=None)
    assert not [each for each in read.feed.links if each.rel == "self"]
