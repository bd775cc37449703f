"""Any address, header and value of a query: whatever a stranger sends, no error is unhandled."""

import asyncio
import logging
from itertools import product
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from store.database import Database
from tests.adapters.web.pages.serving import pages_of
from tests.adapters.web.strangers import BAD_STATUSES, NAMES, TEXTS, VALUES, request_for, status_of
from tests.conftest import few_examples

_PATHS = ("/", "/weeks", "/editions/dair/2026-01-05", "/search?q=sparse", "/feed.atom",
          "/style.css", "/cards/dair/2026-01-07.png", "/chat", "/no/such")  # fmt: skip
_READ = (b"If-Modified-Since", b"If-None-Match", b"Accept", b"Accept-Encoding")
_FIELDS = (
    "/search?q=sparse&page=", "/search?q=", "/search?topic=", "/search?source=", "/search?author=",
    "/search?since=", "/search?until=", "/search?limit=", "/search?", "/feed.atom?q=",
    "/feed.atom?since=", "/feed.atom?author=", "/feed.atom?source=", "/feed.atom?page=",
    "/trends?topic=", "/trends?page=", "/?page=", "/weeks?page=", "/weeks/", "/editions/dair/",
    "/editions/dair/2026-01-05/", "/weeks/2026-W02/", "/topics/agents/", "/top/", "/papers/",
    "/papers/2601.00003/", "/consensus/", "/feed.atom?topic=", "/cards/dair/", "/weeks?",
)  # fmt: skip


async def _ask(database: Database, requests: list[bytes]) -> list[tuple[int, bytes]]:
    """Return the requests that ended in an error of the server's."""
    async with pages_of(database, "https://papers.example", has_chat=True) as url:
        found = [(await status_of(url, each), each) for each in requests]
    return [(status, each) for status, each in found if status in BAD_STATUSES]


async def test_no_header_is_an_error(filled: Database, caplog: pytest.LogCaptureFixture) -> None:
    """Each header with each absurd value is answered, and no traceback is logged.

    Other pages than the first are asked with those headers alone that a page looks at.
    """
    first, *others = _PATHS
    asked = [*product([first], NAMES), *product(others, _READ)]
    requests = [request_for(path, (name, value)) for path, name in asked for value in VALUES]
    with caplog.at_level(logging.ERROR):
        assert await _ask(filled, requests) == []
    assert [record for record in caplog.records if record.exc_info] == []


async def test_no_value_of_a_query_is_an_error(
    filled: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """Each field and each part of a path with each absurd value is answered."""
    requests = [
        request_for(field + quote_from_bytes(text, safe="%")) for field in _FIELDS for text in TEXTS
    ]
    with caplog.at_level(logging.ERROR):
        assert await _ask(filled, requests) == []
    assert [record for record in caplog.records if record.exc_info] == []


_BYTES = st.binary(max_size=40).filter(lambda value: not set(value) & set(b"\r\n\0"))
_HEADERS = st.lists(st.tuples(st.sampled_from(NAMES), _BYTES | st.sampled_from(VALUES)), max_size=4)
_PARTS = st.one_of(
    st.binary(max_size=40).map(quote_from_bytes),
    st.sampled_from(TEXTS).map(quote_from_bytes),
    st.from_regex(r"[0-9]{4}-W?[0-9]{2}(-[0-9]{2})?(/[0-9]{1,9}|\.png)?", fullmatch=True),
    st.text("0123456789-/WE#.:", max_size=20),
)
_QUERIES = st.tuples(st.sampled_from(_FIELDS), _PARTS).map("".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=few_examples())
@given(asked=st.lists(st.tuples(st.sampled_from(_PATHS) | _QUERIES, _HEADERS), max_size=20))
@example(asked=[("/", [(b"If-Modified-Since", b"Mon, 01 Jan 99999999999 00:00:00 GMT")])])
def test_no_request_is_an_error(
    filled: Database, asked: list[tuple[str, list[tuple[bytes, bytes]]]]
) -> None:
    """Whatever headers come together, at whatever address: bytes, days of no calendar, numbers."""
    assert asyncio.run(_ask(filled, [request_for(path, *given) for path, given in asked])) == []
