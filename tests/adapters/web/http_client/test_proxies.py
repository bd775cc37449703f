"""Proxies: their choice, and the address rules behind them."""

import pytest
from yarl import URL

from adapters.web.http_client import HostLimiter, HttpFetcher, parse_allowlist
from adapters.web.http_client.proxies import read_proxies
from bot.errors import AddressRefused, FetchLater, SettingsError
from tests.fakes.web_sites import Answer, redirect_to, serve_site


def _way(environment: dict[str, str], url: str) -> str | None:
    way = read_proxies(environment).proxy_for(URL(url))
    return str(way) if way else None


def test_each_scheme_has_its_proxy() -> None:
    """Lower-case variables win over upper-case ones; the scheme is optional."""
    environment = {"HTTP_PROXY": "http://a:1", "http_proxy": "http://b:1", "HTTPS_PROXY": "c:1"}
    assert _way(environment, "http://x.example/") == "http://b:1"
    assert _way(environment, "https://x.example/") == "http://c:1"
    assert _way({"https_proxy": ""}, "https://x.example/") is None


def test_a_request_s_header_is_no_proxy() -> None:
    """HTTP_PROXY is ignored under CGI, where a request can set it."""
    environment = {"HTTP_PROXY": "http://a:1", "REQUEST_METHOD": "GET"}
    assert _way(environment, "http://x.example/") is None


@pytest.mark.parametrize(
    ("without", "is_asked"),
    [
        ("", True),
        ("x.example", False),
        ("other, EXAMPLE", False),
        (".example", False),
        ("x.example:80", False),
        ("x.example:81", True),
        ("ample", True),
        ("*", False),
    ],
)
def test_some_hosts_are_asked_without_one(without: str, is_asked: bool) -> None:  # noqa: FBT001 - a parameter of the table
    """NO_PROXY lists hosts and domains, on a port or all, or every host there is."""
    environment = {"http_proxy": "http://a:1", "NO_PROXY": without}
    assert (_way(environment, "http://x.example/") is not None) == is_asked


@pytest.mark.parametrize("value", ["socks5://a:1", "http://:Secret@/", "http://[::1"])
def test_what_is_no_http_proxy_is_an_error_in_words(value: str) -> None:
    """The variable is named, its value, which may hold a password, is not."""
    with pytest.raises(SettingsError) as caught:
        HttpFetcher(environment={"https_proxy": value})
    assert caught.value.sentence == "HTTPS_PROXY names no HTTP proxy."
    assert "Secret" not in str(caught.value)


async def test_a_proxy_is_asked_for_the_page() -> None:
    """A proxy may have a private address, gets its password, and resolves names itself."""

    async def never(host: str, port: int) -> list[str]:
        raise AssertionError(host, port)

    async with serve_site() as proxy:
        environment = {"http_proxy": f"http://me:pw@localhost:{proxy.port}"}
        async with HttpFetcher(resolve=never, environment=environment) as fetcher:
            proxy.put("http://feeds.example/a", Answer(b"page"))
            page = await fetcher.fetch("http://feeds.example/a")
        assert page is not None
        assert (page.url, page.body) == ("http://feeds.example/a", b"page")
        [asked] = proxy.requests
        assert asked.headers["Host"] == "feeds.example"
        assert asked.headers["Proxy-Authorization"].startswith("Basic ")


@pytest.mark.parametrize("to", ["http://127.0.0.1/", "http://[::1]/", "http://box.local/"])
async def test_a_proxy_is_never_asked_for_what_is_local(to: str) -> None:
    """Local addresses and names are refused, at once and after a redirect."""
    async with serve_site() as proxy:
        environment = {"http_proxy": f"127.0.0.1:{proxy.port}"}
        proxy.put("http://feeds.example/", redirect_to(to))
        async with HttpFetcher(
            environment=environment, host_limiter=HostLimiter(interval=0)
        ) as fetcher:
            for url in (to, "http://feeds.example/"):
                with pytest.raises(AddressRefused):
                    await fetcher.fetch(url)
        assert [asked.target for asked in proxy.requests] == ["http://feeds.example/"]


async def test_a_tunnel_that_is_not_dug_is_for_later() -> None:
    """A refused CONNECT is a temporary error that names the proxy."""
    async with serve_site() as proxy:
        environment = {"https_proxy": f"127.0.0.1:{proxy.port}"}
        proxy.put("feeds.example:443", Answer(status=502))
        async with HttpFetcher(environment=environment) as fetcher:
            with pytest.raises(FetchLater) as caught:
                await fetcher.fetch("https://feeds.example/a?token=Secret")
        assert caught.value.sentence == "The proxy for feeds.example answers with 502."
        [asked] = proxy.requests
        assert (asked.method, asked.target) == ("CONNECT", "feeds.example:443")
        # It hears nothing of what will be asked for.
        assert "Secret" not in str(asked)


async def test_a_proxy_that_is_away_is_for_later() -> None:
    """An unreachable proxy is a temporary error that names the proxy."""
    async with serve_site() as proxy:
        port = proxy.port
    async with HttpFetcher(environment={"http_proxy": f"127.0.0.1:{port}"}) as fetcher:
        with pytest.raises(FetchLater, match=r"The proxy for feeds\.example can't be reached"):
            await fetcher.fetch("http://feeds.example/")


async def test_without_a_proxy_the_rules_are_whole_again() -> None:
    """NO_PROXY does not allow a host; the allowlist does."""
    async with serve_site() as site:
        environment = {"http_proxy": "127.0.0.1:9", "no_proxy": "127.0.0.1"}
        site.put("/", Answer(b"page"))
        async with HttpFetcher(environment=environment) as fetcher:
            with pytest.raises(AddressRefused):
                await fetcher.fetch(site.url())
        allowlist = parse_allowlist("127.0.0.1")
        async with HttpFetcher(allowlist, environment=environment) as fetcher:
            assert await fetcher.fetch(site.url()) is not None
