"""Proxies from environment variables, by the rules of the standard library and aiohttp.

https://docs.python.org/3/library/urllib.request.html#urllib.request.getproxies
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from yarl import URL

from bot.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxy of each scheme, and the hosts that are requested without one."""

    by_scheme: Mapping[str, URL] = field(default_factory=dict)
    no_proxy: tuple[str, ...] = ()

    def proxy_for(self, url: URL) -> URL | None:
        """Return the proxy for a URL, `None` for a direct connection."""
        host = (url.raw_host or "").rstrip(".")
        forms = f".{host}", f".{host}:{url.port}"
        if "*" in self.no_proxy or any(
            form.endswith(f".{each}") for form in forms for each in self.no_proxy
        ):
            return None
        return self.by_scheme.get(url.scheme)


def read_proxies(environment: Mapping[str, str]) -> Proxies:
    """Return the proxies of an environment; lower-case names win over upper-case ones.

    Raises:
        SettingsError: if one is no HTTP proxy; its value, which may hold a password, is left out.
    """
    variables = {
        name.lower(): value
        for name, value in sorted(environment.items())
        # CGI passes the header `Proxy` of a request under this name:
        # https://httpoxy.org
        if name != "HTTP_PROXY" or "REQUEST_METHOD" not in environment
    }
    schemes = [each for each in ("http", "https") if variables.get(f"{each}_proxy")]
    names = variables.get("no_proxy", "").lower().split(",")
    return Proxies(
        {each: _parse_proxy(f"{each}_proxy", variables[f"{each}_proxy"]) for each in schemes},
        tuple(name for each in names if (name := each.strip().lstrip("."))),
    )


def _parse_proxy(name: str, value: str) -> URL:
    try:
        url = URL(value if "://" in value else f"http://{value}")
    except ValueError:
        url = URL()
    if url.scheme not in {"http", "https"} or not url.raw_host:
        raise SettingsError(
            f"{name.upper()} names no HTTP proxy.", "Give one such as http://proxy.example:3128."
        )
    return url
