"""Where a page is asked for: at its address, and on from there as far as redirects may lead."""

from http import HTTPStatus

from yarl import URL

from bot.errors import AddressRefused, PageUnusable

MOST_REDIRECTS = 5
# https://www.rfc-editor.org/rfc/rfc9110#name-redirection-3xx; 300 leaves the choice to a reader.
REDIRECTS = frozenset(
    {
        HTTPStatus.MOVED_PERMANENTLY,
        HTTPStatus.FOUND,
        HTTPStatus.SEE_OTHER,
        HTTPStatus.TEMPORARY_REDIRECT,
        HTTPStatus.PERMANENT_REDIRECT,
    }
)
_EXPECTED = "Give one that begins with https:// or http:// and a host."


def target(address: str) -> URL:
    """Return an address as it is asked for: in its normal form, without a fragment.

    Raises:
        AddressRefused: where it is none of the web, or holds a user's name or password: left out
            it would be another page, and sent along they would stand in logs and stores.
    """
    try:
        url = URL(address.strip())
    except ValueError:
        # Its text repeats the address, which may hold secrets.
        raise AddressRefused("That is no web address.", _EXPECTED) from None
    return _checked(url)


def hop(at: URL, location: str | None) -> URL:
    """Return where a redirect leads.

    Raises:
        AddressRefused: where it leads to no address that `target` takes, or from https to http.
        PageUnusable: where it leads nowhere.
    """
    host = at.raw_host or ""
    try:
        to = at.join(URL(location or ""))
    except ValueError:
        raise _nowhere(host) from None
    if not location:
        raise _nowhere(host)
    if at.scheme == "https" and to.scheme == "http":
        raise AddressRefused(f"{host} sends on from https to http.", host=host)
    return _checked(to)


def too_many(at: URL) -> PageUnusable:
    """Return the error for a page that is always somewhere else."""
    return PageUnusable(
        f"{at.raw_host} sends on once more after {MOST_REDIRECTS} redirects.",
        host=at.raw_host or "",
    )


def same_site(one: URL, other: URL) -> bool:
    """Tell whether two addresses are one server's, which may have moved from http to https."""
    return one.raw_host == other.raw_host and one.explicit_port == other.explicit_port


def _checked(url: URL) -> URL:
    if url.scheme not in {"http", "https"} or not url.raw_host:
        raise AddressRefused("That is no web address.", _EXPECTED)
    if url.raw_user or url.raw_password:
        raise AddressRefused(
            f"The address at {url.raw_host} holds a user's name or a password.",
            "Give it without what stands before the @.",
            host=url.raw_host,
        )
    # A port that goes without saying compares as another than the same one said.
    port = None if url.is_default_port() else url.explicit_port
    return url.with_user(None).with_port(port).with_fragment(None)


def _nowhere(host: str) -> PageUnusable:
    return PageUnusable(f"{host} sends on, but to no address.", host=host)
