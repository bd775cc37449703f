"""URLs, redirects and name resolution: what may be requested."""

from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address

import pytest
from yarl import URL

from adapters.web.http_client import HostLimiter, HttpFetcher, parse_allowlist
from adapters.web.http_client.redirects import is_same_server, parse_url, redirect_target
from bot.errors import AddressRefused, PageUnusable
from tests.adapters.web.http_client.setup import this_machine
from tests.fakes.web_sites import Answer, redirect_to, serve_site


@pytest.mark.parametrize(
    "address",
    [
        "",
        "example.org/feed",
        "//example.org/feed",
        "ftp://example.org/feed",
        "file:///etc/passwd",
        "http:///feed",
        "http://example.org:99999/",
        "http://[::1/",
        "https://user@example.org/",
        "https://user:Secret@example.org/",
        "https://:Secret@example.org/",
    ],
)
def test_what_is_no_web_address_is_refused(address: str) -> None:
    """Only HTTP URLs without credentials are fetched; the error repeats no password."""
    with pytest.raises(AddressRefused) as caught:
        parse_url(address)
    assert "Secret" not in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        (" https://Example.org:443/a/../b?c=d#e ", "https://example.org/b?c=d"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://127。0。0。1/", "http://127.0.0.1/"),
        ("http://１２７.0.0.1/", "http://127.0.0.1/"),
    ],
)
def test_an_address_is_asked_for_in_its_normal_form(address: str, asked: str) -> None:
    """URLs are normalised, without their fragments."""
    assert str(parse_url(address)) == asked


def test_an_address_mapped_from_ipv4_is_asked_for_as_one() -> None:
    """Python 3.13 writes the last half of it in decimals, older ones do not: both are one."""
    host = parse_url("http://[::FFFF:127.0.0.1]/").host
    assert host is not None
    assert ip_address(host) == ip_address("::ffff:7f00:1")


def test_a_redirect_never_leads_from_https_to_http() -> None:
    """A downgrade from https to http is refused, an upgrade is followed."""
    with pytest.raises(AddressRefused):
        redirect_target(URL("https://a.example/"), "http://a.example/")
    assert redirect_target(URL("http://a.example/x"), "https://a.example:443/y") == URL(
        "https://a.example/y"
    )
    assert redirect_target(URL("https://a.example/x/"), "y#z") == URL("https://a.example/x/y")


@pytest.mark.parametrize("location", [None, "", "http://[::1/", "https://x:99999/"])
def test_a_redirect_has_to_lead_somewhere(location: str | None) -> None:
    """A redirect without a valid target is an error."""
    with pytest.raises(PageUnusable):
        redirect_target(URL("https://a.example/"), location)


def test_a_site_is_a_host_and_its_port() -> None:
    """A server is a host and a port, by http or https."""
    assert is_same_server(parse_url("http://a.example/x"), parse_url("https://a.example:443/y"))
    assert not is_same_server(parse_url("http://a.example/"), parse_url("http://a.example:81/"))
    assert not is_same_server(parse_url("http://a.example/"), parse_url("http://b.example/"))


@contextmanager
def _refused() -> Iterator[None]:
    with pytest.raises(AddressRefused):
        yield


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "127.1", "0x7f000001", "0", "[::ffff:127.0.0.1]", "[::1]"]
)
async def test_nothing_on_this_machine_is_reached(host: str) -> None:
    """No notation of this machine's address is requested."""
    async with serve_site() as site, HttpFetcher(environment={}) as fetcher:
        site.put("/", Answer())
        with _refused():
            await fetcher.fetch(site.url(host=host))
        assert not site.requests


async def test_a_redirect_is_checked_like_any_address() -> None:
    """The target of a redirect is checked like any URL."""
    async with serve_site() as site, serve_site() as other:
        allowlist = parse_allowlist(f"127.0.0.1:{site.port}")
        async with HttpFetcher(
            allowlist, host_limiter=HostLimiter(interval=0), resolve=this_machine, environment={}
        ) as fetcher:
            for to in (other.url(), other.url(host="second.example"), "http://169.254.169.254/"):
                site.put("/", redirect_to(to))
                with _refused():
                    await fetcher.fetch(site.url(host="first.example"))
        assert len(site.requests) == 3
        assert not other.requests


async def test_a_name_is_looked_up_once_for_each_request() -> None:
    """The checked addresses are those connected to: DNS rebinding is refused."""
    leads = [["127.0.0.1"], ["127.0.0.1", "10.0.0.1"]]
    asked: list[tuple[str, int]] = []

    async def changing(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return leads.pop(0)

    allowlist = parse_allowlist("127.0.0.0/8")
    async with (
        serve_site() as site,
        HttpFetcher(
            allowlist, host_limiter=HostLimiter(interval=0), resolve=changing, environment={}
        ) as fetcher,
    ):
        site.put("/", Answer(b"page"))
        url = site.url(host="rebinding.example")
        assert await fetcher.fetch(url) is not None
        with _refused():
            await fetcher.fetch(url)
        assert asked == [("rebinding.example", site.port)] * 2
        assert len(site.requests) == 1
