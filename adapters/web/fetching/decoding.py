"""A body as it comes in: counted, unpacked and counted again before anything of it is kept."""

import zlib

from bot.errors import FetchLater, PageTooLarge, PageUnusable

# https://www.rfc-editor.org/rfc/rfc9110#name-content-codings
ENCODINGS = "gzip, deflate"
# Pages and feeds shrink to a twentieth; what shrinks to a hundredth was made to harm.
_RATIO = 100
_UNSUSPICIOUS = 1024 * 1024  # bytes: a short page may well be one letter a thousand times
# gzip may be written in several members, each some work to begin.
_MOST_MEMBERS = 1000
_HEADER = 2  # bytes of zlib's


class Body:
    """What a host answers with, as far as it was read.

    Args:
        host: whose answer it is.
        encoding: its `Content-Encoding`, `` where it has none.
        most: how many bytes it may have, packed and unpacked.

    Raises:
        PageUnusable: if the encoding is none that we asked for.
    """

    def __init__(self, host: str, encoding: str, most: int) -> None:
        self._host = host
        self._most = most
        self._read = 0
        self._kept = bytearray()
        self._packed = _packed(host, encoding)

    @property
    def read(self) -> int:
        """How many bytes came, as they were sent."""
        return self._read

    def expect(self, length: int | None) -> None:
        """Refuse a body that is too long by its own account.

        Raises:
            PageTooLarge: if it is.
        """
        if length is not None and length > self._most:
            raise self._too_large()

    def take(self, chunk: bytes) -> None:
        """Take in what came next.

        Raises:
            PageTooLarge: if it is too long by now, or unpacks to far more than it was.
            PageUnusable: if it can't be unpacked.
        """
        self._read += len(chunk)
        self.expect(self._read)
        if self._packed is None:
            self._kept += chunk
            return
        most = min(self._most, max(_UNSUSPICIOUS, self._read * _RATIO))
        room = most - len(self._kept)
        try:
            unpacked = self._packed.unpack(chunk, room + 1)
        except zlib.error as error:
            raise PageUnusable(
                f"The answer of {self._host} can't be unpacked.", host=self._host
            ) from error
        if len(unpacked) > room:
            raise self._too_large() if most == self._most else self._swollen()
        self._kept += unpacked

    def whole(self) -> bytes:
        """Return the body, once all of it came.

        Raises:
            FetchLater: if it breaks off.
        """
        if self._packed is not None and self._read and not self._packed.ended:
            raise FetchLater(
                f"The answer of {self._host} breaks off.", "Try again later.", host=self._host
            )
        return bytes(self._kept)

    def _too_large(self) -> PageTooLarge:
        return PageTooLarge(
            f"{self._host} answers with more than {_amount(self._most)}.", host=self._host
        )

    def _swollen(self) -> PageTooLarge:
        return PageTooLarge(
            f"What {self._host} answers unpacks to more than {_RATIO} times its length.",
            host=self._host,
        )


class _Packed:
    """A stream of gzip, or what is called deflate: zlib's format, or from some hosts without it.

    https://www.rfc-editor.org/rfc/rfc9110#name-deflate-coding tells of the latter.
    """

    def __init__(self, *, gzip: bool) -> None:
        self._stream = zlib.decompressobj(31) if gzip else None
        self._gzip = gzip
        self._held = b""
        self._members = 1

    @property
    def ended(self) -> bool:
        return self._stream is not None and self._stream.eof

    def unpack(self, data: bytes, most: int) -> bytes:
        """Return what some bytes unpack to; where there is more than `most`, the rest is lost."""
        data = self._held + data
        if self._stream is None and len(data) < _HEADER:
            self._held = data
            return b""
        self._held = b""
        stream = self._stream = self._stream or zlib.decompressobj(_window(data))
        unpacked = bytearray()
        while data and len(unpacked) < most:
            if stream.eof:
                # Blocks of a tape are filled up with zeros, and so some bodies still are.
                data = data.lstrip(b"\0")
                stream = self._next() if data else stream
            unpacked += stream.decompress(data, most - len(unpacked)) if data else b""
            data = stream.unused_data if data else b""
        return bytes(unpacked)

    def _next(self) -> "zlib._Decompress":
        """Begin the next member, which only gzip has."""
        self._members += 1
        if not self._gzip or self._members > _MOST_MEMBERS:
            raise zlib.error("more than there should be")
        self._stream = zlib.decompressobj(31)
        return self._stream


def _packed(host: str, encoding: str) -> _Packed | None:
    match encoding.strip().lower():
        case "" | "identity":
            return None
        case "gzip" | "x-gzip":
            return _Packed(gzip=True)
        case "deflate":
            return _Packed(gzip=False)
    raise PageUnusable(f"{host} answers in an encoding that was not asked for.", host=host)


def _window(data: bytes) -> int:
    """Return zlib's `wbits` for a stream: https://www.rfc-editor.org/rfc/rfc1950#section-2.2."""
    has_header = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:2], "big") % 31 == 0
    return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS


def _amount(most: int) -> str:
    megabyte = 1024 * 1024
    return f"{most // megabyte} MB" if most >= megabyte else f"{most} bytes"
