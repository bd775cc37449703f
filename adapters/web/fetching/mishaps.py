"""From aiohttp's errors to ours. Theirs repeat addresses and answers, so they go no further."""

import aiohttp

from bot.errors import FetchError, FetchLater, PageUnusable

_LATER = "Try again later."
# The first that fits counts: the kinds overlap, and the narrower ones stand first.
_SENTENCES: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str, str], ...] = (
    (
        aiohttp.ClientProxyConnectionError,
        "The proxy for {host} can't be reached.",
        "Look at HTTP_PROXY, HTTPS_PROXY and NO_PROXY.",
    ),
    ((aiohttp.ServerTimeoutError, TimeoutError), "{host} takes too long to answer.", _LATER),
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
    (aiohttp.ClientConnectorError, "{host} can't be reached.", _LATER),
    (aiohttp.ClientPayloadError, "The answer of {host} breaks off.", _LATER),
)
_DROPPED = "{host} dropped the connection."


def in_words(error: Exception, host: str) -> FetchError:
    """Return our error for one of aiohttp's or the system's, met while a host was asked."""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return FetchLater(f"The proxy for {host} answers with {error.status}.", _LATER, host=host)
    if isinstance(error, (aiohttp.ClientResponseError, aiohttp.InvalidURL)):
        return PageUnusable(f"{host} answers in no HTTP that can be read.", host=host)
    for kinds, sentence, remedy in _SENTENCES:
        if isinstance(error, kinds):
            return FetchLater(sentence.format(host=host), remedy, host=host)
    return FetchLater(_DROPPED.format(host=host), _LATER, host=host)
