"""Responses of pages: rendered and compressed once a content version, or not modified at all.

Validators: https://www.rfc-editor.org/rfc/rfc9110#name-validator-fields
"""

import hashlib
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime

from aiohttp import web

HTML, JSON = "text/html; charset=utf-8", "application/json; charset=utf-8"
ATOM, CSS = "application/atom+xml; charset=utf-8", "text/css; charset=utf-8"
PNG, SVG = "image/png", "image/svg+xml"
# No script, no style and no form of anywhere else; previews show pages in no frame.
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
_GZIP = 31  # zlib's number of a gzip stream with the largest window
_WORTH_IT = 500  # bytes
_LONGEST_DATE = 64  # characters
_REFUSED = re.compile(r"q=0(?:\.0*)?")


@dataclass(frozen=True, slots=True)
class Made:
    """A body as it is sent, plain and compressed; `None` where that would not be smaller.

    `status` is that of HTTP, `location` where a page is that has moved. It is made for all who ask,
    unless it is for `one` request.
    """

    body: bytes
    content_type: str
    compressed: bytes | None = None
    status: int = 200
    location: str | None = None
    one: bool = False

    @property
    def size(self) -> int:
        """The bytes that it takes."""
        return len(self.body) + len(self.compressed or b"")


def made(text: str | bytes, content_type: str, status: int = 200) -> Made:
    """Return a body with its compressed form."""
    body = text.encode() if isinstance(text, str) else text
    if len(body) < _WORTH_IT or content_type == PNG:
        return Made(body, content_type, status=status)
    packer = zlib.compressobj(wbits=_GZIP)
    return Made(body, content_type, packer.compress(body) + packer.flush(), status)


@dataclass(frozen=True, slots=True)
class Version:
    """The state of everything that pages show: its name, and since when this process knows it."""

    name: str
    since: datetime

    def etag(self, key: object, *, compressed: bool) -> str:
        """Return the strong validator of one representation."""
        named = f"{self.name} {key!r} {compressed}"
        return f'"{hashlib.sha256(named.encode()).hexdigest()[:24]}"'


def is_current(headers: Mapping[str, str], version: Version, key: object) -> bool:
    """Tell whether what a client has is what it would get, by the headers of its request."""
    if (known := headers.get("If-None-Match")) is not None:
        etags = {version.etag(key, compressed=compressed) for compressed in (False, True)}
        return any(each.strip().removeprefix("W/") in etags for each in known.split(","))
    date = headers.get("If-Modified-Since", "")
    if len(date) > _LONGEST_DATE:
        return False
    try:
        return parsedate_to_datetime(date) >= version.since.replace(microsecond=0)
    except (ValueError, TypeError, OverflowError):  # a year, or a zone, that no calendar has
        return False


def takes_gzip(headers: Mapping[str, str]) -> bool:
    """Tell whether a client takes a gzip stream.

    https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding
    """
    for each in headers.get("Accept-Encoding", "").lower().split(","):
        coding, _, weight = each.partition(";")
        if coding.strip() in {"gzip", "*"}:
            return _REFUSED.fullmatch(weight.replace(" ", "")) is None
    return False


def respond(found: Made, version: Version, key: object, *, gzip: bool) -> web.Response:
    """Return a body as a response, with its validators."""
    packed = found.compressed if gzip else None
    headers = {"Content-Type": found.content_type, **_common(version)}
    if packed is not None:
        headers["Content-Encoding"] = "gzip"
    if found.location is not None:
        headers["Location"] = found.location
    if found.status == web.HTTPOk.status_code:
        headers["ETag"] = version.etag(key, compressed=packed is not None)
    else:
        del headers["Last-Modified"]
    return web.Response(
        body=found.body if packed is None else packed, status=found.status, headers=headers
    )


def not_modified(version: Version, key: object, *, gzip: bool) -> web.Response:
    """Return the answer to a client that has a page already."""
    headers = {**_common(version), "ETag": version.etag(key, compressed=gzip)}
    return web.Response(status=web.HTTPNotModified.status_code, headers=headers)


def _common(version: Version) -> dict[str, str]:
    return {
        "Cache-Control": "no-cache",  # it may be kept, and is asked for again
        "Vary": "Accept, Accept-Encoding",
        "Last-Modified": format_datetime(version.since.replace(microsecond=0), usegmt=True),
        "Content-Security-Policy": POLICY,
    }
