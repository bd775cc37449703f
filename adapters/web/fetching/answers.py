"""What an answer's status and headers say, told without its text."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from bot.errors import FetchError, FetchLater, PageGone, PageUnusable
from bot.sources.fetcher import Validators

# No wait is longer: a host that asks for years should still be asked tomorrow.
LONGEST_REST = 86_400.0
# What is kept of a header; the longest entity tags that are known have some 100 characters.
_LONGEST = 500
# Their own word for "not now", beside all of 5xx.
_LATER = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}


def failure(host: str, status: int, after: float | None) -> FetchError:
    """Return the error that a status stands for which brings no page."""
    if status in _LATER or 500 <= status < 600:  # noqa: PLR2004 - the class of a server's errors
        sentence = f"{host} answers with {status}{_name(status)}: not now."
        return FetchLater(sentence, "Try again later.", host=host, status=status, after=after)
    if 400 <= status < 500:  # noqa: PLR2004 - the class of a client's errors
        return PageGone(
            f"{host} answers with {status}{_name(status)}: no page for us.",
            "Open the address in a browser to see whether it is still right.",
            host=host,
            status=status,
        )
    sentence = f"{host} answers with {status}{_name(status)} instead of a page."
    return PageUnusable(sentence, host=host, status=status)


def rest(headers: Mapping[str, str]) -> float | None:
    """Return for how many seconds a host wants to be left alone, `None` where it does not say.

    A date is taken by the host's own clock, for ours may be moved.
    https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
    """
    said = headers.get("Retry-After", "").strip()
    if said.isascii() and said.isdigit():
        # No more digits than a number of seconds can have: thousands would take long to read.
        return min(float(said[:20]), LONGEST_REST)
    until, now = _moment(said), _moment(headers.get("Date", ""))
    if until is None or now is None:
        return None
    return min(max((until - now).total_seconds(), 0.0), LONGEST_REST)


def validators(headers: Mapping[str, str]) -> Validators:
    """Return what is to be shown the next time that the page is asked for.

    https://www.rfc-editor.org/rfc/rfc9110#name-validator-fields
    """
    return Validators(plain(headers.get("ETag")), plain(headers.get("Last-Modified")))


def plain(value: str | None) -> str | None:
    """Return a header's value if it can be kept and sent again: short, in printable ASCII."""
    if value and len(value) <= _LONGEST and value.isascii() and value.isprintable():
        return value
    return None


def is_wanted(content_type: str | None, accept: str) -> bool:
    """Tell whether a type is among those that an `Accept` lists; one that is not told always is.

    https://www.rfc-editor.org/rfc/rfc9110#name-accept
    """
    if not content_type:
        return True
    given = _media(content_type)
    kind = given.partition("/")[0]
    return not {"*/*", f"{kind}/*", given}.isdisjoint(_media(each) for each in accept.split(","))


def _media(text: str) -> str:
    return text.partition(";")[0].strip().lower()


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    # "-0000" gives a date without a zone; HTTP's are all in UTC.
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _name(status: int) -> str:
    try:
        return f" ({HTTPStatus(status).phrase})"
    except ValueError:
        return ""
