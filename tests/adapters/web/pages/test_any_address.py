"""Any address: whatever is asked for is answered, and never by an unhandled error."""

import asyncio
from urllib.parse import quote_from_bytes

from aiohttp import ClientSession
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yarl import URL

from store.database import Database
from tests.adapters.web.pages.serving import pages_of
from tests.conftest import few_examples

_PLACES = st.sampled_from(
    ["/", "/papers/", "/editions/dair/", "/weeks/", "/topics/", "/topics/agents/", "/top/",
     "/consensus/", "/search?q=", "/search?since=", "/search?page=", "/feed.atom?q=",
     "/feed.atom?source=", "/feed.atom?topic=", "/trends?topic=", "/cards/dair/", "/weeks?"]
)  # fmt: skip
_PARTS = st.one_of(
    st.binary(max_size=12).map(quote_from_bytes),
    st.from_regex(r"[0-9]{4}-W?[0-9]{2}(-[0-9]{2})?(/[0-9]{1,9}|\.png)?", fullmatch=True),
    st.text("0123456789-/WE#%.:", max_size=20).map(lambda text: text.replace("%", "%25")),
)
_ADDRESSES = st.lists(st.tuples(_PLACES, _PARTS).map("".join), min_size=1, max_size=20)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=few_examples())
@given(addresses=_ADDRESSES)
def test_any_address_is_answered(filled: Database, addresses: list[str]) -> None:
    """Bytes that are no text, days of no calendar, numbers without end."""

    async def ask_all() -> None:
        public_url = "https://papers.example"
        async with pages_of(filled, public_url) as url, ClientSession() as session:
            for address in addresses:
                asked = URL(f"{url}{address}", encoded=True)
                async with session.get(asked, allow_redirects=False) as answer:
                    assert answer.status in {200, 301, 302, 400, 404}, address

    asyncio.run(ask_all())
