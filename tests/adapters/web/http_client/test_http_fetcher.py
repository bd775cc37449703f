"""The HTTP fetcher: requests, redirects and responses."""

import asyncio
from importlib.metadata import version

import pytest

from adapters.web.http_client import HostLimiter, HttpFetcher
from bot.errors import FetchError, FetchLater, PageGone, PageUnusable
from bot.sources.fetcher import FetchedPage, Validators
from tests.adapters.web.http_client.setup import TEXT, Time, error_of, fetching, this_machine
from tests.fakes.web_sites import Answer, redirect_to, serve_site


async def test_a_page_comes_whole_with_what_its_host_says_of_it() -> None:
    """A page has the body and the validators of the response, and its URL."""
    async with fetching() as (fetcher, site):
        headers = {"Content-Type": "text/xml; charset=utf-8", "ETag": '"1"', "Last-Modified": "Mon"}
        site.put("/feed?a=1", Answer(TEXT, headers=headers))
        page = await fetcher.fetch(site.url("/feed?a=1#top"))
        validators = Validators('"1"', "Mon")
        assert page == FetchedPage(site.url("/feed?a=1"), TEXT, validators)


async def test_we_say_who_asks_and_what_is_wanted() -> None:
    """A request names the program, its version and its contact, and the types and encodings."""
    async with fetching(contact="https://bot.example/") as (fetcher, site):
        site.put("/", Answer(TEXT))
        await fetcher.fetch(site.url(), accept="text/html, */*")
        headers = site.requests[0].headers
        assert (
            headers["User-Agent"] == f"broadsheet/{version('broadsheet')} (+https://bot.example/)"
        )
        assert headers["Accept"] == "text/html, */*"
        assert headers["Accept-Encoding"] == "gzip, deflate"
        assert not {"Cookie", "Authorization", "If-None-Match"} & set(headers)


@pytest.mark.parametrize("name", ["ETag", "Last-Modified"])
async def test_what_has_not_changed_is_not_sent_again(name: str) -> None:
    """The validators of a page make the next request conditional; a changed page is returned."""
    async with fetching() as (fetcher, site):
        site.put("/", Answer(b"old", headers={name: "W/1"}))
        page = await fetcher.fetch(site.url())
        assert page is not None
        assert await fetcher.fetch(site.url(), page.validators) is None
        site.put("/", Answer(b"new", headers={name: "W/2"}))
        page = await fetcher.fetch(site.url(), page.validators)
        assert page is not None
        assert page.body == b"new"


async def test_unchanged_since_nothing_is_no_answer() -> None:
    """A 304 without a conditional request is an error, not an unchanged page."""
    async with fetching() as (fetcher, site):
        site.put("/", Answer(status=304))
        error = await error_of(fetcher, site.url())
        assert isinstance(error, PageUnusable)
        assert error.status == 304


async def test_validators_that_can_not_be_kept_are_left_out() -> None:
    """Validators that are not ASCII or too long are dropped."""
    async with fetching() as (fetcher, site):
        site.put("/", Answer(headers={"ETag": '"\udcff"', "Last-Modified": "x" * 501}))
        site.put("/letters", Answer(headers={"ETag": '"é"', "Last-Modified": "x" * 500}))
        page, letters = await fetcher.fetch(site.url()), await fetcher.fetch(site.url("/letters"))
        assert page is not None
        assert page.validators == Validators()
        assert letters is not None
        assert letters.validators == Validators(None, "x" * 500)


async def test_cookies_are_not_kept() -> None:
    """The fetcher sends no cookie of an earlier response."""
    async with fetching(resolve=this_machine) as (fetcher, site):
        site.put("/", Answer(TEXT, headers={"Set-Cookie": "a=1"}))
        for _ in range(2):
            await fetcher.fetch(site.url(host="a.example"))
        assert all("Cookie" not in asked.headers for asked in site.requests)


async def test_hosts_may_pass_on_what_others_made() -> None:
    """A 203 response is a page."""
    async with fetching() as (fetcher, site):
        site.put("/", Answer(TEXT, status=203))
        assert await fetcher.fetch(site.url()) is not None


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_followed_with_validators_on_the_same_site(status: int) -> None:
    """Every redirect is followed by GET, and the page has the final URL."""
    async with fetching() as (fetcher, site):
        site.put("/old", redirect_to("new?b#c", status))
        site.put("/new?b", Answer(TEXT, headers={"ETag": '"2"'}))
        page = await fetcher.fetch(site.url("/old"), Validators('"1"'))
        assert page is not None
        assert (page.url, page.validators) == (site.url("/new?b"), Validators('"2"'))
        assert [asked.method for asked in site.requests] == ["GET", "GET"]
        assert site.requests[1].headers["If-None-Match"] == '"1"'


async def test_another_host_is_told_nothing_and_believed_nothing() -> None:
    """Another host gets no validators, and its validators are not stored."""
    async with fetching() as (fetcher, site), serve_site() as other:
        site.put("/", redirect_to(other.url("/feed")))
        other.put("/feed", Answer(TEXT, headers={"ETag": '"2"', "Set-Cookie": "a=1"}))
        page = await fetcher.fetch(site.url(), Validators('"1"', "Mon"))
        assert page is not None
        assert (page.url, page.validators) == (other.url("/feed"), Validators())
        assert not {"If-None-Match", "If-Modified-Since"} & set(other.requests[0].headers)


async def test_five_redirects_are_the_most() -> None:
    """The sixth redirect is an error, as is one without a target."""
    async with fetching() as (fetcher, site):
        for number in range(6):
            site.put(f"/{number}", redirect_to(f"/{number + 1}"))
        site.put("/6", Answer(TEXT))
        assert await fetcher.fetch(site.url("/1")) is not None
        assert isinstance(await error_of(fetcher, site.url("/0")), PageUnusable)
        site.put("/nowhere", Answer(status=302))
        assert isinstance(await error_of(fetcher, site.url("/nowhere")), PageUnusable)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (204, PageUnusable),
        (206, PageUnusable),
        (300, PageUnusable),
        (400, PageGone),
        (403, PageGone),
        (404, PageGone),
        (408, FetchLater),
        (410, PageGone),
        (425, FetchLater),
        (429, FetchLater),
        (500, FetchLater),
        (503, FetchLater),
        (599, FetchLater),
    ],
)
async def test_a_status_is_anerror_of_its_kind(status: int, kind: type[FetchError]) -> None:
    """Each status has its error class, with host and status, and is not retried."""
    async with fetching() as (fetcher, site):
        site.put("/", Answer(status=status))
        error = await error_of(fetcher, site.url())
        assert type(error) is kind
        assert (error.host, error.status, error.after) == ("127.0.0.1", status, None)
        assert len(site.requests) == 1


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "90"},
        {
            "Retry-After": "Mon, 01 Jan 2035 10:01:30 GMT",
            "Date": "Mon, 01 Jan 2035 10:00:00 GMT",
        },
    ],
)
async def test_a_host_that_wants_rest_is_left_alone(status: int, headers: dict[str, str]) -> None:
    """Requests during a cooldown fail at once; `after` counts down."""
    time = Time()
    async with fetching(host_limiter=HostLimiter(time, time.sleep)) as (fetcher, site):
        site.put("/", Answer(status=status, headers=headers), Answer(TEXT))
        assert (await error_of(fetcher, site.url())).after == 90.0
        time.at += 60.0
        error = await error_of(fetcher, site.url("/other"))
        assert isinstance(error, FetchLater)
        assert (error.after, len(site.requests)) == (30.0, 1)
        time.at += 30.0
        assert await fetcher.fetch(site.url()) is not None


async def test_at_most_two_requests_go_to_a_host_at_once() -> None:
    """Further requests wait, and all get their page."""
    async with fetching() as (fetcher, site):
        gate = asyncio.Event()
        site.put("/", Answer(TEXT, gate=gate))
        tasks = [asyncio.create_task(fetcher.fetch(site.url())) for _ in range(5)]
        await site.reached(2)
        gate.set()
        assert all(await asyncio.gather(*tasks))
        assert (site.most_open, len(site.requests)) == (2, 5)


async def test_requests_to_a_host_have_a_pause_between_them() -> None:
    """The interval of a host is a second, counts redirects, and does not delay other hosts."""
    time = Time()
    limiter = HostLimiter(time, time.sleep)

    async with fetching(host_limiter=limiter, resolve=this_machine) as (fetcher, site):
        site.put("/", redirect_to("/page"))
        site.put("/page", Answer(TEXT))
        await fetcher.fetch(site.url("/", "one.example"))
        assert time.at == 1.0
        await fetcher.fetch(site.url("/page", "two.example"))
        assert time.at == 1.0
        await fetcher.fetch(site.url("/page", "one.example"))
        assert time.at == 2.0


async def test_a_fetcher_that_was_not_used_closes_without_ado() -> None:
    """A fetcher opens no session before its first request."""
    async with HttpFetcher(environment={}):
        pass
