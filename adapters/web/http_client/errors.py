"""Errors of a fetch, from HTTP statuses and aiohttp's exceptions.

aiohttp's own messages repeat addresses and responses, so they are never passed on.
"""

from http import HTTPStatus

import aiohttp

from bot.errors import FetchError, FetchLater, PageGone, PageUnusable

_TRY_LATER = "Try again later."
# The client errors that are temporary, beside all of 5xx.
_TEMPORARY = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}
# The first match counts: the classes overlap, and the narrower ones stand first.
_SENTENCES: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str, str], ...] = (
    (
        aiohttp.ClientProxyConnectionError,
        "The proxy for {host} can't be reached.",
        "Look at HTTP_PROXY, HTTPS_PROXY and NO_PROXY.",
    ),
    ((aiohttp.ServerTimeoutError, TimeoutError), "{host} takes too long to answer.", _TRY_LATER),
    (
        aiohttp.ClientConnectorDNSError,
        "No address is known of {host}.",
        "Look whether the name is right; try again later.",
    ),
    (
        (aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError),
        "There is no secure connection to {host}.",
        "Look at its certificate with a browser.",
    ),
    (aiohttp.ClientConnectorError, "{host} can't be reached.", _TRY_LATER),
    (aiohttp.ClientPayloadError, "The answer of {host} breaks off.", _TRY_LATER),
)
_DROPPED = "{host} dropped the connection."


def client_error(error: Exception, host: str) -> FetchError:
    """Return the fetch error for an exception of aiohttp or the system."""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return FetchLater(
            f"The proxy for {host} answers with {error.status}.", _TRY_LATER, host=host
        )
    if isinstance(error, (aiohttp.ClientResponseError, aiohttp.InvalidURL)):
        return PageUnusable(f"{host} answers in no HTTP that can be read.", host=host)
    for classes, sentence, remedy in _SENTENCES:
        if isinstance(error, classes):
            return FetchLater(sentence.format(host=host), remedy, host=host)
    return FetchLater(_DROPPED.format(host=host), _TRY_LATER, host=host)


def status_error(host: str, status: int, after: float | None) -> FetchError:
    """Return the error for a status without a page; `after` is the Retry-After in seconds."""
    if status in _TEMPORARY or 500 <= status < 600:  # noqa: PLR2004 - the class of a server's errors
        sentence = f"{host} answers with {status}{_phrase(status)}: not now."
        return FetchLater(sentence, _TRY_LATER, host=host, status=status, after=after)
    if 400 <= status < 500:  # noqa: PLR2004 - the class of a client's errors
        return PageGone(
            f"{host} answers with {status}{_phrase(status)}: no page for us.",
            "Open the address in a browser to see whether it is still right.",
            host=host,
            status=status,
        )
    sentence = f"{host} answers with {status}{_phrase(status)} instead of a page."
    return PageUnusable(sentence, host=host, status=status)


def _phrase(status: int) -> str:
    try:
        return f" ({HTTPStatus(status).phrase})"
    except ValueError:
        return ""
