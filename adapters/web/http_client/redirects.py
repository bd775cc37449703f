"""URLs of requests and the redirects that may be followed from them."""

from http import HTTPStatus

from yarl import URL

from bot.errors import AddressRefused, PageUnusable

MAX_REDIRECTS = 5
# https://www.rfc-editor.org/rfc/rfc9110#name-redirection-3xx; 300 leaves the choice to the user.
REDIRECT_STATUSES = frozenset(
    {
        HTTPStatus.MOVED_PERMANENTLY,
        HTTPStatus.FOUND,
        HTTPStatus.SEE_OTHER,
        HTTPStatus.TEMPORARY_REDIRECT,
        HTTPStatus.PERMANENT_REDIRECT,
    }
)
_EXPECTED = "Give one that begins with https:// or http:// and a host."


def parse_url(address: str) -> URL:
    """Parse and normalise a URL, without its fragment.

    Raises:
        AddressRefused: if it is no HTTP URL or holds credentials: without them it would be another
            page, and with them they would reach logs and stores.
    """
    try:
        url = URL(address.strip())
    except ValueError:
        # The exception repeats the address, which may hold secrets.
        raise AddressRefused("That is no web address.", _EXPECTED) from None
    return _normalise(url)


def redirect_target(at: URL, location: str | None) -> URL:
    """Return the URL that a redirect leads to.

    Raises:
        AddressRefused: if `parse_url` refuses that URL, or it downgrades from https to http.
        PageUnusable: if there is none.
    """
    host = at.raw_host or ""
    try:
        to = at.join(URL(location or ""))
    except ValueError:
        raise _no_target(host) from None
    if not location:
        raise _no_target(host)
    if at.scheme == "https" and to.scheme == "http":
        raise AddressRefused(f"{host} sends on from https to http.", host=host)
    return _normalise(to)


def too_many_redirects(at: URL) -> PageUnusable:
    """Return the error for a URL that redirects once too often."""
    return PageUnusable(
        f"{at.raw_host} sends on once more after {MAX_REDIRECTS} redirects.",
        host=at.raw_host or "",
    )


def is_same_server(one: URL, other: URL) -> bool:
    """Tell whether two URLs have one host and port, be it by http or https."""
    return one.raw_host == other.raw_host and one.explicit_port == other.explicit_port


def _normalise(url: URL) -> URL:
    if url.scheme not in {"http", "https"} or not url.raw_host:
        raise AddressRefused("That is no web address.", _EXPECTED)
    if url.raw_user or url.raw_password:
        raise AddressRefused(
            f"The address at {url.raw_host} holds a user's name or a password.",
            "Give it without what stands before the @.",
            host=url.raw_host,
        )
    # A default port would compare as another one than the same port written out.
    port = None if url.is_default_port() else url.explicit_port
    return url.with_user(None).with_port(port).with_fragment(None)


def _no_target(host: str) -> PageUnusable:
    return PageUnusable(f"{host} sends on, but to no address.", host=host)
