"""Errors of fetches: timeouts, damaged and hostile responses."""

import asyncio
import gzip
import logging
import socket
import traceback
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from adapters.web.http_client import Timeouts
from bot.errors import FetchLater, PageTooLarge, PageUnusable
from tests.adapters.web.http_client.setup import TEXT, error_of, fetching
from tests.fakes.certificates import self_signed
from tests.fakes.web_sites import DROPPED, SILENCE, Answer, Ending, redirect_to, serve_site


async def test_another_type_is_no_page() -> None:
    """A response of an unaccepted type is an error, and its body is not read."""
    async with fetching() as (fetcher, site):
        answer = Answer(TEXT, headers={"Content-Type": "text/html"}, ending=Ending.STALL)
        site.put("/", answer)
        accept = "application/rss+xml, application/xml;q=0.9"
        assert isinstance(await error_of(fetcher, site.url(), accept=accept), PageUnusable)
        assert await fetcher.fetch(site.url(), accept=f"{accept}, text/*;q=0.1") is not None


@pytest.mark.parametrize(
    ("limit", "answer"),
    [
        ("response", SILENCE),
        ("idle", SILENCE),
        ("idle", Answer(TEXT, length=9999, ending=Ending.STALL)),
        ("total", Answer(TEXT, length=9999, ending=Ending.STALL)),
    ],
)
async def test_a_host_is_not_waited_for_for_ever(limit: str, answer: Answer | None) -> None:
    """A response that does not begin, stalls or never ends times out."""
    patient = {"connect": 60.0, "response": 60.0, "idle": 60.0, "total": 60.0}
    async with fetching(timeouts=Timeouts(**{**patient, limit: 0.05})) as (fetcher, site):
        site.put("/", answer)
        async with asyncio.timeout(10):
            error = await error_of(fetcher, site.url())
        assert type(error) is FetchLater
        assert error.sentence == "127.0.0.1 takes too long to answer."


@asynccontextmanager
async def _a_door(*, full: bool) -> AsyncIterator[int]:
    """Yield a port that never accepts; if `full`, its backlog is full too."""
    loop = asyncio.get_running_loop()
    with socket.socket() as door, socket.socket() as first, socket.socket() as second:
        door.bind(("127.0.0.1", 0))
        door.listen(0)
        for waiting in (first, second) if full else ():
            waiting.setblocking(False)  # noqa: FBT003 - takes no keywords
            with suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    await loop.sock_connect(waiting, door.getsockname())
        yield door.getsockname()[1]


@pytest.mark.parametrize(("scheme", "full"), [("http", True), ("https", True), ("https", False)])
async def test_connecting_has_a_limit_of_its_own(scheme: str, full: bool) -> None:  # noqa: FBT001 - a parameter of the table
    """Connecting times out, the TLS handshake included."""
    timeouts = Timeouts(connect=0.05, response=60.0, idle=60.0, total=60.0)
    async with fetching(timeouts=timeouts) as (fetcher, _), _a_door(full=full) as port:
        async with asyncio.timeout(10):
            error = await error_of(fetcher, f"{scheme}://127.0.0.1:{port}/")
        assert type(error) is FetchLater
        assert error.sentence == "127.0.0.1 takes too long to answer."


async def test_a_name_is_not_looked_up_for_ever() -> None:
    """The timeout of the response includes resolving the name."""

    async def never(host: str, port: int) -> list[str]:
        del host, port
        await asyncio.Event().wait()
        return []

    async with fetching(timeouts=Timeouts(response=0.05), resolve=never) as (fetcher, site):
        async with asyncio.timeout(10):
            error = await error_of(fetcher, site.url(host="slow.example"))
        assert type(error) is FetchLater


@pytest.mark.parametrize(
    "answer",
    [
        Answer(TEXT, length=len(TEXT) + 1),
        Answer(b"5\r\nhello\r\n", headers={"Transfer-Encoding": "chunked"}),
        Answer(b"5\r\nhel", headers={"Transfer-Encoding": "chunked"}),
        Answer(gzip.compress(TEXT)[:-9], headers={"Content-Encoding": "gzip"}),
        Answer(zlib.compress(TEXT)[:1], headers={"Content-Encoding": "deflate"}),
    ],
)
async def test_what_breaks_off_is_never_a_page(answer: Answer) -> None:
    """A truncated body is an error, by length, chunks or compression."""
    async with fetching() as (fetcher, site):
        site.put("/", answer)
        error = await error_of(fetcher, site.url())
        assert type(error) is FetchLater
        assert error.sentence == "The answer of 127.0.0.1 breaks off."


async def test_a_dropped_connection_is_tried_once_more() -> None:
    """A connection dropped before the response is retried once."""
    async with fetching() as (fetcher, site):
        site.put("/once", DROPPED, Answer(TEXT))
        assert await fetcher.fetch(site.url("/once")) is not None
        site.put("/always", DROPPED)
        assert type(await error_of(fetcher, site.url("/always"))) is FetchLater
        assert [asked.target for asked in site.requests] == ["/once"] * 2 + ["/always"] * 2


async def test_what_is_no_http_is_no_page() -> None:
    """A response that is no HTTP or has too long headers is unusable."""
    async with fetching() as (fetcher, site):
        site.put("/none", b"SSH-2.0-Secret\r\n\r\n")
        site.put("/long", Answer(headers={"X": "x" * 40_000}))
        site.put("/many", Answer(headers={f"X-{number}": "x" for number in range(1000)}))
        site.put("/fits", Answer(headers={"X": "x" * 20_000}))
        for path in ("/none", "/long", "/many"):
            assert type(await error_of(fetcher, site.url(path))) is PageUnusable
        assert await fetcher.fetch(site.url("/fits")) is not None


async def test_the_length_is_limited_before_and_while_it_is_read() -> None:
    """A body over the limit by its Content-Length is not read; others are read up to the limit."""
    async with fetching() as (fetcher, site):
        site.put("/told", Answer(b"", length=1001, ending=Ending.STALL))
        chunk = b"3e9\r\n" + b"x" * 1001 + b"\r\n"
        untold = {"Transfer-Encoding": "chunked"}
        site.put("/untold", Answer(chunk, headers=untold, ending=Ending.STALL))
        site.put("/fits", Answer(b"x" * 1000))
        for path in ("/told", "/untold"):
            error = await error_of(fetcher, site.url(path), most=1000)
            assert type(error) is PageTooLarge
        page = await fetcher.fetch(site.url("/fits"), most=1000)
        assert page is not None


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "deflate"])
async def test_packed_pages_are_unpacked(encoding: str) -> None:
    """A compressed page is decompressed."""
    packed = zlib.compress(TEXT) if encoding == "deflate" else gzip.compress(TEXT)
    async with fetching() as (fetcher, site):
        site.put("/", Answer(packed, headers={"Content-Encoding": encoding}))
        page = await fetcher.fetch(site.url())
        assert page is not None
        assert page.body == TEXT


@pytest.mark.parametrize("second", ["gzip", "br", "zstd"])
async def test_what_is_packed_twice_is_no_page(second: str) -> None:
    """Two encodings are refused, in one header or in two."""
    packed = gzip.compress(gzip.compress(TEXT))
    twice = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n" % len(packed)
    twice += f"Content-Encoding: gzip\r\nContent-Encoding: {second}\r\n\r\n".encode() + packed
    async with fetching() as (fetcher, site):
        site.put("/", Answer(packed, headers={"Content-Encoding": f"gzip, {second}"}))
        site.put("/twice", twice)
        for path in ("/", "/twice"):
            assert type(await error_of(fetcher, site.url(path))) is PageUnusable


async def test_a_host_out_of_reach_is_an_error_in_words() -> None:
    """A closed port and an unresolvable name are temporary errors."""

    async def nowhere(host: str, port: int) -> list[str]:
        del host, port
        return []

    async with fetching(resolve=nowhere) as (fetcher, site):
        async with serve_site() as other:
            gone = other.url()
        assert (await error_of(fetcher, gone)).sentence == "127.0.0.1 can't be reached."
        error = await error_of(fetcher, site.url(host="no.example"))
        assert type(error) is FetchLater
        assert error.sentence == "No address is known of no.example."


async def test_a_certificate_is_looked_at(tmp_path: Path) -> None:
    """A host with an invalid certificate is not sent a request."""
    async with serve_site(self_signed(tmp_path / "own.pem")) as site, fetching() as (fetcher, _):
        site.put("/", Answer(TEXT))
        error = await error_of(fetcher, site.url())
        assert type(error) is FetchLater
        assert error.sentence == "There is no secure connection to 127.0.0.1."
        assert not site.requests


@pytest.mark.parametrize(
    "answer",
    [
        b"Secret nonsense\r\n\r\n",
        Answer(b"Secret", status=500, headers={"Set-Cookie": "Secret@=Secret; Secret"}),
        Answer(b"Secret", status=404),
        Answer(b"Secret", length=99),
        Answer(b"Secret", headers={"Content-Encoding": "gzip"}),
        Answer(b"Secret", headers={"Content-Encoding": "Secret"}),
        Answer(b"Secret", headers={"Content-Type": "Secret/Secret"}),
        redirect_to("ftp://example.net/Secret"),
        redirect_to("http://Secret:Secret@example.net/Secret"),
        DROPPED,
    ],
)
async def test_nothing_that_was_asked_or_answered_leaks(
    answer: Answer | bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Errors, tracebacks and logs hold no part of a URL's query or a response."""
    caplog.set_level(logging.DEBUG)
    async with fetching() as (fetcher, site):
        site.put("/?token=Secret", answer)
        error = await error_of(fetcher, site.url("/?token=Secret"), accept="text/plain")
        told = "".join(traceback.format_exception(error)) + caplog.text
        # A traceback shows lines of this file, where the word stands too.
        assert "Secret" not in told.replace('"/?token=Secret"', "")
