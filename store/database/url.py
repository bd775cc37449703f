"""The URL of a database: parsed, and refused where it is wrong, without showing it.

It holds a password; where that is not encoded, pieces of it are parsed as the host.
"""

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from store.errors import BadDatabaseURL

_SQLITE = ("sqlite", "sqlite+pysqlite")


def read_url(text: str) -> URL:
    """Parse a URL, and set the driver.

    Raises:
        BadDatabaseURL: if it names no usable database; the error shows nothing of it but the name
        of
            the database's kind.
    """
    url = _parsed(text)
    match url.get_backend_name():
        case "postgresql":
            if _is_misread(text):
                raise BadDatabaseURL("it holds more than one @; inside a password write it as %40")
            if _is_misplaced(url):
                raise BadDatabaseURL("its user and password are not between // and the host")
            return url.set(drivername="postgresql+psycopg")
        case "sqlite":
            return _of_file(url)
        case other:
            raise BadDatabaseURL(f"{other} is not supported")


def redacted(url: URL) -> str:
    """Return a URL without its password, and without its options, which may hold one too."""
    return url.set(query={}).render_as_string(hide_password=True)


def _parsed(text: str) -> URL:
    # The errors' own words hold pieces of the text, so they are no cause either.
    try:
        return make_url(text.replace("postgres://", "postgresql://", 1))
    except (ArgumentError, ValueError):
        raise BadDatabaseURL(
            "it can't be read as a URL; inside a password write @ as %40, : as %3A and / as %2F"
        ) from None


def _is_misread(text: str) -> bool:
    """Tell whether a second `@` makes a part of the password a host, a port or a name."""
    return text.count("@") > 1


def _is_misplaced(url: URL) -> bool:
    """Tell whether a slash too many, as in `:///`, makes the user and the password a name."""
    return "@" in f"{url.host}{url.database}"


def _of_file(url: URL) -> URL:
    if url.drivername not in _SQLITE:
        raise BadDatabaseURL(f"{url.drivername} is not supported")
    if any((url.username, url.password, url.host, url.port)):
        raise BadDatabaseURL("the name of a file follows three slashes")
    if url.database in (None, "", ":memory:"):
        raise BadDatabaseURL("a store in memory would be lost; name a file")
    return url
