"""Headers of HTTP responses: validators, content type."""

from collections.abc import Mapping

from bot.sources.fetcher import Validators

# The longest known entity tags have some 100 characters.
_MAX_LENGTH = 500


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
