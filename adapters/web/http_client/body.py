"""The body of an HTTP response: decompressed within limits on its size and its ratio.

aiohttp's own decompression takes a truncated gzip stream for a complete one.
"""

import zlib

from bot.errors import FetchLater, PageTooLarge, PageUnusable

# https://www.rfc-editor.org/rfc/rfc9110#name-content-codings
ENCODINGS = "gzip, deflate"
# Pages and feeds compress to a twentieth; one to a hundredth is a decompression bomb.
_MAX_RATIO = 100
_RATIO_EXEMPT = 1024 * 1024  # bytes: a short page may be one letter a thousand times
# A gzip stream may have several members, and each costs some work to begin.
_MAX_MEMBERS = 1000
_ZLIB_HEADER = 2  # bytes


class ResponseBody:
    """The body of a response while it is received.

    Args:
        host: the host that responds, for errors.
        encoding: its `Content-Encoding`, empty if it has none.
        max_bytes: the limit on its size, both compressed and decompressed.

    Raises:
        PageUnusable: if the encoding was not requested.
    """

    def __init__(self, host: str, encoding: str, max_bytes: int) -> None:
        self._host = host
        self._max_bytes = max_bytes
        self._received = 0
        self._data = bytearray()
        self._decompressor = _decompressor(host, encoding)

    @property
    def received(self) -> int:
        """The number of bytes received, before decompression."""
        return self._received

    def check_length(self, length: int | None) -> None:
        """Check a length, such as that of the `Content-Length` header.

        Raises:
            PageTooLarge: if it is over the limit.
        """
        if length is not None and length > self._max_bytes:
            raise self._too_large()

    def feed(self, chunk: bytes) -> None:
        """Append a chunk.

        Raises:
            PageTooLarge: if the body is over the limit, or decompresses to far more than it was.
            PageUnusable: if it can't be decompressed.
        """
        self._received += len(chunk)
        self.check_length(self._received)
        if self._decompressor is None:
            self._data += chunk
            return
        limit = min(self._max_bytes, max(_RATIO_EXEMPT, self._received * _MAX_RATIO))
        room = limit - len(self._data)
        try:
            decompressed = self._decompressor.decompress(chunk, room + 1)
        except zlib.error as error:
            raise PageUnusable(
                f"The answer of {self._host} can't be unpacked.", host=self._host
            ) from error
        if len(decompressed) > room:
            raise self._too_large() if limit == self._max_bytes else self._ratio_exceeded()
        self._data += decompressed

    def finish(self) -> bytes:
        """Return the complete body.

        Raises:
            FetchLater: if it is truncated.
        """
        if self._decompressor is not None and self._received and not self._decompressor.finished:
            raise FetchLater(
                f"The answer of {self._host} breaks off.", "Try again later.", host=self._host
            )
        return bytes(self._data)

    def _too_large(self) -> PageTooLarge:
        return PageTooLarge(
            f"{self._host} answers with more than {_size(self._max_bytes)}.", host=self._host
        )

    def _ratio_exceeded(self) -> PageTooLarge:
        return PageTooLarge(
            f"What {self._host} answers unpacks to more than {_MAX_RATIO} times its length.",
            host=self._host,
        )


class _Decompressor:
    """A decompressor of gzip or deflate: zlib's format, which some hosts send without its header.

    https://www.rfc-editor.org/rfc/rfc9110#name-deflate-coding
    """

    def __init__(self, *, gzip: bool) -> None:
        self._stream = zlib.decompressobj(31) if gzip else None
        self._gzip = gzip
        self._pending = b""
        self._members = 1

    @property
    def finished(self) -> bool:
        return self._stream is not None and self._stream.eof

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """Return at most `max_length` decompressed bytes; the rest is lost."""
        data = self._pending + data
        if self._stream is None and len(data) < _ZLIB_HEADER:
            self._pending = data
            return b""
        self._pending = b""
        stream = self._stream = self._stream or zlib.decompressobj(_wbits(data))
        output = bytearray()
        while data and len(output) < max_length:
            if stream.eof:
                # Some bodies are padded with zeros, as blocks on a tape were.
                data = data.lstrip(b"\0")
                stream = self._next_member() if data else stream
            output += stream.decompress(data, max_length - len(output)) if data else b""
            data = stream.unused_data if data else b""
        return bytes(output)

    def _next_member(self) -> "zlib._Decompress":
        """Begin the next member, which only a gzip stream has."""
        self._members += 1
        if not self._gzip or self._members > _MAX_MEMBERS:
            raise zlib.error("more than there should be")
        self._stream = zlib.decompressobj(31)
        return self._stream


def _decompressor(host: str, encoding: str) -> _Decompressor | None:
    match encoding.strip().lower():
        case "" | "identity":
            return None
        case "gzip" | "x-gzip":
            return _Decompressor(gzip=True)
        case "deflate":
            return _Decompressor(gzip=False)
    raise PageUnusable(f"{host} answers in an encoding that was not asked for.", host=host)


def _wbits(data: bytes) -> int:
    """Return zlib's `wbits` for a stream: https://www.rfc-editor.org/rfc/rfc1950#section-2.2."""
    has_header = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:2], "big") % 31 == 0
    return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS


def _size(length: int) -> str:
    megabyte = 1024 * 1024
    return f"{length // megabyte} MB" if length >= megabyte else f"{length} bytes"
