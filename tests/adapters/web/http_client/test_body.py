"""Response bodies: decompression of gzip and deflate, in any chunks, within limits."""

import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.web.http_client.body import ResponseBody
from bot.errors import FetchLater, PageTooLarge, PageUnusable

_MB = 1024 * 1024


def _bare(data: bytes) -> bytes:
    """Compress without zlib's header, as some hosts send deflate."""
    packing = zlib.compressobj(wbits=-15)
    return packing.compress(data) + packing.flush()


def _unpacked(encoding: str, packed: bytes, cuts: int = 1, most: int = 10 * _MB) -> bytes:
    """Decompress a body that arrives in chunks of so many bytes."""
    body = ResponseBody("a.example", encoding, most)
    for start in range(0, len(packed), cuts):
        body.feed(packed[start : start + cuts])
    return body.finish()


@given(data=st.binary(max_size=400), cuts=st.integers(min_value=1, max_value=50))
def test_any_body_comes_out_as_it_was_in_any_pieces(data: bytes, cuts: int) -> None:
    """The boundaries of chunks make no difference to any encoding."""
    assert _unpacked("", data, cuts) == data
    assert _unpacked("GZIP ", gzip.compress(data), cuts) == data
    assert _unpacked("deflate", zlib.compress(data), cuts) == data
    assert _unpacked("deflate", _bare(data), cuts) == data
    members = gzip.compress(data) + gzip.compress(data[::-1]) + bytes(7)
    assert _unpacked("gzip", members, cuts) == data + data[::-1]


@given(data=st.binary(max_size=400), cut=st.integers(min_value=1))
def test_a_packed_body_that_breaks_off_is_an_error(data: bytes, cut: int) -> None:
    """A truncated body is an error, wherever it ends."""
    for encoding, packed in (
        ("gzip", gzip.compress(data)),
        ("deflate", zlib.compress(data)),
        ("deflate", _bare(data)),
    ):
        with pytest.raises(FetchLater):
            _unpacked(encoding, packed[: 1 + cut % (len(packed) - 1)], 64)


def test_nothing_is_empty_in_every_encoding() -> None:
    """An empty body is valid in every encoding."""
    assert _unpacked("gzip", b"") == _unpacked("deflate", b"") == b""


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", b"plain text"),
        ("gzip", gzip.compress(b"a") + b"junk"),
        ("gzip", gzip.compress(b"a")[:-8] + bytes(8)),
        ("gzip", gzip.compress(b"") * 1001),
        ("deflate", zlib.compress(b"a") + gzip.compress(b"a")),
        ("deflate", b"\xff\xff\xff"),
        ("br", b""),
        ("gzip, gzip", b""),
    ],
    # Packed bytes hold the time, and names of tests may not.
    ids=["text", "junk", "sum", "members", "member", "damage", "brotli", "twice"],
)
def test_what_can_not_be_unpacked_is_no_page(encoding: str, packed: bytes) -> None:
    """Damaged bodies, trailing junk and other encodings are errors."""
    with pytest.raises(PageUnusable):
        _unpacked(encoding, packed, 64)


@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_a_body_may_have_as_many_bytes_as_were_asked_for(encoding: str) -> None:
    """A body of the limit's size passes, one byte more is too large."""
    data = bytes(range(256)) * 4

    def sent(data: bytes) -> bytes:
        return gzip.compress(data) if encoding else data

    assert _unpacked(encoding, sent(data), most=1024) == data
    with pytest.raises(PageTooLarge, match="more than 1024 bytes"):
        _unpacked(encoding, sent(data + b"x"), most=1024)


def test_what_swells_is_refused_before_it_is_in_memory() -> None:
    """A decompression bomb is refused before it takes memory."""
    packed = gzip.compress(bytes(64 * _MB))
    tracemalloc.start()
    with pytest.raises(PageTooLarge, match="100 times"):
        _unpacked("gzip", packed, 1024)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * _MB


def test_a_bare_stream_that_looks_like_zlib_s_is_unpacked() -> None:
    """A raw stream whose first byte looks like zlib's header is decompressed."""
    stored = b"\x08\x05\x00\xfa\xffhello" + b"\x01\x00\x00\xff\xff"
    assert _unpacked("deflate", stored) == b"hello"


def test_a_short_page_may_be_monotonous() -> None:
    """The limit on the ratio applies only above a megabyte."""
    assert len(_unpacked("gzip", gzip.compress(bytes(_MB)), 1024)) == _MB
