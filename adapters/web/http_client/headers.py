"""Headers of HTTP responses: Retry-After, validators, content type."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from bot.sources.fetcher import Validators

# A host that asks for years should still be requested tomorrow.
MAX_RETRY_AFTER = 86_400.0
# The longest known entity tags have some 100 characters.
_MAX_LENGTH = 500


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a Retry-After header, `None` if it has none.

    A date is compared with the host's own clock, since ours may be offset.
    https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
    """
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        # Thousands of digits would take long to parse.
        return min(float(value[:20]), MAX_RETRY_AFTER)
    until, now = _parse_date(value), _parse_date(headers.get("Date", ""))
    if until is None or now is None:
        return None
    return min(max((until - now).total_seconds(), 0.0), MAX_RETRY_AFTER)


def validators(headers: Mapping[str, str]) -> Validators:
    """Return the validators for the next conditional request.

    https://www.rfc-editor.org/rfc/rfc9110#name-validator-fields
    """
    return Validators(
        sendable_value(headers.get("ETag")), sendable_value(headers.get("Last-Modified"))
    )


def sendable_value(value: str | None) -> str | None:
    """Return a header's value if it is safe to store and send again: short, printable ASCII."""
    if value and len(value) <= _MAX_LENGTH and value.isascii() and value.isprintable():
        return value
    return None


def accepts(accept: str, content_type: str | None) -> bool:
    """Tell whether an `Accept` header covers a content type; a missing type always passes.

    https://www.rfc-editor.org/rfc/rfc9110#name-accept
    """
    if not content_type:
        return True
    media_type = _media_type(content_type)
    main_type = media_type.partition("/")[0]
    accepted = {"*/*", f"{main_type}/*", media_type}
    return not accepted.isdisjoint(_media_type(each) for each in accept.split(","))


def _media_type(text: str) -> str:
    return text.partition(";")[0].strip().lower()


def _parse_date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    # "-0000" parses as a date without a zone; those of HTTP are all in UTC.
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
