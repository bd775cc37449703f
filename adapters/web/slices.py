"""Long bodies, sent in slices as the client reads: the rest is not copied for each of them."""

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.payload import Payload

SLICE = 32 * 1024  # bytes


def in_slices(response: web.StreamResponse) -> web.StreamResponse:
    """Return a response whose body is sent slice by slice if it has several.

    Sent at once, what the client does not read is copied into the buffer of its connection.
    """
    if isinstance(response, web.Response):
        body = response.body
        if isinstance(body, bytes) and len(body) > SLICE:
            response.body = _Slices(body, content_type=response.content_type)
    return response


class _Slices(Payload):
    """Bytes that several responses may share."""

    _value: bytes
    _autoclose = True  # there is nothing to close

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self._value)

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """Return the bytes as text."""
        return self._value.decode(encoding, errors)

    async def write(self, writer: AbstractStreamWriter) -> None:
        """Write the slices; each waits until the client has read most of those before it."""
        whole = memoryview(self._value)
        for start in range(0, len(whole), SLICE):
            await writer.write(whole[start : start + SLICE])
