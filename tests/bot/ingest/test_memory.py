"""A document that takes too much memory is refused in words, and nothing else ends."""

import resource
import subprocess
import sys

import pytest

from bot.errors import DocumentError
from bot.ingest.memory import MOST_MEMORY, limit_memory, limited_memory
from tests.slow_inputs.shapes import SHAPES

_MEGA = 1024 * 1024
_SENTENCE = (
    "a.md takes more memory to be read than there is for a document, {} MB at most."
    " Split it into several documents."
)
_HAS_LIMITS = sys.platform.startswith("linux")
_linux = pytest.mark.skipif(not _HAS_LIMITS, reason="only Linux holds a process to its limit")


@_linux
def test_what_takes_too_much_is_refused_in_a_sentence() -> None:
    """It names the document and the bound, and the limit is what it was before."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with pytest.raises(DocumentError) as refused, limited_memory("a.md", 64 * _MEGA):
        bytearray(128 * _MEGA)
    assert str(refused.value) == _SENTENCE.format(64)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    assert len(bytearray(128 * _MEGA)) == 128 * _MEGA


def test_what_is_done_within_it_is_done() -> None:
    """On any system there is room for what any document takes."""
    with limited_memory("a.md"):
        assert len(bytearray(MOST_MEMORY // 2)) == MOST_MEMORY // 2


@_linux
def test_a_lower_limit_stays() -> None:
    """An operator's own limit is never raised."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with limited_memory("a.md", 512 * _MEGA):
        lower = resource.getrlimit(resource.RLIMIT_AS)
        limit_memory(MOST_MEMORY)
        assert resource.getrlimit(resource.RLIMIT_AS) == lower
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@_linux
def test_a_parser_without_memory_says_so() -> None:
    """Whatever runs short where, in Python or in a library, it is read or refused in words.

    But for a feed: its library ends the process, and whoever began that says so.
    """
    ran = subprocess.run(
        [sys.executable, "-c", _SHORT_OF_MEMORY], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    told = ran.stdout.splitlines()
    assert len(told) == (len(SHAPES) - 1) * 4
    assert set(told) <= {"read", "refused", _SENTENCE.format(0)}
    assert _SENTENCE.format(0) in told


_SHORT_OF_MEMORY = """
from contextlib import suppress
from datetime import date
from bot.domain.drafts import ParseOptions
from bot.errors import DocumentError
from bot.ingest import documents
from bot.ingest.memory import limited_memory
from tests.slow_inputs.shapes import SHAPES

def read(text, kind, room):
    with limited_memory("a.md", room):
        document = documents.read("a.md", text.encode()).document
        week = date(2026, 1, 5), date(2026, 1, 11)
        documents.parse(document, ParseOptions(date(2026, 11, 21), week=week), kind)

for kind, shape in SHAPES.items():
    if kind == "feed":
        continue
    head, tail = shape.around[0]
    with suppress(DocumentError):
        read(head + tail, kind, 1 << 30)  # what it needs is loaded
    for room in (0, 100_000, 400_000, 16_000_000):
        told = "read"
        try:
            read(f"{head}{'word ' * 20_000}{tail}", kind, room)
        except DocumentError as error:
            told = str(error) if " memory " in str(error) else "refused"
        print(told)
"""
