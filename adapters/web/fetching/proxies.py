"""The proxies that the environment names, by the rules of the standard library and aiohttp.

https://docs.python.org/3/library/urllib.request.html#urllib.request.getproxies
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from yarl import URL

from bot.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxy of each scheme, and the hosts that are asked without one."""

    by_scheme: Mapping[str, URL] = field(default_factory=dict)
    without: tuple[str, ...] = ()

    def way(self, url: URL) -> URL | None:
        """Return the proxy by which an address is asked for, `None` where it is none."""
        host = (url.raw_host or "").rstrip(".")
        forms = f".{host}", f".{host}:{url.port}"
        if "*" in self.without or any(
            form.endswith(f".{each}") for form in forms for each in self.without
        ):
            return None
        return self.by_scheme.get(url.scheme)


def proxies_of(environment: Mapping[str, str]) -> Proxies:
    """Return the proxies of an environment; of two spellings the small one counts.

    Raises:
        SettingsError: where one is no HTTP proxy; its value, which may hold a password, is not
            told.
    """
    found = {
        name.lower(): value
        for name, value in sorted(environment.items())
        # A web server hands a request's header `Proxy` to its scripts by this name:
        # https://httpoxy.org
        if name != "HTTP_PROXY" or "REQUEST_METHOD" not in environment
    }
    schemes = [each for each in ("http", "https") if found.get(f"{each}_proxy")]
    names = found.get("no_proxy", "").lower().split(",")
    return Proxies(
        {each: _proxy(f"{each}_proxy", found[f"{each}_proxy"]) for each in schemes},
        tuple(name for each in names if (name := each.strip().lstrip("."))),
    )


def _proxy(name: str, value: str) -> URL:
    try:
        url = URL(value if "://" in value else f"http://{value}")
    except ValueError:
        url = URL()
    if url.scheme not in {"http", "https"} or not url.raw_host:
        raise SettingsError(
            f"{name.upper()} names no HTTP proxy.", "Give one such as http://proxy.example:3128."
        )
    return url
