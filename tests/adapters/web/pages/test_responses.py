"""Responses: not sent again while nothing changed, compressed where asked, and safe."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from aiohttp import ClientSession

from adapters.web.pages.responses import takes_gzip
from bot.library import content
from store.database import Database
from tests.adapters.web.pages.serving import pages_of
from tests.bot.conftest import FixedClock
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in


@dataclass
class MovedClock:
    """A clock that somebody sets."""

    at: datetime = FixedClock.at

    def now(self) -> datetime:
        """Return the instant that it shows."""
        return self.at


_PATHS = ("/", "/editions/dair/2026-01-05", "/search?q=sparse", "/feed.atom", "/style.css")


async def test_a_page_is_sent_once_until_the_content_changes(filled: Database) -> None:
    """A strong ETag is of one representation, and an import is seen within a second."""
    async with pages_of(filled) as url, ClientSession(url, auto_decompress=False) as session:
        etags: list[str] = []
        for path in _PATHS:
            etags.clear()
            for coding in ("identity", "gzip"):
                headers = {"Accept-Encoding": coding}
                async with session.get(path, headers=headers) as answer:
                    etags.append(answer.headers["ETag"])
                    body = await answer.read()
                    assert answer.headers.get("Content-Encoding", "identity") == coding
                    assert body.startswith(b"\x1f\x8b") == (coding == "gzip")
                headers |= {"If-None-Match": f'"other", {etags[-1]}'}
                async with session.get(path, headers=headers) as answer:
                    assert (answer.status, await answer.read()) == (304, b"")
                    assert answer.headers["ETag"] == etags[-1]
            assert len(set(etags)) == 2
        await filled.write(
            take_in, edition(entry(1, "New"), first_day=MONDAY + timedelta(days=7)), "dair"
        )
        await _until_stale()
        async with session.get("/", headers={"If-None-Match": etags[0]}) as answer:
            assert answer.status == 200


async def test_a_date_is_a_validator_too(filled: Database) -> None:
    """`If-Modified-Since` is honoured, what is no date is not, and an ETag goes before it."""
    async with pages_of(filled) as url, ClientSession(url) as session:
        async with session.get("/weeks") as answer:
            date = answer.headers["Last-Modified"]
        old = format_datetime(datetime.now(UTC) - timedelta(days=1), usegmt=True)
        for headers, status in (
            ({"If-Modified-Since": date}, 304),
            ({"If-Modified-Since": old}, 200),
            ({"If-Modified-Since": "someday"}, 200),
            ({"If-Modified-Since": "Mon, 01 Jan 99999999999 00:00:00 GMT"}, 200),
            ({"If-Modified-Since": "Mon, 01 Jan 2026 00:00:00 +99999999999"}, 200),
            ({"If-Modified-Since": date, "If-None-Match": '"other"'}, 200),
        ):
            async with session.get("/weeks", headers=headers) as answer:
                assert answer.status == status, headers


async def test_a_new_day_makes_pages_anew(filled: Database) -> None:
    """What is open, and what is newest, depend on the day: neither validator lasts over night."""
    clock = MovedClock()
    async with pages_of(filled, clock=clock) as url, ClientSession(url) as session:
        async with session.get("/") as answer:
            known = answer.headers
        clock.at += timedelta(days=1)
        await asyncio.sleep(1.1)  # validators are whole seconds
        for headers in (
            {"If-None-Match": known["ETag"]},
            {"If-Modified-Since": known["Last-Modified"]},
        ):
            async with session.get("/", headers=headers) as answer:
                assert answer.status == 200


async def test_every_response_is_safe_to_show(filled: Database) -> None:
    """No script, no style from within, no frame, no cookie, no referrer, no guessed type."""
    async with pages_of(filled) as url, ClientSession(url) as session:
        for path in (*_PATHS, "/nothing", "/search?since=x"):
            async with session.get(path) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert policy.startswith("default-src 'none'; style-src 'self'")
                assert "unsafe" not in policy
                assert "frame-ancestors 'none'" in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert "Set-Cookie" not in answer.headers


def test_a_client_takes_gzip_only_where_it_says_so() -> None:
    """A weight of zero refuses; a star takes."""
    for accepted, takes in (
        ("gzip, br", True),
        ("*", True),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.00000", False),
        ("gzip;q=", True),
        ("GZIP; q=0.5", True),
        ("", False),
    ):
        assert takes_gzip({"Accept-Encoding": accepted}) is takes, accepted


async def _until_stale() -> None:
    await asyncio.sleep(content.FRESH_SECONDS + 0.1)
